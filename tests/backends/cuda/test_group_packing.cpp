// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The packing of row_groups_spmm and the rule that shapes it. No device needed.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/group_shapes.hpp"
#include "backends/cuda/host_shares.hpp"
#include "backends/cuda/packing_prices.hpp"
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"
#include "backends/cuda/spmm/csr_row_groups/kernel.hpp"
#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::group_rows;
using test::name_of;
using test::ZooMatrix;

/// (rows, cols) of what a packing holds, and the entries that are stored with a source.
template <class T>
std::vector<double> unpacked(cuda::GroupPacking<T> const& p, std::int64_t& sourced) {
  std::vector<double> dense(static_cast<std::size_t>(p.rows * p.cols), 0.0);
  std::size_t const width = 16 / sizeof(T);
  auto const side = static_cast<std::size_t>(p.shape.slice_groups);
  auto const rows = static_cast<std::size_t>(p.shape.group_rows);
  std::size_t const value_packs = cuda::step_columns * rows / width;
  auto const row_of = [&](std::int32_t stored) -> std::int64_t {
    if (stored >= 0) return stored;
    for (auto const& cut : p.cut_rows)
      for (std::int32_t part = 0; part < cut.count; ++part)
        if (cut.first + part * cut.stride == -2 - stored) return cut.row;
    return -1;
  };
  for (std::size_t s = 0; s < static_cast<std::size_t>(p.slices); ++s)
    for (auto step = static_cast<std::size_t>(p.slice_offsets[s]);
         step < static_cast<std::size_t>(p.slice_offsets[s + 1]); ++step)
      for (std::size_t g = 0; g < side; ++g)
        for (std::size_t k = 0; k < cuda::step_columns; ++k)
          for (std::size_t r = 0; r < rows; ++r) {
            std::size_t const flat = k * rows + r;
            std::size_t const slot = ((step * value_packs + flat / width) * side + g) * width + flat % width;
            std::size_t first = s * side + g;
            while (p.row_order[first * rows] == cuda::part_of_row_before) --first;
            EXPECT_GE(first, s * side) << "a row's parts are in one slice";
            std::int64_t const row = row_of(p.row_order[first * rows + r]);
            sourced += p.sources[slot] >= 0;
            if (row < 0) {
              EXPECT_EQ(p.values[slot], T{});
              continue;
            }
            std::int64_t const column = p.col_indices[(step * side + g) * cuda::step_columns + k];
            dense[static_cast<std::size_t>(row * p.cols + column)] += static_cast<double>(p.values[slot]);
          }
  return dense;
}

template <class T>
void expect_every_entry_once() {
  auto pattern = random_pattern(50, 133, 0.5);
  pattern.col_indices[3] = pattern.col_indices[2];            // a duplicate
  std::swap(pattern.col_indices[5], pattern.col_indices[9]);  // out of order
  ZooMatrix<T, std::int32_t> const m(pattern, true, true, 0);
  auto const a = m.pointers();
  std::vector<double> expected(static_cast<std::size_t>(a.rows * a.cols), 0.0);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      expected[static_cast<std::size_t>(i * a.cols + a.col_indices[k])] += static_cast<double>(a.values[k]);
  for (int const rows : group_rows)
    for (cuda::GroupShape const shape :
         {cuda::GroupShape{rows, 1, 0, 128}, {rows, 8, 16, 128}, {rows, 32, -1, 4, 9}, {rows, 2, 0, 12}}) {
      SCOPED_TRACE(name_of(shape));
      auto const p = cuda::group_packing(a, shape, 2, true);
      std::int64_t sourced = 0;
      auto const got = unpacked(p, sourced);
      EXPECT_EQ(sourced, a.nnz);
      ASSERT_EQ(got, expected);
      for (std::size_t i = 0; i < p.sources.size(); ++i)
        ASSERT_EQ(p.values[i], p.sources[i] >= 0 ? a.values[p.sources[i]] : T{});
    }
  for (cuda::GroupShape const shape :
       {cuda::GroupShape{1, 8, 16, 128, 0, 8},
        {1, 32, -1, 4, 9, 4},
        {1, 4, 0, 24, 3, 7},
        {1, 1, 0, 128, 0, 4},
        {1, 8, 0, 20, 0, 8}}) {  // the last: places without a row between segments of one
    SCOPED_TRACE(name_of(shape));
    std::int64_t sourced = 0;
    ASSERT_EQ(unpacked(cuda::group_packing(a, shape, 2, true), sourced), expected);
    EXPECT_EQ(sourced, a.nnz);
  }
}
TEST(GroupPacking, StoresEveryEntryOnceF32) { expect_every_entry_once<float>(); }
TEST(GroupPacking, StoresEveryEntryOnceF64) { expect_every_entry_once<double>(); }

