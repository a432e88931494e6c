// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host SpMM that share a list of columns as it is, on 16 registers: two or three at once by half a panel of
// 8 registers, which load a register of B once for them. With 32 registers: csr_spmm_node_rows.hpp. For
// csr_spmm_rows.cpp alone, in the instruction set's namespace; unnamed there, so that GCC takes the kernels into their
// one caller.
//
//   entry k     rows 0, 1, 2: a, b, c    each register of a half of row columns[k] of B: 1 load, 3 FMA
//   asks for    the other half, into L1: by halves hardware does not follow a row of B
//
// Traffic  out of L1 a row of B an entry of three rows of A.
// Tried    on Zen 3, from memory. Not asking: 0.85 to 0.95 of the speed. The same for panels of 1, 2 and 4 registers,
//          whose rows have 4, 2 and 2 sums: 0.85 to 1.1. Rows of 27 points by threes of columns, five loads for nine
//          multiply-adds: 0.75 to 1. Rows of B of more than two panels: 0.8 to 1.1 of whole rows.

#include <cstdint>

#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

constexpr int registers_of_halves = 8;
constexpr int registers_of_half = registers_of_halves / 2;

/// Do rows of a list go so, by a panel of so many registers? Where 12 sums, three values of A and one register of B are
/// all that there are.
template <class X, int Registers, int Part>
constexpr bool takes_halves =
    Vectors<X>::tuned&& Vectors<X>::registers == 16 && Registers == registers_of_halves&& Part == 0;

/// Rows i, i + 1, ... of a list that does not move by half a panel. \tparam Asks  for the half after it
template <int Rows, bool Asks, class A, class X>
[[gnu::noinline]] void rows_of_node_by_half(List<A> const& list, std::int64_t i, Panel<X> const& p) {
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
    if constexpr (Asks)
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
void rows_of_node_by_halves(List<A> const& list, std::int64_t i, Panel<X> const& panel, bool asks) {
  Panel<X> p = panel;
  p.columns = registers_of_half * Vectors<X>::width;
  if (asks)
    rows_of_node_by_half<Rows, true>(list, i, p);
  else
    rows_of_node_by_half<Rows, false>(list, i, p);
  p.b += p.columns;
  p.c += p.columns * p.c_column_stride;
  p.first_column += p.columns;
  rows_of_node_by_half<Rows, false>(list, i, p);
}

/// Rows i to i + count - 1 of the list, 2 or 3, by a panel.
template <class A, class X>
void rows_of_node_by_halves(List<A> const& list, std::int64_t i, std::int64_t count, Panel<X> const& p, bool asks) {
  if (count == 3)
    rows_of_node_by_halves<3>(list, i, p, asks);
  else
    rows_of_node_by_halves<2>(list, i, p, asks);
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
