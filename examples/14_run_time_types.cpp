// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars and execution space that are named when the program runs, as a binding has them:
// 14_run_time_types FILE [f64|f32|f32_f64|c64] [openmp|cuda|serial]
#include <Kokkos_Core.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/plan/any_matrix.hpp>
#include <iostream>
#include <string>
#include <vector>

static araia::ScalarTypes types_named(std::string const& name) {
  for (auto const types : araia::any_types())
    if (name == araia::to_string(types)) return types;
  throw araia::Error(araia::ErrorKind::invalid_argument, "type " + name + " is not in this build");
}

// y = A x with arrays of the application: nothing is copied, allocated or waited for.
static void multiply(araia::AnyPlan const& plan, void const* x, void* y, araia::MemorySpace memory) {
  auto const scalar = araia::operand_scalar(plan.types());
  plan.execute(1.0, {.data = x, .scalar = scalar, .memory = memory, .rows = plan.cols()}, 0.0,
               {.data = y, .scalar = scalar, .memory = memory, .rows = plan.rows()});
}

// A times ones, read from a file, as scalars of the types in the memory of exec.
static araia::HostDense row_sums(araia::AnySpace const& exec, std::string const& file, araia::ScalarTypes types) {
  auto const A = araia::make_any_matrix(exec, araia::read_matrix(file), types);
  auto const plan = A->plan(araia::SpmvDesc{}, {});
  std::cout << plan->explain();
  std::vector<double> const ones(static_cast<std::size_t>(A->cols()), 1.0);
  araia::AnyDense const x(exec, araia::operand_scalar(types), {A->cols(), 1, ones});
  araia::AnyDense const y(exec, araia::operand_scalar(types), A->rows());
  multiply(*plan, x.view().data, y.view().data, exec.memory());
  return y.to_host(exec);  // waits
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    std::string const space = argc > 3 ? argv[3] : araia::default_space();
    auto const types = types_named(argc > 2 ? argv[2] : "f64");
    auto const sums = row_sums(araia::AnySpace(space), argc > 1 ? argv[1] : "", types);
    std::cout << sums.rows << " row sums in " << araia::to_string(types) << " on " << space << '\n';
  } catch (araia::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