TEST(GroupPacking, RowsOfOnePatternShareTheirColumns) {
  test::ZooPattern pattern;
  pattern.name = "blocks of three rows";
  pattern.cols = 64;
  for (std::int32_t i = 0; i < 30; ++i) pattern.add_row({i / 3, i / 3 + 20, i / 3 + 40});
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  EXPECT_EQ(cuda::group_packing(m.pointers(), {1, 1}, 1).group_columns, 90);
  EXPECT_EQ(cuda::group_packing(m.pointers(), {3, 1}, 1).group_columns, 30);
  EXPECT_EQ(cuda::group_packing(m.pointers(), {4, 1}, 1).group_columns, 30) << "rows that share nothing are apart";
}

TEST(GroupPacking, RowsGoInPartsAsLongAsASliceHoldsThem) {
  test::ZooPattern pattern;
  pattern.name = "rows of 3, 9, 17, 100 and 3 entries";
  pattern.cols = 100;
  for (std::int32_t const length : {3, 9, 17, 100, 3}) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < length; ++k) columns.push_back(k);
    pattern.add_row(columns);
  }
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  constexpr std::int32_t part = cuda::part_of_row_before;
  auto const sorted = cuda::group_packing(m.pointers(), {1, 4, -1, 128, 0, 8}, 1);
  // 100 entries in four parts of 25, seven steps; 17 in four, two steps; 9 in two of 4 and 5; then whole rows.
  EXPECT_EQ(sorted.row_order,
            (std::vector<std::int32_t>{3, part, part, part, 2, part, part, part, 1, part, -1, -1, 0, 4, -1, -1}));
  EXPECT_EQ(sorted.slice_offsets, (std::vector<std::int32_t>{0, 7, 9, 11, 12}));
  EXPECT_EQ(sorted.workspace_rows, 0);
  // A segment of 40 columns is a row of its own, in parts too.
  auto const cut = cuda::group_packing(m.pointers(), {1, 4, -1, 40, 0, 8}, 1);
  EXPECT_EQ(std::vector<std::int32_t>(cut.row_order.begin(), cut.row_order.begin() + 12),
            (std::vector<std::int32_t>{-2, part, part, part, -3, part, part, part, -4, part, part, part}));
  EXPECT_EQ(cut.workspace_rows, 3);
  EXPECT_EQ(cut.most_segments(), 3);
}

TEST(GroupPacking, RunsCountSlicesOfEmptyRows) {
  test::ZooPattern pattern;
  pattern.name = "a row and 63 without entries";
  pattern.cols = 4;
  pattern.add_row({0, 1});
  for (int i = 0; i < 63; ++i) pattern.add_row({});
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  EXPECT_EQ(cuda::group_packing(m.pointers(), {1, 1, 0, 128, 1}, 1).runs, 64);
  EXPECT_EQ(cuda::group_packing(m.pointers(), {1, 1, 0, 128, 4}, 1).runs, 16);
}

TEST(GroupPacking, CountsWhatItPacks) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(50, 133, 0.5), true, true, 0);
  for (int const rows : group_rows)
    EXPECT_EQ(cuda::count_group_columns(m.pointers(), rows),
              cuda::group_packing(m.pointers(), {rows, 4}, 1).group_columns);
}

