// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMM over a zoo of shapes, layouts and column counts, on every instruction set of this machine.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/csr_spmm_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/csr_spmm_host_checks.hpp"
#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/csr_spmm_rows.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/stack_room.hpp"
#include "support/on_stack_of.hpp"
#include "support/reference.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

ARAIA_TYPED_SUITE(CsrSpmmHost, BackendTypes, TypesByNumber);

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundOnEveryShapeAndLayout) {
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns())
    for (auto const layouts : all_layouts) {
      expect_right_spmm<TypeParam>(pattern, 5, layouts, true, 3, 1, Y(-0.7), Y(0.3));
      expect_right_spmm<TypeParam>(pattern, 16, layouts, false, 0, 0, Y(1), Y(0));
      if (testing::Test::HasFailure()) return;
    }
}

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundOnEveryNumberOfColumns) {
  using Y = typename TypeParam::Y;
  auto const zoo = zoo_patterns();
  for (auto const& pattern : zoo) {
    if (pattern.name != "nodes" && pattern.name != "stencil") continue;
    for (std::int64_t const columns : {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12,  13,  14,  15,
                                       16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 130}) {
      expect_right_spmm<TypeParam>(pattern, columns, {true, true}, true, columns % 4, 3, Y(2), Y(-1));
      if (columns <= 9)
        expect_right_spmm<TypeParam>(pattern, columns, {false, false}, true, columns % 4, 3, Y(1), Y(0));
      if (testing::Test::HasFailure()) return;
    }
  }
}

/// Products on every instruction set and by several numbers of threads: held to the bound with rows of B that begin
/// anywhere, and the same bits with rows that begin lines of cache.
template <class TypeParam>
void expect_bits_of_aligned_rows(ZooPattern const& pattern, std::int64_t columns) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, true, false, 0);
  constexpr auto line = static_cast<std::int64_t>(64 / sizeof(X));
  std::int64_t const to_line = (columns + line - 1) / line * line - columns;
  Dense<X> anywhere(m.cols, columns, true, to_line == 0 ? 1 : 0, 1, not_a_number<X>);
  Dense<X> aligned(m.cols, columns, true, to_line, 0, not_a_number<X>);
  while (reinterpret_cast<std::uintptr_t>(aligned.buffer.data() + aligned.first) % 64 != 0) ++aligned.first;
  anywhere.fill(wave);
  aligned.fill(wave);
  Dense<Y> before(m.rows, columns, true, 0, 0, canary<Y>);
  before.fill([](auto i, auto j) { return wave(i + 99, j); });
  auto const expected = ref::spmm(Op::none, Y(2), m.pointers(), anywhere.constant(), Y(-0.5), before.constant());
  for (auto const isa : host::supported_isas())
    for (int const threads : {1, 2, 7}) {
      SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + ", columns " + std::to_string(columns) +
                   ", threads " + std::to_string(threads));
      auto c = before;
      host::csr_spmm(m.pointers(), Y(2), anywhere.constant(), Y(-0.5), c.matrix(), threads, nullptr, isa, from_memory);
      auto const report = ref::check(expected, c.constant());
      EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ", "
                               << report.first_bad_column << ": " << report.got << " for " << report.expected << " +- "
                               << report.bound;
      EXPECT_TRUE(c.untouched_outside(canary<Y>));
      auto of_aligned = before;
      host::csr_spmm(m.pointers(), Y(2), aligned.constant(), Y(-0.5), of_aligned.matrix(), threads, nullptr, isa,
                     from_memory);
      EXPECT_TRUE(c.same_bits(of_aligned));
    }
}

ARAIA_TYPED_TEST(CsrSpmmHost, BitsDoNotDependOnWhereRowsOfBBegin) {
  // Rows of B that are multiplied often are copied to the stack, also by threads that have few rows; a B too large for
  // that, and one whose rows are multiplied seldom, are read as they lie.
  ZooPattern dense;
  dense.name = "few columns, long rows";
  dense.cols = 40;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t c = i % 3; c < 40; c += 1 + (i + c) % 2) columns.push_back(c);
    dense.add_row(columns);
  }
  for (std::int64_t columns = 1; columns <= 35; ++columns) expect_bits_of_aligned_rows<TypeParam>(dense, columns);
  for (std::int64_t const columns : {47, 48, 49, 63, 64, 65, 72, 79, 80, 81, 90, 95, 97, 112, 113, 127, 128, 129, 200})
    expect_bits_of_aligned_rows<TypeParam>(dense, columns);
  ZooPattern wide = dense;
  wide.name = "more columns than the stack takes";
  wide.cols = 5000;
  expect_bits_of_aligned_rows<TypeParam>(wide, 70);
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name != "stencil") continue;
    for (std::int64_t const columns : {3, 7, 9, 13, 15, 16, 17, 23, 33, 41, 65, 100, 130})
      expect_bits_of_aligned_rows<TypeParam>(pattern, columns);
  }
}

