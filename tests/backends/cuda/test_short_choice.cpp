// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which shape csr_spmm_short_rows takes, and what short rows cost beside what is packed.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include "backends/cuda/lib/short_rows.hpp"

#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/packing_prices.hpp"
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"

namespace {

using namespace araia;

TEST(ShortRowsTuning, TheRuleTakesShapesThatThereAre) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (bool const whole : {true, false}) {
      auto const all = cuda::csr_spmm_short_shapes(bytes, whole);
      for (std::int64_t columns = 1; columns <= 700; ++columns)
        for (std::int64_t const nnz : {7000, 8001, 32000, 79000}) {
          auto t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, whole, columns);
          EXPECT_GE(t.longest, 3 * nnz / 1000) << "rows of usual length are their own lanes'";
          EXPECT_EQ(t.shares, std::max<std::int64_t>(1, 8 / ((columns * static_cast<std::int64_t>(bytes) + 31) / 32)))
              << "eight blocks take a long group, slices of 32 bytes counted";
          bool const wide = columns * static_cast<std::int64_t>(bytes) > 224;
          EXPECT_EQ(t.long_group, wide ? 1024 : std::clamp<std::int64_t>(128 * (nnz / 1000 + 1), 1024, 2048));
          t.longest = all.front().longest;
          t.long_group = all.front().long_group;
          t.shares = all.front().shares;
          EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(t.rows_apart)) && t.rows_apart <= t.lanes) << columns;
          t.rows_apart = all.front().rows_apart;
          EXPECT_NE(std::find(all.begin(), all.end(), t), all.end()) << columns << " columns, " << nnz << " entries";
        }
    }
  auto const large = cuda::csr_spmm_short_tuning(2'000'000, 14'000'000, 128, sizeof(float), true, 128);
  EXPECT_EQ(large.long_group, 2048) << "more blocks than are under way at once";
  EXPECT_EQ(large.shares, 1);
  EXPECT_EQ(cuda::csr_spmm_short_tuning(100, 300, 0, sizeof(float), true, 0).longest, 64) << "no columns";
  using enum cuda::ShortRowAccess;
  auto const shape = [](std::int64_t nnz, std::int64_t columns, std::size_t bytes, bool whole) {
    auto t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, whole, columns);
    t.long_group = 0;
    t.shares = 1;
    return t;
  };
  EXPECT_EQ(shape(7000, 17, sizeof(float), false), (cuda::CsrSpmmShortTuning{4, 5, words}));
  EXPECT_EQ(shape(16000, 17, sizeof(float), false), (cuda::CsrSpmmShortTuning{8, 3, words}));
  EXPECT_EQ(shape(7000, 128, sizeof(float), true), (cuda::CsrSpmmShortTuning{8, 4, packs}));
  EXPECT_EQ(shape(7000, 121, sizeof(float), false), (cuda::CsrSpmmShortTuning{16, 8, words}));
  EXPECT_EQ(shape(7000, 144, sizeof(double), true), (cuda::CsrSpmmShortTuning{16, 5, packs})) << "one tile of them";
  EXPECT_EQ(shape(7000, 33, sizeof(double), false), (cuda::CsrSpmmShortTuning{8, 5, words}));
  EXPECT_EQ(shape(7000, 73, sizeof(float), false), (cuda::CsrSpmmShortTuning{8, 10, words}));
  EXPECT_EQ(shape(7000, 57, sizeof(float), false), (cuda::CsrSpmmShortTuning{8, 10, words}));
  EXPECT_EQ(shape(7000, 89, sizeof(float), false), (cuda::CsrSpmmShortTuning{16, 6, words})) << "no twelve of 8 lanes";
  EXPECT_EQ(shape(16000, 89, sizeof(double), false), (cuda::CsrSpmmShortTuning{16, 6, words}));
  EXPECT_EQ(shape(79000, 129, sizeof(float), false), (cuda::CsrSpmmShortTuning{16, 9, words, 316}));
  EXPECT_EQ(shape(79000, 64, sizeof(double), true), (cuda::CsrSpmmShortTuning{16, 2, packs, 316}));
  EXPECT_EQ(shape(16000, 36, sizeof(float), true), (cuda::CsrSpmmShortTuning{10, 1, packs})) << "nine packs";
  EXPECT_EQ(shape(16000, 20, sizeof(double), true), (cuda::CsrSpmmShortTuning{10, 1, packs})) << "ten";
  EXPECT_EQ(shape(79000, 72, sizeof(float), true), (cuda::CsrSpmmShortTuning{10, 2, packs, 316}));
  EXPECT_EQ(shape(16000, 44, sizeof(float), true).lanes, 4) << "eleven";
  EXPECT_EQ(shape(7000, 36, sizeof(float), true).lanes, 4) << "short rows";
}

