// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lib/spmm_choice.hpp"

#include <algorithm>
#include <araia/detail/kernels/short_rows.hpp>
#include <array>
#include <cmath>
#include <limits>

#include "backends/cuda/spmm/csr_lockstep/choice.hpp"

namespace araia::cuda {
namespace {

// Each kernel's time is estimated, in microseconds on an H200, by what bounds it; the constants are fits to the sweep
// of docs/kernels/spmm_cuda.md. The least estimate wins.
constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::int64_t columns_for_slices = 96;   // fewer leave slices half empty
constexpr double launch_and_first_copy = 2.5;     // of kernels with B in shared memory
constexpr double copy_of_a_row = 0.9 / 512 / 32;  // and column
constexpr double chunk_change = 1.9;              // sums go to C and come back
constexpr double jam_column = 0.65e-3;            // of a part's group, slices of 32 columns
constexpr double jam_few_columns = 1.17;          // of a lane: more of A for each row of B
constexpr double very_sparse = 0.01;              // density
constexpr std::int64_t short_row = 16;            // entries in the mean: a warp a row is half idle
constexpr double groups_start = 4;                // us
constexpr double groups_start_shortest = 2;       // single rows of a step or two: 1.4 to 2.6 us, 1100 to 8200 rows
constexpr double groups_start_cut = 5.5;          // a second kernel adds up segments of rows: 4.8 to 7.2
constexpr double groups_memory = 2.65e6;          // bytes a us
constexpr double groups_cache = 7.4e6;            // bytes a us
constexpr double groups_least_read = 60;          // bytes of a row of B
constexpr double groups_words = 1.7;              // as long where rows of B are not whole packs: 1.4 to 2
constexpr double groups_words_of_double = 1.5;    // 1.4 to 1.7
constexpr double groups_where_dense = 1.1;        // of padded_rows
// Single rows in cache. Fits to 452 cases on an H200, 2 to 1070 thousand entries by 8 to 128 columns of float and
// double: the price is 0.95 of what was measured in the median, 0.74 to 1.21 for four of five. Denser and larger ones
// are priced above padded_rows, though in double they may be ahead there too (2048 x 2048, 0.2, by 32 columns 19 us and
// 25).
constexpr double singles_start = 1.7;     // us
constexpr double singles_cut = 1.7;       // a second kernel adds up the segments of rows
constexpr double singles_entry = 3.3e-6;  // us
constexpr double singles_cache = 14.2e6;  // bytes of rows of B a us
constexpr double singles_words = 2.9;     // as long where rows of B are not whole packs
constexpr double singles_words_of_double = 1.6;
constexpr double singles_c = 2.5e6;             // bytes a us
constexpr double singles_step = 0.17;           // us of a step of a warp, one after the other
constexpr double singles_bytes = 45e6;          // of A, B and C, at most
constexpr double least_row = 16;                // bytes, of a lane
constexpr double densest_singles = 0.25;        // measured
constexpr double packed_over_short_rows = 1.2;  // row_groups over csr_spmm_short_rows, 7 points: 1.05 to 1.4
constexpr double padded_over_groups = 1.05;     // there 1.2 to 2.5
// row_groups over csr_spmm_short_rows where rows are longer, cold: FEM, lattices and orbitals 0.4 to 0.75, random
// graphs and power laws 0.35 to 0.9, 27 points 0.65 to 1.02. In cache random graphs take 0.9 to 1.3.
constexpr double groups_over_longer_rows = 0.95;
constexpr std::int64_t bytes_of_single_rows = 64;  // of C; by fewer row_groups takes 0.87 to 1.3 of the time
constexpr double cache_of_single_rows = 0.85;      // of L2, that B fills at most
// Rows that share columns lie in blocks or bands, of which kernels that walk over dense layers have idle warps: FEM,
// orbitals, lattices and 27 points of 300,000 entries (density 0.6 to 1.4%) by 8 to 128 columns took padded_rows 1 to
// 1.9 times as long as row_groups, lockstep 3.4 and 5.1 times.
constexpr double sparse_in_blocks = 0.015;  // density
constexpr std::int64_t columns_in_blocks = 128;
// Fewer, and padded_rows or csr_spmm_short_rows are ahead: 2821 rows of 15 entries 2.6 to 3.8 us, by row_groups 3.3 to
// 5.1; 600 rows of 39 1.8 to 2.6 by padded_rows, 3.5 to 6.6.
constexpr std::int64_t entries_in_blocks = 60000;
constexpr double skewed_at_most = 0.03;  // density of matrices whose rows were measured uneven
constexpr double beyond_cache = 30e6;    // bytes of A, B and C
constexpr double groups_beyond = 0.95;   // of the least of the others there, whose prices are those of dense layers

constexpr double rows_start = 1.8;
constexpr double rows_product = 0.21e-6;              // from L2
constexpr double rows_product_sparse = 0.0022e-6;     // over density: less of B is found in L1
constexpr double rows_product_all_from_l2 = 0.19e-6;  // the most of it
constexpr double rows_row = 0.33e-3;                  // of those that wait for a warp
constexpr double rows_resident = 32;                  // warps of a multiprocessor
constexpr double rows_step = 0.3;                     // of a row much longer than the mean, one after the other
constexpr double rows_step_of_fours = 0.42;           // by four columns a lane
constexpr double entries_of_step = 8;                 // of a warp's lanes that share a row of B
constexpr std::int64_t much_longer = 4;
constexpr std::int64_t bytes_that_wait_for_long_rows = 256;  // of a row of C, at most
constexpr double doubles_start = 0.5;                        // more, by two columns a lane
constexpr std::int64_t doubles_in_twos = 16;
constexpr double doubles_product_few = 0.28e-6;  // over twice that of float
constexpr double doubles_product_many = 0.08e-6;
constexpr std::int64_t few_columns = 256;
constexpr double rows_product_wide = 0.03e-6;  // the same for many columns
constexpr std::int64_t many_columns = 1024;
constexpr std::int64_t rows_for_wide_groups = 128;  // of a part

constexpr double microsecond = 1e-6;

std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Columns of A that lie in shared memory at once: as few chunks as `longest` allows, of even length.
int even_chunk(std::int64_t cols, int longest) {
  std::int64_t const chunks = std::max<std::int64_t>(1, quotient_up(cols, longest));
  return static_cast<int>(std::clamp<std::int64_t>(quotient_up(quotient_up(cols, chunks), 4) * 4, 4, longest));
}

/// Of `slices` over the multiprocessors.
std::int64_t parts_of(std::int64_t slices, int multiprocessors, std::int64_t most) {
  return std::clamp<std::int64_t>(multiprocessors / std::max<std::int64_t>(slices, 1), 1,
                                  std::max<std::int64_t>(most, 1));
}

double start_with_slice(SpmmProblem const& p, int chunk_cols, int slice_columns) {
  return launch_and_first_copy + copy_of_a_row * static_cast<double>(p.cols) * slice_columns +
         chunk_change * static_cast<double>(std::max<std::int64_t>(quotient_up(p.cols, chunk_cols), 1) - 1);
}

double rows_time(SpmmProblem const& p, double density) {
  double const products = static_cast<double>(p.nnz) * static_cast<double>(p.columns);
  double const from_l2 = std::min(rows_product_sparse / density, rows_product_all_from_l2);
  double const waiting = rows_row * std::max(0.0, static_cast<double>(p.rows) - rows_resident * p.multiprocessors);
  if (p.scalar_bytes == sizeof(double))
    return rows_start + (p.columns >= doubles_in_twos ? doubles_start : 0) + waiting +
           products *
               (2 * (rows_product + from_l2) + (p.columns <= few_columns ? doubles_product_few : doubles_product_many));
  return rows_start + waiting +
         products * (rows_product + from_l2 + (p.columns >= many_columns ? rows_product_wide : 0));
}

bool has_much_longer_row(SpmmProblem const& p) {
  return static_cast<double>(p.longest) * static_cast<double>(p.rows) > much_longer * static_cast<double>(p.nnz);
}

/// A row is one warp's, or `split` warps', of which `lanes` have a row of B: 969 entries by 8 columns of float, four
/// rows of B a step, 10 us, 1045 11, 2686 27, 1045 by 128 columns 56. What rows of layers take, all about as long,
/// rows_time has.
double longest_row_time(SpmmProblem const& p, CsrSpmmRowTuning const& tuning) {
  if (!has_much_longer_row(p)) return 0;
  return rows_start + static_cast<double>(p.longest) * tuning.lanes / (32 * entries_of_step * tuning.split) *
                          (tuning.vector == 4 ? rows_step_of_fours : rows_step);
}

double operand_bytes(SpmmProblem const& p) {
  double const scalar = static_cast<double>(p.scalar_bytes);
  return static_cast<double>(p.nnz) * (scalar + sizeof(std::int32_t)) +
         static_cast<double>(p.rows + p.cols) * static_cast<double>(p.columns) * scalar;
}

bool rows_share_columns(SpmmProblem const& p, double density) {
  return density <= sparse_in_blocks && groups_of_four_pay(p.shared, p.scalar_bytes);
}

/// Of B.
std::int64_t row_bytes(SpmmProblem const& p) { return p.columns * static_cast<std::int64_t>(p.scalar_bytes); }

bool rows_of_b_are_packs(SpmmProblem const& p) { return row_bytes(p) % 16 == 0; }

std::int64_t likely_longest(SpmmProblem const& p) { return p.longest > 0 ? p.longest : 2 * p.nnz / p.rows; }

/// Of choose_groups, by what is known here of the matrix.
GroupChoice likely_groups(SpmmProblem const& p) {
  GroupStats stats;
  for (std::size_t g = 0; g < stats.shared.size(); ++g)
    stats.shared[g] = 1 + (p.shared - 1) * static_cast<double>(g) / (most_group_rows - 1);
  stats.longest = likely_longest(p);
  stats.deviation = has_much_longer_row(p) ? 2 : 0.2;
  // Rows that share columns are neighbours along the diagonal, other rows have them anywhere.
  stats.distance = groups_of_four_pay(p.shared, p.scalar_bytes) ? 0 : static_cast<double>(p.rows);
  return choose_groups(stats, p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors, p.cache_bytes);
}

/// Bytes of the tiles of a row of B.
double tile_bytes_of_row(SpmmProblem const& p, GroupChoice const& groups) {
  auto const& [shape, tuning] = groups;
  bool const single = p.scalar_bytes == sizeof(float);
  std::int64_t const tile = single ? row_groups_tile<float>(shape, tuning) : row_groups_tile<double>(shape, tuning);
  return static_cast<double>(quotient_up(p.columns, tile) * tile) * static_cast<double>(p.scalar_bytes);
}

bool fills_tiles(SpmmProblem const& p, GroupChoice const& groups) {
  constexpr double tiles_over_row = 1.2;  // measured at 1.97
  return tile_bytes_of_row(p, groups) <= tiles_over_row * static_cast<double>(row_bytes(p));
}

/// row_groups_spmm of single rows, operands in cache. In double a tile that is partly empty takes as long as a full
/// one: a layer of 3651 rows, a tenth full, by 48 and 64 columns, a tile, 52 and 53 us, by 66, 96 and 128, two, 105,
/// 102 and 101. In float that was not measured.
double singles_time(SpmmProblem const& p, GroupChoice const& groups) {
  auto const& shape = groups.shape;
  auto const nnz = static_cast<double>(p.nnz);
  bool const single = p.scalar_bytes == sizeof(float);
  bool const whole_packs = rows_of_b_are_packs(p);
  double const there = std::max(least_row, static_cast<double>(row_bytes(p)));
  double const row = whole_packs && !single ? tile_bytes_of_row(p, groups) : there;
  double const words = whole_packs || row <= least_row ? 1 : single ? singles_words : singles_words_of_double;
  std::int64_t const uncut = std::min(likely_longest(p), 2 * shape.segment);
  double const longest_part = static_cast<double>(uncut) / (shape.parts_of(uncut) * step_columns) * singles_step;
  double const all =
      nnz * (singles_entry + row * words / singles_cache) + static_cast<double>(p.rows) * there / singles_c;
  return singles_start + (likely_longest(p) > uncut ? singles_cut : 0) + std::max(all, longest_part);
}

// row_groups_spmm: single rows in cache by singles_time; else what memory and L2 take, where a row of B comes once for
// the rows of a group that share it. There, denser matrices of rows that are not short were not measured, but where
// rows are much longer than others, which row_groups cuts.
double groups_time(SpmmProblem const& p, GroupChoice const& groups, double density, double of_rows) {
  if (operand_bytes(p) < singles_bytes && density <= densest_singles && groups.shape.group_rows == 1)
    return singles_time(p, groups);
  bool const short_rows = p.nnz <= short_row * p.rows;
  bool const cuts_rows = density <= skewed_at_most && has_much_longer_row(p);
  if (density > very_sparse && !short_rows && !cuts_rows && !rows_share_columns(p, density))
    return of_rows * groups_where_dense;
  auto const nnz = static_cast<double>(p.nnz);
  bool const by_fours = groups_of_four_pay(p.shared, p.scalar_bytes);
  // What is not there of the last tile takes half of its time: 27 points by 128 columns of double 229 us, by 130, two
  // tiles, 456, FEM 140 and 277.
  auto const there = static_cast<double>(row_bytes(p));
  double const row = by_fours ? (there + tile_bytes_of_row(p, groups)) / 2 : there;
  double const shared = by_fours ? p.shared : 1;
  double const words = rows_of_b_are_packs(p) || (by_fours && !fills_tiles(p, groups)) ? 1
                       : p.scalar_bytes == sizeof(float)                               ? groups_words
                                                                                       : groups_words_of_double;
  bool const steps_few = p.longest > 0 && detail::has_shortest_rows(p.rows, p.nnz) && !by_fours;
  bool const cut = p.longest > 2 * groups.shape.segment && has_much_longer_row(p);
  double const start = cut ? groups_start_cut : steps_few ? groups_start_shortest : groups_start;
  return start + std::max(operand_bytes(p) / groups_memory,
                          nnz / shared * std::max(row, groups_least_read) * words / groups_cache);
}

/// A tile of B is partly empty, and rows that share columns are too short to be ahead all the same: 27 points in double
/// by 130 columns 456 us, 310 as they are, FEM 277 and 330, a lattice 323 and 370, orbitals 225 and 248. Other matrices
/// have narrow tiles.
bool wastes_tiles(SpmmProblem const& p, GroupChoice const& groups) {
  return groups_of_four_pay(p.shared, p.scalar_bytes) && !detail::has_rows_of_many(p.rows, p.nnz) &&
         !fills_tiles(p, groups);
}

/// row_groups was ahead at all of 108 points measured, very sparse with operands beyond the cache, and at all of 40 in
/// cache where rows share columns.
void prefer_groups(SpmmProblem const& p, GroupChoice const& shape, double density, std::vector<SpmmEstimate>& all) {
  bool const from_memory = density <= very_sparse && operand_bytes(p) >= beyond_cache;
  bool const in_blocks = rows_share_columns(p, density) && p.columns <= columns_in_blocks && p.nnz >= entries_in_blocks;
  if ((!from_memory && !in_blocks) || wastes_tiles(p, shape)) return;
  double least = never;
  SpmmEstimate* groups = nullptr;
  for (auto& e : all)
    if (e.choice.kernel == SpmmKernel::row_groups)
      groups = &e;
    else
      least = std::min(least, e.seconds);
  if (groups) groups->seconds = std::min(groups->seconds, groups_beyond * least);
}

/// What is packed takes longer than the shortest rows as they are, as few of those share columns of A, and than longer
/// single rows where rows of B come word by word (random graph of 1.3 million entries by 33 and 65 columns of float 45
/// and 93 us by row_groups, 32 and 58 as it is), or rows of up to 32 entries though they share columns (27 points by 65
/// columns of float 124 us by row_groups, 106 as it is), or single rows on a B that L2 holds (a random graph of 1.3
/// million entries by 16 to 128 columns of float 1.11 to 1.17 times the time, by 96 of double, 64 MB, 0.83). Elsewhere
/// row_groups takes less than longer rows, where operands are beyond the cache. What short rows wait for, rows much
/// longer than the others, is not row_groups' price, which cuts them: power law by 17 columns of float 99 us, 214 as it
/// is, circuit by 8 columns 36 and 83, memplus 10 and 15.
void price_short_rows(SpmmProblem const& p, GroupChoice const& groups, double density, std::vector<SpmmEstimate>& all) {
  if (!detail::has_sparse_short_rows(p.rows, p.cols, p.nnz, row_bytes(p))) return;
  auto const as_they_are = [&](detail::LongRows const& beyond) {
    return detail::short_rows_seconds(p.rows, p.nnz, p.columns, static_cast<int>(p.scalar_bytes), beyond);
  };
  bool const read_once = rows_share_columns(p, density) && detail::has_rows_of_many(p.rows, p.nnz);
  bool const waits = has_much_longer_row(p) && row_bytes(p) <= bytes_that_wait_for_long_rows;
  bool const by_words = !rows_of_b_are_packs(p) && p.nnz >= entries_in_blocks;
  bool const single =
      !rows_share_columns(p, density) && !detail::has_rows_of_many(p.rows, p.nnz) && !has_much_longer_row(p) &&
      p.nnz >= entries_in_blocks && row_bytes(p) >= bytes_of_single_rows &&
      static_cast<double>(p.cols * row_bytes(p)) <= cache_of_single_rows * static_cast<double>(p.cache_bytes);
  bool const behind = detail::has_shortest_rows(p.rows, p.nnz) || (!waits && by_words && !read_once);
  // All at once they take 1.5 to 1.9 us (256 to 1850 rows), one after the other 2.8 to 3.5 (5300) and more.
  bool const wait_for_warps = static_cast<double>(p.rows) > rows_resident * p.multiprocessors;
  double const least = groups_start_shortest * microsecond + packed_over_short_rows * as_they_are({});
  double const most = operand_bytes(p) < beyond_cache || wastes_tiles(p, groups)
                          ? never
                          : groups_over_longer_rows * as_they_are({p.longest, p.long_rows});
  for (auto& e : all)
    if (e.choice.kernel == SpmmKernel::row_groups)
      e.seconds = behind || single ? std::max(e.seconds, least) : std::min(e.seconds, most);
    else if (e.choice.kernel == SpmmKernel::padded_rows && behind && wait_for_warps)
      e.seconds = std::max(e.seconds, least * padded_over_groups);
}

double lockstep_time(SpmmProblem const& p, SpmmChoice& choice) {
  int longest = 0;  // ring
  while (lockstep_shared_bytes(longest + 1) <= p.shared_bytes && longest + 1 < 1 << lockstep_release_bits) ++longest;
  if (longest < 2 || p.nnz > most_texture_records) return never;
  std::int64_t const slices = quotient_up(p.columns, lockstep_slice_columns);
  std::int64_t const stages = quotient_up(p.cols, lockstep_stage_cols);
  LockstepShape shape;
  shape.ring = static_cast<int>(std::clamp<std::int64_t>(stages, 2, longest));
  shape.parts = static_cast<int>(parts_of(slices, p.multiprocessors, quotient_up(p.rows, 8)));
  auto const waves = static_cast<double>(quotient_up(slices * shape.parts, p.multiprocessors));
  double least = never;
  for (shape.group_rows = 8; shape.group_rows <= 16; shape.group_rows *= 2)
    for (shape.warps = 8; shape.warps <= 16; shape.warps *= 2) {
      std::int64_t const groups =
          std::max<std::int64_t>(1, quotient_up(quotient_up(p.rows, shape.parts), shape.group_rows));
      std::int64_t const rounds = quotient_up(groups, shape.warps);
      double const idle = static_cast<double>(rounds * shape.warps) / static_cast<double>(groups) - 1;
      double const products =
          static_cast<double>(p.nnz) / shape.parts * lockstep_entry(shape.group_rows) *
          (1 + (shape.warps == 8 ? 0.24 : 0.12) * idle + 0.4 * std::max(0.0, 8.0 / static_cast<double>(groups) - 1));
      double const copies = lockstep_copy * static_cast<double>(p.cols * (stages > shape.ring ? rounds : 1));
      double const time = lockstep_start + waves * (copies + products + lockstep_round * static_cast<double>(rounds));
      if (time < least) least = time, choice.lockstep = shape;
    }
  return least;
}

double jam_time(SpmmProblem const& p, double density, JamShape shape, JammedTuning const& tuning, SpmmChoice& choice) {
  int longest = 0;
  int const most = 1024;  // so that counts of steps fit, and more than one chunk has not paid
  for (shape.chunk_cols = 64; shape.chunk_cols <= most && jammed_shared_bytes(shape, tuning.vector) <= p.shared_bytes;
       shape.chunk_cols += 4)
    longest = shape.chunk_cols;
  if (longest == 0) return never;
  shape.chunk_cols = even_chunk(p.cols, longest);
  choice.jam_shape = shape;
  choice.jam = tuning;
  int const slice_columns = 32 / shape.step_columns * tuning.vector;
  std::int64_t const slices = quotient_up(p.columns, slice_columns);
  std::int64_t const groups = quotient_up(p.rows, jam_rows);
  std::int64_t const parts = parts_of(slices, p.multiprocessors, quotient_up(groups, jammed_warps));
  auto const waves = static_cast<double>(quotient_up(slices * parts, p.multiprocessors));
  // Groups come to all warps at once; columns that do not fill a mask's last step are zeros for some of the rows.
  std::int64_t const rounds = quotient_up(quotient_up(groups, parts), jammed_warps);
  double const used = 1 - std::pow(1 - std::min(density, 1.0), jam_rows);
  double const filling = 1 + 7.5 * shape.step_columns / std::max(1.0, used * shape.chunk_cols);
  return start_with_slice(p, shape.chunk_cols, slice_columns) +
         waves * static_cast<double>(rounds * jammed_warps) * used * static_cast<double>(p.cols) * jam_column *
             slice_columns / 32 * filling * (tuning.vector == 8 ? jam_few_columns : 1);
}

// tile_spmm: microseconds of a block on an H200, to start and end and for each 32 columns of A; fitted to 72 cases,
// within 2% of the best shape in the mean.
struct TileShape {
  int rows, columns;
  double start, step;
};
constexpr std::array<TileShape, 3> shapes_3xtf32{{{128, 128, 4.6, 1.21}, {64, 128, 3.9, 0.74}, {64, 64, 4.0, 0.5}}};
constexpr std::array<TileShape, 2> shapes_tf32{{{128, 128, 5.2, 0.62}, {64, 64, 3.7, 0.36}}};
constexpr double tile_split_cost = 0.75;  // for each doubling of a cluster
constexpr double tile_fours = 0.55;       // of the steps' time
constexpr double tile_fours_start = 5.3;

struct TileEstimate {
  TileSpmmTuning tuning;
  double time = 0;
};

TileEstimate estimate_tiles(SpmmProblem const& p) {
  TileEstimate best;
  std::int64_t const tiles = (p.cols + tile_side - 1) / tile_side;
  auto const consider = [&](TileShape const& shape) {
    std::int64_t const blocks =
        (p.rows + shape.rows - 1) / shape.rows * ((p.columns + shape.columns - 1) / shape.columns);
    // Clusters as long as they all run at once. Fours and eights do not fill the device, as a cluster stays within a
    // group of multiprocessors; of the small blocks a multiprocessor holds two.
    bool const small = shape.rows == 64 && shape.columns == 64;
    int split = 1;
    double doublings = 0;
    for (double const share : {small ? 2.0 : 1.0, small ? 1.0 : 0.85, small ? 1.0 : 0.73}) {
      if (static_cast<double>(blocks) * split * 2 > share * p.multiprocessors || tiles < 4 * split) break;
      split *= 2;
      doublings += 1;
    }
    std::int64_t const resident = p.multiprocessors * (small ? 2 : 1);
    auto const waves = static_cast<double>((blocks * split + resident - 1) / resident);
    double step = shape.step;
    if (small && blocks * split > p.multiprocessors) step *= 1.7;  // two share the tensor cores
    if (p.columns % shape.columns != 0) step *= 1.4;               // copies of B that end amid a block
    double const time =
        waves * (shape.start + tile_split_cost * doublings + static_cast<double>((tiles + split - 1) / split) * step);
    if (best.time == 0 || time < best.time) best = {{shape.rows, shape.columns, split}, time};
  };
  if (allows_tf32(p.precision))
    for (auto const& shape : shapes_tf32) consider(shape);
  else
    for (auto const& shape : shapes_3xtf32) consider(shape);
  // Beside other kernels: small blocks in fours took half as long again a step, 2048 x 2048 with 64 columns.
  if (best.tuning.rows == 64 && best.tuning.columns == 64 && best.tuning.split == 4)
    best.time += tile_fours * (best.time - tile_fours_start);
  return best;
}

}  // namespace

char const* kernel_name(SpmmKernel kernel) {
  switch (kernel) {
    case SpmmKernel::row_groups: return "row_groups";
    case SpmmKernel::jammed: return "jammed";
    case SpmmKernel::lockstep: return "lockstep";
    case SpmmKernel::tensor_tiles: return "tensor_tiles";
    default: return "padded_rows";
  }
}

std::vector<SpmmEstimate> estimate_spmm(SpmmProblem const& p) {
  SpmmChoice choice;
  choice.rows = csr_spmm_row_tuning(p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors, padded_warps_resident);
  double const cells = static_cast<double>(p.rows) * static_cast<double>(p.cols);
  double const density = cells > 0 ? static_cast<double>(p.nnz) / cells : 1;
  std::vector<SpmmEstimate> all;
  auto const add = [&](SpmmKernel kernel, SpmmChoice const& shape, double time) {
    if (time == never) return;
    all.push_back({shape, time * microsecond});
    all.back().choice.kernel = kernel;
  };
  double const of_rows = std::max(rows_time(p, density), longest_row_time(p, choice.rows));
  add(SpmmKernel::padded_rows, choice, of_rows);
  if (p.nnz == 0) return all;
  GroupChoice const groups = likely_groups(p);
  add(SpmmKernel::row_groups, choice, groups_time(p, groups, density, of_rows));
  bool const single = p.scalar_bytes == sizeof(float);
  if (single && p.columns >= columns_for_slices) {
    SpmmChoice lockstep = choice;
    // A warp of theirs takes the longest row as one of padded_rows does: counts of genes, longest row 2686, by 128
    // columns 120 to 177 us, a graph of 4039 rows and 1045 49.
    double const longest = longest_row_time(p, {.lanes = 32, .vector = 4, .split = 1});
    double const time = std::max(lockstep_time(p, lockstep), longest);
    add(SpmmKernel::lockstep, lockstep, time);
    struct Mapping {
      int step_columns;
      int vector;
    };
    SpmmChoice best_jam = choice;
    double best_time = never;
    for (auto const mapping : {Mapping{16, 16}, Mapping{8, 16}, Mapping{8, 8}}) {
      SpmmChoice jam = choice;
      double const jam_seconds = jam_time(p, density, {0, mapping.step_columns}, {mapping.vector, 0}, jam);
      if (jam_seconds < best_time) best_time = jam_seconds, best_jam = jam;
    }
    add(SpmmKernel::jammed, best_jam, std::max(best_time, longest));
  }
  if (single && p.precision != Precision::native) {
    TileEstimate const tiles = estimate_tiles(p);
    choice.tile = tiles.tuning;
    add(SpmmKernel::tensor_tiles, choice, tiles.time);
  }
  prefer_groups(p, groups, density, all);
  price_short_rows(p, groups, density, all);
  return all;
}

SpmmChoice choose_spmm(SpmmProblem const& p) {
  auto const all = estimate_spmm(p);
  return std::min_element(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.seconds < b.seconds; })
      ->choice;
}

}  // namespace araia::cuda
