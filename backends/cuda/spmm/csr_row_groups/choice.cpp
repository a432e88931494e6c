// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"

#include <algorithm>
#include <cmath>

namespace araia::cuda {
namespace {

// What was measured for the constants is in docs/lab/cuda_kernels.md. Times are microseconds.

constexpr double gain_of_a_row = 0.95;  // of the reads of a row less, in double

constexpr double uneven = 0.12;   // deviation from which sorting groups inside windows pays
constexpr double skewed = 1.0;    // and from which it pays over all
constexpr int sort_window = 512;  // groups
// A segment takes so many columns of a group one after the other that it ends well before the product does.
constexpr std::int64_t shortest_segment = 32;
constexpr std::int64_t segment_of_long_products = 128;
constexpr double product_bytes = 9.2e6;    // of B a microsecond, from L2
constexpr double columns_in_the_time = 5;  // of a segment a microsecond of the product
// The same for single rows of uneven lengths, one a slice.
constexpr double columns_of_rows_in_the_time = 3;
constexpr std::int64_t segment_of_long_rows = 256;
constexpr double usual_of_uneven = 64;  // columns: the mean of uneven rows may be that of few

// Single rows go in parts, because a warp takes the steps of a row one after the other while all else may be done. The
// longer the product, the less that matters, and the more the start and end of each part do.
constexpr double part_of_product = 12;  // columns, for the root of the product's microseconds
constexpr std::int64_t shortest_part = 8;
constexpr std::int64_t longest_part = 128;
// So many columns more in each part take less time than to cut rows, whose sums are a kernel of their own.
constexpr std::int64_t rather_than_cut = 30;
// Rows of like length in q parts, `warps` of a multiprocessor if they were whole: the steps of a part take the time of
// mean / q columns one after the other, and the starts of q warps in the place of each take 1 / balance columns each.
constexpr double like = 0.5;   // deviation
constexpr double outlier = 8;  // means of the longest row
constexpr double usual = 2;    // means: rows that stay whole beside such
constexpr double balance = 0.55;

// Groups of several rows are few warps, of which the longest may be cut: where rows of C do not fill a device with
// warps and products are short, single rows in parts end sooner.
constexpr double full_of_rows = 64;  // warps of a multiprocessor
constexpr double full_of_skewed_rows = 96;
constexpr double lane_bytes = 16;  // of a row of C
constexpr double warp_bytes = 32 * lane_bytes;
constexpr double entries_of_groups = 60000;
constexpr double product_of_groups = 1;  // us, from L2
constexpr double product_of_skewed_groups = 4;

constexpr double near_rows = 0.65;  // of all rows: B's rows in use are a part of it
// Steps of a run. Lanes with several packs have fewer warps beside them, so their runs end sooner for the device to
// fill up again.
constexpr double longest_run = 16;
constexpr double longest_run_of_packs = 8;
constexpr double warps_wanted = 128;  // of a multiprocessor

// Groups of several rows go in parts where few warps would have them all, one step after the other.
constexpr double warps_of_parts = 20;           // of a multiprocessor, at most
constexpr double warps_of_parts_of_packs = 14;  // of two packs a lane
constexpr double steps_of_part = 2;             // at least
// Where warps are more than few and no row is much longer than the mean, a part has one step more.
constexpr double few_warps = 7;  // of a multiprocessor
constexpr double steps_of_part_of_many = 3;
constexpr double longer_row = 1.6;  // than the mean
// Parts that stay long are worth more warps.
constexpr double warps_of_long_parts = 40;
constexpr double steps_of_long_part = 9;

// Warps of a thread block stay until its last has ended, so that four are better than eight. But parts of narrow rows
// are faster by eight, whose slices share more of B.
constexpr int block_warps_of_narrow_parts = 8;
constexpr std::int64_t most_narrow_packs = 2;

constexpr double cache_share = 0.65;          // of the L2 that rows of B in use may fill
constexpr std::int64_t least_tile_packs = 8;  // of 16 bytes: 128 bytes of a row of B come at full rate

// Rows of B at all alignments come a scalar a lane and access, which touches two lines of L1. Then a tile as wide as
// the row wins over one of whole packs by all numbers of columns from 5 on but those that are left out here. Where
// packs of double would fill tiles badly, words win with rows at 16 bytes too.
struct WordTile {
  std::int64_t columns;  // up to so many
  int lanes;             // of a group
  int words;             // of a lane; 0: packs
};
constexpr WordTile single_rows[] = {{8, 0, 0},   {12, 4, 3},  {16, 0, 0},   {24, 8, 3},   {32, 8, 4},  {48, 16, 3},
                                    {64, 16, 4}, {96, 32, 3}, {128, 32, 4}, {160, 32, 5}, {192, 32, 6}};
constexpr WordTile several_rows[] = {{4, 0, 0},   {8, 4, 2},   {16, 8, 2},   {32, 16, 2},  {48, 16, 3},
                                     {64, 32, 2}, {96, 32, 3}, {128, 32, 4}, {160, 32, 5}, {192, 32, 6}};
constexpr WordTile single_rows_of_double[] = {{16, 0, 0},  {24, 8, 3},  {32, 0, 0},  {48, 16, 3},  {64, 32, 2},
                                              {80, 16, 5}, {96, 32, 3}, {128, 0, 0}, {160, 32, 5}, {192, 32, 6}};
// Those of double that win where rows are at 16 bytes too are wider than 3/4 of a pack's tile at most.
constexpr bool fills_packs(std::int64_t columns) {
  std::int64_t tile = 32;
  while (tile < columns) tile *= 2;
  return columns <= 32 || 4 * columns > 3 * tile;
}

WordTile word_tile(bool wide, int group_rows, std::int64_t columns) {
  auto const find = [&](auto const& tiles) {
    for (WordTile const& tile : tiles)
      if (columns <= tile.columns) return tile;
    return WordTile{};
  };
  // Groups of three rows keep packs where tiles of words are little narrower.
  bool const packs_of_three = group_rows == 3 && ((columns > 32 && columns <= 64) || columns > 160);
  if (!wide)
    return columns % 4 == 0 || packs_of_three ? WordTile{} : group_rows == 1 ? find(single_rows) : find(several_rows);
  if (group_rows > 1 || (columns % 2 == 0 && fills_packs(columns))) return WordTile{};
  return find(single_rows_of_double);
}

struct Product {
  double rows;
  double nnz;
  double row_bytes;  // of C
  int multiprocessors;

