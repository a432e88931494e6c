// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a pruned layer's weights: of the dense product dOut' In only the entries that the layer keeps.
#include <Kokkos_Core.hpp>
#include <araia/assembly/assemble.hpp>
#include <araia/formats/convert.hpp>
#include <araia/ops/sddmm.hpp>
#include <araia/plan/plan.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;

  araia::HostCoo kept;  // outputs x inputs
  kept.rows = 3;
  kept.cols = 4;
  kept.row_indices = std::vector<std::int32_t>{0, 0, 1, 2};
  kept.col_indices = std::vector<std::int32_t>{1, 3, 0, 2};
  kept.values = std::vector<double>(4, 0.0);
  auto const dW = araia::copy_to<araia::DefaultDevice>(exec, araia::assemble<double>(kept));

  int const batch = 8;
  Kokkos::View<double**> const dOut("dOut", 3, batch);
  Kokkos::View<double**> const In("In", 4, batch);
  Kokkos::deep_copy(exec, dOut, 0.5);
  Kokkos::deep_copy(exec, In, 2.0);
  araia::sddmm(exec, 1.0, dOut, In, 0.0, dW);  // dW = spy(dW) .* (dOut In')

  // The same by a plan, for layers that are multiplied often.
  Kokkos::View<double*> const gradient("gradient", dW.values.extent(0));
  auto const plan = araia::make_plan(exec, araia::SddmmDesc{.columns = batch, .pattern = true}, dW);
  plan.execute(exec, 1.0, dOut, In, 0.0, gradient);  // a value for each entry of dW, in its order

  auto const values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dW.values);
  auto const planned = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gradient);
  bool right = true;
  for (std::size_t p = 0; p < values.extent(0); ++p)
    right = right && values(p) == 0.5 * 2.0 * batch && planned(p) == values(p);
  std::printf("gradient of %zu weights: %s\n", values.extent(0), right ? "as expected" : "wrong");
  return right ? 0 : 1;
}
