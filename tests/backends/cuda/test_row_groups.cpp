// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row_groups_spmm over the zoo, every shape, number of columns and alignment, and inputs that are not finite.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/group_shapes.hpp"
#include "backends/cuda/spmm/csr_row_groups/kernel.hpp"
#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::group_rows;
using test::name_of;
using test::ZooMatrix;

constexpr int word_counts[] = {2, 3, 4, 5, 6};

/// A group packing on the device.
template <class T>
struct DeviceGroups {
  template <class Offset>
  DeviceGroups(ZooMatrix<T, Offset> const& m, cuda::GroupShape const& shape, std::int64_t columns)
      : packing(cuda::group_packing(m.pointers(), shape, 3)),
        run_offsets(packing.run_offsets),
        slice_offsets(packing.slice_offsets),
        row_order(packing.row_order),
        col_indices(packing.col_indices),
        values(packing.values),
        cut_rows(packing.cut_rows),
        workspace(std::vector<T>(static_cast<std::size_t>(packing.workspace_rows * columns), not_a_number<T>)),
        pointers{packing.rows,
                 packing.cols,
                 packing.shape,
                 packing.runs,
                 packing.slice_offsets.back(),
                 static_cast<std::int64_t>(packing.cut_rows.size()),
                 packing.most_segments(),
                 run_offsets.data(),
                 slice_offsets.data(),
                 row_order.data(),
                 col_indices.data(),
                 values.data(),
                 cut_rows.data()} {}
  cuda::GroupPacking<T> packing;
  DeviceArray<std::int32_t> run_offsets;
  DeviceArray<std::int32_t> slice_offsets;
  DeviceArray<std::int32_t> row_order;
  DeviceArray<std::int32_t> col_indices;
  DeviceArray<T> values;
  DeviceArray<cuda::CutRow> cut_rows;
  DeviceArray<T> workspace;
  cuda::GroupPointers<T> pointers;
};

template <class T, class Offset>
void expect_groups_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b,
                         cuda::GroupShape const& shape, cuda::RowGroupsTuning const& tuning, std::string const& name) {
  if (m.pointers().nnz == 0) return;  // callers scale C then
  DeviceCsr<T, Offset> const a(m);
  DeviceGroups<T> const groups(m, shape, o.columns);
  expect_right<T, Offset>(m, o, b, name + ", " + name_of(shape, tuning),
                          [&](T alpha, auto const& bs, T beta, auto const& cs) {
                            cuda::row_groups_spmm(groups.pointers, a.pointers, alpha, bs, beta, cs,
                                                  groups.workspace.data(), tuning, nullptr);
                          });
}

class RowGroupsSpmm : public test::OnCudaDevice {};

template <class T, class Offset>
void every_shape() {
  for_each_pattern<T, Offset>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (int const rows : group_rows) {
      expect_groups_right(m, o, b, {rows, 16, -1, 4}, {1, 0, 1, 8}, name);
      expect_groups_right(m, o, b, {rows, 4, 0, 128, 6}, {2}, name);
      expect_groups_right(m, o, b, {rows, 1, 8, 16, 1000}, {rows == 1 ? 4 : 1}, name);
      if (rows == 1) {
        expect_groups_right(m, o, b, {1, 16, -1, 64, 0, 8}, {1}, name);
        expect_groups_right(m, o, b, {1, 8, 16, 4, 9, 4}, {2}, name);
        expect_groups_right(m, o, b, {1, 2, 0, 128, 4, 9}, {4, 0, 1, 1}, name);
        continue;
      }
      expect_groups_right(m, o, b, {rows, 8, 0, 128}, {1, 0, 2}, name);
      expect_groups_right(m, o, b, {rows, 2, -1, 4}, {2, 0, 4, 8}, name);
      expect_groups_right(m, o, b, {rows, 1, 8, 16}, {1, 0, 32, 3}, name);
    }
  });
}
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  for_each_column_count<T>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    expect_groups_right(m, o, b, {1, 32 >> (o.columns % 6), 64, 16, o.columns % 40}, {1 << (o.columns + o.padding) % 3},
                        name);
    expect_groups_right(m, o, b, {1, 32 >> (o.columns % 5), 64, 32, o.columns % 7, 4 + o.columns % 9},
                        {1 << (o.columns + o.padding) % 3}, name);
    expect_groups_right(m, o, b, {1, 2 << (o.columns % 5), -1, 16, 2, 4}, {1, word_counts[o.columns % 5]}, name);
    expect_groups_right(m, o, b, {group_rows[o.columns % 4], 8, 0, 128}, {1 + static_cast<int>(o.first % 2)}, name);
    int const parts = 2 << o.columns % 4;
    expect_groups_right(m, o, b, {2 + static_cast<int>(o.columns % 3), 16 / parts, 64, 16},
                        {1 + static_cast<int>((o.first + o.columns / 2) % 2), 0, parts}, name);
    int const rows_of_words = sizeof(T) == sizeof(float) ? group_rows[o.columns / 4 % 4] : 1;
    if (rows_of_words > 1)
      expect_groups_right(m, o, b, {rows_of_words, 4, 0, 128}, {1, word_counts[o.columns % 5], 2 << o.first % 3}, name);
    expect_groups_right(m, o, b, {rows_of_words, 1 << (o.columns % 6), 0, 128, 6}, {1, word_counts[o.columns % 5]},
                        name);
  });
}
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