TEST(ShortRowsTuning, TheRuleTakesAnyNumberOfColumns) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {1536, 1540, 2048, 2050, 4096, 100'000, 1 << 29})
      for (bool const whole : {true, false})
        for (std::int64_t const nnz : {7000, 32000, 79000}) {
          auto const t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, whole, columns);
          auto const all = cuda::csr_spmm_short_shapes(bytes, whole);
          EXPECT_TRUE(
              std::any_of(all.begin(), all.end(),
                          [&](auto const& shape) { return shape.lanes == t.lanes && shape.accesses == t.accesses; }))
              << columns << " columns, " << nnz << " entries";
        }
}

TEST(ShortRowsTuning, RowsOfAWarpLieApartWhereNeighboursWouldBeOnOneBank) {
  auto const apart = [](std::int64_t nnz, std::int64_t columns, std::size_t bytes, std::int64_t stride = 0) {
    auto const t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, false, stride > 0 ? stride : columns);
    return std::pair{t.lanes, t.rows_apart};
  };
  EXPECT_EQ(apart(27000, 33, sizeof(float)), std::pair(16, 16));
  EXPECT_EQ(apart(27000, 66, sizeof(float)), std::pair(16, 8)) << "an even number";
  EXPECT_EQ(apart(27000, 33, sizeof(float), 40), std::pair(16, 2)) << "B's rows decide, 8 banks apart";
  EXPECT_EQ(apart(27000, 33, sizeof(float), 48).second, 1) << "16 banks apart";
  EXPECT_EQ(apart(27000, 17, sizeof(float)).second, 1) << "few columns";
  EXPECT_EQ(apart(27000, 17, sizeof(double)), std::pair(8, 8));
  EXPECT_EQ(apart(27000, 33, sizeof(double)).second, 1) << "16 lanes of doubles have a row at once";
  EXPECT_EQ(apart(7000, 33, sizeof(float)), std::pair(8, 8)) << "four rows on a bank";
  EXPECT_EQ(apart(7000, 49, sizeof(float)).second, 1) << "two, of short rows";
  EXPECT_EQ(apart(7000, 65, sizeof(float)), std::pair(8, 8));
  EXPECT_EQ(apart(79000, 33, sizeof(float)).second, 1) << "rows that share lines";
  EXPECT_EQ(cuda::csr_spmm_short_tuning(1000, 27000, 33, sizeof(float), false, 0).rows_apart, 1) << "one row of B";
  EXPECT_EQ(cuda::csr_spmm_short_tuning(1000, 27000, 36, sizeof(float), true, 36).rows_apart, 1) << "packs";
}

double price_as_it_is(cuda::SpmmProblem const& p) {
  return detail::short_rows_seconds(p.rows, p.nnz, p.columns, static_cast<int>(p.scalar_bytes),
                                    {p.longest, p.long_rows});
}

TEST(ShortRowsTuning, WhatIsPackedIsPricedAboveTheShortestRows) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {8, 36, 97, 129, 512}) {
      cuda::SpmmProblem const seven_points{
          .rows = 195112, .cols = 195112, .nnz = 1345600, .columns = columns, .scalar_bytes = bytes};
      double const as_it_is = price_as_it_is(seven_points);
      auto const all = test::packing_prices(seven_points);
      EXPECT_GE(all.size(), 2u);
      for (auto const& [name, seconds] : all) EXPECT_GT(seconds, as_it_is) << name << ' ' << columns;
    }
}

double price_of_groups(cuda::SpmmProblem const& p) { return test::packing_prices(p).back().second; }