TEST(GroupChoice, FollowsWhatRowsShareAndWhereEntriesLie) {
  test::ZooPattern near;
  near.name = "blocks of three rows along the diagonal";
  near.cols = 3000;
  test::ZooPattern far;
  far.name = "rows of their own, anywhere";
  far.cols = 3000;
  for (std::int32_t i = 0; i < 3000; ++i) {
    std::int32_t const b = i / 3 * 3;
    near.add_row({b, b + 1, b + 2});
    far.add_row({i * 7 % 3000, i * 11 % 3000, i * 1237 % 3000});
  }
  ZooMatrix<float, std::int32_t> const blocks(near, true, false, 0);
  ZooMatrix<float, std::int32_t> const random(far, true, false, 0);
  auto const of_blocks = cuda::group_stats(blocks.pointers());
  auto const of_random = cuda::group_stats(random.pointers());
  EXPECT_NEAR(of_blocks.shared[2], 3, 0.1);
  EXPECT_LT(of_blocks.distance, 2);
  EXPECT_EQ(of_blocks.deviation, 0);
  EXPECT_LT(of_random.shared[2], 1.1);
  EXPECT_GT(of_random.distance, 500);
  std::int64_t const cache = 1 << 20;
  auto const grouped = cuda::choose_groups(of_blocks, 3000, 9000, 512, 4, 132, cache);
  EXPECT_EQ(grouped.shape.group_rows, 3);
  EXPECT_EQ(cuda::row_groups_tile<float>(grouped.shape, grouped.tuning), 128);
  auto const single = cuda::choose_groups(of_random, 3000, 9000, 512, 4, 132, cache);
  EXPECT_EQ(single.shape.group_rows, 1);
  EXPECT_EQ(cuda::row_groups_tile<float>(single.shape, single.tuning), 32) << "B's rows in use stay in L2";
  auto const few = cuda::choose_groups(of_random, 3000, 9000, 5, 8, 132, cache);
  EXPECT_EQ(cuda::row_groups_tile<double>(few.shape, few.tuning), 8);
}

TEST(GroupChoice, SuitsShortRows) {
  test::ZooPattern near;
  near.name = "short rows of changing lengths";
  near.cols = 3000;
  for (std::int32_t i = 0; i < 3000; ++i)
    near.add_row(i % 4 == 0 ? std::vector<std::int32_t>{i} : std::vector<std::int32_t>{i, std::min(i + 40, 2999)});
  ZooMatrix<float, std::int32_t> const m(near, true, true, 0);
  auto const stats = cuda::group_stats(m.pointers());
  auto const choice = [&](std::int64_t columns, std::size_t bytes) {
    return cuda::choose_groups(stats, 3000000, 5250000, columns, bytes, 132, 50 << 20);
  };
  EXPECT_EQ(choice(64, 8).tuning.packs, 1) << "a warp a row";
  EXPECT_EQ(choice(64, 8).shape.slice_groups, 1);
  EXPECT_EQ(choice(64, 8).shape.sort_window, 0) << "no row beside it";
  EXPECT_EQ(choice(64, 4).tuning.packs, 2);
  EXPECT_GT(choice(64, 4).shape.sort_window, 0);
  EXPECT_EQ(choice(64, 4).shape.run_steps, 8);
  EXPECT_EQ(choice(512, 8).tuning.packs, 4);
  EXPECT_EQ(choice(512, 8).shape.run_steps, 8);
  EXPECT_EQ(choice(32, 8).shape.run_steps, 16) << "one pack";
}