  [[nodiscard]] double mean() const { return nnz / std::max(rows, 1.0); }
  [[nodiscard]] double from_l2() const { return nnz * row_bytes / product_bytes; }  // us
};

/// Columns of the parts that single rows go in, or 0: none does.
/// \param warps  of a multiprocessor, if rows are whole
std::int64_t columns_of_part(GroupStats const& stats, Product const& p, double warps) {
  double columns = part_of_product * std::sqrt(p.from_l2());
  bool const has_outlier = static_cast<double>(stats.longest) > outlier * p.mean();
  if (stats.deviation < like && has_outlier) {
    columns = std::max(columns, usual * p.mean());
  } else if (stats.deviation < like) {
    if (balance * p.mean() < 2 * warps) return 0;
    columns = std::max(columns, std::sqrt(p.mean() * warps / balance));
  }
  std::int64_t const part = std::clamp(static_cast<std::int64_t>(std::min(columns, 1e6)), shortest_part, longest_part) /
                            step_columns * step_columns;
  return stats.longest >= 2 * part ? part : 0;
}

std::int64_t segment_of(GroupStats const& stats, Product const& p, GroupShape const& shape, double group_columns) {
  auto const columns = [&](double in_the_time, std::int64_t most) {
    return std::clamp(static_cast<std::int64_t>(in_the_time * std::min(p.from_l2(), 1e6)), shortest_segment, most);
  };
  // No less than most rows have, or all of those are cut.
  auto const mean = static_cast<std::int64_t>(stats.deviation < like ? p.mean() : std::min(p.mean(), usual_of_uneven));
  std::int64_t segment = 0;
  if (shape.part > 0) {
    std::int64_t const of_slice = shape.slice_groups * shape.part;
    segment = std::max({shortest_segment, of_slice, std::min(mean, 4 * of_slice)});
    if (stats.longest <= shape.slice_groups * (shape.part + rather_than_cut))
      segment = std::max(segment, stats.longest);
  } else if (shape.group_rows == 1 && stats.deviation >= like) {
    segment = std::max(columns(columns_of_rows_in_the_time, segment_of_long_rows), mean);
  } else {
    segment =
        std::max(columns(columns_in_the_time, segment_of_long_products), static_cast<std::int64_t>(2 * group_columns));
  }
  return (segment + step_columns - 1) / step_columns * step_columns;
}

bool single_rows_pay(GroupStats const& stats, Product const& p) {
  bool const uneven_rows = stats.deviation > skewed;
  double const full = uneven_rows ? full_of_skewed_rows : full_of_rows;
  if (p.rows * std::max(p.row_bytes, lane_bytes) >= full * p.multiprocessors * warp_bytes) return false;
  double const shortest = uneven_rows ? product_of_skewed_groups : product_of_groups;
  return p.nnz < entries_of_groups || p.from_l2() < shortest;
}

/// Rows of a group.
int rows_of_group(GroupStats const& stats, Product const& p, bool wide) {
  if (single_rows_pay(stats, p)) return 1;
  int rows = 1;
  double const single = reads_of_entry(1, stats.shared[0], wide);
  double best = gain_of_groups * single;
  for (int g = 2; g <= most_group_rows; ++g) {
    double const reads = reads_of_entry(g, stats.shared[static_cast<std::size_t>(g - 1)], wide);
    if (reads < best * (wide && rows > 1 ? gain_of_a_row : 1)) best = reads, rows = g;
  }
  return rows;
}

}  // namespace

GroupChoice choose_groups(GroupStats const& stats, std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                          std::size_t scalar_bytes, int multiprocessors, std::int64_t cache_bytes) {
  GroupChoice choice;
  auto& shape = choice.shape;
  bool const wide = scalar_bytes == sizeof(double);
  Product const product{static_cast<double>(rows), static_cast<double>(nnz),
                        static_cast<double>(columns) * static_cast<double>(scalar_bytes), multiprocessors};
  shape.group_rows = rows_of_group(stats, product, wide);
  double const mean = product.mean();
  double const group_columns = mean * shape.group_rows / stats.shared[static_cast<std::size_t>(shape.group_rows - 1)];
  double const in_use = std::min(static_cast<double>(rows), 4 * stats.distance + 1);  // rows of B
  bool const near = in_use < near_rows * static_cast<double>(rows);
  // Sorted over all, rows of like length from everywhere read B once for each length.
  shape.sort_window = stats.deviation > skewed && !near ? -1 : stats.deviation > uneven ? sort_window : 0;

  // Packs of 16 bytes of a row of B that a warp multiplies: those that are used again soon stay in L2.
  std::int64_t const row_packs =
      std::max<std::int64_t>(1, (columns * static_cast<std::int64_t>(scalar_bytes) + 15) / 16);
  int const group_rows = shape.group_rows;
  std::int64_t tile_packs = group_rows > 1 && group_rows < 4 && !wide ? 32 : 64;
  while (tile_packs > least_tile_packs &&
         in_use * 16 * static_cast<double>(tile_packs) > cache_share * static_cast<double>(cache_bytes))
    tile_packs /= 2;
  while (tile_packs / 2 >= row_packs) tile_packs /= 2;
  auto& packs = choice.tuning.packs;
  if (group_rows == 1)
    packs = !near ? 1 : tile_packs >= 64 ? 4 : tile_packs >= 8 && !wide ? 2 : 1;
  else if (group_rows < 4)
    packs = wide && tile_packs >= (group_rows == 2 ? 16 : 8) ? 2 : 1;
  else
    packs = tile_packs >= (wide ? 4 : 16) ? 2 : 1;
  while (tile_packs / packs > 32) tile_packs /= 2;
  // Four rows of double by two packs are many registers for few warps.
  if (wide && group_rows == 4 && tile_packs <= least_tile_packs &&
      static_cast<double>(rows * tile_packs / packs) < few_warps * multiprocessors * 4 * 32)
    packs = 1;
  shape.slice_groups = static_cast<int>(32 / (tile_packs / packs));
  bool const stays = in_use * static_cast<double>(columns) * static_cast<double>(scalar_bytes) <=
                     cache_share * static_cast<double>(cache_bytes);
  if (auto const tile = word_tile(wide, group_rows, columns); near && stays && tile.words > 0) {
    shape.slice_groups = 32 / tile.lanes;
    choice.tuning = {.packs = 1, .words = tile.words};
    tile_packs = row_packs;
  }

  double const tiles = std::ceil(static_cast<double>(row_packs) / static_cast<double>(tile_packs));
  double const warps = static_cast<double>(rows) / group_rows / shape.slice_groups * tiles;
  if (group_rows == 1 && shape.slice_groups > 1) shape.part = columns_of_part(stats, product, warps / multiprocessors);
  if (shape.part > 0 && shape.sort_window == 0) shape.sort_window = sort_window;
  shape.segment = segment_of(stats, product, shape, group_columns);
  if (group_rows > 1) {
    auto& parts = choice.tuning.parts;
    double const most = multiprocessors * (packs > 1 ? warps_of_parts_of_packs : warps_of_parts);
    auto const pays = [&](int count) {
      double const steps = group_columns / (count * step_columns);
      bool const short_too = count * warps <= multiprocessors * few_warps ||
                             static_cast<double>(stats.longest) > longer_row * product.mean();
      double const least = short_too ? steps_of_part : steps_of_part_of_many;
      return (count * warps <= most && steps >= least) ||
             (count * warps <= multiprocessors * warps_of_long_parts && steps >= steps_of_long_part);
    };
    while (shape.slice_groups > 1 && pays(2 * parts)) parts *= 2, shape.slice_groups /= 2;
    if (parts > 1 && tile_packs <= most_narrow_packs) choice.tuning.block_warps = block_warps_of_narrow_parts;
  }

  // Alone in its slice a row has none to be as long as, and rows in their order find more of B in L1.
  if (shape.slice_groups == 1 && group_rows == 1 && near) shape.sort_window = 0;

  // As many warps as go over a device some times, then longer runs.
  auto const steps = static_cast<double>(rows) / shape.slice_groups * std::max(1.0, std::ceil(mean / step_columns));
  shape.run_steps = static_cast<std::int64_t>(
      std::min(packs > 1 ? longest_run_of_packs : longest_run, steps * tiles / (multiprocessors * warps_wanted)));
  return choice;
}

}  // namespace araia::cuda
