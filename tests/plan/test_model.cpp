// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model: what it takes first, against what was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <araia/plan/plan.hpp>
#include <araia/plan/traffic.hpp>
#include <cmath>

#include "plan/problems.hpp"
#include "src/plan/race.hpp"

namespace araia::test {
namespace {

TEST(Model, DiagonalsCostAHostLessThanColumns) {
  auto p = thousand_rows_of_ten();
  p.host_simd = true;
  p.shared_entries = p.stats.nnz;
  auto const seconds = [&p](Choice const& c) { return modelled_seconds(p, c, machine(false)); };
  Choice const runs{.format = "csr", .kernel = "host_simd_runs"};
  Choice const diagonals{.format = "sell", .diagonals = true, .kernel = "host_simd"};
  EXPECT_LT(seconds(runs), seconds(diagonals));  // rows of nodes, say
  p.diagonal_entries = p.stats.nnz;
  EXPECT_LT(seconds(diagonals), seconds(runs));
}

TEST(Model, KernelsWithoutAPriceAreNotChosenByItAlone) {
  auto const p = thousand_rows_of_ten();
  EXPECT_FALSE(is_priced(p, {.format = "bsr", .kernel = "lanes_on_blocks"}, machine(true)));
  EXPECT_TRUE(is_priced(p, {.format = "bsr", .kernel = "lanes_on_blocks"}, machine(false)));
  EXPECT_TRUE(is_priced(p, {.format = "csr", .kernel = "vector_per_row"}, machine(true)));
  EXPECT_FALSE(is_priced(p, {.format = "dia", .kernel = "vector_per_row"}, machine(true)));
}

/// Statistics of rows of the given lengths; columns lie anywhere.
template <class Length>
RowStats stats_of(std::int64_t rows, std::int64_t cols, Length const& length_of) {
  RowStats s;
  s.rows = rows;
  s.cols = cols;
  s.min_length = cols;
  double squares = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t const length = length_of(row);
    s.nnz += length;
    s.min_length = std::min(s.min_length, length);
    s.max_length = std::max(s.max_length, length);
    squares += static_cast<double>(length) * static_cast<double>(length);
    std::size_t bin = 0;
    while (length >> bin) ++bin;
    ++s.length_histogram[bin];
  }
  s.mean_length = static_cast<double>(s.nnz) / static_cast<double>(rows);
  s.length_deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(rows) - s.mean_length * s.mean_length));
  s.empty_rows = s.length_histogram[0];
  s.lower_bandwidth = rows - 1;
  s.upper_bandwidth = cols - 1;
  return s;
}

Machine large_gpu() {
  return {.space = "Cuda",
          .device = true,
          .concurrency = 132 * 2048,
          .read_bandwidth = 4.6e12,
          .copy_bandwidth = 4.3e12,
          .triad_bandwidth = 4.3e12,
          .cache_bandwidth = 8.4e12,
          .launch_seconds = 2.6e-6,
          .flops = 3.4e13,
          .cache_bytes = std::uint64_t{60} << 20};
}

/// A Pareto law of exponent 2.1, cut off at a sixteenth of the columns.
RowStats power_law() {
  return stats_of(2000000, 2000000, [](std::int64_t row) {
    double const u = (static_cast<double>(row) + 0.5) / 2000000;
    return static_cast<std::int64_t>(std::min(125000.0, 2 * std::pow(u, -1 / 1.1)));
  });
}
/// A few wires a node, and supply nets of 20000.
RowStats circuit() {
  return stats_of(5000000, 5000000, [](std::int64_t row) { return row % 25000 == 7 ? 20000 : 2 + row % 5 / 2; });
}
/// Few wide rows.
RowStats linear_program() {
  return stats_of(20000, 1000000, [](std::int64_t row) { return row < 40 ? 40000 : 120 + row % 40; });
}
/// 3 unknowns a node, and one constraint that couples a tenth of them.
RowStats fem_with_a_dense_row() {
  return stats_of(800000, 800000, [](std::int64_t row) { return row == 9 ? 80000 : 81; });
}

