// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The window of a row of C, its words numbered: from the list that the symbolic pass left, from B's rows again, or from
// C's columns where these are known.

#include "backends/cuda/spgemm/csr_bit_window/kernel.hpp"
#include "backends/cuda/spgemm/operands.cuh"

namespace araia::cuda::spgemm::bit_window {

/// Columns of a word to C's row, from the slot on that the word begins with.
__device__ __forceinline__ void write_columns(std::int32_t* columns, std::int64_t slot, std::int32_t tile,
                                              std::uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) columns[slot++] = tile * word_columns + __ffs(static_cast<int>(mask)) - 1;
}

/// \param begins  where columns go, (copies) rows of C of the same columns
template <int lanes, int copies>
__device__ void window_from_list(TileLists const& lists, std::uint32_t position, std::int32_t base, int count,
                                 Team<lanes> team, NumberedWord* window, std::int32_t* columns,
                                 std::int64_t const (&begins)[copies]) {
  for (int before = 0; before < count;) {
    std::uint32_t const at = position + static_cast<std::uint32_t>(team.lane);
    Tile const entry = at < lists.capacity ? lists.tiles[at] : Tile{0, 0};
    int const own = __popc(entry.mask);
    int const up_to = team.sum_up_to(own);
    int const slot = before + up_to - own;
    if (slot < count) {  // else of a row behind this one in the list
      window[entry.tile - base] = {entry.mask, static_cast<std::uint32_t>(slot)};
#pragma unroll
      for (int r = 0; r < copies; ++r) write_columns(columns, begins[r] + slot, entry.tile, entry.mask);
    }
    before += team.from(up_to, lanes - 1);
    position += lanes;
  }
}

template <int lanes, int copies>
__device__ void window_from_rows(Operands const& p, TiledRows const& tiled, std::int64_t row, int group,
                                 std::int32_t base, int words, Team<lanes> team, NumberedWord* window,
                                 std::int32_t* columns, std::int64_t const (&begins)[copies]) {
  for (int w = team.lane; w < words; w += lanes) window[w].mask = 0;
  team.sync();
  or_row(p, tiled, team, row, group, base, &window->mask, 2);
  team.sync();
  int before = 0;
  for (int first = 0; first < words; first += lanes) {
    int const w = first + team.lane;
    std::uint32_t const mask = w < words ? window[w].mask : 0;
    int const own = __popc(mask);
    int const up_to = team.sum_up_to(own);
    int const slot = before + up_to - own;
    if (mask != 0) {
      window[w].before = static_cast<std::uint32_t>(slot);
#pragma unroll
      for (int r = 0; r < copies; ++r) write_columns(columns, begins[r] + slot, base + w, mask);
    }
    before += team.from(up_to, lanes - 1);
  }
}

/// C's columns ascend: the first of each tile empties the word and numbers it.
template <int lanes>
__device__ void window_from_columns(std::int32_t const* columns, int count, std::int32_t base, Team<lanes> team,
                                    NumberedWord* window) {
  for (int k = team.lane; k < count; k += lanes) {
    std::int32_t const tile = tile_of(columns[k]);
    if (k == 0 || tile_of(columns[k - 1]) != tile) window[tile - base] = {0, static_cast<std::uint32_t>(k)};
  }
  team.sync();
  for (int k = team.lane; k < count; k += lanes) atomicOr(&window[tile_of(columns[k]) - base].mask, bit_of(columns[k]));
}

}  // namespace araia::cuda::spgemm::bit_window
