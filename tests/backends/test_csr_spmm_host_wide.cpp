// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMM where B is wider than a panel, on every instruction set of this machine.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/csr_spmm_host_checks.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CsrSpmmHostWide, BackendTypes, TypesByNumber);

/// Rows of 0 to 26 entries, in no order of columns, all lengths twice.
ZooPattern rows_of_all_lengths() {
  constexpr std::int32_t cols = 61;  // a prime, so that a stride meets all columns
  ZooPattern pattern;
  pattern.name = "all lengths";
  pattern.cols = cols;
  for (std::int32_t i = 0; i < 54; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < i % 27; ++k) columns.push_back((i + k * 17) % cols);
    pattern.add_row(columns);
  }
  return pattern;
}

ARAIA_TYPED_TEST(CsrSpmmHostWide, RowsOfAllLengthsHoldTheBoundInOneTileAndSeveral) {
  using Y = typename TypeParam::Y;
  auto const pattern = rows_of_all_lengths();
  for (std::int64_t const columns : {33, 36, 64, 66, 100, 255, 256, 512, 513, 1023, 1030, 1100}) {
    expect_right_spmm<TypeParam>(pattern, columns, {true, true}, true, columns % 4, 0, Y(2), Y(0));
    expect_right_spmm<TypeParam>(pattern, columns, {true, true}, false, 0, 0, Y(1), Y(-0.5));
    expect_right_spmm<TypeParam>(pattern, columns, {true, false}, true, 3, 1, Y(-2), Y(0));
    if (testing::Test::HasFailure()) return;
  }
}

ARAIA_TYPED_TEST(CsrSpmmHostWide, RowsOfAllLengthsHoldTheBoundWithEpilogues) {
  using Y = typename TypeParam::Y;
  auto const pattern = rows_of_all_lengths();
  for (std::int64_t const columns : {35, 67, 256, 1030}) {
    expect_right_spmm_epilogue<TypeParam>(pattern, columns, {true, true}, true, Y(2), Y(0));
    expect_right_spmm_epilogue<TypeParam>(pattern, columns, {true, columns != 67}, false, Y(1), Y(0.5));
    if (testing::Test::HasFailure()) return;
  }
}

/// Nodes of 1 to 9 rows, and one of more than a chunk holds, each row on its node's columns.
ZooPattern nodes_of_all_sizes() {
  ZooPattern pattern;
  pattern.name = "nodes of all sizes";
  pattern.cols = 97;
  for (std::int32_t node = 0; node < 20; ++node) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < 5 + node; ++k) columns.push_back((node + k * 17) % 97);
    std::sort(columns.begin(), columns.end());
    // Nodes of 5 and 7 columns have rows enough to be listed.
    std::int32_t const rows = node == 12 ? 101 : node == 0 ? 9 : node == 2 ? 6 : 1 + node % 9;
    for (std::int32_t i = 0; i < rows; ++i) pattern.add_row(columns);
  }
  return pattern;
}

ARAIA_TYPED_TEST(CsrSpmmHostWide, NodesOfAllSizesHoldTheBoundInOneTileAndSeveral) {
  using Y = typename TypeParam::Y;
  auto const pattern = nodes_of_all_sizes();
  for (std::int64_t const columns : {32, 36, 64, 65, 128, 500, 508, 509, 514, 1030, 1100}) {
    expect_right_spmm<TypeParam>(pattern, columns, {true, true}, true, columns % 4, 0, Y(2), Y(0));
    expect_right_spmm<TypeParam>(pattern, columns, {true, columns != 128}, false, 3, 1, Y(1), Y(-0.5));
    if (testing::Test::HasFailure()) return;
  }
  for (std::int64_t const columns : {32, 64, 67, 128, 1030})
    expect_right_spmm_epilogue<TypeParam>(pattern, columns, {true, true}, columns == 64 || columns == 1030, Y(2),
                                          Y(0.5));
}