TEST(ShortRowsTuning, RowGroupsArePricedBelowLongerRows) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {8, 32, 128, 512}) {
      cuda::SpmmProblem const fem{
          .rows = 52728, .cols = 52728, .nnz = 4186710, .columns = columns, .scalar_bytes = bytes};
      EXPECT_LT(price_of_groups(fem), price_as_it_is(fem)) << columns;
    }
}

TEST(ShortRowsTuning, SingleRowsArePricedAboveLongerRowsByWordsOrWhereL2HoldsB) {
  for (std::int64_t const columns : {16, 32, 33, 64, 65, 96, 128}) {
    cuda::SpmmProblem random{.rows = 83333, .cols = 83333, .nnz = 1333328, .columns = columns};
    EXPECT_GT(price_of_groups(random), price_as_it_is(random)) << columns;
    random.longest = 2000;  // of a power law
    if (columns % 4 == 0) {
      EXPECT_LT(price_of_groups(random), price_as_it_is(random)) << columns;
    }
  }
  for (std::int64_t const columns : {8, 16, 32, 64}) {
    cuda::SpmmProblem const doubles{
        .rows = 83333, .cols = 83333, .nnz = 1333328, .columns = columns, .scalar_bytes = 8};
    EXPECT_GT(price_of_groups(doubles), price_as_it_is(doubles)) << columns;
  }
  cuda::SpmmProblem large{.rows = 250000, .cols = 250000, .nnz = 4000000, .columns = 65};
  EXPECT_GT(price_of_groups(large), price_as_it_is(large));
  large.columns = 64;  // B of 64 MB: 141 us, 165 as it is
  EXPECT_LT(price_of_groups(large), price_as_it_is(large));
}

TEST(ShortRowsTuning, GroupsByWordsArePricedAboveRowsOf27Points) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {9, 33, 65, 129}) {
      cuda::SpmmProblem p{.rows = 159220, .cols = 159220, .nnz = 4200000, .columns = columns, .scalar_bytes = bytes};
      p.shared = 1.99;
      EXPECT_GT(price_of_groups(p), price_as_it_is(p)) << columns;
      p.rows = p.cols = 52728;  // FEM
      EXPECT_LT(price_of_groups(p), price_as_it_is(p)) << columns;
    }
}

TEST(ShortRowsTuning, RowsMuchLongerThanTheOthersAreGroupsByFewColumns) {
  cuda::SpmmProblem circuit{
      .rows = 913043, .cols = 913043, .nnz = 3673447, .columns = 8, .longest = 20000, .long_rows = 11};
  EXPECT_LT(price_of_groups(circuit), price_as_it_is(circuit));
  circuit.columns = 16;  // 61 us, as it is 80
  EXPECT_LT(price_of_groups(circuit), price_as_it_is(circuit));
  circuit.columns = 32;  // long rows go by four slices: 107 and 99 us
  EXPECT_GT(price_of_groups(circuit), price_as_it_is(circuit));
  circuit.columns = 8;
  circuit.longest = 100;
  EXPECT_GT(price_of_groups(circuit), price_as_it_is(circuit));
  cuda::SpmmProblem power_law{.rows = 280000, .cols = 280000, .nnz = 4012157, .columns = 17, .longest = 2000};
  EXPECT_LT(price_of_groups(power_law), price_as_it_is(power_law));
  power_law.columns = 97;
  EXPECT_GT(price_of_groups(power_law), price_as_it_is(power_law));
}

/// Matrices of the test data by their figures.
struct RealMatrix {
  char const* name;
  std::int64_t rows, cols, nnz, longest;
  double shared;

  [[nodiscard]] cuda::SpmmProblem by(std::int64_t columns, std::size_t scalar_bytes) const {
    cuda::SpmmProblem p{.rows = rows, .cols = cols, .nnz = nnz, .columns = columns, .scalar_bytes = scalar_bytes};
    p.shared_bytes = 227 * 1024;
    p.shared = shared;
    p.longest = longest;
    return p;
  }
};

