// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What C = A B will need, counted on the device: products, windows, bins of rows; then the rows of each bin, rows of B
// in tiles, and the offsets of C from the lengths of its rows.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm {

/// Longest rows; whether B's rows ascend strictly; whether rows come in groups of three: A's with the same columns, in
/// aligned groups of three, and B's with the same columns.
/// \param check_order   else b_unordered stays 0
/// \param check_groups  else ungrouped stays as it is; needs rows and inner divisible by 3
void look_at_rows(Operands const& p, bool check_order, bool check_groups, Counters* counters, cudaStream_t stream);

/// Which bins a row may go to beside the one that suits it.
struct BinRules {
  bool merge = true;   ///< leave everything where one thread merges rows (longest_a, longest_b <= merged_entries)
  bool groups = true;  ///< take rows in groups where look_at_rows found them
  int only = -1;       ///< index of a bin: whatever rows fit it go there; -1: by what suits
};

/// Products, first tile and bin of each item, and their counts.
/// \param bin_of      (rows)
/// \param first_tile  (rows)
void choose_bins(Operands const& p, BinRules const& rules, Counters* counters, std::uint8_t* bin_of,
                 std::int32_t* first_tile, cudaStream_t stream);

/// Where each bin's list begins.
struct ListStarts {
  std::uint32_t at[bins];
};
/// \param list  (items), cursors of the counters being zero
void list_rows(std::int64_t items, std::uint8_t const* bin_of, ListStarts const& starts, Counters* counters,
               std::int32_t* list, cudaStream_t stream);

/// Rows of B in tiles: of each `group`th row alone.
void make_tiles(Operands const& p, TiledRows const& tiled, cudaStream_t stream);

/// Lengths of C's rows, in place of which come offsets modulo 2^32; nnz to the counters.
/// \param lengths  (rows + 1)
/// \param sums     (scan_blocks(rows))
std::int64_t scan_blocks(std::int64_t rows);
void scan_lengths(std::int64_t rows, std::int32_t* lengths, unsigned long long* sums, Counters* counters,
                  cudaStream_t stream);
/// 64-bit offsets from those modulo 2^32 of a scan whose sums are still there.
void widen_offsets(std::int64_t rows, std::int32_t const* offsets, unsigned long long const* sums, std::int64_t* wide,
                   cudaStream_t stream);

}  // namespace araia::cuda::spgemm
