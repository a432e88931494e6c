// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the zeros of a tuning of BCSC's team kernels stand for.

#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/bcsc_team_tuning.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// \throws araia::Error invalid_argument naming the first field that is not built
template <class Tuning>
void require_team_tuning(Tuning const& tuning) {
  if (auto const why = why_not(tuning); !why.empty()) throw Error(ErrorKind::invalid_argument, "tuning: " + why);
}

/// The smallest power of two that is not below `wanted`, from `least` to `most`.
inline int power_between(std::int64_t wanted, int least, int most) {
  int power = least;
  while (power < most && power < wanted) power *= 2;
  return power;
}

/// The tuning without zeros, for blocks of at most `height` rows, `columns` of C and sums of `sum_bytes`.
/// \throws araia::Error invalid_argument naming the field and what is built
template <class Exec>
BcscWarpCentricTuning completed(BcscWarpCentricTuning t, std::int64_t height, std::int64_t columns,
                                std::int64_t sum_bytes) {
  require_team_tuning(t);
  std::int64_t const row_bytes = std::max<std::int64_t>(1, height) * sum_bytes;  // of a column of the tile
  // Tall blocks are cut into windows that each read all of it: narrower tiles come first.
  if (t.lanes == 0) {
    t.lanes = power_between(columns, 8, 32);
    while (t.lanes > 8 && (t.lanes * row_bytes > scratch_budget || t.warps * t.lanes > bcsc_team_threads)) t.lanes /= 2;
  }
  if (t.columns_per_lane == 0) {
    bool const fills = columns >= 4 * t.lanes && 4 * t.lanes * row_bytes * (t.atomic ? 1 : 4) <= scratch_budget;
    t.columns_per_lane = fills ? 4 : 1;
  }
  if constexpr (!is_device_space<Exec>) {
    t.warps = 1;
  } else if (t.warps == 0) {
    std::int64_t const set = t.lanes * t.columns_per_lane * row_bytes;
    std::int64_t const most = bcsc_team_threads / t.lanes;
    t.warps = static_cast<int>(t.atomic ? most : std::clamp<std::int64_t>(scratch_budget / set, 1, most));
  }
  return t;
}

/// Scratch memory of a tiled team: tiles of A and B and, for each row, which slots hold entries; on hosts C's tile too.
template <class Exec>
std::int64_t tiled_scratch(BcscTiledTuning const& t, std::int64_t sum_bytes) {
  std::int64_t const rows = std::int64_t{t.threads_y} * t.items_y;
  std::int64_t const columns = std::int64_t{t.threads_x} * t.items_x;
  std::int64_t const sums = is_device_space<Exec> ? 0 : rows * columns;
  return (t.buffers * t.k_tile * (rows + columns) + sums) * sum_bytes +
         (t.buffers + 1) * rows * static_cast<std::int64_t>(sizeof(std::uint32_t));
}

/// The most that a tiled team may take. A host's thread has its caches to itself, and room there for every tile that is
/// built.
template <class Exec>
inline constexpr std::int64_t tiled_scratch_limit = is_device_space<Exec> ? scratch_budget : 512 * 1024;