/// Candidates in the order in which the model alone takes them, most promising first.
std::vector<Choice> ranking(Problem const& p, Machine const& m) {
  auto report = detail::modelled_report(p, m, {});
  detail::prune(report, std::uint64_t{70} << 30);
  detail::leave_out_unpriced(report);
  detail::rank(report);
  std::vector<Choice> all;
  for (auto const& c : report.candidates)
    if (c.status == CandidateStatus::modelled) all.push_back(c.choice);
  return all;
}

/// Do lanes or a warp walk whole rows, however long? 125000 entries took cuSPARSE's time 8 to 27 times over.
bool walks_rows(Choice const& c) {
  return !is_partitioned(c) && !is_csr_in_panels(c) &&
         (c.format == "csr" || c.format == "ell" || c.format == "sell" || c.format == "bsr");
}

TEST(Model, HeldMatricesWinByTheirPriceAndTellTheirConversion) {
  auto p = held_problem();
  auto const m = large_gpu();
  EXPECT_EQ(label(ranking(p, m).front()), "csr/jammed");
  p.allow_dense = true;
  EXPECT_EQ(label(ranking(p, m).front()), "dense/cublas");
  p.held.back().by_model = false;  // a model alone does not choose what nobody measured
  EXPECT_EQ(label(ranking(p, m).front()), "csr/jammed");
  Choice const jammed{.format = "csr", .kernel = "jammed"};
  EXPECT_EQ(modelled_conversion_seconds(p, jammed, m), 25e-3);
  EXPECT_EQ(format_bytes(p, jammed), 3300000u);
  EXPECT_FALSE(predicted_footprint(p, jammed).exact);
  // Bytes bind where operands are far larger than the caches that the rule was fitted to.
  p.columns = 1 << 20;
  EXPECT_GT(modelled_seconds(p, jammed, m), 1e-3);
  // Limits hold for what kernels pack of csr too.
  auto report = detail::modelled_report(held_problem(), m, {});
  detail::prune(report, 1000);
  for (auto const& c : report.candidates)
    if (is_held(c.choice)) {
      EXPECT_EQ(c.status, CandidateStatus::pruned) << label(c.choice);
    }
}

Problem spmm_by(std::int64_t columns, int value_bytes, RowStats stats) {
  Problem p;
  p.spmm = true;
  p.columns = columns;
  p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
  p.cuda_kernels = true;
  p.stats = std::move(stats);
  return p;
}

// Beside kernels that wait for the longest row: without what a plan packs.
// Short rows share warps: 7 points by 60 to 64 columns of f64 117 us, merge_split 156.
TEST(Model, OnDevicesSpmmOfSkewedRowsGoesToEqualPieces) {
  auto const m = large_gpu();
  for (int const value_bytes : {4, 8})
    for (std::int64_t const columns : {8, 32, 128}) {
      auto p = spmm_by(columns, value_bytes, {});
      Choice const pieces{.format = "csr", .kernel = "merge_split"};
      Choice const rows{.format = "csr", .kernel = "row_per_warp"};
      p.stats = stats_of(200000, 200000, [](std::int64_t row) { return row == 9 ? 200000 : 5; });
      EXPECT_LT(modelled_seconds(p, pieces, m), modelled_seconds(p, rows, m)) << columns << " columns";
      p.stats = stats_of(200000, 200000, [](std::int64_t) { return 7; });
      EXPECT_GT(modelled_seconds(p, pieces, m), modelled_seconds(p, rows, m)) << columns << " columns, short rows";
      p.stats = stats_of(200000, 200000, [](std::int64_t) { return 60; });
      if (columns >= 32) {
        EXPECT_GT(modelled_seconds(p, pieces, m), modelled_seconds(p, rows, m)) << columns;
      }
    }
}

