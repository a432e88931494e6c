// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Groups of rows of the host SpMM that share a list of columns, each moved by one from the row before, whose columns
// come in threes, such as points of stencils with neighbours in all directions. For csr_spmm_rows.cpp alone, in the
// instruction set's namespace; unnamed there, so that GCC takes the kernels into their one caller.

#include <cstdint>
#include <utility>

#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

// Groups are for panels of whole registers where rows of B are wider than a panel: rows of a power of two of bytes fall
// into few sets of L1, and what a row of A has read has left it when the next one comes. Where a panel is all of B,
// rows of A find it there.

/// Are the list's columns c, c + 1, c + 2 for one c after the other?
template <class A>
bool columns_in_threes(List<A> const& list) {
  if (list.shift != 1 || list.length == 0 || list.length % 3 != 0) return false;
  for (std::int64_t k = 0; k < list.length; k += 3)
    if (list.columns[k + 1] != list.columns[k] + 1 || list.columns[k + 2] != list.columns[k] + 2) return false;
  return true;
}

/// Adds row T of the rows of B that a group of Q rows reads for three columns; T - q is the entry of row q for it.
template <int T, class A, class X, int... Q>
[[gnu::always_inline]] inline void add_row_of_shifted_group(RowSums<X, registers_of_group>* row, A const* values,
                                                            std::int64_t length, X const* b,
                                                            std::integer_sequence<int, Q...>) {
  using Vec = Vectors<X>;
  typename Vec::V const a[] = {T >= Q && T < Q + 3 ? Vec::all(static_cast<X>(values[Q * length + T - Q]))
                                                   : Vec::zero()...};
  each<registers_of_group>([&](auto register_) __attribute__((always_inline)) {
    constexpr int r = decltype(register_)::value;
    auto const of_b = Vec::load(b + r * Vec::width);
    ((T >= Q && T < Q + 3 ? void(row[Q].sum[0][r] = Vec::mul_add(a[Q], of_b, row[Q].sum[0][r])) : void()), ...);
  });
}

/// Rows i to i + Rows - 1 of the list by a panel.
template <int Rows, class A, class X, int... T>
[[gnu::noinline]] void shifted_group(List<A> const& list, std::int64_t i, Panel<X> const& p,
                                     std::integer_sequence<int, T...>) {
  static_assert(sums_of<registers_of_group> == 1, "one_row has as many, and the same bits");
  RowSums<X, registers_of_group> row[Rows];
  each<Rows>([&](auto q) __attribute__((always_inline)) { row[decltype(q)::value].clear(); });
  std::int64_t const since = i - list.first_row;
  std::int64_t const stride = p.b_row_stride;
  A const* const values = list.values.data + since * list.length;
  X const* const b = p.b + since * stride;
  for (std::int64_t k = 0; k < list.length; k += 3) {
    X const* const from = b + list.columns[k] * stride;
    (add_row_of_shifted_group<T>(row, values + k, list.length, from + T * stride, Indices<Rows>{}), ...);
  }
  each<Rows>([&](auto q) __attribute__((always_inline)) {
    store_total<registers_of_group, 0>(row[decltype(q)::value], p, i + decltype(q)::value);
  });
}

/// Rows [first, last) of a list whose columns come in threes, by a panel of registers_of_group. A row of B is loaded
/// once for the up to three rows of A that have it; the sums are those of one_row.
template <class A, class X>
void shifted_groups_by_panel(List<A> const& list, std::int64_t first, std::int64_t last, Panel<X> const& p,
                             RowsOfB& rows_of_b) {
  std::int64_t const last_column = list.columns[list.length - 1];
  while (first < last) {
    std::int64_t const rows = last - first < rows_of_group ? last - first : rows_of_group;
    if (!rows_of_b.in_cache) {
      prefetch_values(list, first, rows);
      for (std::int64_t i = first; i < first + rows; ++i) rows_of_b.prefetch_after(p, last_column + i - list.first_row);
      prefetch_before_gaps(list, first, rows, p);
    }
    each<rows_of_group>([&](auto index) __attribute__((always_inline)) {
      constexpr int count = decltype(index)::value + 1;
      if (rows == count) shifted_group<count>(list, first, p, Indices<count + 2>{});
    });
    first += rows;
  }
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
