// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/solvers/cg.hpp>

#include "src/solvers/cg_batch.hpp"
#include "src/solvers/cg_solver.hpp"

namespace araia::detail {

void throw_not_square(std::int64_t rows, std::int64_t cols) {
  throw Error(ErrorKind::dimension_mismatch, "araia::make_cg: A is " + std::to_string(rows) + " x " +
                                                 std::to_string(cols) + ", expected a square matrix");
}

template <class Exec, class T>
std::unique_ptr<CgBody<Exec, T>> make_cg_body(Exec const& exec, std::shared_ptr<CgOperator<Exec, T>> a,
                                              CgSource<Exec, T> const& source,
                                              std::shared_ptr<CgPreconditioning<Exec, T>> preconditioning,
                                              CgOptions const& options) {
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    throw Error(ErrorKind::invalid_argument, "araia::make_cg: tolerance is " + std::to_string(options.tolerance) +
                                                 ", expected at least 0 and less than 1");
  if (options.max_iterations < 0)
    throw Error(ErrorKind::invalid_argument, "araia::make_cg: max_iterations is " +
                                                 std::to_string(options.max_iterations) + ", expected at least 0");
  if (!source.known && !preconditioning && options.preconditioner == CgPreconditioner::jacobi)
    throw Error(
        ErrorKind::unsupported,
        "araia::make_cg: preconditioner is jacobi for an operator whose diagonal is not known, expected none or "
        "a preconditioner of the caller's");
  return std::make_unique<CgSolver<Exec, T>>(exec, std::move(a), source, std::move(preconditioning), options);
}

template <class Exec, class T>
std::unique_ptr<CgBatchBody<Exec, T>> make_cg_batch_body(Exec const& exec, CgSource<Exec, T> const& source,
                                                         std::int64_t systems, CgOptions const& options,
                                                         Cg<Exec, T> one) {
  return std::make_unique<CgBatchSolver<Exec, T>>(exec, source, systems, options, std::move(one));
}

[[gnu::used]] static void write_out_cg() {
  for_types<Spaces, Reals>([&]<class Exec, class T>() {
    write_out(make_cg_body<Exec, T>);
    write_out(make_cg_batch_body<Exec, T>);
  });
}

}  // namespace araia::detail
