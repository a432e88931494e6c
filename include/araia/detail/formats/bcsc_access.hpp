// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reading BCSC inside kernels, the same way for the wide form (col_offsets) and the compact one (counts).

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/row_access.hpp>

namespace araia::detail {

/// First stored row of block b; b == blocks gives rows.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t block_first_row(Pointers const& a, std::int64_t b) {
  if (a.block_rows) return static_cast<std::int64_t>(a.block_rows[b]);
  return Kokkos::min<std::int64_t>(b * a.block_height, a.rows);
}

/// Rows of the tallest block: block_height may be beyond those of the matrix.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t tallest_block(Pointers const& a) {
  return Kokkos::min(a.block_height, Kokkos::max<std::int64_t>(a.rows, 1));
}

/// Block that holds a stored row.
template <class Blocks>
KOKKOS_INLINE_FUNCTION std::int64_t block_of_row(Blocks const& a, std::int64_t row) {
  return a.block_rows ? segment_of(a.block_rows, a.blocks, row) : row / a.block_height;
}

template <class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t block_first_entry(BcscPointers<S, O, F> const& a, std::int64_t b) {
  return static_cast<std::int64_t>(a.col_offsets[a.block_offsets[b]]);
}
template <class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t block_first_entry(BcscCompactPointers<S, O, F, R> const& a, std::int64_t b) {
  return static_cast<std::int64_t>(a.entry_offsets[b]);
}

/// Matrix column of block column j of block b.
template <class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t block_column(BcscPointers<S, O, F> const& a, std::int64_t, std::int64_t j) {
  return static_cast<std::int64_t>(a.block_cols[j]);
}
template <class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t block_column(BcscCompactPointers<S, O, F, R> const& a, std::int64_t b,
                                                 std::int64_t j) {
  if (a.col_steps) return static_cast<std::int64_t>(a.first_cols[b]) + static_cast<std::int64_t>(a.col_steps[j]);
  return static_cast<std::int64_t>(a.block_cols[j]);
}

/// Entries of block column j.
template <class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t column_count(BcscPointers<S, O, F> const& a, std::int64_t j) {
  return static_cast<std::int64_t>(a.col_offsets[j + 1]) - static_cast<std::int64_t>(a.col_offsets[j]);
}
template <class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t column_count(BcscCompactPointers<S, O, F, R> const& a, std::int64_t j) {
  return static_cast<std::int64_t>(a.col_counts[j]) + 1;
}

/// body(col, first, last) for every block column of block b, spread over the threads of the team (of one lane each):
/// its matrix column and its entries. Every thread of the team must call it.
template <class Team, class S, class O, class F, class Body>
KOKKOS_INLINE_FUNCTION void for_each_block_column(Team const& team, BcscPointers<S, O, F> const& a, std::int64_t b,
                                                  Body const& body) {
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.block_offsets[b]),
                                               static_cast<std::int64_t>(a.block_offsets[b + 1])),
                       [&](std::int64_t j) {
                         body(static_cast<std::int64_t>(a.block_cols[j]), static_cast<std::int64_t>(a.col_offsets[j]),
                              static_cast<std::int64_t>(a.col_offsets[j + 1]));
                       });
}

/// The same for counts: their prefix sum, which says where a column's entries begin, is formed on the way.
template <class Team, class S, class O, class F, class R, class Body>
KOKKOS_INLINE_FUNCTION void for_each_block_column(Team const& team, BcscCompactPointers<S, O, F, R> const& a,
                                                  std::int64_t b, Body const& body) {
  std::int64_t const base = a.entry_offsets[b];
  std::int64_t const first_column = a.block_offsets[b];
  Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.block_offsets[b + 1]) - first_column),
                        [&](std::int64_t i, std::int64_t& before, bool final) {
                          std::int64_t const count = column_count(a, first_column + i);
                          if (final) body(block_column(a, b, first_column + i), base + before, base + before + count);
                          before += count;
                        });
}

/// body(col, first, last) for every block column of block b, one after the other in the calling thread.
template <class Pointers, class Body>
KOKKOS_INLINE_FUNCTION void walk_block_columns(Pointers const& a, std::int64_t b, Body const& body) {
  std::int64_t const last_column = a.block_offsets[b + 1];
  std::int64_t first = block_first_entry(a, b);
  for (std::int64_t j = a.block_offsets[b]; j < last_column; ++j) {
    std::int64_t const last = first + column_count(a, j);
    body(block_column(a, b, j), first, last);
    first = last;
  }
}

}  // namespace araia::detail
