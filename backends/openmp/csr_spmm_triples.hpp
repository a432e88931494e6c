// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host SpMM that share a list of columns, each moved by one from the row before, whose columns come in
// threes: points of stencils with neighbours in all directions. For csr_spmm_rows.cpp alone, in the instruction set's
// namespace; unnamed there, so that GCC takes the kernels into their one caller.

#include <cstdint>
#include <utility>

#include "backends/openmp/csr_spmm_asking.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

// By panels of whole registers, of wider rows of B, as by 128, 192 or 256 columns of f64: rows of a power of two
// of bytes fall into few sets of L1, and what a row of A has read has left it when the next one comes. Where a panel is
// all of B, rows of A find it there, and this loses 0.02 to 0.05.
//
// Six rows of A at once by half a panel load fewer rows of B, 12 in place of 15 for each row of A of 27 points, and are
// no faster.

/// Are the list's columns c, c + 1, c + 2 for one c after the other?
template <class A>
bool in_threes(List<A> const& list) {
  if (list.shift != 1 || list.length == 0 || list.length % 3 != 0) return false;
  for (std::int64_t k = 0; k < list.length; k += 3)
    if (list.columns[k + 1] != list.columns[k] + 1 || list.columns[k + 2] != list.columns[k] + 2) return false;
  return true;
}

/// Adds row T of those of B that a triple of Q rows reads, T - q being the entry of row q for it.
template <int T, class A, class X, int... Q>
[[gnu::always_inline]] inline void add_row_of_triple(RowSums<X, registers_of_three_rows>* row, A const* values,
                                                     std::int64_t length, X const* b,
                                                     std::integer_sequence<int, Q...>) {
  using Vec = Vectors<X>;
  typename Vec::V const a[] = {T >= Q && T < Q + 3 ? Vec::all(static_cast<X>(values[Q * length + T - Q]))
                                                   : Vec::zero()...};
  each<registers_of_three_rows>([&](auto register_) __attribute__((always_inline)) {
    constexpr int r = decltype(register_)::value;
    auto const of_b = Vec::load(b + r * Vec::width);
    ((T >= Q && T < Q + 3 ? void(row[Q].sum[0][r] = Vec::mul_add(a[Q], of_b, row[Q].sum[0][r])) : void()), ...);
  });
}

/// Rows i to i + Rows - 1 of the list by a panel.
template <int Rows, class A, class X, int... T>
[[gnu::noinline]] void rows_of_triple(List<A> const& list, std::int64_t i, Panel<X> const& p,
                                      std::integer_sequence<int, T...>) {
  static_assert(sums_of<registers_of_three_rows> == 1, "one_row has as many, and the same bits");
  RowSums<X, registers_of_three_rows> row[Rows];
  each<Rows>([&](auto q) __attribute__((always_inline)) { row[decltype(q)::value].clear(); });
  std::int64_t const since = i - list.first_row;
  std::int64_t const stride = p.b_row_stride;
  A const* const values = list.values.data + since * list.length;
  X const* const b = p.b + since * stride;
  for (std::int64_t k = 0; k < list.length; k += 3) {
    X const* const from = b + list.columns[k] * stride;
    (add_row_of_triple<T>(row, values + k, list.length, from + T * stride, Indices<Rows>{}), ...);
  }
  each<Rows>([&](auto q) __attribute__((always_inline)) {
    store_total<registers_of_three_rows, 0>(row[decltype(q)::value], p, i + decltype(q)::value);
  });
}

/// Rows [first, last) of a list whose columns are in_threes, by a panel of registers_of_three_rows. A row of B is
/// loaded once for the up to three rows of A that have it; the sums are those of one_row.
template <class A, class X>
void triples_by_panel(List<A> const& list, std::int64_t first, std::int64_t last, Panel<X> const& p,
                      RowsOfB& rows_of_b) {
  std::int64_t const last_column = list.columns[list.length - 1];
  while (first < last) {
    std::int64_t const rows = last - first < three_rows ? last - first : three_rows;
    if (!rows_of_b.in_cache) {
      ask_for_values(list, first, rows);
      for (std::int64_t i = first; i < first + rows; ++i) rows_of_b.ask(p, last_column + i - list.first_row);
      ask_before_gaps(list, first, rows, p);
    }
    each<three_rows>([&](auto index) __attribute__((always_inline)) {
      constexpr int count = decltype(index)::value + 1;
      if (rows == count) rows_of_triple<count>(list, first, p, Indices<count + 2>{});
    });
    first += rows;
  }
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