TEST(ShortRowsTuning, RealMatricesWithLongRowsAreGroups) {  // 1.1 to 11 times as fast by them on an H200
  for (RealMatrix const& matrix : {RealMatrix{"arrow", 46500, 46500, 139498, 46500, 1.33},
                                   {"hangGlider_3", 10260, 10260, 92703, 9119, 1.42},
                                   {"memplus", 17758, 17758, 126150, 574, 1.64},
                                   {"rajat01", 6833, 6833, 43250, 1442, 1.50},
                                   {"Chem97Zt", 2541, 31022, 62044, 969, 1},
                                   {"visium_filtered_counts", 19465, 2898, 1069459, 2686, 1.12}})
    for (std::size_t const bytes : {sizeof(float), sizeof(double)})
      for (std::int64_t const columns : {32, 128}) {
        auto const p = matrix.by(columns, bytes);
        EXPECT_EQ(test::fastest_packing(p), "row_groups") << matrix.name << ' ' << columns;
        if (!detail::has_short_rows(p.rows, p.cols, p.nnz, columns * static_cast<std::int64_t>(bytes))) continue;
        EXPECT_LT(price_of_groups(p), price_as_it_is(p)) << matrix.name << ' ' << columns;
      }
}

TEST(ShortRowsTuning, RealMatricesOfFewEntriesArePaddedWhereTheirRowsShareColumns) {
  for (RealMatrix const& matrix : {RealMatrix{"well1850", 1850, 712, 8758, 5, 2.25},
                                   {"bar", 600, 600, 23402, 51, 2.17},
                                   {"wathen_30_30", 2821, 2821, 42781, 21, 2.19}})
    for (std::int64_t const columns : {8, 32})
      EXPECT_EQ(test::fastest_packing(matrix.by(columns, sizeof(float))), "padded_rows")
          << matrix.name << ' ' << columns;
  // Short rows that share none are a step or two of row_groups: 1.4 to 2.0 us, 3.0 to 4.3 by padded_rows.
  for (RealMatrix const& matrix :
       {RealMatrix{"Pd", 8081, 8081, 13036, 5, 1.16}, {"delaunay_n13", 8192, 8192, 49094, 12, 1.37}})
    for (std::int64_t const columns : {8, 32})
      EXPECT_EQ(test::fastest_packing(matrix.by(columns, sizeof(float))), "row_groups")
          << matrix.name << ' ' << columns;
}

TEST(ShortRowsTuning, WhatRowsShareLowersThePriceOfRowGroups) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)}) {
    cuda::SpmmProblem fem{.rows = 20577, .cols = 20577, .nnz = 1594053, .columns = 32, .scalar_bytes = bytes};
    double const alone = price_of_groups(fem);
    fem.shared = 3;
    EXPECT_LT(price_of_groups(fem), 0.6 * alone);
    EXPECT_LT(price_of_groups(fem), price_as_it_is(fem));
    fem.shared = 1.5;  // single rows are packed
    EXPECT_EQ(price_of_groups(fem), alone);
    EXPECT_FALSE(cuda::groups_of_four_pay(1.5, bytes));
    EXPECT_TRUE(cuda::groups_of_four_pay(2, bytes));
    cuda::GroupStats stats{.shared = {1, 1.2, 1.4, 2}};
    EXPECT_EQ(cuda::choose_groups(stats, 20577, 1594053, 32, bytes, 132, 50 << 20).shape.group_rows, 4);
    stats.shared = {1, 1, 1, 1.5};
    EXPECT_EQ(cuda::choose_groups(stats, 20577, 1594053, 32, bytes, 132, 50 << 20).shape.group_rows, 1);
  }
}

