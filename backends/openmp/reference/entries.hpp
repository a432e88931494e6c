// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stored entries of a matrix, one after the other: all that the reference knows of a format.

#include <algorithm>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/openmp/reference/entries_bsr.hpp"
#include "backends/openmp/reference/entries_csc.hpp"
#include "backends/openmp/reference/entries_hyb.hpp"

namespace araia::reference {

/// f(row, col, value) for the entries of stored row i, in stored order; absent values are ones.
template <class S, class O, class Z, class F>
void for_each_entry_of_stored_row(CsrPointers<S, O, Z> const& a, std::int64_t i, F&& f) {
  std::int64_t const row = a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i;
  for (auto k = static_cast<std::int64_t>(a.row_offsets[i]); k < static_cast<std::int64_t>(a.row_offsets[i + 1]); ++k)
    f(row, static_cast<std::int64_t>(a.col_indices[k]), a.values ? a.values[k] : S(1));
}

template <class S, class O, class F>
void for_each_entry_of_stored_row(EllPointers<S, O> const& a, std::int64_t i, F&& f) {
  std::int64_t const row = a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i;
  for (std::int64_t j = 0; j < static_cast<std::int64_t>(a.row_lengths[i]); ++j) {
    std::int64_t const k = i + j * a.ld;
    f(row, static_cast<std::int64_t>(a.col_indices[k]), a.values ? a.values[k] : S(1));
  }
}

/// Fill is told from entries by the mask; without one, zeros are fill.
template <class S, class O, class Z, class F>
void for_each_entry_of_stored_row(SellPointers<S, O, Z> const& a, std::int64_t i, F&& f) {
  std::int64_t const row = a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i;
  std::int64_t const s =
      a.slice_rows ? std::upper_bound(a.slice_rows, a.slice_rows + a.slices, static_cast<O>(i)) - a.slice_rows - 1
                   : i / a.slice_height;
  std::int64_t const first_row = a.slice_rows ? static_cast<std::int64_t>(a.slice_rows[s]) : s * a.slice_height;
  std::int64_t const h = a.slice_rows ? static_cast<std::int64_t>(a.slice_rows[s + 1]) - first_row : a.slice_height;
  auto const first_value = static_cast<std::int64_t>(a.slice_offsets[s]);
  std::int64_t const planes = (static_cast<std::int64_t>(a.slice_offsets[s + 1]) - first_value) / h;
  std::int64_t const first_diagonal = a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s]) : 0;
  std::int64_t const diagonals =
      a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - first_diagonal : 0;
  std::int64_t const steps = (planes - diagonals) / a.block_width;
  auto const visit = [&](std::int64_t plane, std::int64_t col) {
    std::int64_t const k = first_value + plane * h + i - first_row;
    bool const stored =
        a.stored_mask ? (a.stored_mask[k / 32] >> (k % 32) & 1u) != 0 : a.fill == 0 || !a.values || a.values[k] != S(0);
    if (col >= 0 && col < a.cols && stored) f(row, col, a.values ? a.values[k] : S(1));
  };
  for (std::int64_t t = 0; t < diagonals; ++t)
    visit(t, row + static_cast<std::int64_t>(a.diagonals[first_diagonal + t]));

  constexpr std::int64_t q = SellPointers<S, O, Z>::words_per_index;
  auto const index_at = [&](std::int64_t word, std::int64_t stride) {
    std::uint64_t index = 0;
    for (std::int64_t part = 0; part < q; ++part)
      index += static_cast<std::uint64_t>(a.column_words[word + part * stride]) << (16 * part);
    return static_cast<std::int64_t>(index);
  };
  std::int64_t first_column = (first_value - first_diagonal * h) / a.block_width;
  if (a.column_offsets) first_column = static_cast<std::int64_t>(a.column_offsets[s]);
  bool const narrow =
      !a.col_indices && steps > 0 && static_cast<std::int64_t>(a.column_offsets[s + 1]) - first_column < steps * h * q;
  for (std::int64_t t = 0; t < (steps > 0 ? static_cast<std::int64_t>(a.row_lengths[i]) : 0); ++t) {
    std::int64_t const l = i - first_row;
    std::int64_t group = 0;
    if (a.col_indices)
      group = static_cast<std::int64_t>(a.col_indices[first_column + t * h + l]);
    else if (narrow)
      group = index_at(first_column + t * q, 1) +
              a.column_words[first_column + sell_base_words(steps, static_cast<int>(q)) + t * h + l];
    else
      group = index_at(first_column + t * q * h + l, h);
    for (std::int64_t w = 0; w < a.block_width; ++w)
      visit(diagonals + t * a.block_width + w, group * a.block_width + w);
  }
}

