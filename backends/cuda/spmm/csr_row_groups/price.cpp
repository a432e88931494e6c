// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "backends/cuda/lib/short_rows.hpp"

#include "backends/cuda/spmm/csr_row_groups/choice.hpp"

namespace araia::cuda {
namespace {

// What was measured for the constants is in docs/lab/cuda_kernels.md.

constexpr double very_sparse = 0.01;      // density
constexpr std::int64_t short_row = 16;    // entries in the mean: a warp a row is half idle
constexpr double groups_start = 4;        // us
constexpr double groups_start_cut = 5.5;  // us: a second kernel adds up segments of rows
constexpr double groups_memory = 2.65e6;  // bytes a us
constexpr double groups_cache = 7.4e6;    // bytes a us
constexpr double groups_least_read = 60;  // bytes of a row of B
// As long where rows of B are not whole packs.
constexpr double groups_words = 1.7;
constexpr double groups_words_of_double = 1.5;
constexpr double groups_where_dense = 1.1;  // of a warp a row
constexpr double skewed_at_most = 0.03;     // density of matrices whose rows were measured uneven

// Single rows in cache: fits to 452 cases.
constexpr double singles_start = 1.7;     // us
constexpr double singles_cut = 1.7;       // us: a second kernel adds up the segments of rows
constexpr double singles_entry = 3.3e-6;  // us
constexpr double singles_cache = 14.2e6;  // bytes of rows of B a us
constexpr double singles_words = 2.9;     // as long where rows of B are not whole packs
constexpr double singles_words_of_double = 1.6;
constexpr double singles_c = 2.5e6;       // bytes a us
constexpr double singles_step = 0.17;     // us of a step of a warp, one after the other
constexpr double singles_bytes = 45e6;    // of A, B and C, at most
constexpr double least_row = 16;          // bytes, of a lane
constexpr double densest_singles = 0.25;  // measured

// Beside a Csr as it is.
constexpr double groups_over_longer_rows = 0.95;
constexpr std::int64_t bytes_of_single_rows = 64;  // of C; by fewer groups go before
constexpr double cache_of_single_rows = 0.85;      // of L2, that B fills at most

// Beside padded rows, whose price is that of dense layers.
constexpr std::int64_t columns_in_blocks = 128;
constexpr double beyond_cache = 30e6;   // bytes of A, B and C
constexpr double groups_beyond = 0.95;  // of a warp a row, rows padded

bool pays_in_fours(SpmmProblem const& p) { return groups_of_four_pay(p.shared, p.scalar_bytes); }

std::int64_t likely_longest(SpmmProblem const& p) { return p.longest > 0 ? p.longest : 2 * p.nnz / p.rows; }

/// Of choose_groups, by what is known here of the matrix.
GroupChoice likely_groups(SpmmProblem const& p) {
  GroupStats stats;
  for (std::size_t g = 0; g < stats.shared.size(); ++g)
    stats.shared[g] = 1 + (p.shared - 1) * static_cast<double>(g) / (most_group_rows - 1);
  stats.longest = likely_longest(p);
  stats.deviation = p.has_much_longer_row() ? 2 : 0.2;
  // Rows that share columns are neighbours along the diagonal, other rows have them anywhere.
  stats.distance = pays_in_fours(p) ? 0 : static_cast<double>(p.rows);
  return choose_groups(stats, p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors, p.cache_bytes);
}

/// Bytes of the tiles of a row of B.
double tile_bytes_of_row(SpmmProblem const& p, GroupChoice const& groups) {
  auto const& [shape, tuning] = groups;
  std::int64_t const tile = p.single() ? row_groups_tile<float>(shape, tuning) : row_groups_tile<double>(shape, tuning);
  return static_cast<double>(quotient_up(p.columns, tile) * tile) * static_cast<double>(p.scalar_bytes);
}

bool fills_tiles(SpmmProblem const& p, GroupChoice const& groups) {
  constexpr double tiles_over_row = 1.2;  // bytes
  return tile_bytes_of_row(p, groups) <= tiles_over_row * static_cast<double>(p.row_bytes());
}

/// A tile of B is partly empty, and rows that share columns are too short to be ahead all the same. Other matrices have
/// narrow tiles.
bool wastes_tiles(SpmmProblem const& p, GroupChoice const& groups) {
  return pays_in_fours(p) && !detail::has_rows_of_many(p.rows, p.nnz) && !fills_tiles(p, groups);
}

/// Microseconds of single rows, operands in cache. In double a tile that is partly empty takes as long as a full one;
/// in float that was not measured.
double singles_time(SpmmProblem const& p, GroupChoice const& groups) {
  auto const& shape = groups.shape;
  auto const nnz = static_cast<double>(p.nnz);
  double const there = std::max(least_row, static_cast<double>(p.row_bytes()));
  double const row = p.has_rows_of_packs() && !p.single() ? tile_bytes_of_row(p, groups) : there;
  double const words = p.has_rows_of_packs() || row <= least_row ? 1
                       : p.single()                              ? singles_words
                                                                 : singles_words_of_double;
  std::int64_t const uncut = std::min(likely_longest(p), 2 * shape.segment);
  double const steps_of_longest = static_cast<double>(uncut) / (shape.parts_of(uncut) * step_columns) * singles_step;
  double const all =
      nnz * (singles_entry + row * words / singles_cache) + static_cast<double>(p.rows) * there / singles_c;
  return singles_start + (likely_longest(p) > uncut ? singles_cut : 0) + std::max(all, steps_of_longest);
}

/// Microseconds: single rows in cache by singles_time; else what memory and L2 take, where a row of B comes once for
/// the rows of a group that share it. There, denser matrices of rows that are not short were not measured, but where
/// rows are much longer than others, which are cut.
double groups_time(SpmmProblem const& p, GroupChoice const& groups) {
  double const density = p.density();
  if (p.operand_bytes() < singles_bytes && density <= densest_singles && groups.shape.group_rows == 1)
    return singles_time(p, groups);
  bool const short_rows = p.nnz <= short_row * p.rows;
  bool const cuts_rows = density <= skewed_at_most && p.has_much_longer_row();
  if (density > very_sparse && !short_rows && !cuts_rows && !p.rows_share_columns())
    return warp_per_row_time(p) * groups_where_dense;
  auto const nnz = static_cast<double>(p.nnz);
  bool const by_fours = pays_in_fours(p);
  // What is not there of the last tile takes half of its time.
  auto const there = static_cast<double>(p.row_bytes());
  double const row = by_fours ? (there + tile_bytes_of_row(p, groups)) / 2 : there;
  double const shared = by_fours ? p.shared : 1;
  double const words = p.has_rows_of_packs() || (by_fours && !fills_tiles(p, groups)) ? 1
                       : p.single()                                                   ? groups_words
                                                                                      : groups_words_of_double;
  bool const steps_few = p.longest > 0 && detail::has_shortest_rows(p.rows, p.nnz) && !by_fours;
  bool const cut = p.longest > 2 * groups.shape.segment && p.has_much_longer_row();
  double const start = cut ? groups_start_cut : steps_few ? shortest_group_start : groups_start;
  return start + std::max(p.operand_bytes() / groups_memory,
                          nnz / shared * std::max(row, groups_least_read) * words / groups_cache);
}

/// Were row groups ahead of all other packings measured: very sparse with operands beyond the cache, and in cache where
/// rows share columns?
bool is_ahead(SpmmProblem const& p) {
  bool const from_memory = p.density() <= very_sparse && p.operand_bytes() >= beyond_cache;
  bool const in_blocks = p.rows_share_columns() && p.columns <= columns_in_blocks && p.nnz >= entries_worth_grouping;
  return from_memory || in_blocks;
}

/// Are longer rows multiplied sooner as the Csr that they are: single ones on a B that L2 holds?
bool single_rows_go_unpacked(SpmmProblem const& p) {
  return !p.rows_share_columns() && !detail::has_rows_of_many(p.rows, p.nnz) && !p.has_much_longer_row() &&
         p.nnz >= entries_worth_grouping && p.row_bytes() >= bytes_of_single_rows &&
         static_cast<double>(p.cols * p.row_bytes()) <= cache_of_single_rows * static_cast<double>(p.cache_bytes);
}

}  // namespace

std::optional<RowGroupsPrice> price_row_groups(SpmmProblem const& p) {
  if (p.nnz == 0) return {};
  GroupChoice const groups = likely_groups(p);
  double seconds = groups_time(p, groups) * microsecond;
  bool const wastes = wastes_tiles(p, groups);
  if (is_ahead(p) && !wastes) seconds = std::min(seconds, groups_beyond * warp_per_row_time(p) * microsecond);
  if (!detail::has_sparse_short_rows(p.rows, p.cols, p.nnz, p.row_bytes())) return RowGroupsPrice{seconds};
  if (goes_unpacked(p) || single_rows_go_unpacked(p))
    return RowGroupsPrice{std::max(seconds, least_of_packed_short_rows(p))};
  if (p.operand_bytes() < beyond_cache || wastes) return RowGroupsPrice{seconds};
  // Longer rows from memory: what is packed takes less. What short rows as they are wait for, rows much longer than
  // the others, are cut here.
  return RowGroupsPrice{std::min(
      seconds,
      groups_over_longer_rows * detail::short_rows_seconds(p.rows, p.nnz, p.columns, static_cast<int>(p.scalar_bytes),
                                                           {p.longest, p.long_rows}))};
}

}  // namespace araia::cuda
