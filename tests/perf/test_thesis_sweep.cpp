// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "perf/thesis/presets.hpp"
#include "perf/thesis/sweep.hpp"

namespace {

using namespace araia;
using namespace araia::thesis;

/// Every number of columns that a set's cells have has a row.
template <class Table>
void expect_rows(Table const& table, std::vector<int> const& columns) {
  for (int const n : columns)
    EXPECT_TRUE(std::any_of(std::begin(table), std::end(table), [n](auto const& row) { return row.columns == n; }))
        << n;
}

TEST(ThesisSweep, TablesHaveARowForEveryNumberOfColumns) {
  std::vector<int> const pruned{32, 64, 128, 256, 512, 1024, 2048};
  std::vector<int> const sparse{8, 16, 32, 64, 128, 256, 512};
  expect_rows(table_4_2, pruned);
  expect_rows(table_4_3, pruned);
  expect_rows(table_4_4, pruned);
  expect_rows(table_4_5, sparse);
  expect_rows(table_4_6, sparse);
  expect_rows(table_4_7, sparse);
  // Of the text: 256 threads by 16 lanes, tiles of 128 x 64, tiles as wide as N up to 256 columns.
  for (auto const& row : table_4_3) EXPECT_EQ(row.warps * row.warp_size, 256);
  for (auto const& row : table_4_4) EXPECT_EQ(row.tiling.m_tile(), 128);
  for (auto const& row : table_4_7) EXPECT_EQ(row.tiling.n_tile(), std::min(row.columns, 256));
  for (auto const& row : table_4_7) EXPECT_EQ(row.tiling.threads(), row.columns <= 128 ? 128 : 256);
}

TEST(ThesisSweep, EveryTilingOfTheTablesIsListedOnce) {
  auto const count = [](Tiling const& t) { return std::count(std::begin(tilings), std::end(tilings), t); };
  for (auto const& row : table_4_4) EXPECT_EQ(count(row.tiling), 1) << to_string(row.tiling);
  for (auto const& row : table_4_7) EXPECT_EQ(count(row.tiling), 1) << to_string(row.tiling);
  for (auto const& tiling : tilings) EXPECT_TRUE(is_possible(tiling)) << to_string(tiling);
  EXPECT_FALSE(is_possible({16, 16, 4, 8, 12}));
  EXPECT_FALSE(is_possible({16, 16, 2, 16, 16})) << "2 is a value of table 4.7, 16 one of 4.4";
  EXPECT_FALSE(is_possible({32, 32, 16, 16, 32})) << "128 KiB of tiles";
}

TEST(ThesisSweep, PartsShareTheCells) {
  auto const all = cells({});
  EXPECT_EQ(all.size(), 168u);
  EXPECT_EQ(cells({"4.7"}).size(), 28u);
  EXPECT_EQ(cells({"4.4", "4.2"}).size(), 140u);
  EXPECT_EQ(cells({"4.4", "4.2"}).front().tables, (std::vector<std::string>{"4.2", "4.4"}));
  std::set<std::string> keys;
  for (std::size_t i = 1; i <= 5; ++i)
    for (auto const& cell : of_part(all, {i, 5})) keys.insert(cell.key());
  EXPECT_EQ(keys.size(), all.size());
  EXPECT_EQ(part_of("2/8").index, 2u);
  EXPECT_EQ(part_of("2/8").of, 8u);
  for (char const* const text : {"", "0/3", "4/3", "1", "1/", "1/2x", "-1/2"})
    EXPECT_THROW(static_cast<void>(part_of(text)), std::invalid_argument) << text;
  EXPECT_THROW(static_cast<void>(cells({"4.8"})), std::invalid_argument);
}

TEST(ThesisSweep, ResumesBehindTheLastWholeLine) {
  std::string const path = testing::TempDir() + "thesis_sweep.jsonl";
  std::remove(path.c_str());
  EXPECT_TRUE(finished_cells(path).empty());
  auto const all = cells({"4.7"});
  std::string const whole = line_beginning(all[0]) + ", \"columns\": 8}\n";
  std::ofstream(path) << whole << line_beginning(all[1]) + ", \"colu";
  EXPECT_EQ(finished_cells(path), std::set<std::string>{all[0].key()});
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), whole);
  std::ofstream(path) << "something else\n";
  EXPECT_THROW(static_cast<void>(finished_cells(path)), std::runtime_error);
  std::remove(path.c_str());
}

TEST(ThesisSweep, BcscHasTheEntriesOfTheMatrix) {
  // rows: (0: a b) (1: c) | (2: d e)
  GeneratedMatrix A;
  A.rows = 3;
  A.cols = 4;
  A.row_offsets = {0, 2, 3, 5};
  A.col_indices = {1, 3, 1, 0, 3};
  A.values = {1, 2, 3, 4, 5};
  auto const two = to_bcsc(A, 2);
  EXPECT_EQ(two.block_offsets, (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(two.block_cols, (std::vector<std::int32_t>{1, 3, 0, 3}));
  EXPECT_EQ(two.col_offsets, (std::vector<std::int32_t>{0, 2, 3, 4, 5}));
  EXPECT_EQ(two.row_in_block, (std::vector<std::int32_t>{0, 1, 0, 0, 0}));
  EXPECT_EQ(two.values, (std::vector<float>{1, 3, 2, 4, 5}));
}

TEST(ThesisSweep, PrunedLayersHaveTheirSparsity) {
  SweepMatrix const layer{"pruned", 256, 0.85};
  EXPECT_EQ(layer.name(), "pruned_256_0.85");
  auto const A = layer.make();
  EXPECT_EQ(A.rows, 256);
  EXPECT_EQ(A.cols, 256);
  EXPECT_NEAR(static_cast<double>(A.nnz()) / (256.0 * 256.0), 0.15, 0.01);
}

}  // namespace
