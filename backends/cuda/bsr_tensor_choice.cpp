// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "backends/cuda/bsr_spmm_tensor_cores.hpp"

namespace araia::cuda {

BsrTensorTuning bsr_tensor_tuning(BsrTensorProblem const& p) {
  constexpr std::int64_t pack_bytes = 128;        // of a row of C
  constexpr double cached_bytes = 36e6;           // of B: 0.6 of an H200's L2
  constexpr std::int64_t enough_tiles = 15;       // of a multiprocessor, where a tile is widest
  constexpr std::int64_t enough_warps = 12;       // of a multiprocessor, before block rows are divided,
  constexpr std::int64_t enough_wide_warps = 16;  // and where a warp has the widest tile, which takes longest
  constexpr double fewest_slots = 32;             // of a warp's part of a block row: two steps
  constexpr int most_warps = 8;
  BsrTensorTuning t;
  std::int64_t const row_bytes = p.columns * p.scalar_bytes;
  std::int64_t const block_rows = std::max<std::int64_t>(1, (p.rows + p.block_rows - 1) / p.block_rows);
  auto const tiles = [&] { return (row_bytes + t.packs * pack_bytes - 1) / (t.packs * pack_bytes); };
  // Wide tiles read A least often; a row of B is in flight longest.
  while (t.packs < most_bsr_tensor_packs(p.block_rows) && t.packs * pack_bytes < row_bytes) t.packs *= 2;
  if (t.packs == 4 && block_rows * tiles() < enough_tiles * p.multiprocessors) t.packs = 2;
  // Side by side as long as what they read of B stays in L2, whatever its order.
  while (t.column_warps < 4 && t.column_warps < tiles() &&
         2.0 * t.column_warps * static_cast<double>(t.packs * pack_bytes) * static_cast<double>(p.cols) <= cached_bytes)
    t.column_warps *= 2;
  double const slots = static_cast<double>(p.blocks) * p.block_cols / static_cast<double>(block_rows);
  std::int64_t const enough = (t.packs == 4 ? enough_wide_warps : enough_warps) * p.multiprocessors;
  while (2 * t.split * t.column_warps <= most_warps && block_rows * tiles() * t.split < enough &&
         slots >= 2 * t.split * fewest_slots)
    t.split *= 2;
  constexpr double deep_steps = 2;  // of 32 slots
  t.deep = p.scalar_bytes == 8 && t.packs == 1 && p.block_rows > 4 && p.block_rows <= 8 &&
           slots / t.split >= 32 * deep_steps;
  return t;
}

}  // namespace araia::cuda
