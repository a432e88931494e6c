// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// BCSC as plain pointers and sizes: what kernels capture and what backends take. No Kokkos here.
// Block b holds rows [first, last) of the stored rows, from block_rows where that is given, else b * block_height on.

#include <cstdint>

namespace araia {

/// BCSC. Block b owns block columns [block_offsets[b], block_offsets[b + 1]); block column j is column block_cols[j]
/// and owns entries [col_offsets[j], col_offsets[j + 1]).
template <class Scalar, class Ordinal, class Offset>
struct BcscPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t blocks = 0;
  std::int64_t block_columns = 0;            // nonempty columns, summed over the blocks
  std::int64_t block_height = 1;             // rows of a block; of the tallest where block_rows is given
  Ordinal const* block_rows = nullptr;       // (blocks + 1), or null: equal heights
  Offset const* block_offsets = nullptr;     // (blocks + 1), may be null when blocks == 0
  Ordinal const* block_cols = nullptr;       // (block_columns)
  Offset const* col_offsets = nullptr;       // (block_columns + 1), may be null when blocks == 0
  Ordinal const* row_in_block = nullptr;     // (nnz) counted from the block's first row
  Scalar const* values = nullptr;            // (nnz), or null: all ones
  Offset const* split = nullptr;             // (blocks) first sparse block column, or null: columns ascend
  Ordinal const* row_permutation = nullptr;  // (rows), or null: identity
};

/// Compact BCSC. The entries of block b begin at entry_offsets[b]; block column j has col_counts[j] + 1 of them, after
/// those of the block columns before it. Its column is block_cols[j], or first_cols[b] + col_steps[j] where those are
/// given. A column of more than 256 entries is stored as several block columns.
template <class Scalar, class Ordinal, class Offset, class RowIndex>
struct BcscCompactPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using row_index_type = RowIndex;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t blocks = 0;
  std::int64_t block_columns = 0;            // as stored: parts of long columns count each
  std::int64_t block_height = 1;             // rows of a block; of the tallest where block_rows is given
  Ordinal const* block_rows = nullptr;       // (blocks + 1), or null: equal heights
  Offset const* block_offsets = nullptr;     // (blocks + 1)
  Offset const* entry_offsets = nullptr;     // (blocks + 1)
  Ordinal const* block_cols = nullptr;       // (block_columns), or null: col_steps
  Ordinal const* first_cols = nullptr;       // (blocks), or null: block_cols
  std::uint16_t const* col_steps = nullptr;  // (block_columns), or null: block_cols
  std::uint8_t const* col_counts = nullptr;  // (block_columns) entries less one
  RowIndex const* row_in_block = nullptr;    // (nnz)
  Scalar const* values = nullptr;            // (nnz), or null: all ones
  Offset const* split = nullptr;             // (blocks) first sparse block column, or null: columns ascend
  Ordinal const* row_permutation = nullptr;  // (rows), or null: identity
};

}  // namespace araia
