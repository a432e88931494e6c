// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a matrix, lets the model choose its format and kernel, multiplies, and says why: 02_tuned_product FILE
#include <Kokkos_Core.hpp>
#include <araia/araia.hpp>
#include <iostream>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  try {
    auto const on_host = araia::assemble<double>(araia::read_matrix(argc > 1 ? argv[1] : ""));
    auto const A = araia::copy_to<araia::DefaultDevice>(exec, on_host);
    auto const plan = araia::make_plan(exec, araia::SpmvDesc{}, A);

    Kokkos::View<double*> const x("x", static_cast<std::size_t>(A.cols));
    Kokkos::View<double*> const y("y", static_cast<std::size_t>(A.rows));
    Kokkos::deep_copy(exec, x, 1.0);
    plan.execute(exec, 1.0, x, 0.0, y);  // y = A x, as often as you like: no allocation, no hidden fence
    exec.fence();
    std::cout << plan.explain();
  } catch (araia::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
