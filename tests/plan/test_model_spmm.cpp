// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model takes SpMM on devices for, beside what was measured.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "plan/problems.hpp"
#include "plan/rows.hpp"
#include "src/engine/names.hpp"

namespace araia::test {
namespace {

TEST(Model, PackedMatricesWinByTheirPriceAndTellTheirConversion) {
  auto p = pruned_problem();
  auto const m = large_gpu();
  EXPECT_EQ(label(ranking(p, m).front()), "csr/jammed");
  p.precision = Precision::tf32;
  EXPECT_EQ(label(ranking(p, m).front()), "csr/tensor_tiles");
  p.allow_dense = true;
  EXPECT_EQ(label(ranking(p, m).front()), "dense/cublas");
  auto unknown = m;
  unknown.prices = "none";
  Choice const jammed{.format = "csr", .kernel = "jammed"};
  EXPECT_TRUE(is_priced(p, jammed, m));
  EXPECT_FALSE(is_priced(p, jammed, unknown)) << "a model alone does not choose what nobody measured";
  EXPECT_FALSE(is_priced(p, {.format = "dense", .kernel = "cublas"}, unknown));
  auto threads = m;
  threads.host_threads = 4;
  EXPECT_GT(modelled_conversion_seconds(p, jammed, m), 3 * modelled_conversion_seconds(p, jammed, threads));
  EXPECT_EQ(format_bytes(p, jammed), static_cast<std::uint64_t>(1024 * 410 * 7.8 + 4 * 1024));
  EXPECT_FALSE(predicted_footprint(p, jammed).exact);
  // Bytes bind where operands are far larger than the caches that the rule was fitted to.
  p.columns = 1 << 20;
  EXPECT_GT(modelled_seconds(p, jammed, m), 1e-3);
  // Limits hold for what kernels pack of csr too.
  auto report = detail::modelled_report(pruned_problem(), m, {});
  detail::prune(report, 1000);
  for (auto const& c : report.candidates)
    if (!detail::packing_of(c.choice.format, c.choice.kernel).empty()) {
      EXPECT_EQ(c.status, CandidateStatus::pruned) << label(c.choice);
    }
}

Problem spmm_by(std::int64_t columns, int value_bytes, RowStats stats) {
  Problem p;
  p.operation = OpId::spmm;
  p.columns = columns;
  p.value_bytes = p.x_bytes = p.y_bytes = value_bytes;
  p.cuda_kernels = true;
  p.stats = std::move(stats);
  return p;
}

// Beside kernels that wait for the longest row: without what a plan packs.
// Short rows share warps: 7 points by 60 to 64 columns of f64 117 us, merge_split 156.
TEST(Model, OnDevicesSpmmOfSkewedRowsGoesToEqualChunks) {
  auto const m = large_gpu();
  for (int const value_bytes : {4, 8})
    for (std::int64_t const columns : {8, 32, 128}) {
      auto p = spmm_by(columns, value_bytes, {});
      Choice const chunks{.format = "csr", .kernel = "merge_split"};
      Choice const rows{.format = "csr", .kernel = "row_per_warp"};
      p.stats = stats_of(200000, 200000, [](std::int64_t row) { return row == 9 ? 200000 : 5; });
      EXPECT_LT(modelled_seconds(p, chunks, m), modelled_seconds(p, rows, m)) << columns << " columns";
      p.stats = stats_of(200000, 200000, [](std::int64_t) { return 7; });
      EXPECT_GT(modelled_seconds(p, chunks, m), modelled_seconds(p, rows, m)) << columns << " columns, short rows";
      p.stats = stats_of(200000, 200000, [](std::int64_t) { return 60; });
      if (columns >= 32) {
        EXPECT_GT(modelled_seconds(p, chunks, m), modelled_seconds(p, rows, m)) << columns;
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
    EXPECT_NEAR(modelled_seconds(spmm_by(columns, 4, memplus), rows, m), 13e-6, 4e-6) << columns;
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
    p.bound = {"csr/padded_rows"};
    double const padded = modelled_seconds(p, {.format = "csr", .kernel = "padded_rows"}, m);
    double const seconds = modelled_seconds(p, rows, m);
    if (skewed)
      EXPECT_GE(seconds, padded);
    else
      EXPECT_LT(seconds, padded);
  }
}

void of_seven_points(Problem& p) {
  p.stats = stats_of(195112, 195112, [](std::int64_t row) { return row % 10 == 0 ? 6 : 7; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 3364;
}

void of_27_points(Problem& p) {
  p.stats = stats_of(64000, 64000, [](std::int64_t row) { return row % 3 == 0 ? 23 : 27; });
  p.stats.lower_bandwidth = p.stats.upper_bandwidth = 1641;
}

/// The kernel that is first beside the packings of real scalars.
std::string first_beside_packings(Problem p, Machine const& m) {
  p.bound = {"csr/row_groups", "csr/padded_rows"};
  return ranking(p, m).front().kernel;
}

// docs/kernels/spmm_steps.md, an H200: csr/columns_on_lanes by 2, 8 and 16 columns of f32 takes 9.0, 25.5 and 55.8 us
// on 7 points, 8.6, 18.1 and 31.5 on 27, ell/columns_on_lanes by 17 columns 173 on 7, csr/row_groups by 17 26 and 22.
// By a column 7.9 and, of 50,653 rows of 27, 7.5, by two of those 7.0, where one call takes 4.4, 5.2 and 5.2.
TEST(Model, LanesOfPortableKernelsOnDevicesCostWhatTheyWereMeasuredAt) {
  auto const m = large_gpu();
  Problem p;
  p.operation = OpId::spmm;
  p.cuda_kernels = true;
  p.value_bytes = p.x_bytes = p.y_bytes = 4;
  auto const seconds = [&](char const* format, int lanes, std::int64_t columns) {
    p.columns = columns;
    return modelled_seconds(
        p, {.format = format, .kernel = "columns_on_lanes", .vector_length = lanes, .columns_per_lane = 1}, m);
  };
  of_seven_points(p);
  EXPECT_NEAR(seconds("csr", 2, 2), 9.0e-6, 3e-6);
  EXPECT_NEAR(seconds("csr", 8, 8), 25.5e-6, 7e-6);
  EXPECT_NEAR(seconds("csr", 16, 16), 55.8e-6, 14e-6);
  EXPECT_NEAR(seconds("ell", 32, 17), 173e-6, 45e-6);
  EXPECT_EQ(first_beside_packings(p, m), "row_per_warp");  // 18.7 us
  p.columns = 2;
  EXPECT_EQ(first_beside_packings(p, m), "row_per_warp");
  auto const one_call_is_first = [&](int columns) {
    double const lanes = seconds("csr", columns, columns);
    return modelled_seconds(p, {.format = "csr", .kernel = "row_per_warp"}, m) < lanes;
  };
  EXPECT_TRUE(one_call_is_first(1));
  of_27_points(p);
  EXPECT_NEAR(seconds("csr", 2, 2), 8.6e-6, 3e-6);
  EXPECT_NEAR(seconds("csr", 8, 8), 18.1e-6, 5e-6);
  EXPECT_NEAR(seconds("csr", 16, 16), 31.5e-6, 8e-6);
  EXPECT_TRUE(one_call_is_first(1));
  EXPECT_TRUE(one_call_is_first(2));
  p.columns = 17;
  EXPECT_NE(first_beside_packings(p, m), "columns_on_lanes");  // row_per_warp 22.7 us
}

// H200, the stencils above, one call's kernel for short rows: 17, 32 and 128 columns of f32 18.7, 25.8 and 76.3 us of 7
// points, 19.5, 18.0 and 50.7 of 27 (as their entries are to those of 50,653 rows); f64 37.1, 45.2 and 161, and 29.6,
// 32.9 and 99. By 60 columns of f64 of 7 points merge_split takes 156 on an H100, row_groups some 120, it 96 at most.
TEST(Model, WarpsOfShortRowsCostWhatTheyWereMeasuredAt) {
  auto const m = large_gpu();
  Problem p;
  p.operation = OpId::spmm;
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
  auto const first = [&](std::int64_t columns) {
    p.columns = columns;
    return first_beside_packings(p, m);
  };
  auto const of_bytes = [&](int bytes) { p.value_bytes = p.x_bytes = p.y_bytes = bytes; };
  of_seven_points(p);
  of_bytes(4);
  expect({18.7, 25.8, 76.3});
  of_bytes(8);
  expect({37.1, 45.2, 161});
  EXPECT_NE(first(60), "merge_split");
  EXPECT_GT(modelled_seconds(p, {.format = "csr", .kernel = "merge_split"}, m), 130e-6);
  of_bytes(4);
  EXPECT_EQ(first(129), "row_per_warp");  // 107 us, merge_split 235 on an H100
  of_27_points(p);
  of_bytes(4);
  expect({19.5, 18.0, 50.7});
  of_bytes(8);
  expect({29.6, 32.9, 99});
  EXPECT_EQ(first(38), "row_per_warp");
}

// docs/lab/thesis_2019.md and docs/kernels/bcsc_teams.md: a plan that may take Bcsc alone takes the fastest on pruned
// layers, short_blocks, and never the kernel that is up to hundreds of times slower, whatever the number of columns.
// Beside csr a model alone takes none of them.
TEST(Model, KernelsOfBcscOnADeviceAreInTheOrderOfTheirTimes) {
  auto const m = large_gpu();
  Problem p = pruned_problem();
  auto const blocks = [](char const* kernel, int height) {
    return Choice{.format = "bcsc", .kernel = kernel, .block_height = height};
  };
  for (std::int64_t const columns : {32, 512, 2048}) {
    p.columns = columns;
    double const tiled = modelled_seconds(p, blocks("tiled", 64), m);
    double const naive = modelled_seconds(p, blocks("naive", 64), m);
    EXPECT_LT(modelled_seconds(p, blocks("short_blocks", 8), m), tiled) << columns << " columns";
    for (char const* kernel : {"warp_centric", "warp_centric_atomic"}) {
      EXPECT_LT(tiled, modelled_seconds(p, blocks(kernel, 64), m)) << kernel << ", " << columns << " columns";
      EXPECT_LT(modelled_seconds(p, blocks(kernel, 64), m), naive) << kernel << ", " << columns << " columns";
    }
    EXPECT_FALSE(is_priced(p, blocks("short_blocks", 8), m));
  }
}

}  // namespace
}  // namespace araia::test
