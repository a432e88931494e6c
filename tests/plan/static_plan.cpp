// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan of static storage that outlives Kokkos: a line on stderr says so, later calls are errors, and the program ends
// as others do. Its argument is a file for what comes on stderr.
#include <Kokkos_Core.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/plan/plan.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
std::optional<araia::Plan<Exec, araia::SpmvDesc, double>> static_plan;

void plan_diagonal(int n) {
  Exec const exec;
  Kokkos::View<int*> const row_offsets("row_offsets", static_cast<std::size_t>(n) + 1);
  Kokkos::View<int*> const col_indices("col_indices", static_cast<std::size_t>(n));
  Kokkos::View<double*> const values("values", static_cast<std::size_t>(n));
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        row_offsets(i + 1) = i + 1;
        col_indices(i) = i;
        values(i) = 2;
      });
  static_plan =
      araia::make_plan(exec, araia::SpmvDesc{}, araia::make_csr(exec, n, n, n, row_offsets, col_indices, values));
  auto const ends_in_time = *static_plan;  // a copy that is gone before: no plan of its own
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !std::freopen(argv[1], "w", stderr)) return 2;
  Kokkos::initialize();
  plan_diagonal(100);
  Kokkos::finalize();
  std::fflush(stderr);
  std::ifstream in(argv[1]);
  std::string const said(std::istreambuf_iterator<char>(in), {});
  if (said.find("araia: 1 plan (") == std::string::npos) {
    std::printf("stderr is '%s', expected a word of one plan\n", said.c_str());
    return 1;
  }
  try {
    (void)static_plan->report();
  } catch (araia::Error const& error) {
    return error.kind() == araia::ErrorKind::invalid_argument ? 0 : 1;
  }
  std::puts("the plan answers after Kokkos::finalize, expected an error");
  return 1;
}
