// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the BCSC kernels for SpMM that are written as Kokkos teams with scratch memory: warp-centric and tiled. It
// may change the time, never the answer beyond rounding. Zeros are chosen for the matrix, the columns and the space.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>

#include <araia/formats/team_shape.hpp>
#include <araia/kernels/bcsc_tuning.hpp>

namespace araia {

/// Shape of the warp-centric kernel: a logical warp multiplies a block column, its lanes share the columns of C.
struct BcscWarpCentricTuning {
  int lanes = 0;             ///< of a logical warp: 8, 16 or 32
  int warps = 0;             ///< logical warps of a team, at most 256 threads together; a host's team has one
  int columns_per_lane = 0;  ///< of C: 1 or 4; a tile of C has lanes * columns_per_lane columns
  bool atomic = false;       ///< one set of sums for the team, added to by atomics: bits may differ between runs on a
                             ///< device. Else each logical warp has its own, which are added up in order
  friend bool operator==(BcscWarpCentricTuning const&, BcscWarpCentricTuning const&) = default;
};

/// Shape of the tiled kernel: a team owns a tile of C of threads_y * items_y rows by threads_x * items_x columns.
struct BcscTiledTuning {
  int threads_x = 0;  ///< over columns of C: 8, 16 or 32
  int threads_y = 0;  ///< over rows of a block: 8, 16 or 32; at most 256 threads together
  int items_x = 0;    ///< columns a thread sums in registers, with items_y one of bcsc_tiled_items
  int items_y = 0;    ///< rows a thread sums in registers
  int k_tile = 0;     ///< block columns that are made dense at once: 8, 16 or 32
  int buffers = 0;    ///< in scratch memory, 1 or 2: with two the next block columns come while others are multiplied
  friend bool operator==(BcscTiledTuning const&, BcscTiledTuning const&) = default;
};

/// Items of a thread of the tiled kernel.
struct BcscTiledItems {
  int x;  ///< columns
  int y;  ///< rows
};
/// Those that are built: the best of tables 4.4 and 4.7 of the thesis.
inline constexpr std::array<BcscTiledItems, 6> bcsc_tiled_items{{{1, 1}, {2, 1}, {4, 1}, {4, 4}, {4, 8}, {8, 4}}};

inline std::ostream& operator<<(std::ostream& out, BcscWarpCentricTuning const& t) {
  return out << "warp_centric{lanes " << t.lanes << ", warps " << t.warps << ", columns_per_lane " << t.columns_per_lane
             << ", atomic " << t.atomic << '}';
}
inline std::ostream& operator<<(std::ostream& out, BcscTiledTuning const& t) {
  return out << "tiled{threads_x " << t.threads_x << ", threads_y " << t.threads_y << ", items_x " << t.items_x
             << ", items_y " << t.items_y << ", k_tile " << t.k_tile << ", buffers " << t.buffers << '}';
}

namespace detail {

inline constexpr int bcsc_team_threads = 256;  // most of a team: every register file has room for them

inline bool is_one_of(int value, std::initializer_list<int> listed) {
  return std::find(listed.begin(), listed.end(), value) != listed.end();
}

/// What is wrong with a tuning, or nothing; in the order of the fields.
[[nodiscard]] inline std::string why_not(BcscWarpCentricTuning const& t) {
  auto const outside = [](char const* field, int got, char const* expected) {
    return std::string(field) + " is " + std::to_string(got) + ", expected " + expected;
  };
  if (!is_one_of(t.lanes, {0, 8, 16, 32})) return outside("lanes", t.lanes, "8, 16 or 32");
  if (t.warps < 0 || t.warps * std::max(t.lanes, 8) > bcsc_team_threads)
    return outside("warps", t.warps, "lanes * warps of at most 256");
  if (!is_one_of(t.columns_per_lane, {0, 1, 4})) return outside("columns_per_lane", t.columns_per_lane, "1 or 4");
  return {};
}
[[nodiscard]] inline std::string why_not(BcscTiledTuning const& t) {
  auto const outside = [](char const* field, int got, std::string const& expected) {
    return std::string(field) + " is " + std::to_string(got) + ", expected " + expected;
  };
  if (!is_one_of(t.threads_x, {0, 8, 16, 32})) return outside("threads_x", t.threads_x, "8, 16 or 32");
  if (!is_one_of(t.threads_y, {0, 8, 16, 32}) || t.threads_x * t.threads_y > bcsc_team_threads)
    return outside("threads_y", t.threads_y, "8, 16 or 32, threads_x * threads_y of at most 256");
  bool const built = std::any_of(bcsc_tiled_items.begin(), bcsc_tiled_items.end(), [&](BcscTiledItems const& items) {
    return (t.items_x == 0 || t.items_x == items.x) && (t.items_y == 0 || t.items_y == items.y);
  });
  if (!built) {
    std::string list = "with items_y " + std::to_string(t.items_y) + "; built are items_x x items_y";
    for (auto const& items : bcsc_tiled_items) list += ' ' + std::to_string(items.x) + 'x' + std::to_string(items.y);
    return outside("items_x", t.items_x, list);
  }
  if (!is_one_of(t.k_tile, {0, 8, 16, 32})) return outside("k_tile", t.k_tile, "8, 16 or 32");
  if (!is_one_of(t.buffers, {0, 1, 2})) return outside("buffers", t.buffers, "1 or 2");
  return {};
}

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

/// The same of the tiled kernel.
/// \throws araia::Error invalid_argument naming the field and what is built; resource_limit where tiles do not fit
/// scratch
template <class Exec>
BcscTiledTuning completed(BcscTiledTuning const& asked, std::int64_t height, std::int64_t columns,
                          std::int64_t sum_bytes) {
  require_team_tuning(asked);
  auto const fits = [&](BcscTiledTuning const& t) { return tiled_scratch<Exec>(t, sum_bytes) <= scratch_budget; };
  // Of the register tiles that fit scratch, the one with the least work.
  BcscTiledTuning best;
  std::int64_t fewest = 0;
  for (auto const& items : bcsc_tiled_items) {
    if ((asked.items_x != 0 && asked.items_x != items.x) || (asked.items_y != 0 && asked.items_y != items.y)) continue;
    BcscTiledTuning t = asked;
    t.items_x = items.x;
    t.items_y = items.y;
    if (t.buffers == 0) t.buffers = 1;
    if (t.threads_x == 0) t.threads_x = power_between((columns + items.x - 1) / items.x, 8, t.threads_y == 32 ? 8 : 16);
    if (t.threads_y == 0)
      t.threads_y = power_between((height + items.y - 1) / items.y, 8, bcsc_team_threads / t.threads_x);
    if (t.k_tile == 0) {
      t.k_tile = 32;
      while (t.k_tile > 8 && !fits(t)) t.k_tile /= 2;
    }
    while (asked.threads_y == 0 && t.threads_y > 8 && !fits(t)) t.threads_y /= 2;
    if (!fits(t)) continue;
    std::int64_t const windows = (height + t.threads_y * t.items_y - 1) / (t.threads_y * t.items_y);
    std::int64_t const tiles = (columns + t.threads_x * t.items_x - 1) / (t.threads_x * t.items_x);
    // Products and loads of all threads, idle ones among them. Of equals a host takes the one with the longer rows.
    std::int64_t const work = windows * tiles * t.threads_x * t.threads_y * (items.x * items.y + items.x + items.y);
    if (fewest == 0 || work < fewest || (work == fewest && !is_device_space<Exec>)) {
      fewest = work;
      best = t;
    }
  }
  if (fewest == 0)
    throw Error(ErrorKind::resource_limit,
                "tuning: the tiles of A and B take more than " + std::to_string(scratch_budget) +
                    " bytes of scratch memory, expected fewer threads, items, k_tile or buffers");
  return best;
}

}  // namespace detail
}  // namespace araia