template <class T>
void asked_for_ahead() {
  // More blocks than a device holds at once, tiles wide enough, several rows a group; a group that is cut, one tile and
  // several.
  test::ZooPattern pattern;
  pattern.name = "blocks of three rows along the diagonal";
  pattern.cols = 30000;
  for (std::int32_t i = 0; i < pattern.cols; ++i) {
    std::int32_t const b = i / 3 * 3;
    std::vector<std::int32_t> columns{b, b + 1, b + 2};
    if (i % 5 == 0) columns.resize(1);
    if (b == 3000)
      for (std::int32_t k = b + 3; k < b + 600; ++k) columns.push_back(k);
    pattern.add_row(columns);
  }
  ZooMatrix<T, std::int32_t> const m(pattern, true, false, 0);
  Operands const narrow{64, 4, 4, 0.5, -1.5};
  expect_groups_right(m, narrow, dense_b<T>(m.cols, narrow), {3, 2, 0, 128}, {1}, pattern.name);
  expect_groups_right(m, narrow, dense_b<T>(m.cols, narrow), {2, 1, 512, 128}, {2, 0, 1, 8}, pattern.name);
  expect_groups_right(m, narrow, dense_b<T>(m.cols, narrow), {3, 1, 0, 128}, {1, 0, 2}, pattern.name);
  Operands const wide{264, 0, 0, 1, 0};
  expect_groups_right(m, wide, dense_b<T>(m.cols, wide), {3, 1, 0, 128}, {1}, pattern.name);
}
TEST_F(RowGroupsSpmm, HoldsTheBoundWhereAIsAskedForAheadF32) { asked_for_ahead<float>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundWhereAIsAskedForAheadF64) { asked_for_ahead<double>(); }

template <class T>
void few_long_rows() {  // one of more parts than a block of few warps adds up, and one beside it
  test::ZooPattern pattern;
  pattern.name = "arrow of two rows";
  pattern.cols = 6000;
  for (std::int32_t i = 0; i < 3000; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < pattern.cols && (i == 1000 || i == 1001); ++k)
      if (i == 1000 || k % 3 == 0) columns.push_back(k);
    if (columns.empty()) columns = {0, i};
    pattern.add_row(columns);
  }
  ZooMatrix<T, std::int32_t> const m(pattern, true, false, 0);
  for (std::int64_t const columns : {1, 2, 7, 8, 31, 32, 33, 64, 100}) {
    Operands const o{columns, columns % 3, static_cast<std::size_t>(columns % 5), 0.5, columns % 2 == 0 ? -1.5 : 0};
    auto const b = dense_b<T>(m.cols, o);
    for (cuda::GroupShape const shape : {cuda::GroupShape{1, 4, 0, 32}, {2, 4, 0, 32}, {1, 8, -1, 64, 4, 8}}) {
      EXPECT_GT(cuda::group_packing(m.pointers(), shape, 1).most_segments(), 90);
      expect_groups_right(m, o, b, shape, {1}, pattern.name);
    }
  }
}
TEST_F(RowGroupsSpmm, HoldsTheBoundOnFewLongRowsF32) { few_long_rows<float>(); }
TEST_F(RowGroupsSpmm, HoldsTheBoundOnFewLongRowsF64) { few_long_rows<double>(); }

