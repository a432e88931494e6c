// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model: what it takes first, against what was measured.

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/problems.hpp"
#include "plan/rows.hpp"
#include "src/kernel/pricing.hpp"

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

TEST(Model, DiagonalsLeadOnAHostWhereStencilsOutgrowItsCache) {
  // 27 points on 42^3 to 64^3 points, two threads, 32 MiB of cache: a loop runs diagonals 1.01 to 1.65 times as fast.
  Machine m = machine(false, 2);
  m.read_bandwidth = m.copy_bandwidth = 20e9;
  m.cache_bandwidth = 60e9;
  m.cache_bytes = 32 << 20;
  for (std::int64_t const side : {42, 44, 48, 56, 64}) {
    Problem p = thousand_rows_of_ten();
    p.stats.rows = p.stats.cols = side * side * side;
    p.stats.nnz = (3 * side - 2) * (3 * side - 2) * (3 * side - 2);
    p.stats.min_length = 8;
    p.stats.max_length = 27;
    p.stats.mean_length = static_cast<double>(p.stats.nnz) / static_cast<double>(p.stats.rows);
    p.stats.lower_bandwidth = p.stats.upper_bandwidth = side * side + side + 1;
    p.shared_entries = p.diagonal_entries = p.stats.nnz * 19 / 20;
    Choice const csr{.format = "csr", .kernel = "host_simd_runs"};
    Choice const diagonals{.format = "sell", .diagonals = true, .narrow = true, .kernel = "host_simd"};
    EXPECT_LT(modelled_seconds(p, diagonals, m), modelled_seconds(p, csr, m)) << side;
  }
}

TEST(Model, KernelsWithoutAPriceAreNotChosenByItAlone) {
  auto const p = thousand_rows_of_ten();
  EXPECT_FALSE(is_priced(p, {.format = "csr", .kernel = "sub_warp"}, machine(false)));
  EXPECT_TRUE(is_priced(p, {.format = "csr", .kernel = "sub_warp"}, machine(true)));
  EXPECT_TRUE(is_priced(p, {.format = "csr", .kernel = "vector_per_row"}, machine(true)));
  EXPECT_FALSE(is_priced(p, {.format = "dia", .kernel = "vector_per_row"}, machine(true)));
}

TEST(Model, OnDevicesSkewedRowsGoToKernelsOfEqualChunks) {
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
  EXPECT_GT(seconds(narrow) / seconds(wide), 2.5);
  EXPECT_LT(seconds(narrow) / seconds(wide), 4.2);
  EXPECT_GT(seconds({.format = "csr", .kernel = "thread_per_row"}), 2e-3);
}

TEST(Model, OnAHostChunksDoNotWaitForTheLongestRow) {
  Problem p;
  p.stats = stats_of(1000, 5000000, [](std::int64_t row) { return row == 7 ? 4000000 : 10; });
  auto m = machine(false, 16);
  m.read_bandwidth = 1e12;
  double const balanced = modelled_seconds(p, {.format = "csr", .kernel = "balanced"}, m);
  EXPECT_LT(balanced, modelled_seconds(p, {.format = "csr", .kernel = "thread_per_row"}, m) / 4);
  p.host_simd = true;
  EXPECT_GE(balanced, modelled_seconds(p, {.format = "csr", .kernel = "host_simd"}, m));
}

// Every kernel that plans of SpMV may use on CUDA has a price there: one without is never chosen by the model.
TEST(Model, EveryKernelOfSpmvOnCudaHasAPrice) {
  Problem p;
  p.stats = stats_of(200000, 200000, [](std::int64_t row) { return 8 + row % 3; });
  p.cuda_kernels = true;
  p.block_fill = {{.block_rows = 3, .block_cols = 3, .fill = 1}};
  for (auto const& c : candidates(p, large_gpu())) EXPECT_TRUE(is_priced(p, c, large_gpu())) << label(c);
}