/// f(row, col, value) for every stored entry, in stored order. No padding is visited.
template <class S, class O, class Z, class F>
void for_each_entry(CsrPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t i = 0; i < a.rows; ++i) for_each_entry_of_stored_row(a, i, f);
}

template <class S, class O, class F>
void for_each_entry(EllPointers<S, O> const& a, F&& f) {
  for (std::int64_t i = 0; i < a.rows; ++i) for_each_entry_of_stored_row(a, i, f);
}

template <class S, class O, class Z, class F>
void for_each_entry(SellPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t i = 0; i < a.rows; ++i) for_each_entry_of_stored_row(a, i, f);
}

template <class S, class O, class F>
void for_each_entry(CooPointers<S, O> const& a, F&& f) {
  for (std::int64_t k = 0; k < a.nnz; ++k)
    f(static_cast<std::int64_t>(a.row_indices[k]), static_cast<std::int64_t>(a.col_indices[k]),
      a.values ? a.values[k] : S(1));
}

template <class S, class O, class Z, class F>
void for_each_entry(BcscPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t b = 0; b < a.blocks; ++b) {
    std::int64_t const first_row = a.block_rows ? static_cast<std::int64_t>(a.block_rows[b]) : b * a.block_height;
    for (auto j = a.block_offsets[b]; j < a.block_offsets[b + 1]; ++j)
      for (auto k = a.col_offsets[j]; k < a.col_offsets[j + 1]; ++k) {
        std::int64_t const i = first_row + static_cast<std::int64_t>(a.row_in_block[k]);
        f(a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i,
          static_cast<std::int64_t>(a.block_cols[j]), a.values ? a.values[k] : S(1));
      }
  }
}

template <class S, class O, class Z, class R, class F>
void for_each_entry(BcscCompactPointers<S, O, Z, R> const& a, F&& f) {
  for (std::int64_t b = 0; b < a.blocks; ++b) {
    std::int64_t const first_row = a.block_rows ? static_cast<std::int64_t>(a.block_rows[b]) : b * a.block_height;
    auto k = static_cast<std::int64_t>(a.entry_offsets[b]);
    for (auto j = a.block_offsets[b]; j < a.block_offsets[b + 1]; ++j) {
      std::int64_t const col =
          a.col_steps ? std::int64_t{a.first_cols[b]} + a.col_steps[j] : static_cast<std::int64_t>(a.block_cols[j]);
      for (std::int64_t const last = k + a.col_counts[j] + 1; k < last; ++k) {
        std::int64_t const i = first_row + static_cast<std::int64_t>(a.row_in_block[k]);
        f(a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i, col, a.values ? a.values[k] : S(1));
      }
    }
  }
}

/// Rows and columns of op(A).
template <class Matrix>
std::int64_t rows_of(Op op, Matrix const& a) {
  return transposes(op) ? a.cols : a.rows;
}
template <class Matrix>
std::int64_t cols_of(Op op, Matrix const& a) {
  return transposes(op) ? a.rows : a.cols;
}

/// Entries stored in each row of op(A), duplicates counted.
template <class Matrix>
std::vector<std::int64_t> row_lengths(Op op, Matrix const& a) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows_of(op, a)));
  for_each_entry(a, [&](std::int64_t row, std::int64_t col, auto const&) {
    ++lengths[static_cast<std::size_t>(transposes(op) ? col : row)];
  });
  return lengths;
}

}  // namespace araia::reference
