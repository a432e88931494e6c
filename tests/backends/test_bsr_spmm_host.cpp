// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMM over BSR: shapes of blocks, layouts and column counts, on every instruction set of this machine.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/bsr_spmm_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/bsr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/epilogue_operands.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/reference/entries_bsr.hpp"
#include "backends/openmp/reference/epilogue.hpp"
#include "support/reference.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

template <class AType, class XType, class OffsetType>
struct BsrOperands {
  using A = AType;
  using X = XType;
  using Offset = OffsetType;
};

#ifdef ARAIA_TYPES_MINIMAL
using BsrTypes = TypeList<BsrOperands<double, double, std::int32_t>>;
#else
using BsrTypes = TypeList<BsrOperands<double, double, std::int32_t>, BsrOperands<double, double, std::int64_t>,
                          BsrOperands<float, float, std::int32_t>, BsrOperands<float, float, std::int64_t>,
                          BsrOperands<float, double, std::int32_t>, BsrOperands<float, double, std::int64_t>>;
#endif
ARAIA_TYPED_SUITE(BsrSpmmHost, BsrTypes, TypesByNumber);

/// Every path: blocks written out, rows in groups of 1 to 4 and several of them, blocks of one row or column.
std::vector<BlockPattern> patterns() {
  std::vector<BlockPattern> all;
  for (auto const& [rows, cols] : {std::pair{1, 1},
                                   {2, 2},
                                   {3, 3},
                                   {4, 4},
                                   {1, 3},
                                   {3, 1},
                                   {2, 4},
                                   {4, 3},
                                   {5, 5},
                                   {6, 6},
                                   {7, 2},
                                   {8, 8},
                                   {9, 4},
                                   {32, 32}})
    all.push_back(random_blocks(rows, cols, rows > 9 ? 7 : 21, rows > 9 ? 5 : 17, 4));
  all.push_back({.name = "no rows", .block_rows = 3, .block_cols = 3, .cols = 5});
  all.push_back(
      {.name = "no blocks", .block_rows = 2, .block_cols = 2, .rows = 5, .cols = 3, .block_columns = {{}, {}, {}}});
  all.push_back({.name = "no columns", .block_rows = 4, .block_cols = 4, .rows = 3, .block_columns = {{}}});
  all.push_back({.name = "one entry", .block_rows = 3, .block_cols = 3, .rows = 1, .cols = 1, .block_columns = {{0}}});
  all.push_back({.name = "one entry in each block",
                 .block_rows = 2,
                 .block_cols = 2,
                 .rows = 3,
                 .cols = 3,
                 .block_columns = {{}, {1}}});
  return all;
}

/// A and B of a pattern, and C before the product.
template <class TypeParam>
struct Problem {
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  ZooMatrix<A, typename TypeParam::Offset> slots;
  ZooBlocks<A, typename TypeParam::Offset> blocks;
  Dense<X> b;
  Dense<X> before;

  Problem(BlockPattern const& p, std::int64_t columns, bool c_by_rows, std::int64_t padding, std::size_t first, X beta)
      : slots(p.slots(), true, false, first),
        blocks(slots, p, not_a_number<A>),
        b(p.cols, columns, true, padding, first, not_a_number<X>),
        before(p.rows, columns, c_by_rows, padding, first, canary<X>) {
    b.fill(wave);
    before.fill([&](auto i, auto j) { return beta == X(0) ? double(not_a_number<X>) : wave(i + 99, j); });
  }

  void multiply(X alpha, X beta, Dense<X>& c, int threads, host::Isa isa) const {
    host::bsr_spmm(blocks.pointers(), alpha, DenseBatch<X const>{b.constant()}, beta, DenseBatch<X>{c.matrix()},
                   EpiloguePointers<X>{}, threads, isa);
  }
};

template <class Report>
std::string said(Report const& r) {
  return std::to_string(r.violations) + " wrong, first at " + std::to_string(r.first_bad_row) + ", " +
         std::to_string(r.first_bad_column) + ": " + std::to_string(r.got.real()) + " for " +
         std::to_string(r.expected.real()) + " +- " + std::to_string(r.bound);
}