// What one call runs is what a plan of csr alone runs on rows of like length: portable lanes took twice the time.
TEST(Model, OnCudaEvenRowsOfACsrGoToTheBackendsKernels) {
  auto const m = large_gpu();
  for (std::int64_t const rows : {30000, 300000, 3000000})
    for (std::int64_t const length : {3, 7, 16, 27, 81}) {
      Problem p;
      p.stats = stats_of(rows, rows, [&](std::int64_t) { return length; });
      p.cuda_kernels = true;
      p.gathered_lines = 0.1;
      p.chunk_rows = 1024 / length + 1;
      Choice const sub_warp{.format = "csr", .kernel = "sub_warp"};
      for (int const lanes : {2, 4, 8, 16, 32})
        EXPECT_LT(modelled_seconds(p, sub_warp, m),
                  modelled_seconds(p, {.format = "csr", .kernel = "vector_per_row", .vector_length = lanes}, m))
            << rows << " rows of " << length << ", " << lanes << " lanes";
    }
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
  p.operation = OpId::spmm;
  p.columns = 128;
  p.cuda_kernels = true;
  p.bound = {"csr/row_groups"};
  auto const first = [&](std::int64_t rows, std::int64_t length, int side) {
    p.stats = stats_of(rows, rows, [length](std::int64_t) { return length; });
    p.stats.lower_bandwidth = p.stats.upper_bandwidth = 2200;
    p.block_fill = {{side, side, 1.0}};
    // Of four rows as many are in one block as its side has.
    p.stats.block_columns = {{detail::rows_that_share, p.stats.nnz / std::min(side, 4)}};
    return ranking(p, m).front().kernel;
  };
  EXPECT_EQ(first(33328, 120, 8), "tensor_cores");
  EXPECT_EQ(first(52728, 79, 3), "row_groups");
}

// docs/kernels/bcsc_host_simd.md, 27 points in double: 4.1 beside 2.7 ms by 16 columns, 15.5 beside 9.0 by 64, and 15.8
// and 60 by the portable kernel.
TEST(Model, BcscOnHostsIsBehindCsrAndTheSimdKernelBeforeThePortableOne) {
  auto m = machine(false, 2);
  m.read_bandwidth = 2e10;
  m.cache_bandwidth = 1e11;
  m.cache_bytes = 32 << 20;
  Problem p;
  p.operation = OpId::spmm;
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
  p.operation = OpId::spmm;
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

// What they multiply takes nanoseconds: as good as nothing beside the start of the threads, for one kernel as for
// another.
TEST(Model, ThreadsOfAHostStartForPackedMatricesToo) {
  auto p = thousand_rows_of_ten();
  p.operation = OpId::spmm;
  p.columns = 48;  // three panels of 16
  p.stats = stats_of(34, 34, [](std::int64_t row) { return row % 2 ? 4 : 5; });
  p.bound = {"csr/cache_panels", "csr/copied_columns"};
  Choice const panels{.format = "csr", .kernel = "cache_panels"};
  Choice const strips{.format = "csr", .kernel = "copied_columns"};
  auto m = machine(false);
  for (double const launch : {1e-6, 2e-6, 50e-6}) {
    m.launch_seconds = launch;
    EXPECT_NEAR(modelled_seconds(p, panels, m), launch, 3e-6);
    EXPECT_NEAR(modelled_seconds(p, strips, m), 6 * launch, 3e-6);  // three are copied, and multiplied
    auto report = detail::modelled_report(p, m, {});
    detail::prune(report, 1 << 20);
    for (auto const& c : report.candidates)
      if (c.choice.format == "csr" && c.choice.kernel != "copied_columns") {
        EXPECT_EQ(c.status, CandidateStatus::modelled) << label(c.choice) << ": " << c.reason;
      }
  }
  // A device's rule knows what a start takes there.
  Choice const jammed{.format = "csr", .kernel = "jammed"};
  auto const at_once = [] {
    auto idle = machine(true);
    idle.launch_seconds = 0;
    return idle;
  }();
  EXPECT_EQ(modelled_seconds(pruned_problem(), jammed, machine(true)),
            modelled_seconds(pruned_problem(), jammed, at_once));
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