TEST(ShortRowsTuning, RowGroupsAreChosenInCacheWhereRowsShareColumnsOrOneIsLong) {
  struct Matrix {
    std::int64_t rows, nnz;
    double shared;
  };
  for (auto const& [rows, nnz, shared] :  // FEM, orbitals, a lattice, 27 points
       {Matrix{5184, 378000, 2.09}, {5135, 231025, 3.07}, {7500, 292500, 2.11}, {10648, 262144, 1.99}})
    for (std::size_t const bytes : {sizeof(float), sizeof(double)})
      for (std::int64_t const columns : {8, 16, 32, 64, 128}) {
        cuda::SpmmProblem p{.rows = rows, .cols = rows, .nnz = nnz, .columns = columns, .scalar_bytes = bytes};
        p.shared_bytes = 227 * 1024;
        p.shared = shared;
        EXPECT_EQ(test::fastest_packing(p), "row_groups") << rows << " rows, " << columns;
        p.rows = p.cols = rows / 4;  // a layer that is not sparse enough
        EXPECT_NE(test::fastest_packing(p), "row_groups") << rows << " rows, " << columns;
      }
  cuda::SpmmProblem random{.rows = 5184, .cols = 5184, .nnz = 378000, .columns = 32};
  random.shared = 1.03;
  EXPECT_EQ(test::fastest_packing(random), "padded_rows");
  // Denser than what was measured.
  cuda::SpmmProblem fem{.rows = 5184, .cols = 5184, .nnz = 378000, .columns = 32, .shared = 2.09};
  fem.nnz = 430000;  // 0.016
  EXPECT_NE(test::fastest_packing(fem), "row_groups");
  // A layer whose rows are long, all alike.
  cuda::SpmmProblem layer{.rows = 128, .cols = 4096, .nnz = 209715, .columns = 128, .longest = 1738};
  EXPECT_EQ(test::fastest_packing(layer), "padded_rows");
  // By 32 columns of double 26 us, by row_groups 18.
  layer = {.rows = 4096, .cols = 4096, .nnz = 840135, .columns = 32, .scalar_bytes = sizeof(double), .longest = 264};
  EXPECT_EQ(test::fastest_packing(layer), "row_groups");
  // 67 us and 22.
  cuda::SpmmProblem const power_law{.rows = 22222, .cols = 22222, .nnz = 314194, .columns = 128, .longest = 1193};
  EXPECT_EQ(test::fastest_packing(power_law), "row_groups");
}

TEST(ShortRowsTuning, ATileThatIsNearlyEmptyHasItsPrice) {
  // Double by 129 and 130 columns, tiles of 128: 27 points 470 and 456 us, 312 and 310 as it is, FEM 278 and 277, 351
  // and 330.
  for (std::int64_t const columns : {129, 130}) {
    cuda::SpmmProblem points{.rows = 157464, .cols = 157464, .nnz = 4100000, .columns = columns, .scalar_bytes = 8};
    points.shared = 1.99;
    EXPECT_GT(price_of_groups(points), price_as_it_is(points)) << columns;
    EXPECT_GT(price_of_groups(points), 0.75 * 460e-6) << columns;
    cuda::SpmmProblem fem{.rows = 52728, .cols = 52728, .nnz = 4186710, .columns = columns, .scalar_bytes = 8};
    fem.shared = 3;
    EXPECT_LT(price_of_groups(fem), price_as_it_is(fem)) << columns;
    EXPECT_GT(price_of_groups(fem), 0.6 * 277e-6) << columns;
  }
  // A tile that is the only one: 50,653 rows by 66 to 96 columns of double 78 us, 56 to 63 as it is.
  for (std::int64_t const columns : {66, 80, 96}) {
    cuda::SpmmProblem points{.rows = 50653, .cols = 50653, .nnz = 1295029, .columns = columns, .scalar_bytes = 8};
    points.shared = 1.99;
    EXPECT_GT(price_of_groups(points), price_as_it_is(points)) << columns;
  }
  // And of single rows in cache: a layer by 66 columns of double 105 us, a warp a row 69, by 64 both 53.
  cuda::SpmmProblem layer{.rows = 3651, .cols = 3651, .nnz = 1333000, .columns = 66, .scalar_bytes = 8, .longest = 440};
  EXPECT_NEAR(price_of_groups(layer), 105e-6, 10e-6);
  layer.columns = 64;
  EXPECT_NEAR(price_of_groups(layer), 53e-6, 5e-6);
  // Tiles of matrices that share nothing are 128 bytes.
  cuda::SpmmProblem const power_law{
      .rows = 266667, .cols = 266667, .nnz = 3840000, .columns = 24, .scalar_bytes = 8, .longest = 14089};
  EXPECT_LT(price_of_groups(power_law), price_as_it_is(power_law));
  for (std::int64_t const columns : {48, 60}) {
    cuda::SpmmProblem const random{.rows = 250000, .cols = 250000, .nnz = 4000000, .columns = columns};
    EXPECT_LT(price_of_groups(random), price_as_it_is(random)) << columns;
  }
}

