// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What SDDMM kernels do for one stored entry: a dot product shared by a thread's vector lanes, and its store.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

/// The dense operands of a sampled product, and what becomes of it.
template <class X, class Y, class D, class Sum>
struct SampledProduct {
  X x;             // (rows, k)
  Y y;             // (cols, k): op(Y)'
  D* d;            // (nnz), in the order of the matrix's entries
  std::int64_t k;  // elements of a dot product
  Sum alpha;
  Sum beta;
  bool conjugate;  // y
};

template <class X, class Y, class D, class Sum>
SampledProduct<X, Y, D, Sum> sampled_product(X const& x, Y const& y, D* d, std::int64_t k, Sum alpha, Sum beta,
                                             bool conjugate) {
  return {x, y, d, k, alpha, beta, conjugate};
}

/// d(entry) = alpha a(entry) x(row, :) y(col, :)' + beta d(entry). All lanes of the thread must call it.
template <class Team, class Pointers, class X, class Y, class D, class Sum>
KOKKOS_INLINE_FUNCTION void sample_entry(Team const& team, Pointers const& a, SampledProduct<X, Y, D, Sum> const& p,
                                         std::int64_t row, std::int64_t col, std::int64_t entry) {
  Sum dot{};
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, p.k),
      [&](std::int64_t k, Sum& part) {
        part += static_cast<Sum>(p.x(row, k)) * conjugate_if(p.conjugate, static_cast<Sum>(p.y(col, k)));
      },
      dot);
  Kokkos::single(Kokkos::PerThread(team),
                 [&] { store_scaled(p.d[entry], p.alpha, entry_value<Sum>(a, entry) * dot, p.beta); });
}

}  // namespace araia::detail