/// Computes with 1 thread, checks it, and compares other thread counts bit by bit.
template <class TypeParam>
void expect_right_bsr(BlockPattern const& pattern, std::int64_t columns, bool c_by_rows, std::int64_t padding,
                      std::size_t first, typename TypeParam::X alpha, typename TypeParam::X beta) {
  using X = typename TypeParam::X;
  Problem<TypeParam> const p(pattern, columns, c_by_rows, padding, first, beta);
  ASSERT_TRUE(host::bsr_spmm_supports(p.blocks.pointers(), p.b.constant()));
  auto const expected = ref::spmm(Op::none, alpha, p.slots.pointers(), p.b.constant(), beta, p.before.constant());
  for (auto const isa : host::supported_isas()) {
    SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + ", columns " + std::to_string(columns) +
                 ", first " + std::to_string(first) + (c_by_rows ? ", C by rows" : ", C by columns"));
    auto one = p.before;
    p.multiply(alpha, beta, one, 1, isa);
    auto const report = ref::check(expected, one.constant());
    EXPECT_TRUE(report.ok()) << said(report);
    EXPECT_TRUE(one.untouched_outside(canary<X>));
    for (int const threads : {2, 7}) {
      auto many = p.before;
      p.multiply(alpha, beta, many, threads, isa);
      EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
    }
  }
}

ARAIA_TYPED_TEST(BsrSpmmHost, HoldsTheBoundOnEveryShapeOfBlocks) {
  using X = typename TypeParam::X;
  for (auto const& pattern : patterns()) {
    expect_right_bsr<TypeParam>(pattern, 5, true, 3, 1, X(-0.7), X(0.3));
    expect_right_bsr<TypeParam>(pattern, 16, true, 0, 0, X(1), X(0));
    expect_right_bsr<TypeParam>(pattern, 9, false, 1, 3, X(2), X(-1));
    expect_right_bsr<TypeParam>(pattern, 67, true, 1, 0, X(1), X(0));
    if (testing::Test::HasFailure()) return;
  }
}

ARAIA_TYPED_TEST(BsrSpmmHost, HoldsTheBoundOnEveryNumberOfColumns) {
  using X = typename TypeParam::X;
  for (int const size : {2, 3, 4, 6})
    for (std::int64_t const columns :
         {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,  14,  15,  16,  17,  24,
          31, 32, 33, 39, 40, 48, 53, 56, 63, 64, 65, 80, 96, 100, 112, 127, 128, 129, 130}) {
      expect_right_bsr<TypeParam>(random_blocks(size, size, 9, 8, 3), columns, true, columns % 4, 3, X(2), X(-1));
      if (testing::Test::HasFailure()) return;
    }
}

/// C of 16 MiB and more, aligned to 64 B, takes other stores; the same C at an odd address does not.
template <class TypeParam>
void expect_right_past_the_cache(std::int64_t columns) {
  using X = typename TypeParam::X;
  constexpr int size = 3;
  auto const down = static_cast<int>((std::int64_t{1} << 24) / (columns * size * static_cast<int>(sizeof(X)))) + 5;
  BlockPattern pattern{.block_rows = size, .block_cols = size, .rows = std::int64_t{size} * down, .cols = 64 * size};
  for (int i = 0; i < down; ++i) pattern.block_columns.push_back({i % 61, 61 + i % 3});
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const slots(pattern.slots(), true, true, 0);
  ZooBlocks<typename TypeParam::A, typename TypeParam::Offset> const m(slots, pattern);
  Dense<X> b(m.cols, columns, true, 0, 0, not_a_number<X>);
  b.fill([](auto i, auto j) { return (i + j) % 9 - 4; });
  for (bool const aligned : {true, false}) {
    Dense<X> before(m.rows, columns, true, 0, 0, canary<X>);
    while ((reinterpret_cast<std::uintptr_t>(before.buffer.data() + before.first) % 64 == 0) != aligned) ++before.first;
    for (auto const isa : host::supported_isas()) {
      auto c = before;
      c.first = 0;  // the copy lies elsewhere
      while ((reinterpret_cast<std::uintptr_t>(c.buffer.data() + c.first) % 64 == 0) != aligned) ++c.first;
      ASSERT_EQ(host::goes_past_cache(DenseBatch<X>{c.matrix()}, 0), aligned);
      host::bsr_spmm(m.pointers(), X(3), DenseBatch<X const>{b.constant()}, X(0), DenseBatch<X>{c.matrix()},
                     EpiloguePointers<X>{}, 2, isa);
      EXPECT_TRUE(c.untouched_outside(canary<X>));
      for (std::int64_t i = 0; i < m.rows; i += i < m.rows - 200 ? 97 : 1)
        for (std::int64_t j = 0; j < columns; ++j) {
          X sum = 0;
          for (auto k = slots.row_offsets[static_cast<std::size_t>(i)];
               k < slots.row_offsets[static_cast<std::size_t>(i + 1)]; ++k)
            sum += static_cast<X>(slots.values[static_cast<std::size_t>(k)]) *
                   b.at(slots.col_indices[static_cast<std::size_t>(k)], j);
          ASSERT_EQ(c.at(i, j), 3 * sum) << i << ", " << j;
        }
    }
  }
}