TEST_F(RowGroupsSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  auto const pattern = random_pattern(97, 300, 0.6);  // so that neighbours share enough to be grouped
  for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
    for (int const rows : group_rows) {
      expect_groups_right(m, o, b, {rows, 4, 0, 128}, {1}, pattern.name);
      expect_groups_right(m, o, b, {rows, 2, -1, 16, 50}, {2, 3}, pattern.name);
      if (rows > 1) expect_groups_right(m, o, b, {rows, 2, 0, 128}, {1, 0, 8}, pattern.name);
      if (rows == 1) expect_groups_right(m, o, b, {1, 8, -1, 64, 0, 8}, {1}, pattern.name);
    }
  });
}

TEST_F(RowGroupsSpmm, WaitsForTheProductBefore) {
  // Launches overlap: each product reads what the one before wrote, and writes what the one before that read.
  constexpr std::int64_t n = 512;
  constexpr std::int64_t columns = 64;
  ZooMatrix<float, std::int32_t> m(random_pattern(n, n, 0.02), true, false, 0);
  for (float& v : m.values) v *= 0.25f;
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceGroups<float> const whole(m, {1, 2, 0, 128, 20}, columns);
  DeviceGroups<float> const cut(m, {2, 4, -1, 4}, columns);
  ASSERT_GT(cut.packing.cut_rows.size(), 200U);
  // So few that their sums start early.
  DeviceGroups<float> const few_cut(m, {1, 4, -1, 8, 0, 4}, columns);
  ASSERT_GT(few_cut.packing.cut_rows.size(), 0U);
  ASSERT_LT(few_cut.packing.cut_rows.size(), 60U);
  std::vector<float> start(static_cast<std::size_t>(n * columns));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(wave(static_cast<std::int64_t>(i), 3));
  auto const chain = [&](bool wait) {
    DeviceArray<float> const x(start);
    DeviceArray<float> const y(start);
    for (int step = 0; step < 60; ++step) {
      DenseMatrix<float const> const b{step % 2 == 0 ? x.data() : y.data(), n, columns, columns, 1};
      DenseMatrix<float> const c{step % 2 == 0 ? y.data() : x.data(), n, columns, columns, 1};
      auto const& groups = step % 3 == 0 ? cut : step % 3 == 1 ? few_cut : whole;
      cuda::row_groups_spmm(groups.pointers, a.pointers, 1.0f, b, 0.5f, c, groups.workspace.data(), {1}, nullptr);
      if (wait) cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::pair(x.download(), y.download());
  };
  auto const expected = chain(true);
  for (int run = 0; run < 5; ++run) {
    auto const got = chain(false);
    EXPECT_EQ(got.first, expected.first);
    EXPECT_EQ(got.second, expected.second);
  }
}

TEST_F(RowGroupsSpmm, RefusesShapesWithoutAKernel) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(20, 20, 0.9), true, false, 0);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceArray<float> const x(std::vector<float>(20 * 32));
  struct Refused {
    int rows, packs, words, parts;
    std::int64_t columns;
    int block_warps = 4;
  };
  for (auto const& [rows, packs, words, parts, columns, block_warps] : {Refused{1, 3, 0, 1, 32},
                                                                        {1, 8, 0, 1, 32},
                                                                        {2, 4, 0, 1, 32},
                                                                        {1, 1, 1, 1, 31},
                                                                        {2, 1, 7, 1, 31},
                                                                        {3, 1, 16, 1, 32},
                                                                        {1, 1, 0, 2, 32},
                                                                        {2, 1, 0, 0, 32},
                                                                        {2, 1, 0, 3, 32},
                                                                        {2, 1, 0, -2, 32},
                                                                        {2, 1, 0, 32, 32},
                                                                        {2, 1, 0, 1 << 30, 32},
                                                                        {2, 1, 0, std::numeric_limits<int>::max(), 32},
                                                                        {1, 1, 0, 1, 32, 0},
                                                                        {2, 1, 0, 1, 32, 9},
                                                                        {2, 1, 0, 1, 32, -1}}) {
    DeviceGroups<float> const groups(m, {rows, 4, 0, 128}, 32);
    EXPECT_THROW(cuda::row_groups_spmm(groups.pointers, a.pointers, 1.0f, {x.data(), 20, columns, columns, 1}, 0.0f,
                                       {x.data(), 20, columns, columns, 1}, groups.workspace.data(),
                                       {packs, words, parts, block_warps}, nullptr),
                 Error)
        << rows << " rows, " << packs << " packs, " << words << " words, " << parts << " parts, " << block_warps
        << " warps a block";
  }
}

}  // namespace