// docs/kernels/spmm_very_sparse.md, an H200, one call as it is: arrow by 8 and 32 columns of f32 73 and 61 us (packed
// in groups 7 and 13), memplus 76 and 52 (7), circuit by 32 columns 102 (114).
TEST(Model, OnDevicesShortRowsWaitForMuchLongerOnes) {
  Choice const rows{.format = "csr", .kernel = "row_per_warp"};
  auto m = large_gpu();
  m.launch_seconds = 7e-6;  // measured from launch to end, which products in a stream do not take
  auto const arrow = stats_of(46500, 46500, [](std::int64_t row) { return row == 0 ? 46500 : 2; });
  auto const memplus = stats_of(17758, 17758, [](std::int64_t row) { return row < 165 ? 60 + 2 * row : 5; });
  auto const wires =
      stats_of(913043, 913043, [](std::int64_t row) { return row % 83003 == 7 ? 20000 : 3 + row % 5 / 3; });
  auto const even = stats_of(46500, 46500, [](std::int64_t) { return 3; });
  for (std::int64_t const columns : {8, 32}) {
    EXPECT_GT(modelled_seconds(spmm_by(columns, 4, arrow), rows, m), 50e-6) << columns;
    EXPECT_NEAR(modelled_seconds(spmm_by(columns, 4, memplus), rows, m), 14e-6, 3e-6) << columns;
    EXPECT_LT(modelled_seconds(spmm_by(columns, 4, even), rows, m), 9e-6) << columns;
  }
  EXPECT_LT(modelled_seconds(spmm_by(32, 4, wires), rows, m), 114e-6);
  EXPECT_GT(modelled_seconds(spmm_by(32, 4, wires), rows, m), 70e-6);
}

TEST(Model, ByFewDoublesAWarpOnALongRowTakesWhatPaddedRowsDo) {
  Choice const rows{.format = "csr", .kernel = "row_per_warp"};
  auto const m = large_gpu();
  for (bool const skewed : {false, true}) {
    auto p = spmm_by(128, 8, stats_of(19465, 2898, [&](std::int64_t row) {
                       return skewed && row % 50 == 0 ? 2686 : skewed ? 1 : 55;
                     }));
    p.held = {{.format = "csr", .kernel = "padded_rows", .seconds = 174e-6, .conversion_seconds = 0, .bytes = 1}};
    double const seconds = modelled_seconds(p, rows, m);
    if (skewed)
      EXPECT_GE(seconds, 174e-6);
    else
      EXPECT_LT(seconds, 174e-6);
  }
}

TEST(Model, OnDevicesSkewedRowsGoToKernelsOfEqualPieces) {
  auto const m = large_gpu();
  for (auto const& stats : {power_law(), circuit(), linear_program(), fem_with_a_dense_row()})
    for (int const value_bytes : {4, 8}) {
      Problem p;
      p.stats = stats;
      p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
      p.cuda_kernels = true;
      p.chunk_rows = 2 * 1024 * stats.rows / stats.nnz;
      p.block_fill = {{2, 2, 1.5}, {3, 3, 2.0}, {4, 4, 3.0}};
      EXPECT_EQ(label(ranking(p, m).front()), "csr/equal_chunks") << stats.nnz << " entries";
      // Millions of empty rows behind one another would all fall to one block.
      auto hollow = p;
      hollow.chunk_rows = 4000000;
      EXPECT_NE(label(ranking(hollow, m).front()), "csr/equal_chunks");
      for (bool const cuda_kernels : {false, true})
        for (bool const deterministic : {false, true}) {
          p.cuda_kernels = cuda_kernels;
          p.deterministic = deterministic;
          auto const best = ranking(p, m).front();
          EXPECT_FALSE(walks_rows(best)) << label(best) << ", " << stats.nnz << " entries";
        }
    }
}