ARAIA_TYPED_TEST(BsrSpmmHost, WritesLargeResultsPastTheCache) {
  expect_right_past_the_cache<TypeParam>(64);
  expect_right_past_the_cache<TypeParam>(5 * 64 / sizeof(typename TypeParam::X));  // five registers, which six hold
}

ARAIA_TYPED_TEST(BsrSpmmHost, ZeroAlphaReadsNeitherMatrix) {
  using X = typename TypeParam::X;
  BsrPointers<typename TypeParam::A, std::int32_t, typename TypeParam::Offset> const unreadable{
      .rows = 2, .cols = 2, .nnz = 4, .block_rows = 2, .block_cols = 2, .blocks = 1};
  DenseBatch<X const> const no_b{{nullptr, 2, 2, 2, 1}};
  std::vector<X> c{1, not_a_number<X>, 3, 4};
  DenseBatch<X> const cs{{c.data(), 2, 2, 2, 1}};
  host::bsr_spmm(unreadable, X(0), no_b, X(2), cs, EpiloguePointers<X>{}, 2);
  EXPECT_EQ(c[0], X(2));
  EXPECT_TRUE(std::isnan(c[1]));
  EXPECT_EQ(c[3], X(8));
  host::bsr_spmm(unreadable, X(0), no_b, X(0), cs, EpiloguePointers<X>{}, 2);
  EXPECT_EQ(c, (std::vector<X>{0, 0, 0, 0}));
}

ARAIA_TYPED_TEST(BsrSpmmHost, NaNAndInfinityReachTheRowsOfBlocksAndFillCountsAsStored) {
  using X = typename TypeParam::X;
  for (auto const& pattern : patterns()) {
    for (double const poison : {double(not_a_number<X>), double(std::numeric_limits<X>::infinity())}) {
      Problem<TypeParam> p(pattern, 11, true, 1, 0, X(0));
      if (p.slots.col_indices.empty()) continue;
      // Every second slot is fill: zero, in blocks and entries alike. Zero times infinity is NaN.
      for (std::size_t k = 0; k < p.slots.values.size(); k += 2) p.slots.values[k] = 0;
      p.blocks = {p.slots, pattern};
      auto const poisoned = p.slots.col_indices[p.slots.col_indices.size() / 2];
      p.b.fill([&](auto i, auto j) { return i == poisoned && j == 6 ? poison : wave(i, j); });
      auto const expected = ref::spmm(Op::none, X(1), p.slots.pointers(), p.b.constant(), X(0), p.before.constant());
      for (auto const isa : host::supported_isas()) {
        auto c = p.before;
        p.multiply(X(1), X(0), c, 1, isa);
        auto const report = ref::check(expected, c.constant());
        EXPECT_TRUE(report.ok()) << pattern.name << ": " << said(report);
      }
    }
  }
}

/// Bias, residual and ReLU on a batch of three: each item held to the bound, the same bits on any number of threads.
template <class TypeParam>
void expect_right_bsr_epilogue(BlockPattern const& pattern, std::int64_t columns, bool c_by_rows, bool contiguous,
                               typename TypeParam::X alpha, typename TypeParam::X beta) {
  using X = typename TypeParam::X;
  constexpr std::int64_t items = 3;
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const slots(pattern.slots(), true, false, 0);
  ZooBlocks<typename TypeParam::A, typename TypeParam::Offset> const m(slots, pattern,
                                                                       not_a_number<typename TypeParam::A>);
  // Items one below the other, or side by side.
  Dense<X> b(items * m.cols, columns, true, 1, 0, not_a_number<X>);
  Dense<X> before(c_by_rows ? items * m.rows : m.rows, c_by_rows ? columns : items * columns, c_by_rows, 1, 0,
                  canary<X>);
  b.fill(wave);
  before.fill([&](auto i, auto j) { return beta == X(0) ? double(not_a_number<X>) : wave(i + 99, j); });
  EpilogueOperands<X> const operands(items, m.rows, columns, contiguous);
  auto const batch = [&]<class T>(DenseMatrix<T> whole, std::int64_t rows, bool by_rows) {
    whole.rows = rows;
    whole.columns = columns;
    return DenseBatch<T>{whole, items, by_rows ? rows * whole.row_stride : columns * whole.column_stride};
  };
  auto const bs = batch(b.constant(), m.cols, true);
  auto const was = batch(before.constant(), m.rows, c_by_rows);
  std::vector<ref::Expected<X>> products;
  for (std::int64_t i = 0; i < items; ++i)
    products.push_back(ref::spmm(Op::none, alpha, slots.pointers(), bs.item(i), beta, was.item(i)));
  for (int const parts : {1, 2, 4, 8, 15}) {
    auto const e = operands.pointers(parts);
    for (auto const isa : host::supported_isas()) {
      SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + ", parts " + std::to_string(parts) +
                   ", columns " + std::to_string(columns) + (c_by_rows ? ", C by rows" : ", C by columns"));
      auto one = before;
      host::bsr_spmm(m.pointers(), alpha, bs, beta, batch(one.matrix(), m.rows, c_by_rows), e, 1, isa);
      auto const is = batch(one.constant(), m.rows, c_by_rows);
      for (std::int64_t i = 0; i < items; ++i) {
        auto const report =
            ref::check(ref::with_epilogue(products[static_cast<std::size_t>(i)], e.item(i)), is.item(i));
        EXPECT_TRUE(report.ok()) << "item " << i << ": " << said(report);
      }
      EXPECT_TRUE(one.untouched_outside(canary<X>));
      auto many = before;
      host::bsr_spmm(m.pointers(), alpha, bs, beta, batch(many.matrix(), m.rows, c_by_rows), e, 7, isa);
      EXPECT_TRUE(many.same_bits(one)) << "7 threads";
    }
  }
}

