// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the BCSC kernels for SpMM that are written as Kokkos teams with scratch memory: warp-centric and tiled. It
// may change the time, never the answer beyond rounding. Zeros are chosen for the matrix, the columns and the space:
// bcsc_team_shapes.hpp.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>

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
  int parts = 0;  ///< teams that share a block's columns: 1, 2, 4, 8 or 16. Above 1 they take memory for their sums,
                  ///< which a plan has; zero stands for 1 without a plan and on hosts
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
             << ", items_y " << t.items_y << ", k_tile " << t.k_tile << ", buffers " << t.buffers << ", parts "
             << t.parts << '}';
}

namespace detail {

inline constexpr int bcsc_team_threads = 256;  // most of a team: every register file has room for them

inline bool is_one_of(int value, std::initializer_list<int> listed) {
  return std::find(listed.begin(), listed.end(), value) != listed.end();
}

inline std::string not_built(char const* field, int got, std::string const& expected) {
  return std::string(field) + " is " + std::to_string(got) + ", expected " + expected;
}

/// What is wrong with a tuning, or nothing; in the order of the fields.
[[nodiscard]] inline std::string why_not(BcscWarpCentricTuning const& t) {
  if (!is_one_of(t.lanes, {0, 8, 16, 32})) return not_built("lanes", t.lanes, "8, 16 or 32");
  if (t.warps < 0 || std::int64_t{t.warps} * std::max(t.lanes, 8) > bcsc_team_threads)
    return not_built("warps", t.warps, "lanes * warps of at most 256");
  if (!is_one_of(t.columns_per_lane, {0, 1, 4})) return not_built("columns_per_lane", t.columns_per_lane, "1 or 4");
  return {};
}
[[nodiscard]] inline std::string why_not(BcscTiledTuning const& t) {
  if (!is_one_of(t.threads_x, {0, 8, 16, 32})) return not_built("threads_x", t.threads_x, "8, 16 or 32");
  if (!is_one_of(t.threads_y, {0, 8, 16, 32}) || t.threads_x * t.threads_y > bcsc_team_threads)
    return not_built("threads_y", t.threads_y, "8, 16 or 32, threads_x * threads_y of at most 256");
  bool const built = std::any_of(bcsc_tiled_items.begin(), bcsc_tiled_items.end(), [&](BcscTiledItems const& items) {
    return (t.items_x == 0 || t.items_x == items.x) && (t.items_y == 0 || t.items_y == items.y);
  });
  if (!built) {
    std::string list = "with items_y " + std::to_string(t.items_y) + "; built are items_x x items_y";
    for (auto const& items : bcsc_tiled_items) list += ' ' + std::to_string(items.x) + 'x' + std::to_string(items.y);
    return not_built("items_x", t.items_x, list);
  }
  if (!is_one_of(t.k_tile, {0, 8, 16, 32})) return not_built("k_tile", t.k_tile, "8, 16 or 32");
  if (!is_one_of(t.buffers, {0, 1, 2})) return not_built("buffers", t.buffers, "1 or 2");
  if (!is_one_of(t.parts, {0, 1, 2, 4, 8, 16})) return not_built("parts", t.parts, "1, 2, 4, 8 or 16");
  return {};
}

}  // namespace detail
}  // namespace araia