TEST(GroupChoice, ReadsWordsWhereRowsOfBAreNotWholePacks) {
  test::ZooPattern near;
  near.name = "neighbours";
  near.cols = 3000;
  for (std::int32_t i = 0; i < 3000; ++i) near.add_row({i, std::min(i + 40, 2999)});
  ZooMatrix<float, std::int32_t> const m(near, true, true, 0);
  auto const stats = cuda::group_stats(m.pointers());
  auto const choice = [&](std::int64_t columns, std::size_t bytes) {
    return cuda::choose_groups(stats, 3000, m.pointers().nnz, columns, bytes, 132, 50 << 20);
  };
  for (std::int64_t columns = 1; columns <= 200; ++columns)
    for (std::size_t const bytes : {sizeof(float), sizeof(double)}) {
      auto const c = choice(columns, bytes);
      EXPECT_EQ(c.shape.group_rows, 1);
      if (bytes == sizeof(float) && (columns % 4 == 0 || columns > 192)) {
        EXPECT_EQ(c.tuning.words, 0) << columns;
      }
      if (bytes == sizeof(float) && columns % 4 != 0 && columns > 16 && columns < 192) {
        EXPECT_GT(c.tuning.words, 0) << columns;
      }
      if (c.tuning.words == 0) continue;
      auto const tile = bytes == sizeof(float) ? cuda::row_groups_tile<float>(c.shape, c.tuning)
                                               : cuda::row_groups_tile<double>(c.shape, c.tuning);
      EXPECT_GE(tile, columns);
      EXPECT_LE(tile, columns + columns / 2);
    }
  for (std::int64_t const columns : {34, 48, 66, 96, 130, 192})
    EXPECT_GT(choice(columns, 8).tuning.words, 0) << columns;
  for (std::int64_t const columns : {16, 32, 50, 64, 98, 128}) EXPECT_EQ(choice(columns, 8).tuning.words, 0) << columns;
  EXPECT_EQ(cuda::choose_groups(stats, 3000, m.pointers().nnz, 129, 4, 132, 1 << 12).tuning.words, 0) << "narrow tiles";
}

TEST(GroupChoice, CutsGroupsIntoPartsWhereWarpsAreFew) {
  cuda::GroupStats fem;
  fem.shared = {1, 1.5, 3, 3};
  fem.distance = 100;
  auto const choice = [&](std::int64_t rows, std::int64_t columns, std::size_t bytes, std::int64_t entries = 79) {
    return cuda::choose_groups(fem, rows, rows * entries, columns, bytes, 132, 60 << 20);
  };
  EXPECT_EQ(choice(5184, 8, 4).tuning.parts, 8);
  EXPECT_EQ(choice(5184, 8, 4).shape.slice_groups, 2);
  EXPECT_EQ(choice(5184, 8, 8).tuning.parts, 4) << "five steps each";
  fem.longest = 200;
  EXPECT_EQ(choice(5184, 8, 8).tuning.parts, 8) << "more of the longest";
  fem.longest = 81;
  EXPECT_EQ(choice(5184, 64, 4).tuning.parts, 2);
  EXPECT_EQ(choice(5184, 6, 4).tuning.parts, 4) << "by words";
  EXPECT_EQ(choice(52728, 8, 4).tuning.parts, 2);
  EXPECT_EQ(choice(52728, 8, 4).tuning.block_warps, 8);
  EXPECT_EQ(choice(52728, 16, 4).tuning.parts, 2) << "ten steps each";
  EXPECT_EQ(choice(52728, 16, 4).tuning.block_warps, 4);
  EXPECT_EQ(choice(52728, 16, 4, 60).tuning.parts, 1) << "of seven and a half";
  EXPECT_EQ(choice(52728, 32, 4).tuning.parts, 1);
  EXPECT_EQ(choice(120000, 8, 4, 39).tuning.parts, 1);
  EXPECT_EQ(choice(26000, 16, 8).tuning.parts, 2) << "two packs";
  EXPECT_EQ(choice(26000, 16, 8, 60).tuning.parts, 1) << "two packs";
  EXPECT_EQ(choice(5184, 8, 4, 15).tuning.parts, 1) << "four steps";
  EXPECT_EQ(choice(300, 512, 4).tuning.parts, 1) << "a group a slice";
  fem.shared = {1, 1.88, 2.58, 3.27};  // orbitals
  EXPECT_EQ(choice(5135, 16, 8, 45).shape.group_rows, 4);
  EXPECT_EQ(choice(5135, 16, 8, 45).tuning.packs, 1) << "few warps";
  EXPECT_EQ(choice(74308, 16, 8, 45).tuning.packs, 2);
  fem.shared = {1, 1, 1, 1};
  EXPECT_EQ(choice(5184, 8, 4).tuning.parts, 1) << "single rows";
  for (std::int64_t const columns : {1, 3, 8, 16, 31, 64, 129})
    for (std::size_t const bytes : {sizeof(float), sizeof(double)})
      for (double const shared : {1.0, 3.5}) {
        fem.shared = {1, shared, shared, shared};
        auto const c = choice(5184, columns, bytes);
        auto const tile = bytes == sizeof(float) ? cuda::row_groups_tile<float>(c.shape, c.tuning)
                                                 : cuda::row_groups_tile<double>(c.shape, c.tuning);
        EXPECT_GE(tile, std::min<std::int64_t>(columns, 32)) << columns << " columns";
        EXPECT_LE(tile, std::max<std::int64_t>(4, 2 * columns)) << columns << " columns";
      }
}