#ifdef __linux__
ARAIA_TYPED_TEST(CsrSpmmHost, BitsDoNotDependOnTheRoomOnTheStack) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  std::size_t const small = std::size_t{512} << 10;
  on_stack_of(small, [] {
    EXPECT_FALSE(host::stack_holds(host::most_bytes_on_stack));
    EXPECT_TRUE(host::stack_holds(std::int64_t{64} << 10));
  });
  on_stack_of(4 * small, [] { EXPECT_TRUE(host::stack_holds(host::most_bytes_on_stack)); });
  ZooPattern pattern;
  pattern.name = "long rows";
  pattern.cols = 40;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::int32_t> row(40);
    std::iota(row.begin(), row.end(), 0);
    pattern.add_row(row);
  }
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, true, false, 0);
  for (std::int64_t const columns : {9, 17, 65, 130}) {
    Dense<X> b(m.cols, columns, true, 1, 1, not_a_number<X>);
    b.fill(wave);
    for (auto const isa : host::supported_isas()) {
      Dense<Y> c(m.rows, columns, true, 0, 0, canary<Y>);
      auto of_small = c;
      host::csr_spmm(m.pointers(), Y(2), b.constant(), Y(0), c.matrix(), 1, nullptr, isa, from_memory);
      on_stack_of(small, [&] {
        host::csr_spmm(m.pointers(), Y(2), b.constant(), Y(0), of_small.matrix(), 1, nullptr, isa, from_memory);
      });
      EXPECT_TRUE(c.same_bits(of_small)) << columns << " columns, " << host::to_string(isa);
    }
  }
}
#endif

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundOnNodesOfEveryLength) {
  // Rows in groups of three on the same columns, shorter and longer than the distance that rows of B are asked for at,
  // with single rows between; the last group ends with the matrix.
  using Y = typename TypeParam::Y;
  ZooPattern pattern;
  pattern.name = "nodes of every length";
  pattern.cols = 150;
  for (std::int32_t const length : {1, 2, 23, 24, 25, 48, 72, 90, 7, 100}) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < length; ++k) columns.push_back((length % 5) + k + k / 3);
    pattern.add_row({length, 149});
    for (int unknown = 0; unknown < 3; ++unknown) pattern.add_row(columns);
  }
  for (std::int64_t const columns : {5, 16, 32, 64, 129}) {
    expect_right_spmm<TypeParam>(pattern, columns, {true, true}, true, 0, 0, Y(1), Y(0));
    expect_right_spmm<TypeParam>(pattern, columns, {true, false}, false, 3, 1, Y(-2), Y(0.5));
  }
}

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundOnManyRowsOfChangingLengths) {
  // So many entries that rows of up to 40 go in order of their lengths, on machines of AVX-512; permuted too.
  using Y = typename TypeParam::Y;
  std::mt19937 random(11);
  ZooPattern pattern;
  pattern.name = "changing lengths";
  pattern.cols = 300;
  while (pattern.col_indices.size() < 140000)
    pattern.add_row(random_columns(random, random() % 100 == 0 ? 40 : static_cast<int>(random() % 9U), 300));
  for (std::int64_t const columns : {8, 13, 16, 32}) {
    expect_right_spmm<TypeParam>(pattern, columns, {true, true}, true, 0, 0, Y(1), Y(0));
    for (std::int64_t i = pattern.rows; i-- > 0;) pattern.row_permutation.push_back(static_cast<std::int32_t>(i));
    expect_right_spmm<TypeParam>(pattern, columns, {true, false}, false, 3, 1, Y(-2), Y(0.5));
    pattern.row_permutation.clear();
  }
}

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundWhereBGoesByBlocks) {
  // Long rows, and a panel of B beyond 2 MiB on every instruction set with blocks; one row's columns are in no order.
  using Y = typename TypeParam::Y;
  std::mt19937 random(5);
  ZooPattern pattern;
  pattern.name = "blocks of B";
  pattern.cols = 8500;
  for (int i = 0; i < 101; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t c = i % 7; c < 8500; c += 1 + static_cast<std::int32_t>(random() % 60U)) columns.push_back(c);
    if (i == 50) std::shuffle(columns.begin(), columns.end(), random);
    if (i == 60) columns.clear();
    pattern.add_row(columns);
  }
  expect_right_spmm<TypeParam>(pattern, 130, {true, true}, true, 0, 0, Y(1), Y(0));
  expect_right_spmm<TypeParam>(pattern, 69, {true, false}, false, 3, 1, Y(-2), Y(0.5));
}

