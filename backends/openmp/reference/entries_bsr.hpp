// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entries of a BSR matrix: its slots within the matrix, without the fill that a mask tells.

#include <araia/detail/formats/bsr_pointers.hpp>
#include <cstdint>

namespace araia::reference {

/// f(row, col, value) for every slot of the blocks that lies within the matrix and counts as stored: where there is no
/// mask that is all of them, fill included. Absent values are ones.
template <class S, class O, class Z, class F>
void for_each_entry(BsrPointers<S, O, Z> const& a, F&& f) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    std::int64_t const block_row = row / a.block_rows;
    for (auto block = static_cast<std::int64_t>(a.block_offsets[block_row]);
         block < static_cast<std::int64_t>(a.block_offsets[block_row + 1]); ++block)
      for (int j = 0; j < a.block_cols; ++j) {
        std::int64_t const col = static_cast<std::int64_t>(a.block_col_indices[block]) * a.block_cols + j;
        std::int64_t const k = (block * a.block_rows + row % a.block_rows) * a.block_cols + j;
        bool const stored = !a.stored_mask || (a.stored_mask[k / 32] >> (k % 32) & 1u) != 0;
        if (col < a.cols && stored) f(row, col, a.values ? a.values[k] : S(1));
      }
  }
}

}  // namespace araia::reference
