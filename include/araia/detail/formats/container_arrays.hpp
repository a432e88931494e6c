// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which arrays and numbers each format has in a file: told once, for writing and for reading.

#include <araia/formats/bcsc.hpp>
#include <araia/formats/bsr.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csc.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>
#include <araia/formats/hyb.hpp>
#include <araia/formats/sell.hpp>
#include <araia/io/container.hpp>

namespace araia::detail {

/// The archive gets parameters in the order of the file's header, which docs/formats/container.md lists.
template <class Archive, class S, class O, class D>
void describe(Archive& file, Coo<S, O, D>& A) {
  file.parameter(A.sorted);
  file.indices(ArrayName::row_indices, A.row_indices);
  file.indices(ArrayName::col_indices, A.col_indices);
  file.values(ArrayName::values, A.values);
}

template <class Archive, class S, class O, class F, class D>
void describe(Archive& file, Csr<S, O, F, D>& A) {
  file.offsets(ArrayName::row_offsets, A.row_offsets);
  file.indices(ArrayName::col_indices, A.col_indices);
  file.values(ArrayName::values, A.values);
  file.indices(ArrayName::row_permutation, A.row_permutation);
}

template <class Archive, class S, class O, class F, class D>
void describe(Archive& file, Csc<S, O, F, D>& A) {
  file.offsets(ArrayName::col_offsets, A.col_offsets);
  file.indices(ArrayName::row_indices, A.row_indices);
  file.values(ArrayName::values, A.values);
  // One of the two is there at most.
  file.exactly(ArrayName::source, A.source.narrow);
  file.exactly(ArrayName::source, A.source.wide);
}

template <class Archive, class S, class O, class D>
void describe(Archive& file, Ell<S, O, D>& A) {
  file.parameter(A.width);
  file.indices(ArrayName::row_lengths, A.row_lengths);
  file.indices(ArrayName::col_indices, A.col_indices, A.rows, A.width);
  file.values(ArrayName::values, A.values, A.rows, A.width);
  file.indices(ArrayName::row_permutation, A.row_permutation);
}

template <class Archive, class S, class O, class D, class T>
void describe(Archive& file, Hyb<S, O, D, T>& A) {
  A.ell.rows = A.tail.rows = A.rows;
  A.ell.cols = A.tail.cols = A.cols;
  describe(file, A.ell);
  file.parameter(A.ell.nnz);
  file.parameter(A.tail.nnz);
  file.parameter(A.tail.sorted);
  file.indices(ArrayName::tail_row_indices, A.tail.row_indices);
  file.indices(ArrayName::tail_col_indices, A.tail.col_indices);
  file.values(ArrayName::tail_values, A.tail.values);
}

template <class Archive, class S, class O, class F, class D>
void describe(Archive& file, Sell<S, O, F, D>& A) {
  file.parameter(A.slices);
  file.parameter(A.slice_height);
  file.parameter(A.sort_window);
  file.parameter(A.fill);
  file.parameter(A.slots);
  file.parameter(A.block_width);
  file.indices(ArrayName::slice_rows, A.slice_rows);
  file.offsets(ArrayName::slice_offsets, A.slice_offsets);
  file.offsets(ArrayName::diagonal_offsets, A.diagonal_offsets);
  file.offsets(ArrayName::column_offsets, A.column_offsets);
  file.indices(ArrayName::diagonals, A.diagonals);
  file.indices(ArrayName::row_lengths, A.row_lengths);
  file.indices(ArrayName::col_indices, A.col_indices);
  file.exactly(ArrayName::column_words, A.column_words);
  file.values(ArrayName::values, A.values);
  file.exactly(ArrayName::stored_mask, A.stored_mask);
  file.indices(ArrayName::row_permutation, A.row_permutation);
}

template <class Archive, class S, class O, class F, class D>
void describe(Archive& file, Bsr<S, O, F, D>& A) {
  file.parameter(A.block_rows);
  file.parameter(A.block_cols);
  file.parameter(A.blocks);
  file.offsets(ArrayName::block_offsets, A.block_offsets);
  file.indices(ArrayName::block_col_indices, A.block_col_indices);
  file.values(ArrayName::values, A.values);
  file.exactly(ArrayName::stored_mask, A.stored_mask);
}

/// What both forms of BCSC have.
template <class Archive, class Matrix>
void describe_blocks(Archive& file, Matrix& A) {
  file.parameter(A.blocks);
  file.parameter(A.block_columns);
  file.parameter(A.block_height);
  file.indices(ArrayName::block_rows, A.block_rows);
  file.offsets(ArrayName::block_offsets, A.block_offsets);
  file.indices(ArrayName::block_cols, A.block_cols);
  file.values(ArrayName::values, A.values);
  file.offsets(ArrayName::split, A.split);
  file.indices(ArrayName::row_permutation, A.row_permutation);
  file.exactly(ArrayName::gather, A.gather);
}

template <class Archive, class S, class O, class F, class D>
void describe(Archive& file, Bcsc<S, O, F, D>& A) {
  describe_blocks(file, A);
  file.offsets(ArrayName::col_offsets, A.col_offsets);
  file.indices(ArrayName::row_in_block, A.row_in_block);
}

template <class Archive, class S, class O, class F, class D, class R>
void describe(Archive& file, BcscCompact<S, O, F, D, R>& A) {
  describe_blocks(file, A);
  file.offsets(ArrayName::entry_offsets, A.entry_offsets);
  file.indices(ArrayName::first_cols, A.first_cols);
  file.exactly(ArrayName::col_steps, A.col_steps);
  file.exactly(ArrayName::col_counts, A.col_counts);
  file.exactly(ArrayName::row_in_block, A.row_in_block);
}

/// The format of this type, as numbered in files.
template <class Matrix>
StoredFormat stored_format() {
  for (int number = 1; number <= static_cast<int>(StoredFormat::bcsc_compact); ++number)
    if (std::string_view(to_string(static_cast<StoredFormat>(number))) == Matrix::format_name)
      return static_cast<StoredFormat>(number);
  return {};
}

}  // namespace araia::detail
