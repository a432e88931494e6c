// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Groups of rows of the host SpMM that share a list of columns as it is, such as the unknowns of a finite-element node:
// three rows at once, which load a row of B once and prefetch that of a later entry. For csr_spmm_rows.cpp alone, in
// the instruction set's namespace; unnamed there, so that GCC takes the kernels into their one caller.
//
//   entry k     row 0: a   row 1: b   row 2: c     each register of row columns[k] of B: 1 load, 3 FMA
//   prefetches  row columns[k + 8] of B, past the list's end what comes next begins with, into L1
//
// Traffic  out of L2 a row of B an entry of three rows of A, out of L1 too.
// Tried    docs/lab/host_kernels.md.

#include <cstdint>
#include <utility>

#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

constexpr std::int64_t entries_prefetched_ahead = 8;

/// Are the list's rows multiplied in groups? Where its rows of B, as far apart as they are, do not stay in L1 from one
/// row of A to the next: three quarters of it, as A and C pass through.
template <class A>
bool goes_by_groups(List<A> const& list, std::int64_t row_stride_bytes) {
  return list.shift == 0 && list.length * row_stride_bytes > caches().l1 / 4 * 3;
}

/// What is multiplied after a list by a panel: more rows of it, the next panel of the same rows, or the next list.
template <class X>
struct Next {
  std::int32_t const* columns;
  std::int64_t count;
  X const* b;  // at the first column of the panel
};

/// Prefetches a row of B, by the panel's columns.
template <class X>
[[gnu::always_inline]] inline void prefetch_row(X const* row) {
  each<registers_of_group>([&](auto r)
                               __attribute__((always_inline)) { prefetch<Into::l1>(row, decltype(r)::value * 64); });
}

/// Adds register R of a row of B to the sums of the rows of A.
template <int Part, int R, class X, int... Q>
[[gnu::always_inline]] inline void add_register(RowSums<X, registers_of_group>* row, typename Vectors<X>::V const* a,
                                                X const* b, std::int64_t columns, std::integer_sequence<int, Q...>) {
  auto const of_b = load_register<registers_of_group, Part, R>(b, columns);
  ((row[Q].sum[0][R] = Vectors<X>::mul_add(a[Q], of_b, row[Q].sum[0][R])), ...);
}
template <int Part, class X, class Rows, int... R>
[[gnu::always_inline]] inline void add_row(RowSums<X, registers_of_group>* row, typename Vectors<X>::V const* a,
                                           X const* b, std::int64_t columns, Rows rows,
                                           std::integer_sequence<int, R...>) {
  (add_register<Part, R>(row, a, b, columns, rows), ...);
}

/// Rows i, i + 1, ... of the list by a panel.
template <int Part, class A, class X, int... Q>
[[gnu::noinline]] void group_by_panel(List<A> const& list, std::int64_t i, Panel<X> const& p, Next<X> const& next,
                                      std::integer_sequence<int, Q...> rows) {
  using Vec = Vectors<X>;
  static_assert(sums_of<registers_of_group> == 1, "one_row has as many, and the same bits");
  RowSums<X, registers_of_group> row[sizeof...(Q)];
  (row[Q].clear(), ...);
  std::int64_t const step = list.values.step;
  std::int64_t const stride = p.b_row_stride;
  std::int64_t const length = list.length;
  A const* const values = list.values.data + (i - list.first_row) * length * step;
  std::int32_t const* const columns = list.columns;
  X const* const b = p.b;
  auto const add = [&](std::int64_t k) __attribute__((always_inline)) {
    typename Vec::V const a[] = {Vec::all(static_cast<X>(values[(Q * length + k) * step]))...};
    add_row<Part>(row, a, b + columns[k] * stride, p.columns, rows, Indices<registers_of_group>{});
  };
  std::int64_t k = 0;
  for (; k + entries_prefetched_ahead < length; ++k) {
    prefetch_row(b + columns[k + entries_prefetched_ahead] * stride);
    add(k);
  }
  for (std::int64_t later = 0; k < length; ++k, ++later) {
    if (later < next.count) prefetch_row(next.b + next.columns[later] * stride);
    add(k);
  }
  (store_total<registers_of_group, Part>(row[Q], p, i + Q), ...);
}

/// Rows [first, last) of a list that does not move, by a panel of registers_of_group; the sums are those of
/// one_row.
template <int Part, class A, class X>
void groups_by_panel(List<A> const& list, std::int64_t first, std::int64_t last, Panel<X> const& p,
                     RowsOfB& rows_of_b) {
  std::int32_t const* const after = list.columns + list.length;
  while (first < last) {
    std::int64_t const rows = last - first < rows_of_group ? last - first : rows_of_group;
    if (!rows_of_b.in_cache) {
      prefetch_values(list, first, rows);
      rows_of_b.prefetch_after(p, after[-1]);
    }
    Next<X> next{list.columns, list.length, p.b};
    if (first + rows == last) {
      if (p.first_column + p.columns < list.b_columns)
        next.b += p.columns;
      else
        next = {after, list.columns_end - after, p.b - p.first_column};
    }
    each<rows_of_group>([&](auto index) __attribute__((always_inline)) {
      constexpr int at_once = decltype(index)::value + 1;
      if (rows == at_once) group_by_panel<Part>(list, first, p, next, Indices<at_once>{});
    });
    first += rows;
  }
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
