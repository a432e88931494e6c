// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Groups of rows of the host SpMM that share a list of columns as it is, on 16 registers: two or three rows at once by
// half a panel of 8 registers, which load a register of B once for them. With 32 registers: csr_spmm_groups.hpp. For
// csr_spmm_rows.cpp alone, in the instruction set's namespace; unnamed there, so that GCC takes the kernels into their
// one caller.
//
//   entry k     rows 0, 1, 2: a, b, c    each register of a half of row columns[k] of B: 1 load, 3 FMA
//   prefetches  the other half, into L1: by halves hardware does not follow a row of B
//
// Traffic  out of L1 a row of B an entry of three rows of A.
// Tried    docs/lab/host_kernels.md.

#include <cstdint>

#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

constexpr int registers_of_halves = 8;
constexpr int registers_of_half = registers_of_halves / 2;

/// Are rows of a list multiplied so by a panel of so many registers? Where 12 sums, three values of A and one register
/// of B are all that there are.
template <class X, int Registers, int Part>
constexpr bool takes_halves =
    Vectors<X>::tuned&& Vectors<X>::registers == 16 && Registers == registers_of_halves&& Part == 0;

/// Rows i, i + 1, ... of a list that does not move by half a panel. \tparam Prefetches  the half after it
template <int Rows, bool Prefetches, class A, class X>
[[gnu::noinline]] void group_by_half(List<A> const& list, std::int64_t i, Panel<X> const& p) {
  using Vec = Vectors<X>;
  using V = typename Vec::V;
  static_assert(sums_of<registers_of_halves> == 1, "one_row has as many, and the same bits");
  constexpr int lines = registers_of_half * static_cast<int>(sizeof(V)) / 64;
  V sum[Rows][registers_of_half];
  each<Rows * registers_of_half>([&](auto index) __attribute__((always_inline)) {
    constexpr int at = decltype(index)::value;
    sum[at / registers_of_half][at % registers_of_half] = Vec::zero();
  });
  std::int64_t const length = list.length;
  std::int64_t const step = list.values.step;
  std::int64_t const stride = p.b_row_stride;
  A const* const values = list.values.data + (i - list.first_row) * length * step;
  std::int32_t const* const columns = list.columns;
  X const* const b = p.b;
  for (std::int64_t k = 0; k < length; ++k) {
    X const* const from = b + columns[k] * stride;
    if constexpr (Prefetches)
      each<lines>([&](auto line) __attribute__((always_inline)) {
        prefetch<Into::l1>(from + p.columns, decltype(line)::value * 64);
      });
    V a[Rows];
    each<Rows>([&](auto row) __attribute__((always_inline)) {
      constexpr int q = decltype(row)::value;
      a[q] = Vec::all(static_cast<X>(values[(q * length + k) * step]));
    });
    each<registers_of_half>([&](auto register_) __attribute__((always_inline)) {
      constexpr int r = decltype(register_)::value;
      V const of_b = Vec::load(from + r * Vec::width);
      each<Rows>([&](auto row) __attribute__((always_inline)) {
        constexpr int q = decltype(row)::value;
        sum[q][r] = Vec::mul_add(a[q], of_b, sum[q][r]);
      });
    });
  }
  each<Rows>([&](auto row) __attribute__((always_inline)) {
    store_row<registers_of_half, 0>(sum[decltype(row)::value], p, i + decltype(row)::value);
  });
}

/// Rows i to i + Rows - 1 by a panel.
template <int Rows, class A, class X>
void group_by_halves(List<A> const& list, std::int64_t i, Panel<X> const& panel, bool prefetches) {
  Panel<X> p = panel;
  p.columns = registers_of_half * Vectors<X>::width;
  if (prefetches)
    group_by_half<Rows, true>(list, i, p);
  else
    group_by_half<Rows, false>(list, i, p);
  p.b += p.columns;
  p.c += p.columns * p.c_column_stride;
  p.first_column += p.columns;
  group_by_half<Rows, false>(list, i, p);
}

/// Rows i to i + count - 1 of the list, 2 or 3, by a panel.
template <class A, class X>
void group_by_halves(List<A> const& list, std::int64_t i, std::int64_t count, Panel<X> const& p, bool prefetches) {
  if (count == 3)
    group_by_halves<3>(list, i, p, prefetches);
  else
    group_by_halves<2>(list, i, p, prefetches);
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