ARAIA_TYPED_TEST(BsrSpmmHost, HoldsTheBoundWithEpiloguesOfBatches) {
  using X = typename TypeParam::X;
  for (auto const& pattern : patterns()) {
    bool const contiguous = pattern.block_rows % 2 == 0;
    expect_right_bsr_epilogue<TypeParam>(pattern, 5, true, contiguous, X(-0.7), X(0.3));
    expect_right_bsr_epilogue<TypeParam>(pattern, 17, true, !contiguous, X(1), X(0));
    expect_right_bsr_epilogue<TypeParam>(pattern, 6, false, contiguous, X(1), X(-1));
    if (testing::Test::HasFailure()) return;
  }
}

ARAIA_TYPED_TEST(BsrSpmmHost, ReLUKeepsNaNAndEpiloguesFollowAZeroAlpha) {
  using X = typename TypeParam::X;
  BlockPattern const pattern{.block_rows = 2, .block_cols = 1, .rows = 3, .cols = 2, .block_columns = {{0}, {1}}};
  Problem<TypeParam> p(pattern, 37, true, 0, 0, X(0));
  std::fill(p.blocks.values.begin(), p.blocks.values.end(), 1);
  p.b.fill([](auto i, auto) { return i == 0 ? double(not_a_number<X>) : -2.0; });
  std::vector<X> const bias(37, X(-1));
  EpiloguePointers<X> e;
  e.column_bias = bias.data();
  e.relu = true;
  for (auto const isa : host::supported_isas()) {
    auto c = p.before;
    DenseBatch<X const> const bs{p.b.constant()};
    host::bsr_spmm(p.blocks.pointers(), X(1), bs, X(0), DenseBatch<X>{c.matrix()}, e, 1, isa);
    for (std::int64_t j = 0; j < 37; ++j) {
      EXPECT_TRUE(std::isnan(c.at(0, j)) && std::isnan(c.at(1, j))) << j;
      EXPECT_EQ(c.at(2, j), X(0)) << j;
    }
    c.fill([](auto, auto j) { return j; });
    host::bsr_spmm(p.blocks.pointers(), X(0), bs, X(1), DenseBatch<X>{c.matrix()}, e, 1, isa);
    for (std::int64_t j = 0; j < 37; ++j) EXPECT_EQ(c.at(2, j), static_cast<X>(std::max<std::int64_t>(j - 1, 0)));
  }
}

TEST(BsrSpmmHostOperands, NeedRowsOfBAndValues) {
  BsrPointers<double, std::int32_t, std::int32_t> a{.rows = 4, .cols = 4, .blocks = 1};
  DenseMatrix<double const> const by_rows{nullptr, 4, 4, 5, 1};
  EXPECT_FALSE(host::bsr_spmm_supports(a, by_rows));  // a pattern
  double const value = 1;
  a.values = &value;
  EXPECT_TRUE(host::bsr_spmm_supports(a, by_rows));
  EXPECT_FALSE(host::bsr_spmm_supports(a, DenseMatrix<double const>{nullptr, 4, 4, 1, 4}));
  EXPECT_FALSE(host::bsr_spmm_supports(a, DenseMatrix<double const>{nullptr, 4, 4, 20, 2}));
  EXPECT_TRUE(host::bsr_spmm_supports(a, DenseMatrix<double const>{nullptr, 4, 1, 20, 2}));
}

}  // namespace
}  // namespace araia::test