TEST(ShortRowsTuning, PricesOfRowsInPartsAreNearWhatWasMeasured) {
  struct Measured {  // us of an H200, row_groups and padded_rows
    RealMatrix matrix;
    std::int64_t columns;
    std::size_t bytes;
    double groups, padded;
  };
  RealMatrix const counts{"visium_filtered_counts", 19465, 2898, 1069459, 2686, 1.12};
  RealMatrix const friends{"facebook_combined", 4039, 4039, 176468, 1045, 1.3};
  RealMatrix const citations{"cora", 2708, 2708, 13264, 169, 1.05};
  for (auto const& [matrix, columns, bytes, groups, padded] : {Measured{counts, 8, 4, 9.0, 26.8},
                                                               {counts, 32, 8, 33, 65},
                                                               {friends, 8, 4, 4.4, 10.8},
                                                               {friends, 32, 4, 6.9, 15.5},
                                                               {friends, 128, 8, 20.8, 49},
                                                               {citations, 8, 4, 2.0, 2.9},
                                                               {citations, 32, 4, 3.0, 6.9}}) {
    SCOPED_TRACE(matrix.name + std::string(" by ") + std::to_string(columns));
    double const of_groups = price_of_groups(matrix.by(columns, bytes)) * 1e6;
    EXPECT_GT(of_groups, 0.7 * groups);
    EXPECT_LT(of_groups, 1.5 * groups);
    double const of_rows = test::packing_prices(matrix.by(columns, bytes)).front().second * 1e6;
    EXPECT_GT(of_rows, 0.6 * padded);
    EXPECT_LT(of_rows, 1.6 * padded);
  }
}

TEST(ShortRowsTuning, PricesInCacheAreNearWhatWasMeasured) {
  struct Measured {  // us of an H200
    std::int64_t rows, nnz;
    double by_8, by_32, by_128;
  };
  for (auto const& [rows, nnz, by_8, by_32, by_128] :  // FEM, orbitals, a lattice, 27 points, float
       {Measured{5184, 378000, 13.6, 9.3, 14.8},
        {24000, 1868526, 16.1, 21.4, 52.0},
        {5135, 231025, 7.9, 5.9, 9.2},
        {7500, 292500, 5.9, 5.1, 11.3},
        {10648, 262144, 5.2, 5.1, 10.8}}) {
    auto const price = [&](std::int64_t columns) {
      return 1e6 * (detail::start_of_short_rows + detail::short_rows_seconds(rows, nnz, columns, sizeof(float)));
    };
    for (auto const& [columns, measured] : {std::pair{8, by_8}, {32, by_32}, {128, by_128}}) {
      EXPECT_GT(price(columns), 0.55 * measured) << rows << " rows, " << columns;
      EXPECT_LT(price(columns), 1.5 * measured) << rows << " rows, " << columns;
    }
  }
  // No step where rows become longer.
  EXPECT_LT(detail::short_rows_seconds(10000, 80100, 8, 4), 1.1 * detail::short_rows_seconds(10000, 80000, 8, 4));
}

TEST(ShortRowsTuning, DenseLayersAndFewRowsKeepAWarpARow) {
  using araia::detail::has_short_rows;
  EXPECT_TRUE(has_short_rows(343, 343, 343 * 6, 16));             // 7 points
  EXPECT_TRUE(has_short_rows(64000, 64000, 64000 * 25, 4));       // 27 points
  EXPECT_FALSE(has_short_rows(1000, 1000, 1000 * 9, 32));         // few rows
  EXPECT_TRUE(has_short_rows(1000, 1000, 1000 * 9, 4096));        // of many columns
  EXPECT_FALSE(has_short_rows(512, 512, 512 * 26, 1 << 20));      // 0.95 sparse, wide
  EXPECT_FALSE(has_short_rows(1024, 1024, 1024 * 20, 1024));      // 0.98 sparse: few blocks
  EXPECT_TRUE(has_short_rows(1024, 1024, 1024 * 20, 2048));       // enough
  EXPECT_TRUE(has_short_rows(33288, 512, 33288 * 10, 32));        // many rows
  EXPECT_FALSE(has_short_rows(33288, 512, 33288 * 51, 2048));     // 0.9 sparse
  EXPECT_TRUE(has_short_rows(52728, 52728, 52728 * 79, 32));      // FEM
  EXPECT_FALSE(has_short_rows(20000, 20000, 20000 * 101, 1024));  // longer
}

}  // namespace
