// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stored entries of a matrix, one after the other: all that the reference knows of a format.

#include <araia/formats/bcsc_pointers.hpp>
#include <araia/formats/pointers.hpp>
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

/// f(row, col, value) for every stored entry, in stored order. No padding is visited.
template <class S, class O, class Z, class F>
void for_each_entry(CsrPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t i = 0; i < a.rows; ++i) for_each_entry_of_stored_row(a, i, f);
}

template <class S, class O, class F>
void for_each_entry(EllPointers<S, O> const& a, F&& f) {
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
  return op == Op::none ? a.rows : a.cols;
}
template <class Matrix>
std::int64_t cols_of(Op op, Matrix const& a) {
  return op == Op::none ? a.cols : a.rows;
}

/// Entries stored in each row of op(A), duplicates counted.
template <class Matrix>
std::vector<std::int64_t> row_lengths(Op op, Matrix const& a) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows_of(op, a)));
  for_each_entry(a, [&](std::int64_t row, std::int64_t col, auto const&) {
    ++lengths[static_cast<std::size_t>(op == Op::none ? row : col)];
  });
  return lengths;
}

}  // namespace araia::reference