TEST(GroupChoice, SingleRowsGoInPartsWhereSomeAreLong) {
  cuda::GroupStats counts;  // of genes: rows of 55 in the mean, half of all entries in few
  counts.shared = {1, 1, 1, 1};
  counts.longest = 2686;
  counts.deviation = 3;
  counts.distance = 6000;
  auto const choice = [&](std::int64_t rows, std::int64_t nnz, std::int64_t columns, std::size_t bytes) {
    return cuda::choose_groups(counts, rows, nnz, columns, bytes, 132, 50 << 20).shape;
  };
  auto const narrow = choice(19465, 1069459, 8, 4);
  EXPECT_EQ(narrow.part, 20);
  EXPECT_EQ(narrow.segment, 16 * 20) << "as many as a slice has groups";
  EXPECT_EQ(narrow.sort_window, -1);
  EXPECT_EQ(choice(19465, 1069459, 32, 8).part, 64) << "the longer the product, the longer the parts";
  EXPECT_EQ(choice(19465, 1069459, 128, 4).part, 0) << "a row a slice";
  EXPECT_EQ(choice(2000, 13000, 8, 4).part, 8);
  counts.longest = 170;
  EXPECT_EQ(choice(2000, 13000, 8, 4).segment, 172) << "rather than cut rows that a slice takes";
  counts.longest = 14;
  EXPECT_EQ(choice(2000, 13000, 8, 4).part, 0) << "shorter than two parts";
  // Rows of like length, where whole ones are warps enough.
  counts.deviation = 0.2;
  counts.longest = 30;
  EXPECT_EQ(choice(18750, 300000, 8, 4).part, 0);
  counts.longest = 95;
  EXPECT_EQ(choice(81081, 299973, 8, 4).part, 12) << "a few are much longer: in parts";
  EXPECT_GE(choice(81081, 299973, 8, 4).segment, 95) << "and not cut";
  counts.longest = 130;
  EXPECT_EQ(choice(18750, 300000, 8, 4).part, 32) << "rows of usual length stay whole";
  counts.longest = 410;
  EXPECT_EQ(choice(6000, 300000, 8, 4).part, 100);
  counts.longest = 110;
  EXPECT_EQ(choice(512, 52000, 8, 4).part, 8);
  EXPECT_EQ(choice(2048, 209000, 32, 8).part, 36) << "two a row";
  EXPECT_EQ(choice(200000, 20000000, 8, 4).part, 0);
  counts.longest = 20000;
  EXPECT_EQ(choice(64, 1280000, 8, 4).segment, 4 * 16 * 32) << "few rows of like length are cut too";
}

TEST(GroupChoice, ARowMoreGainsInDouble) {  // 27 points: twos and threes of rows cost alike by the count of reads
  cuda::GroupStats points;
  points.shared = {1, 1.5, 1.8, 1.99};
  points.longest = 27;
  points.distance = 1000;
  auto const rows_of = [&](std::int64_t columns, std::size_t bytes) {
    return cuda::choose_groups(points, 173000, 4194304, columns, bytes, 132, 50 << 20);
  };
  EXPECT_EQ(rows_of(16, 4).shape.group_rows, 3);
  EXPECT_EQ(rows_of(16, 8).shape.group_rows, 2);
  EXPECT_EQ(rows_of(16, 8).tuning.packs, 1);
  EXPECT_EQ(rows_of(32, 8).tuning.packs, 2);
  points.shared = {1, 1.5, 2.1, 2.2};
  EXPECT_EQ(rows_of(16, 8).shape.group_rows, 3) << "nodes of three rows";
}