ARAIA_TYPED_TEST(CsrSpmmHost, WritesLargeResultsPastTheCache) {
  // C of 16 MiB and more, aligned to 64 B, takes other stores; the same C at an odd address does not.
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  ZooPattern pattern;
  pattern.cols = 64;
  constexpr std::int64_t columns = 64;
  std::int64_t const rows = (std::int64_t{1} << 24) / (columns * static_cast<std::int64_t>(sizeof(Y))) + 5;
  for (std::int64_t i = 0; i < rows; ++i)
    pattern.add_row({static_cast<std::int32_t>(i % 64), static_cast<std::int32_t>(i % 61)});
  ZooMatrix<A, typename TypeParam::Offset> const m(pattern, true, true, 0);
  Dense<X> b(m.cols, columns, true, 0, 0, not_a_number<X>);
  b.fill([](auto i, auto j) { return (i + j) % 9 - 4; });
  Dense<Y> c(m.rows, columns, true, 0, 0, canary<Y>);
  while (reinterpret_cast<std::uintptr_t>(c.buffer.data() + c.first) % 64 != 0) ++c.first;
  Dense<Y> odd(m.rows, columns, true, 0, c.first % 16 == 0 ? 1 : 0, canary<Y>);
  while (reinterpret_cast<std::uintptr_t>(odd.buffer.data() + odd.first) % 64 == 0) ++odd.first;
  auto const canary_before = c;
  for (auto const isa : host::supported_isas()) {
    host::csr_spmm(m.pointers(), Y(3), b.constant(), Y(0), c.matrix(), 2, nullptr, isa);
    host::csr_spmm(m.pointers(), Y(3), b.constant(), Y(0), odd.matrix(), 2, nullptr, isa);
    EXPECT_TRUE(c.untouched_outside(canary<Y>));
    for (std::int64_t i = 0; i < m.rows; i += i < m.rows - 200 ? 97 : 1)
      for (std::int64_t j = 0; j < columns; ++j) {
        auto const sum = m.values[static_cast<std::size_t>(2 * i)] * static_cast<A>(b.at(i % 64, j)) +
                         m.values[static_cast<std::size_t>(2 * i + 1)] * static_cast<A>(b.at(i % 61, j));
        ASSERT_EQ(c.at(i, j), static_cast<Y>(3 * sum)) << i << ", " << j;
        ASSERT_EQ(odd.at(i, j), static_cast<Y>(3 * sum)) << i << ", " << j;
      }
    c = canary_before;
  }
}

TEST(PastCache, TakesLargeResultsAndThoseThatDoNotFitBesideWhatIsRead) {
  auto const& caches = host::caches();
  EXPECT_LE(caches.l1, caches.l2);
  EXPECT_LE(caches.l2, caches.last);
  alignas(64) double line[8];
  auto const goes = [&](std::int64_t bytes, std::int64_t bytes_read, int at = 0) {
    return host::goes_past_cache(DenseBatch<double>{{line + at, bytes / 64, 8, 8, 1}}, bytes_read);
  };
  EXPECT_TRUE(goes(host::least_bytes_past_cache, 0));
  EXPECT_FALSE(goes(host::least_bytes_past_cache, 0, 1));  // no whole lines
  std::int64_t const share = caches.last / host::least_share_past_cache / 64 * 64 + 64;
  EXPECT_TRUE(goes(share, caches.last));
  EXPECT_FALSE(goes(64, caches.last));
  EXPECT_EQ(goes(share, 0), share >= host::least_bytes_past_cache);
}

ARAIA_TYPED_TEST(CsrSpmmHost, ZeroAlphaReadsNeitherMatrix) {
  using Y = typename TypeParam::Y;
  CsrPointers<typename TypeParam::A, std::int32_t, typename TypeParam::Offset> const unreadable{
      2, 2, 4, nullptr, nullptr, nullptr, nullptr};
  DenseMatrix<typename TypeParam::X const> const no_b{nullptr, 2, 2, 2, 1};
  std::vector<Y> c{1, not_a_number<Y>, 3, 4};
  host::csr_spmm(unreadable, Y(0), no_b, Y(2), DenseMatrix<Y>{c.data(), 2, 2, 2, 1}, 2);
  EXPECT_EQ(c[0], Y(2));
  EXPECT_TRUE(std::isnan(c[1]));
  EXPECT_EQ(c[3], Y(8));
  host::csr_spmm(unreadable, Y(0), no_b, Y(0), DenseMatrix<Y>{c.data(), 2, 2, 2, 1}, 2);
  EXPECT_EQ(c, (std::vector<Y>{0, 0, 0, 0}));
}