/// The same of the tiled kernel: within scratch_budget where some tile is, else within the space's limit.
/// \throws araia::Error invalid_argument naming the field and what is built; unsupported where tiles do not fit scratch
template <class Exec>
BcscTiledTuning completed(BcscTiledTuning const& asked, std::int64_t height, std::int64_t columns,
                          std::int64_t sum_bytes) {
  require_team_tuning(asked);
  height = std::max<std::int64_t>(1, height);  // a product of nothing has a shape too
  columns = std::max<std::int64_t>(1, columns);
  std::int64_t limit = scratch_budget;
  std::int64_t needed = 0;  // by the least that did not fit
  auto const fits = [&](BcscTiledTuning const& t) { return tiled_scratch<Exec>(t, sum_bytes) <= limit; };
  // Of the register tiles that fit scratch, the one with the least work.
  BcscTiledTuning best;
  std::int64_t fewest = 0;
  auto const consider = [&](BcscTiledItems const& items) {
    if ((asked.items_x != 0 && asked.items_x != items.x) || (asked.items_y != 0 && asked.items_y != items.y)) return;
    BcscTiledTuning t = asked;
    t.items_x = items.x;
    t.items_y = items.y;
    if (t.buffers == 0) t.buffers = 1;
    if (t.parts == 0) t.parts = 1;
    if (t.threads_x == 0) t.threads_x = power_between((columns + items.x - 1) / items.x, 8, t.threads_y == 32 ? 8 : 16);
    if (t.threads_y == 0)
      t.threads_y = power_between((height + items.y - 1) / items.y, 8, bcsc_team_threads / t.threads_x);
    if (t.k_tile == 0) {
      t.k_tile = 32;
      while (t.k_tile > 8 && !fits(t)) t.k_tile /= 2;
    }
    while (asked.threads_y == 0 && t.threads_y > 8 && !fits(t)) t.threads_y /= 2;
    while (asked.threads_x == 0 && t.threads_x > 8 && !fits(t)) t.threads_x /= 2;
    if (!fits(t)) {
      auto const bytes = tiled_scratch<Exec>(t, sum_bytes);
      needed = needed == 0 ? bytes : std::min(needed, bytes);
      return;
    }
    std::int64_t const windows = (height + t.threads_y * t.items_y - 1) / (t.threads_y * t.items_y);
    std::int64_t const tiles = (columns + t.threads_x * t.items_x - 1) / (t.threads_x * t.items_x);
    // Products and loads of all threads, idle ones among them. Of equals a host takes the one with the longer rows.
    std::int64_t const work = windows * tiles * t.threads_x * t.threads_y * (items.x * items.y + items.x + items.y);
    if (fewest == 0 || work < fewest || (work == fewest && !is_device_space<Exec>)) {
      fewest = work;
      best = t;
    }
  };
  for (auto const& items : bcsc_tiled_items) consider(items);
  if (fewest == 0 && limit < tiled_scratch_limit<Exec>) {
    limit = tiled_scratch_limit<Exec>;
    for (auto const& items : bcsc_tiled_items) consider(items);
  }
  if (fewest == 0)
    throw Error(ErrorKind::unsupported, "the tiles take " + std::to_string(needed) +
                                            " bytes of scratch memory, expected at most " + std::to_string(limit) +
                                            ": fewer threads, items, k_tile or buffers");
  return best;
}

/// Teams that share the columns of a block where the tuning leaves it to be chosen: as many as keep the space's threads
/// busy, each with some steps.
/// \param t       completed
/// \param blocks  of the matrix, of `block_columns` together
template <class Exec>
int tiled_parts(Exec const& exec, BcscTiledTuning const& t, std::int64_t height, std::int64_t columns,
                std::int64_t blocks, std::int64_t block_columns) {
  constexpr int most = 16;
  constexpr std::int64_t steps_of_part = 4;
  constexpr std::int64_t resident = 2;  // of a device's threads, one in so many: tiles take scratch and registers
  std::int64_t const rows = std::int64_t{t.threads_y} * t.items_y;
  std::int64_t const of_tile = std::int64_t{t.threads_x} * t.items_x;
  std::int64_t const teams = blocks * ((height + rows - 1) / rows) * ((columns + of_tile - 1) / of_tile);
  std::int64_t const threads = std::max<std::int64_t>(1, teams * t.threads_x * t.threads_y);
  std::int64_t const steps = block_columns / std::max<std::int64_t>(1, blocks * t.k_tile);
  std::int64_t const wanted = std::min<std::int64_t>(exec.concurrency() / (resident * threads), steps / steps_of_part);
  int parts = 1;
  while (is_device_space<Exec> && parts < most && 2 * parts <= wanted) parts *= 2;
  return parts;
}

/// completed() with the parts that suit the matrix, for callers that bring memory for their sums.
/// \param a  pointers of a Bcsc
template <class Exec, class Pointers>
BcscTiledTuning completed_in_parts(Exec const& exec, BcscTiledTuning const& asked, Pointers const& a,
                                   std::int64_t height, std::int64_t columns, std::int64_t sum_bytes) {
  auto t = completed<Exec>(asked, height, columns, sum_bytes);
  if (asked.parts == 0) t.parts = tiled_parts(exec, t, height, columns, a.blocks, a.block_columns);
  return t;
}

}  // namespace araia::detail
