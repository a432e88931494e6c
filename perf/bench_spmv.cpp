// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x: our formats and kernels beside the peers', interleaved.
#include <array>

#include <araia/formats/convert.hpp>
#include <araia/ops/spmv.hpp>
#include <common/araia_contenders.hpp>
#include <common/bench_main.hpp>

namespace araia::perf {
namespace {

template <class Scalar>
using Problem = SpmvProblem<Scalar>;

/// One of our kernels on matrices that are there already, one a copy.
template <class Scalar, class Matrix, class Tuning>
Prepared one_shot(Problem<Scalar>& problem, std::shared_ptr<std::vector<Matrix>> const& matrices, double setup,
                  Tuning const& tuning) {
  Prepared prepared;
  prepared.launch = [matrices, tuning, x = problem.x, y = problem.y, exec = problem.exec](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    spmv(exec, Op::none, Scalar{1}, (*matrices)[c], x[c], Scalar{}, y[c], tuning);
  };
  prepared.matrix_bytes = static_cast<double>(matrices->front().bytes());
  prepared.stored = matrices->front().stored();
  prepared.setup_seconds = setup;
  return prepared;
}

template <class Scalar>
void add_ours(std::vector<Contender<Problem<Scalar>>>& contenders) {
  for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row, CsrSpmvKernel::vector_per_row})
    contenders.push_back({"araia", "csr", kernel_name(kernel), [kernel](Problem<Scalar>& problem) {
                            auto const shared =
                                std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
                            return one_shot(problem, shared, 0, CsrSpmvTuning{.kernel = kernel});
                          }});
  // Its bytes are counted as CSR's: how many columns are shared is the matrix's affair.
  if constexpr (araia::detail::is_host_backend_space<Exec>)
    contenders.push_back(
        {"araia", "csr", "host_simd_runs", [](Problem<Scalar>& problem) {
           auto const [runs, seconds] =
               detail::convert_copies(problem, [&](auto const& A) { return inspect_rows(problem.exec, A); });
           auto const shared = std::make_shared<std::vector<typename Problem<Scalar>::Matrix>>(problem.A);
           Prepared prepared = one_shot(problem, shared, seconds, CsrSpmvTuning{});
           prepared.launch = [shared, runs = runs, x = problem.x, y = problem.y, exec = problem.exec](int copy) {
             auto const c = static_cast<std::size_t>(copy);
             spmv(exec, Op::none, Scalar{1}, (*shared)[c], x[c], Scalar{}, y[c],
                  {.kernel = CsrSpmvKernel::host_simd_runs, .row_runs = (*runs)[c].get()});
           };
           return prepared;
         }});
  for (auto const kernel : {CooSpmvKernel::segmented, CooSpmvKernel::atomic})
    contenders.push_back({"araia", "coo", kernel_name(kernel), [kernel](Problem<Scalar>& problem) {
                            auto const [coo, seconds] = detail::convert_copies(
                                problem, [&](auto const& A) { return csr_to_coo(problem.exec, A); });
                            return one_shot(problem, coo, seconds, CooSpmvTuning{.kernel = kernel});
                          }});
  contenders.push_back({"araia", "ell", "thread_per_row",
                        [](Problem<Scalar>& problem) {
                          auto const [ell, seconds] = detail::convert_copies(
                              problem, [&](auto const& A) { return csr_to_ell(problem.exec, A); });
                          return one_shot(problem, ell, seconds, EllSpmvTuning{});
                        },
                        detail::ell_stored});
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  using namespace araia::perf;
  Suite suite;
  for_each_scalar([&](auto scalar) { add_ours<decltype(scalar)>(suite.spmv<decltype(scalar)>()); });
  add_peers(suite);
  return bench_main(argc, argv,
                    [&](Exec const& exec, Options const& options, Machine const& machine,
                        std::shared_ptr<LazyMatrix> const& matrix, std::vector<Group>& groups) {
                      for_each_scalar([&](auto scalar) {
                        using Scalar = decltype(scalar);
                        if (options.wants(options.types, scalar_name<Scalar>()))
                          add_group(groups, exec, options, machine, matrix, 1, types_name<Scalar>(),
                                    suite.spmv<Scalar>());
                      });
                    });
}
