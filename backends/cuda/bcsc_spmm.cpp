// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/bcsc_spmm.hpp"

#include <algorithm>

#include "backends/cuda/lib/spmm_problem.hpp"

namespace araia::cuda {
namespace {

constexpr int pack_bytes = 16;
constexpr int depth = bcsc_tiled_depth;
constexpr int window = bcsc_tiled_window;
constexpr double dense_part = 0.3;  // of a block's columns: multiplied whole from here on

/// The part of its block columns that the matrix fills.
double fill(BcscSpmmProblem const& p) {
  double const slots = static_cast<double>(p.block_columns) * static_cast<double>(p.block_height);
  return slots > 0 ? static_cast<double>(p.nnz) / slots : 0;
}
std::int64_t chunks_of_block(BcscSpmmProblem const& p) {
  return quotient_up(quotient_up(p.block_columns, std::max<std::int64_t>(1, p.blocks)), depth);
}

/// Wide tiles use a row of B most often; narrower ones, and then parts of the columns of A, occupy the device.
BcscTiledTuning tiled_tuning(BcscSpmmProblem const& p) {
  BcscTiledTuning t;
  constexpr std::int64_t few_rows = 32;  // of a block: two thread blocks a multiprocessor
  auto const bytes = static_cast<std::size_t>(p.scalar_bytes);
  std::int64_t const windows = p.blocks * quotient_up(std::max<std::int64_t>(1, p.block_height), window);
  int const rows_if_wide = fill(p) >= dense_part && p.block_height > few_rows ? 16 : 8;
  t.dense_percent = static_cast<int>(100 * dense_part);
  std::int64_t tasks = 0;
  std::int64_t resident = p.multiprocessors;
  for (auto const& shape : bcsc_tiled_shapes) {  // by falling width
    if (shape.lanes == 32 && shape.rows != rows_if_wide) continue;
    if (shape.packs == 2 && p.block_height <= few_rows) continue;  // one thread block a multiprocessor
    if (bcsc_tiled_least_shared(shape, p.block_height, bytes) > static_cast<std::int64_t>(p.shared_bytes)) continue;
    t.columns = shape.columns(bytes);
    t.rows = shape.rows;
    tasks = windows * quotient_up(p.columns, t.columns);
    if (p.block_height <= few_rows || (shape.lanes < 32 && p.block_height < window)) resident = 2 * p.multiprocessors;
    constexpr std::int64_t blocks_of_128 = 4;  // multiprocessors that sizes of powers of two leave idle
    bool const occupies = 2 * tasks >= p.multiprocessors - blocks_of_128;
    if (shape.lanes == 32 ? occupies && t.columns <= p.columns : p.columns > t.columns / 2) break;
  }
  if (p.major >= 9)
    while (t.parts < 8 && tasks * t.parts * 2 <= resident && chunks_of_block(p) >= 2 * t.parts) t.parts *= 2;
  return t;
}

BcscShortTuning short_tuning(BcscSpmmProblem const& p) {
  BcscShortTuning t;
  int const pack = pack_bytes / p.scalar_bytes;
  std::int64_t const enough = std::int64_t{16} * p.multiprocessors;  // warps
  auto const tasks = [&] { return p.blocks * quotient_up(p.columns, t.lanes * t.vector); };
  auto const widen = [&] {
    t.lanes = 8;
    while (t.lanes < 32 && t.lanes * t.vector < p.columns) t.lanes *= 2;
  };
  t.vector = p.block_height > 16 ? std::max(1, pack / 2) : pack;
  while (t.vector > 1 && 8 * t.vector > p.columns) t.vector /= 2;
  widen();
  if (tasks() >= enough) {
    // Lanes with fewer columns have fewer registers: more warps.
    if (t.lanes == 8 && t.vector == 4) t.vector = 2, widen();
  } else if (t.lanes == 32 && tasks() * t.warps < enough) {
    t.lanes = 16;
  }
  // Warps of a block share its columns until the device is occupied.
  while (t.split < t.warps && tasks() * t.split * 2 <= enough && chunks_of_block(p) > t.split) t.split *= 2;
  return t;
}

BcscWarpTuning warp_tuning(BcscSpmmProblem const& p) {
  BcscWarpTuning t;
  int const pack = pack_bytes / p.scalar_bytes;
  t.vector = p.columns >= 8 * pack ? pack : 1;
  t.lanes = 8;
  while (t.lanes < 32 && t.lanes * t.vector < p.columns) t.lanes *= 2;
  return t;
}

}  // namespace

bool bcsc_kernel_runs(BcscKernel kernel, std::int64_t block_height, bool compact, int major) {
  switch (kernel) {
    case BcscKernel::tiled: return major >= 8;
    case BcscKernel::thread_tiles: return !compact;
    case BcscKernel::short_blocks: return !compact && block_height <= most_short_rows;
    case BcscKernel::warp_centric: return true;
  }
  return false;
}

BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& p, BcscKernel kernel) {
  BcscSpmmTuning t;
  t.kernel = kernel;
  t.tiled = tiled_tuning(p);
  t.short_blocks = short_tuning(p);
  t.warp_centric = warp_tuning(p);
  return t;
}

BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& p, BcscTileAsked const& asked) {
  auto t = bcsc_spmm_tuning(p, BcscKernel::tiled);
  if (asked == BcscTileAsked{}) return t;
  auto const bytes = static_cast<std::size_t>(p.scalar_bytes);
  auto const of_rule = [&](BcscTile const& tile) {
    return tile.own_producers && tile.shape.columns() == t.tiled.columns && tile.shape.items_y == t.tiled.rows;
  };
  BcscTile const* tile = find_bcsc_tile(asked, bytes, p.compact);
  if (tile == nullptr)
    throw Error(ErrorKind::invalid_argument,
                "araia: bcsc_spmm: no tiles of this shape, expected " + bcsc_tiles_list(bytes, p.compact));
  auto const all = bcsc_tiles(bytes);
  for (auto const& other : all)
    if (of_rule(other) && is_asked(other, asked, bytes)) tile = &other;
  if (!tile->own_producers) {
    t.kernel = BcscKernel::thread_tiles;
    t.thread_tiles.shape = tile->shape;
    if (asked.stages > 0) t.thread_tiles.stages = asked.stages;
    t.thread_tiles.vector = asked.vector_width;
    return t;
  }
  if (!of_rule(*tile)) t.tiled.parts = 1;  // the rule's is for its own shape
  t.tiled.columns = tile->shape.columns();
  t.tiled.rows = tile->shape.items_y;
  if (asked.stages > 0) t.tiled.stages = asked.stages;
  if (asked.parts > 0) t.tiled.parts = asked.parts;
  if (asked.dense_percent > 0) t.tiled.dense_percent = asked.dense_percent;
  return t;
}

BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& p, BcscWarpAsked const& asked, bool atomics) {
  auto t = bcsc_spmm_tuning(p, BcscKernel::warp_centric);
  if (auto const why = why_not_bcsc_warps(asked, static_cast<std::size_t>(p.scalar_bytes)); !why.empty())
    throw Error(ErrorKind::invalid_argument, "araia: bcsc_spmm: warp_centric: " + why);
  auto& warps = t.warp_centric;
  warps.atomics = atomics;
  if (asked.warp_size > 0) warps.lanes = asked.warp_size;
  if (asked.vector_width > 0) warps.vector = asked.vector_width;
  if (asked.warps > 0) {
    // Physical ones: without a size those of the rule's lanes.
    constexpr int lanes_of_warp = 32;
    warps.warps = std::clamp(asked.warps * warps.lanes / lanes_of_warp, 1, bcsc_most_warp_threads / lanes_of_warp);
  }
  return t;
}

BcscSpmmTuning bcsc_spmm_tuning(BcscSpmmProblem const& p) {
  BcscKernel kernel = BcscKernel::warp_centric;
  // In taller blocks the products of zeros cost more than a way through shared memory, but for few columns.
  constexpr std::int64_t most_in_registers = 16;
  constexpr std::int64_t few_columns = 16;
  bool const tiled = bcsc_kernel_runs(BcscKernel::tiled, p.block_height, p.compact, p.major);
  bool const fits = bcsc_kernel_runs(BcscKernel::short_blocks, p.block_height, p.compact, p.major);
  if (fits && (p.block_height <= most_in_registers || p.columns <= few_columns || !tiled))
    kernel = BcscKernel::short_blocks;
  else if (tiled)
    kernel = BcscKernel::tiled;
  return bcsc_spmm_tuning(p, kernel);
}

}  // namespace araia::cuda