TEST(Model, OnDevicesEvenRowsKeepTheirKernels) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(2097152, 2097152, [](std::int64_t) { return 27; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 16513;
  p.cuda_kernels = true;
  p.chunk_rows = 38;
  EXPECT_TRUE(walks_rows(ranking(p, m).front()));
  Choice const vector{.format = "csr", .kernel = "vector_per_row", .vector_length = 8};
  Choice const balanced{.format = "csr", .kernel = "balanced"};
  EXPECT_LT(modelled_seconds(p, vector, m), modelled_seconds(p, balanced, m));
}

TEST(Model, ALongRowCostsItsPasses) {
  auto const m = large_gpu();
  Problem p;
  p.stats = power_law();
  auto const seconds = [&](Choice const& c) { return modelled_seconds(p, c, m); };
  Choice const narrow{.format = "csr", .kernel = "vector_per_row", .vector_length = 8};
  Choice wide = narrow;
  wide.vector_length = 32;
  // Measured with 8 lanes: 6.5 ms in Kokkos Kernels, 2 ms at two entries a lane.
  EXPECT_GT(seconds(narrow), 2e-3);
  EXPECT_LT(seconds(narrow), 20e-3);
  EXPECT_NEAR(seconds(narrow) / seconds(wide), 4, 0.2);
  EXPECT_GT(seconds({.format = "csr", .kernel = "thread_per_row"}), 2e-3);
}

TEST(Model, OnAHostPiecesDoNotWaitForTheLongestRow) {
  Problem p;
  p.stats = stats_of(1000, 5000000, [](std::int64_t row) { return row == 7 ? 4000000 : 10; });
  auto m = machine(false, 16);
  m.read_bandwidth = 1e12;
  double const balanced = modelled_seconds(p, {.format = "csr", .kernel = "balanced"}, m);
  EXPECT_LT(balanced, modelled_seconds(p, {.format = "csr", .kernel = "thread_per_row"}, m) / 4);
  p.host_simd = true;
  EXPECT_GE(balanced, modelled_seconds(p, {.format = "csr", .kernel = "host_simd"}, m));
}

// Requests to the L2 bind where columns lie anywhere: panels of x in shared memory save them, at the price of bytes.
TEST(Model, ColumnsThatLieAnywhereGoToPanels) {
  auto const m = large_gpu();
  for (auto const& stats :
       {stats_of(2000000, 2000000, [](std::int64_t) { return 16; }), power_law(), linear_program()}) {
    Problem p;
    p.stats = stats;
    p.value_bytes = p.x_bytes = p.y_bytes = 4;
    p.cuda_kernels = true;
    p.chunk_rows = 2 * 1024 * stats.rows / stats.nnz;
    p.gathered_lines = 1;
    EXPECT_EQ(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
    p.gathered_lines = 0.1;
    EXPECT_NE(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
    // Products of twice the bytes go through the L2 twice.
    p.gathered_lines = 1;
    p.value_bytes = p.x_bytes = p.y_bytes = 8;
    EXPECT_NE(label(ranking(p, m).front()), "csr/column_panels") << stats.nnz << " entries";
  }
}

// Random columns of a band: steps of 10 bits in place of 16 a column, until neighbours are too far apart for them.
TEST(Model, NeighboursInABandGoToSteps) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(3400000, 3400000, [](std::int64_t) { return 16; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1000;
  p.block_fill = {{1, 2, 1.9}, {1, 4, 3.7}, {2, 2, 3.8}, {3, 3, 8.0}, {4, 4, 14.0}};
  p.cuda_kernels = true;
  Choice const steps{.format = "csr", .kernel = "column_steps"};
  // Diagonals may hold it all for what the statistics say: plans count them before they choose.
  auto const goes_before_narrow = [&] {
    auto const order = ranking(p, m);
    auto const narrow = std::find_if(order.begin(), order.end(), [](Choice const& c) {
      return c.format == "sell" && c.narrow && !c.diagonals && c.kernel == "rows_per_lane";
    });
    return std::find(order.begin(), order.end(), steps) < narrow;
  };
  for (int const value_bytes : {4, 8}) {
    p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
    EXPECT_TRUE(goes_before_narrow()) << value_bytes;
    auto const bytes = static_cast<double>(format_bytes(p, steps)) / static_cast<double>(p.stats.nnz);
    EXPECT_NEAR(bytes, value_bytes + 1.5, 0.1);
  }
  EXPECT_EQ(storage_label(steps), "csr in steps");
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 30000;
  EXPECT_FALSE(goes_before_narrow());
  EXPECT_GT(format_bytes(p, steps), 2 * static_cast<std::uint64_t>(p.stats.nnz) * 9);
}

// 3 unknowns a node with full blocks: the packing reads 8.4 bytes an entry, and is a matrix of its own.
TEST(Model, FullBlocksGoToSlices) {
  auto const m = large_gpu();
  Problem p;
  p.stats = stats_of(800000, 800000, [](std::int64_t) { return 81; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 13000;
  p.cuda_kernels = true;
  p.block_fill = {{1, 2, 1.3}, {1, 4, 1.6}, {2, 2, 1.6}, {3, 3, 1.0}, {4, 4, 1.7}};
  Choice const slices{.format = "bsr", .kernel = "slices", .block_rows = 3, .block_cols = 3};
  auto const order = ranking(p, m);
  auto const first_of = [&](std::string_view format) {
    return std::find_if(order.begin(), order.end(), [&](Choice const& c) { return c.format == format; });
  };
  ASSERT_NE(first_of("bsr"), order.end());
  EXPECT_EQ(*first_of("bsr"), slices);
  EXPECT_LT(first_of("bsr") - order.begin(), first_of("csr") - order.begin());
  Choice as_it_lies = slices;
  as_it_lies.kernel = "warp_per_block_row";
  EXPECT_NE(storage_label(slices), storage_label(as_it_lies));
  // The structure is kept beside the packing for new values, but not read.
  EXPECT_GT(format_bytes(p, slices), format_bytes(p, as_it_lies));
  EXPECT_LT(traffic(p, slices, m).matrix_bytes, 1.01 * traffic(p, as_it_lies, m).matrix_bytes);
}

// docs/kernels/bsr_spmm_cuda.md, double by 128 columns: 90 beside 100 us in a band, 241 beside 131.
TEST(Model, BlocksOfEightRowsGoToTensorCoresAndOfThreeDoNot) {
  auto const m = large_gpu();
  Problem p;
  p.spmm = true;
  p.columns = 128;
  p.cuda_kernels = true;
  auto const first = [&](std::int64_t rows, std::int64_t length, int side, double row_groups) {
    p.stats = stats_of(rows, rows, [length](std::int64_t) { return length; });
    p.stats.lower_bandwidth = p.stats.upper_bandwidth = 2200;
    p.block_fill = {{side, side, 1.0}};
    p.held = {{.format = "csr",
               .kernel = "row_groups",
               .seconds = row_groups,
               .conversion_seconds = 1e-2,
               .bytes = 40000000}};
    return ranking(p, m).front().kernel;
  };
  EXPECT_EQ(first(33328, 120, 8, 100e-6), "tensor_cores");
  EXPECT_NE(first(52728, 79, 3, 131e-6), "tensor_cores");
}

void of_seven_points(Problem& p) {
  p.stats = stats_of(195112, 195112, [](std::int64_t row) { return row % 10 == 0 ? 6 : 7; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 3364;
}

void of_27_points(Problem& p) {
  p.stats = stats_of(64000, 64000, [](std::int64_t row) { return row % 3 == 0 ? 23 : 27; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1641;
}

/// The kernel that is first beside packings of these estimates.
std::string first_beside(Problem p, Machine const& m, double row_groups, double padded_rows) {
  for (auto const& [kernel, estimate] : {std::pair{"row_groups", row_groups}, {"padded_rows", padded_rows}})
    p.held.push_back(
        {.format = "csr", .kernel = kernel, .seconds = estimate, .conversion_seconds = 1e-2, .bytes = 40000000});
  return ranking(p, m).front().kernel;
}

// docs/kernels/spmm_steps.md, an H200: csr/columns_on_lanes by 2, 8 and 16 columns of f32 takes 9.0, 25.5 and 55.8 us
// on 7 points, 8.6, 18.1 and 31.5 on 27, ell/columns_on_lanes by 17 columns 173 on 7, csr/row_groups by 17 26 and 22.
TEST(Model, LanesOfPortableKernelsOnDevicesCostWhatTheyWereMeasuredAt) {
  auto const m = large_gpu();
  Problem p;
  p.spmm = true;
  p.cuda_kernels = true;
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  auto const seconds = [&](char const* format, int lanes, std::int64_t columns) {
    p.columns = columns;
    return modelled_seconds(
        p, {.format = format, .kernel = "columns_on_lanes", .vector_length = lanes, .columns_per_lane = 1}, m);
  };
  auto const first = [&](double row_groups, double padded_rows) { return first_beside(p, m, row_groups, padded_rows); };
  of_seven_points(p);
  EXPECT_NEAR(seconds("csr", 2, 2), 9.0e-6, 3e-6);
  EXPECT_NEAR(seconds("csr", 8, 8), 25.5e-6, 7e-6);
  EXPECT_NEAR(seconds("csr", 16, 16), 55.8e-6, 14e-6);
  EXPECT_NEAR(seconds("ell", 32, 17), 173e-6, 45e-6);
  EXPECT_EQ(first(15e-6, 74e-6), "row_groups");
  EXPECT_EQ(first(26e-6, 74e-6), "row_per_warp");  // 18.7 us
  p.columns = 2;
  EXPECT_NE(first(15e-6, 66e-6), "row_groups");  // row_per_warp 5.9 us, columns_on_lanes 9.0
  of_27_points(p);
  EXPECT_NEAR(seconds("csr", 2, 2), 8.6e-6, 3e-6);
  EXPECT_NEAR(seconds("csr", 8, 8), 18.1e-6, 5e-6);
  EXPECT_NEAR(seconds("csr", 16, 16), 31.5e-6, 8e-6);
  p.columns = 17;
  EXPECT_NE(first(22e-6, 33e-6), "columns_on_lanes");  // row_per_warp 22.7 us
}

// H200, the stencils above, one call's kernel for short rows: 17, 32 and 128 columns of f32 18.7, 25.8 and 76.3 us of 7
// points, 19.5, 18.0 and 50.7 of 27 (as their entries are to those of 50,653 rows); f64 37.1, 45.2 and 161, and 29.6,
// 32.9 and 99. By 60 columns of f64 of 7 points merge_split takes 156 on an H100, row_groups some 120, it 96 at most.
TEST(Model, WarpsOfShortRowsCostWhatTheyWereMeasuredAt) {
  auto const m = large_gpu();
  Problem p;
  p.spmm = true;
  p.cuda_kernels = true;
  auto const expect = [&](std::initializer_list<double> measured) {
    std::int64_t const columns[] = {17, 32, 128};
    for (std::size_t i = 0; i < measured.size(); ++i) {
      p.columns = columns[i];
      double const seconds = modelled_seconds(p, {.format = "csr", .kernel = "row_per_warp"}, m);
      double const right = measured.begin()[i] * 1e-6;
      EXPECT_NEAR(seconds, right, 0.25 * right) << p.columns << " columns of " << p.value_bytes << " bytes";
    }
  };
  auto const first = [&](std::int64_t columns, double row_groups, double padded_rows) {
    p.columns = columns;
    return first_beside(p, m, row_groups, padded_rows);
  };
  auto const of_bytes = [&](int bytes) { p.value_bytes = p.x_bytes = p.y_bytes = bytes; };
  of_seven_points(p);
  of_bytes(4);
  expect({18.7, 25.8, 76.3});
  of_bytes(8);
  expect({37.1, 45.2, 161});
  EXPECT_NE(first(60, 91e-6, 210e-6), "merge_split");
  EXPECT_GT(modelled_seconds(p, {.format = "csr", .kernel = "merge_split"}, m), 130e-6);
  of_bytes(4);
  EXPECT_EQ(first(129, 190e-6, 200e-6), "row_per_warp");  // 107 us, merge_split 235 on an H100
  of_27_points(p);
  of_bytes(4);
  expect({19.5, 18.0, 50.7});
  of_bytes(8);
  expect({29.6, 32.9, 99});
  EXPECT_EQ(first(38, 71e-6, 110e-6), "row_per_warp");
}

// docs/kernels/bcsc_host_simd.md, 27 points in double: 4.1 beside 2.7 ms by 16 columns, 15.5 beside 9.0 by 64, and 15.8
// and 60 by the portable kernel.
TEST(Model, BcscOnHostsIsBehindCsrAndTheSimdKernelBeforeThePortableOne) {
  auto m = machine(false, 2);
  m.read_bandwidth = 2e10;
  m.cache_bandwidth = 1e11;
  m.cache_bytes = 32 << 20;
  Problem p;
  p.spmm = true;
  p.host_simd = true;
  p.stats = stats_of(46656, 46656, [](std::int64_t) { return 26; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1333;
  for (std::int64_t const columns : {16, 64}) {
    p.columns = columns;
    double const csr = modelled_seconds(p, {.format = "csr", .kernel = "host_simd"}, m);
    double const simd = modelled_seconds(p, {.format = "bcsc", .kernel = "host_simd", .block_height = 64}, m);
    double const portable = modelled_seconds(p, {.format = "bcsc", .kernel = "naive", .block_height = 64}, m);
    EXPECT_GT(simd, 1.2 * csr) << columns;
    EXPECT_LT(simd, 2.2 * csr) << columns;
    EXPECT_GT(portable, 1.5 * simd) << columns;
  }
}

// docs/kernels/bsr_host_simd.md, 3-dof FEM of 16 MB in double: 0.68 beside 0.91 ms by 16 columns, 2.24 beside 2.99
// by 64.
TEST(Model, FullBlocksOfFewRowsGoToTheHostsSimdKernelOfBsr) {
  auto m = machine(false, 2);
  m.read_bandwidth = 4e10;
  m.cache_bandwidth = 1.5e11;
  m.cache_bytes = 32 << 20;
  Problem p;
  p.spmm = true;
  p.host_simd = true;
  p.stats = stats_of(20577, 20577, [](std::int64_t) { return 78; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1300;
  p.shared_entries = p.stats.nnz * 2 / 3;
  auto const first = [&](int size, double fill) {
    p.block_fill = {{2, 2, 1.5}, {size, size, fill}};
    return label(ranking(p, m).front());
  };
  for (std::int64_t const columns : {8, 16, 64, 256}) {
    p.columns = columns;
    EXPECT_EQ(first(3, 1.0), "bsr/host_simd{block_rows 3, block_cols 3}") << columns;
    EXPECT_EQ(first(3, 1.3).substr(0, 3), "csr") << columns;
    EXPECT_EQ(first(8, 1.3).substr(0, 3), "csr") << columns;
    if (columns >= 64) {
      EXPECT_EQ(first(8, 1.0).substr(0, 3), "csr") << columns;
    }
    p.b_by_rows = false;
    EXPECT_EQ(first(3, 1.0).substr(0, 3), "csr") << columns;
    p.b_by_rows = true;
  }
}

TEST(Model, ConversionsCostNothingWithoutOne) {
  auto const p = thousand_rows_of_ten();
  EXPECT_EQ(modelled_conversion_seconds(p, {.format = "csr", .kernel = "host_simd"}, machine(false)), 0);
  double const plain = modelled_conversion_seconds(p, {.format = "sell", .kernel = "thread_per_row"}, machine(false));
  EXPECT_GT(plain, 0);
  EXPECT_GT(
      modelled_conversion_seconds(p, {.format = "sell", .diagonals = true, .kernel = "thread_per_row"}, machine(false)),
      plain);
}

}  // namespace
}  // namespace araia::test
