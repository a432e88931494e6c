// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operands of SpGEMM as its kernels read them.

#include <cuda_runtime.h>

#include <cstdint>

#include "backends/cuda/spgemm/lanes.cuh"
#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm {

__device__ __forceinline__ std::int64_t offset_at(RowOffsets const& offsets, std::int64_t row) {
  return offsets.wide ? static_cast<std::int64_t const*>(offsets.data)[row]
                      : static_cast<std::int32_t const*>(offsets.data)[row];
}

__device__ __forceinline__ std::int64_t item_at(Items const& items, std::int64_t k) {
  return items.list != nullptr ? static_cast<std::int64_t>(items.list[items.first + k]) : items.first + k;
}

__device__ __forceinline__ std::uint32_t bit_of(std::int32_t column) {
  return 1u << (static_cast<std::uint32_t>(column) % word_columns);
}
__device__ __forceinline__ std::uint32_t bits_below(std::int32_t column) { return bit_of(column) - 1; }
__device__ __forceinline__ std::int32_t tile_of(std::int32_t column) { return column / word_columns; }

/// A word of a window whose row's entries are numbered: bits of its columns, entries before them.
struct NumberedWord {
  std::uint32_t mask;
  std::uint32_t before;
};
__device__ __forceinline__ std::uint32_t slot_of(NumberedWord word, std::int32_t column) {
  return word.before + static_cast<std::uint32_t>(__popc(word.mask & bits_below(column)));
}

/// A count of rows to C's offsets and the longest so far to where launches are sized.
__device__ __forceinline__ void note_longest(std::uint32_t* longest, std::uint32_t count) {
  if (count > *static_cast<std::uint32_t volatile*>(longest)) atomicMax(longest, count);
}

/// The team ORs the columns of a row of C into its window, which starts at tile `base` and is zero.
/// Rows of A in groups are represented by their first, of which each `group`th entry counts.
template <int lanes>
__device__ void or_row(Operands const& p, TiledRows const& tiled, Team<lanes> team, std::int64_t row, int group,
                       std::int32_t base, std::uint32_t* window, int stride) {
  constexpr int sub = 8;  // lanes a row of B
  int const begin = p.a.row_offsets[row];
  int const count = (p.a.row_offsets[row + 1] - begin) / group;
  for (int first = 0; first < count; first += lanes) {
    int start = 0;
    int length = 0;
    if (first + team.lane < count) {
      int const j = p.a.col_indices[begin + (first + team.lane) * group];
      start = p.b.row_offsets[j];
      length = tiled.tiles != nullptr ? tiled.counts[j / tiled.group] : p.b.row_offsets[j + 1] - start;
    }
    int const here = min(lanes, count - first);
    for (int e = 0; e < here; e += lanes / sub) {
      int const mine = e + team.lane / sub;
      int const s = team.from(start, mine % lanes);
      int const found = team.from(length, mine % lanes);
      int const n = mine < here ? found : 0;
      for (int t = team.lane % sub; t < n; t += sub) {
        Tile entry;
        if (tiled.tiles != nullptr) {
          entry = tiled.tiles[s + t];
        } else {
          int const c = p.b.col_indices[s + t];
          entry = {tile_of(c), bit_of(c)};
        }
        std::uint32_t* const word = window + static_cast<std::int64_t>(entry.tile - base) * stride;
        // A stale read costs an atomic that changes nothing.
        if ((*static_cast<std::uint32_t volatile*>(word) & entry.mask) != entry.mask) atomicOr(word, entry.mask);
      }
    }
  }
}

}  // namespace araia::cuda::spgemm