// C beyond 16 MiB, whose rows begin lines of cache and end anywhere.
ARAIA_TYPED_TEST(CsrSpmmHostWide, RowsOfSeveralTilesGoPastTheCache) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  // Of nodes of three rows; by halves too, on AVX2.
  for (std::int64_t const columns : {64, 128, 1030}) {
    std::int64_t const padding = (columns + 15) / 16 * 16 - columns;
    std::int64_t const rows = (std::int64_t{1} << 24) / (columns * static_cast<std::int64_t>(sizeof(Y))) + 7;
    ZooPattern pattern;
    pattern.name = "past the cache";
    pattern.cols = 61;
    for (std::int64_t i = 0; i < rows; ++i) {
      std::vector<std::int32_t> row;
      for (std::int32_t k = 0; k < i / 3 % 16; ++k) row.push_back(static_cast<std::int32_t>(i / 3 + k * 17) % 61);
      pattern.add_row(row);
    }
    ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, true, false, 0);
    auto const a = m.pointers();
    auto const runs = host::csr_row_runs(a, 2);
    Dense<X> b(m.cols, columns, true, 0, 0, not_a_number<X>);
    b.fill(wave);
    Dense<Y> c(m.rows, columns, true, padding, 0, canary<Y>);
    while (reinterpret_cast<std::uintptr_t>(c.buffer.data() + c.first) % 64 != 0) ++c.first;
    auto const before = c;
    auto const expected = reference::spmm(Op::none, Y(2), a, b.constant(), Y(0), c.constant());
    for (auto const isa : host::supported_isas())
      for (auto const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs}) {
        SCOPED_TRACE(std::string(host::to_string(isa)) + (r ? ", runs" : ""));
        host::csr_spmm(a, Y(2), b.constant(), Y(0), c.matrix(), 2, r, isa, from_memory);
        auto const report = reference::check(expected, c.constant());
        EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ", "
                                 << report.first_bad_column;
        EXPECT_TRUE(c.untouched_outside(canary<Y>));
        c = before;  // at the same address
      }
  }
}

/// Points of a grid of lines with their neighbours in all directions: rows on threes of columns, each moved by one.
ZooPattern neighbours_in_all_directions(int length, int lines) {
  ZooPattern grid;
  grid.name = "lines of " + std::to_string(length);
  grid.cols = std::int64_t{length} * lines;
  for (int j = 0; j < lines; ++j)
    for (int i = 0; i < length; ++i) {
      std::vector<std::int32_t> columns;
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -1; di <= 1; ++di)
          if (j + dj >= 0 && j + dj < lines && i + di >= 0 && i + di < length)
            columns.push_back((j + dj) * length + i + di);
      grid.add_row(columns);
    }
  return grid;
}

ARAIA_TYPED_TEST(CsrSpmmHostWide, RowsOnThreesOfColumnsHoldTheBoundInPanelsOfAWiderB) {
  using Y = typename TypeParam::Y;
  for (int const length : {34, 35, 36, 131}) {  // all remainders of rows that go at once, and more than a chunk
    auto const grid = neighbours_in_all_directions(length, 9);
    for (std::int64_t const columns : {64, 65, 128, 129, 192, 256, 376, 384}) {
      expect_right_spmm<TypeParam>(grid, columns, {true, true}, true, columns % 4, 0, Y(1), Y(0));
      expect_right_spmm<TypeParam>(grid, columns, {true, columns % 3 != 0}, columns != 65, 3, 1, Y(2), Y(-1));
      if (testing::Test::HasFailure()) return;
    }
    if (length == 34) expect_right_spmm_epilogue<TypeParam>(grid, 256, {true, true}, true, Y(2), Y(1));
    if (length == 35) expect_right_spmm_epilogue<TypeParam>(grid, 384, {true, true}, false, Y(2), Y(0));
  }
}

// More threes far apart than rows ask before.
ARAIA_TYPED_TEST(CsrSpmmHostWide, RowsOnManyThreesOfColumnsFarApartHoldTheBound) {
  using Y = typename TypeParam::Y;
  constexpr int threes = 18;  // few enough that no instruction set has rows go by blocks of B, in other sums
  constexpr int apart = 900;
  ZooPattern pattern;
  pattern.name = "threes far apart";
  pattern.cols = threes * apart;
  for (int i = 0; i < 40; ++i) {
    std::vector<std::int32_t> columns;
    for (int k = 0; k < threes; ++k)
      for (int j = 0; j < 3; ++j) columns.push_back(k * apart + i + j);
    pattern.add_row(columns);
  }
  expect_right_spmm<TypeParam>(pattern, 200, {true, true}, true, 0, 0, Y(1), Y(0));
}

}  // namespace
}  // namespace araia::test