ARAIA_TYPED_TEST(CsrSpmmHost, NaNStaysInItsColumnAndItsRows) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.col_indices.empty()) continue;
    ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, true, false, 0);
    auto const poisoned = pattern.col_indices[pattern.col_indices.size() / 2];
    for (bool const by_rows : {true, false}) {
      Dense<X> b(m.cols, 11, by_rows, 1, 0, not_a_number<X>);
      b.fill([&](auto i, auto j) { return i == poisoned && j == 6 ? double(not_a_number<X>) : wave(i, j); });
      Dense<Y> c(m.rows, 11, by_rows, 1, 0, canary<Y>);
      auto const expected = ref::spmm(Op::none, Y(1), m.pointers(), b.constant(), Y(0), c.constant());
      for (auto const isa : host::supported_isas()) {
        host::csr_spmm(m.pointers(), Y(1), b.constant(), Y(0), c.matrix(), 1, nullptr, isa);
        auto const report = ref::check(expected, c.constant());
        EXPECT_TRUE(report.ok()) << pattern.name << " at " << report.first_bad_row << ", " << report.first_bad_column;
      }
    }
  }
}

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundWithEpiloguesOfBatches) {
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name == "enough work for many threads") continue;  // seconds, and "stencil" has enough
    bool const contiguous = pattern.rows % 2 == 0;
    expect_right_spmm_epilogue<TypeParam>(pattern, 5, all_layouts[0], contiguous, Y(-0.7), Y(0.3));
    expect_right_spmm_epilogue<TypeParam>(pattern, 5, all_layouts[1], !contiguous, Y(1), Y(0));
    expect_right_spmm_epilogue<TypeParam>(pattern, 6, all_layouts[3], contiguous, Y(1), Y(-1));
    if (testing::Test::HasFailure()) return;
  }
}

ARAIA_TYPED_TEST(CsrSpmmHost, HoldsTheBoundWithEpiloguesOnEveryNumberOfColumns) {
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name != "shifted by 2 and by -3") continue;
    for (std::int64_t const columns : {1, 3, 16, 33, 64, 130}) {
      expect_right_spmm_epilogue<TypeParam>(pattern, columns, {true, true}, true, Y(2), Y(0));
      expect_right_spmm_epilogue<TypeParam>(pattern, columns, {true, true}, false, Y(2), Y(1));
      if (testing::Test::HasFailure()) return;
    }
  }
}

ARAIA_TYPED_TEST(CsrSpmmHost, ReLUKeepsNaNAndEpiloguesFollowAZeroAlpha) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  ZooPattern pattern;
  pattern.cols = 2;
  for (int i = 0; i < 3; ++i) pattern.add_row({i % 2});
  ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, false, false, 0);
  constexpr std::int64_t columns = 37;
  Dense<X> b(2, columns, true, 0, 0, not_a_number<X>);
  b.fill([](auto i, auto) { return i == 0 ? double(not_a_number<X>) : -2.0; });
  std::vector<Y> const bias(columns, Y(-1));
  EpiloguePointers<Y> e;
  e.column_bias = bias.data();
  e.relu = true;
  for (auto const isa : host::supported_isas()) {
    Dense<Y> c(3, columns, true, 0, 0, canary<Y>);
    DenseBatch<X const> const bs{b.constant()};
    host::csr_spmm(m.pointers(), Y(1), bs, Y(0), DenseBatch<Y>{c.matrix()}, e, 1, nullptr, isa);
    for (std::int64_t j = 0; j < columns; ++j) {
      EXPECT_TRUE(std::isnan(c.at(0, j)) && std::isnan(c.at(2, j))) << j;
      EXPECT_EQ(c.at(1, j), Y(0)) << j;
    }
    c.fill([](auto, auto j) { return j; });
    host::csr_spmm(m.pointers(), Y(0), bs, Y(1), DenseBatch<Y>{c.matrix()}, e, 1, nullptr, isa);
    for (std::int64_t j = 0; j < columns; ++j) EXPECT_EQ(c.at(1, j), static_cast<Y>(std::max<std::int64_t>(j - 1, 0)));
  }
}

TEST(CsrSpmmHostLayouts, NeedsOneUnitStrideOfB) {
  DenseMatrix<double const> const strided{nullptr, 4, 4, 20, 2};
  DenseMatrix<double> const any{nullptr, 4, 4, 20, 2};
  EXPECT_FALSE(host::csr_spmm_supports(strided, any));
  EXPECT_TRUE(host::csr_spmm_supports(DenseMatrix<double const>{nullptr, 4, 4, 4, 1}, any));
  EXPECT_TRUE(host::csr_spmm_supports(DenseMatrix<double const>{nullptr, 4, 4, 1, 4}, any));
}

}  // namespace
}  // namespace araia::test