TEST(GroupChoice, ShortProductsTakeSingleRows) {
  cuda::GroupStats fem;
  fem.shared = {1, 1.5, 2.8, 2.5};
  fem.longest = 81;
  fem.distance = 100;
  auto const rows_of = [&](std::int64_t rows, std::int64_t nnz, std::int64_t columns) {
    return cuda::choose_groups(fem, rows, nnz, columns, 4, 132, 50 << 20).shape.group_rows;
  };
  EXPECT_EQ(rows_of(600, 23400, 8), 1);
  EXPECT_EQ(rows_of(600, 23400, 128), 1);
  EXPECT_EQ(rows_of(4704, 104756, 8), 1);
  EXPECT_EQ(rows_of(4704, 104756, 32), 3);
  EXPECT_EQ(rows_of(3800, 300000, 8), 3);
  EXPECT_EQ(rows_of(400000, 1600000, 1), 3) << "many rows";
  fem.deviation = 2;
  EXPECT_EQ(rows_of(17758, 126150, 32), 1) << "some are cut";
  EXPECT_EQ(rows_of(17758, 126150, 128), 3);
}

TEST(SpmmChoice, TakesRowGroupsWhereVerySparse) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {8, 32, 128, 512}) {
      cuda::SpmmProblem p{.rows = 1000000,
                          .cols = 1000000,
                          .nnz = 7000000,
                          .columns = columns,
                          .scalar_bytes = bytes,
                          .multiprocessors = 132,
                          .shared_bytes = 227 * 1024};
      EXPECT_EQ(test::fastest_packing(p), "row_groups") << columns << " columns";
      p.rows = p.cols = 2048;
      p.nnz = 2048 * 205;
      if (bytes == sizeof(float)) {
        EXPECT_NE(test::fastest_packing(p), "row_groups") << columns << " columns, a dense layer";
      } else if (columns == 32 || columns == 128) {  // 14 and 41 us by padded_rows, 10 and 28 by row_groups
        EXPECT_EQ(test::fastest_packing(p), "row_groups") << columns << " columns, a dense layer";
      }
    }
}

TEST(GroupPacking, DoesNotDependOnThreads) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(1777, 200, 0.3), true, false, 0);
  for (cuda::GroupShape const shape : {cuda::GroupShape{3, 4, 64, 16}, {1, 8, 64, 32, 4, 8}}) {
    SCOPED_TRACE(name_of(shape));
    auto const one = cuda::group_packing(m.pointers(), shape, 1, true);
    auto const many = cuda::group_packing(m.pointers(), shape, 7, true);
    EXPECT_EQ(one.run_offsets, many.run_offsets);
    EXPECT_EQ(one.slice_offsets, many.slice_offsets);
    EXPECT_EQ(one.workspace_rows, many.workspace_rows);
    EXPECT_EQ(one.sources, many.sources);
    EXPECT_EQ(one.row_order, many.row_order);
    EXPECT_EQ(one.col_indices, many.col_indices);
    EXPECT_EQ(one.values, many.values);
  }
}

TEST(HostShares, PassOnWhatAShareThrows) {
  for (int const threads : {1, 3}) {
    std::vector<char> done(10);
    auto const work = [&](std::int64_t first, std::int64_t last) {
      for (auto i = first; i < last; ++i) done[static_cast<std::size_t>(i)] = 1;
      if (last == 10) throw std::length_error("the last share");
    };
    EXPECT_THROW(cuda::share(10, threads, work), std::length_error) << threads << " threads";
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), 10) << threads << " threads";
  }
}

TEST(GroupPacking, RefusesShapesOutOfRange) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 8, 0.5), true, false, 0);
  for (cuda::GroupShape const shape : {cuda::GroupShape{0, 1},
                                       {5, 1},
                                       {1, 3},
                                       {1, 64},
                                       {1, 1, -2},
                                       {1, 1, 0, 6},
                                       {1, 1, 0, 0},
                                       {1, 1, 0, 4, -1},
                                       {1, 1, 0, 4, 0, 3},
                                       {2, 1, 0, 4, 0, 8}})
    EXPECT_THROW((void)cuda::group_packing(m.pointers(), shape, 1), Error);
}

}  // namespace
