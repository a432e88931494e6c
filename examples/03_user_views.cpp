// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One product with a matrix that the application already holds in Kokkos Views: no copy, no plan.
#include <Kokkos_Core.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/ops/spmv.hpp>
#include <cstdint>
#include <cstdio>

using View = Kokkos::View<double*>;

/// y = A x for the tridiagonal matrix (-1, 2, -1); returns the largest entry of y for x = 1.
static double largest_of_tridiagonal_product(int n) {
  Kokkos::DefaultExecutionSpace const exec;
  Kokkos::View<int*> const row_offsets("row_offsets", static_cast<std::size_t>(n) + 1);
  Kokkos::View<int*> const col_indices("col_indices", static_cast<std::size_t>(3 * n - 2));
  View const values("values", static_cast<std::size_t>(3 * n - 2));
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        int k = i == 0 ? 0 : 3 * i - 1;
        row_offsets(i) = k;
        for (int j = i - 1; j <= i + 1; ++j)
          if (j >= 0 && j < n) {
            col_indices(k) = j;
            values(k++) = i == j ? 2.0 : -1.0;
          }
        if (i == n - 1) row_offsets(n) = k;
      });

  View const x("x", static_cast<std::size_t>(n));
  View const y("y", static_cast<std::size_t>(n));
  Kokkos::deep_copy(exec, x, 1.0);
  std::int64_t const nnz = 3 * static_cast<std::int64_t>(n) - 2;
  auto const A = araia::make_csr(exec, n, n, nnz, row_offsets, col_indices, values);  // checked, throws if broken
  araia::spmv(exec, araia::Op::none, 1.0, A, x, 0.0, y);

  double largest = 0;
  Kokkos::parallel_reduce(
      "largest", Kokkos::RangePolicy<>(exec, 0, n),
      KOKKOS_LAMBDA(int i, double& most) { most = Kokkos::max(most, y(i)); }, Kokkos::Max<double>(largest));
  return largest;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  double const largest = largest_of_tridiagonal_product(1000);
  std::printf("largest entry of A * 1: %g, expected 1\n", largest);
  return largest == 1.0 ? 0 : 1;
}
