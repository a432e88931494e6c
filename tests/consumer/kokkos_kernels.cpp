// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix of Kokkos Kernels, with its default offsets of std::size_t, multiplied by a plan: the same arrays, and a
// plan's choice of format. This header comes before Kokkos Kernels' own.
#include <araia/interop/kokkos_kernels.hpp>
#include <araia/plan/plan.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>

namespace {

using Theirs = KokkosSparse::CrsMatrix<double, int, Kokkos::DefaultExecutionSpace>;
using Vector = Kokkos::View<double*>;

// y = A x
void multiply(Theirs const& theirs, Vector const& x, Vector const& y) {
  Kokkos::DefaultExecutionSpace const exec;
  auto const A = araia::from_kokkos_kernels(exec, theirs);  // checked; shares their arrays
  auto const plan = araia::make_plan(exec, araia::SpmvDesc{}, A);
  plan.execute(exec, 1.0, x, 0.0, y);
  exec.fence();
}

}  // namespace

// (2 I) x for x = 3
bool exchanges() {
  int const n = 100;
  auto const size = static_cast<std::size_t>(n);
  Theirs::row_map_type::non_const_type const offsets("offsets", size + 1);
  Theirs::index_type const columns("columns", size);
  Vector const values("values", size);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        offsets(i + 1) = static_cast<Theirs::non_const_size_type>(i + 1);
        columns(i) = i;
        values(i) = 2;
      });
  Vector const x("x", size);
  Vector const y("y", size);
  Kokkos::deep_copy(x, 3.0);
  multiply(Theirs("A", n, n, static_cast<std::size_t>(n), values, offsets, columns), x, y);
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  bool right = true;
  for (std::size_t i = 0; i < size; ++i) right = right && result(i) == 6.0;
  return right;
}
