// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/solvers/lobpcg.hpp>

#include "src/solvers/lobpcg_solver.hpp"

namespace araia::detail {

namespace {

template <class Number>
void require_option(bool holds, char const* field, Number got, char const* expected) {
  if (!holds)
    throw Error(ErrorKind::invalid_argument,
                std::string("araia::make_lobpcg: ") + field + " is " + std::to_string(got) + ", expected " + expected);
}

[[noreturn]] void throw_plan(ErrorKind kind, char const* name, char const* field, std::string const& got,
                             std::string const& expected) {
  throw Error(kind, std::string("araia::make_lobpcg: the plan given for ") + name + " was made for " + field + " " +
                        got + ", expected " + expected);
}

}  // namespace

void require_lobpcg_options(LobpcgOptions const& options) {
  require_option(options.pairs >= 1 && options.pairs <= lobpcg_most_columns, "pairs", options.pairs, "1 to 64");
  require_option(options.guard >= -1 && options.guard <= lobpcg_most_columns - options.pairs, "guard", options.guard,
                 "-1, or vectors that make 64 at most with the pairs");
  require_option(options.tolerance >= 0 && options.tolerance < 1, "tolerance", options.tolerance,
                 "at least 0 and less than 1");
  require_option(options.max_iterations >= 0, "max_iterations", options.max_iterations, "at least 0");
  require_option(options.refresh >= 1, "refresh", options.refresh, "at least 1");
}

void require_lobpcg_square(char const* name, std::int64_t rows, std::int64_t cols) {
  if (rows < 0)
    throw Error(ErrorKind::invalid_argument,
                "araia::make_lobpcg: rows is " + std::to_string(rows) + ", expected at least 0");
  if (rows != cols)
    throw Error(ErrorKind::dimension_mismatch, std::string("araia::make_lobpcg: ") + name + " is " +
                                                   std::to_string(rows) + " x " + std::to_string(cols) +
                                                   ", expected a square matrix");
}

void require_lobpcg_same(char const* name, std::int64_t rows, std::int64_t rows_of_a) {
  if (rows != rows_of_a)
    throw Error(ErrorKind::dimension_mismatch, std::string("araia::make_lobpcg: ") + name + " has " +
                                                   std::to_string(rows) + " rows, expected those of A, " +
                                                   std::to_string(rows_of_a));
}

void require_lobpcg_plan(char const* name, SpmmDesc const& desc, int block) {
  if (desc.op != Op::none) throw_plan(ErrorKind::unsupported, name, "op", to_string(desc.op), "none");
  if (desc.layout_b == DenseLayout::left)
    throw_plan(ErrorKind::unsupported, name, "layout_b", to_string(desc.layout_b), "right or strided");
  if (desc.layout_c == DenseLayout::left)
    throw_plan(ErrorKind::unsupported, name, "layout_c", to_string(desc.layout_c), "right or strided");
  if (desc.columns < 1 || desc.columns > block)
    throw_plan(ErrorKind::dimension_mismatch, name, "columns", std::to_string(desc.columns),
               "1 to " + std::to_string(block) + ", lobpcg_block(options)");
}

void require_lobpcg_precision(char const* name, Precision precision) {
  if (precision != Precision::native)
    throw_plan(ErrorKind::unsupported, name, "precision", precision_name(precision),
               "native, as residuals are formed from its products");
}

void throw_no_diagonal() {
  throw Error(ErrorKind::unsupported,
              "araia::make_lobpcg: preconditioner is jacobi, but of a plan, an operator or a format other than Csr the "
              "diagonal is not known; expected none, A as a Csr, or a preconditioner of the caller's");
}

template <class Exec, class T>
std::unique_ptr<LobpcgBody<Exec, T>> make_lobpcg_body(Exec const& exec, LobpcgParts<Exec, T> parts,
                                                      LobpcgOptions const& options) {
  return std::make_unique<LobpcgSolver<Exec, T>>(exec, std::move(parts), options);
}

[[gnu::used]] static void write_out_lobpcg() {
  for_types<Spaces, Reals>([&]<class Exec, class T>() { write_out(make_lobpcg_body<Exec, T>); });
}

}  // namespace araia::detail
