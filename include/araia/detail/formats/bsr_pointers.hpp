// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// BSR as plain pointers and sizes. No Kokkos here.

#include <cstdint>

#include <araia/detail/formats/pointers.hpp>

namespace araia {

/// BSR: block row I holds rows [I r, (I + 1) r) of the matrix, r = block_rows; its blocks lie at [block_offsets[I],
/// block_offsets[I + 1]). Block k covers columns from block_col_indices[k] * c on, c = block_cols; its element (i, j)
/// is at (k r + i) c + j. What lies beyond the last row or column of the matrix is never read.
template <class Scalar, class Ordinal, class Offset>
struct BsrPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;  // entries of the matrix, fill not counted
  int block_rows = 1;
  int block_cols = 1;
  std::int64_t blocks = 0;
  Offset const* block_offsets = nullptr;       // (ceil(rows / block_rows) + 1)
  Ordinal const* block_col_indices = nullptr;  // (blocks) ascending within a block row
  Scalar const* values = nullptr;              // (blocks * block_rows * block_cols), or null: ones where stored
  std::uint32_t const* stored_mask = nullptr;  // one bit a slot, or null: all are stored
};

}  // namespace araia
