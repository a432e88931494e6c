// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of the rows of B that a cache keeps, and products whose entries ask for rows of B.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/csr_column_reuse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "support/reference.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CsrColumnReuse, RealTypes, TypesByNumber);

/// With a last-level cache of twice as much: operands beyond half of L2 are not in cache, where nobody would ask.
host::Caches with_l2(std::int64_t bytes) { return {.l1 = 1 << 15, .l2 = bytes, .last = 2 * bytes}; }

template <class X>
host::ColumnReuse reuse_of(ZooPattern const& pattern) {
  ZooMatrix<X, std::int32_t> const m(pattern, true, true, 0);
  return host::column_reuse(m.pointers());
}

ZooPattern uniform(std::int32_t rows, std::int32_t cols, std::int32_t entries) {
  std::mt19937 random(11);
  ZooPattern pattern;
  pattern.name = "uniform";
  pattern.cols = cols;
  for (std::int32_t i = 0; i < rows; ++i) {
    auto columns = random_columns(random, entries, cols);
    std::sort(columns.begin(), columns.end());
    pattern.add_row(columns);
  }
  return pattern;
}

ARAIA_TYPED_TEST(CsrColumnReuse, RandomColumnsMissWhatACacheDoesNotHold) {
  constexpr std::int32_t cols = 4096;
  auto const reuse = reuse_of<TypeParam>(uniform(20000, cols, 16));
  for (int size = 4; (1 << size) < cols; ++size) {
    auto const [all, scattered] = reuse.of_rows[static_cast<std::size_t>(size)];
    EXPECT_NEAR(all, 1 - (1 << size) / static_cast<double>(cols), 0.06)
        << (1 << size) << " rows";  // of the least recently used
    EXPECT_GT(scattered, 0.9F * all);
  }
  for (int size = 13; size < host::ColumnReuse::sizes; ++size)
    EXPECT_EQ(reuse.of_rows[static_cast<std::size_t>(size)], host::ColumnReuse::Misses{}) << (1 << size) << " rows";
}

ARAIA_TYPED_TEST(CsrColumnReuse, GridsMissTheirPlanesInOrder) {
  auto const reuse = reuse_of<TypeParam>(diagonals(60000, {-1000, -30, -1, 0, 1, 30, 1000}));
  auto const misses = [&](int size) { return reuse.of_rows[static_cast<std::size_t>(size)]; };
  EXPECT_NEAR(misses(8).all, 3 / 7., 0.02);   // a line stays, a plane does not: its last, its middle and its first row
  EXPECT_NEAR(misses(12).all, 1 / 7., 0.02);  // all planes stay: rows that nobody has read
  EXPECT_LT(misses(8).scattered, 0.01F);
  EXPECT_FALSE(reuse.prefetch_pays(64, with_l2(1 << 15)));
  EXPECT_FALSE(reuse.prefetch_pays(256, with_l2(1 << 17)));
  EXPECT_TRUE(reuse.prefetch_pays(512, with_l2(1 << 18)));   // 256 rows
  EXPECT_FALSE(reuse.prefetch_pays(512, with_l2(1 << 22)));  // 4096
}

ARAIA_TYPED_TEST(CsrColumnReuse, RandomColumnsAskWhereTheyMiss) {
  auto const reuse = reuse_of<TypeParam>(uniform(20000, 4096, 16));
  for (std::int64_t const row_bytes : {32, 128, 512}) {
    EXPECT_TRUE(reuse.prefetch_pays(row_bytes, with_l2(1024 * row_bytes)));
    EXPECT_FALSE(reuse.prefetch_pays(row_bytes, with_l2(std::int64_t{1} << 26)));
  }
  // A tenth of the entries lies anywhere: wide rows of B alone are worth it.
  std::mt19937 random(5);
  ZooPattern pattern;
  pattern.cols = 40000;
  for (std::int32_t i = 0; i < pattern.cols; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < 6; ++k)
      columns.push_back(static_cast<std::int32_t>(std::min<std::int64_t>(pattern.cols - 1, i + k)));
    columns.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(pattern.cols)));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    pattern.add_row(columns);
  }
  auto const few = reuse_of<TypeParam>(pattern);
  EXPECT_FALSE(few.prefetch_pays(128, with_l2(1 << 18)));
  EXPECT_TRUE(few.prefetch_pays(256, with_l2(1 << 19)));
}

ARAIA_TYPED_TEST(CsrColumnReuse, IsNothingWhereThereIsNothingToReuse) {
  ZooPattern none, one_row, one_column;
  none.cols = 0;
  one_row.cols = 3;
  one_row.add_row({0, 2});
  one_column.cols = 1;
  for (int i = 0; i < 100; ++i) one_column.add_row({0});
  EXPECT_EQ(reuse_of<TypeParam>(none), host::ColumnReuse{});
  EXPECT_EQ(reuse_of<TypeParam>(one_row), host::ColumnReuse{});  // too few entries for a sample
  one_row.add_row({1, 2});
  EXPECT_FALSE(reuse_of<TypeParam>(one_row).prefetch_pays(64, with_l2(1 << 15)));
  ZooPattern sparser = uniform(500, 4000, 1);  // columns that are hardly read twice
  EXPECT_EQ(reuse_of<TypeParam>(sparser), host::ColumnReuse{});
  EXPECT_FALSE(reuse_of<TypeParam>(one_column).prefetch_pays(1 << 20, with_l2(1 << 15)));
}

/// More entries than are sampled: a chunk is a quarter of a million, of diagonals and of random columns by turns.
ARAIA_TYPED_TEST(CsrColumnReuse, SamplesChunksOfALargeMatrix) {
  constexpr std::int32_t rows = 100000;
  constexpr std::int64_t quarter = rows / 4;
  std::mt19937 random(17);
  ZooPattern pattern;
  pattern.cols = rows;
  for (std::int32_t i = 0; i < rows; ++i) {
    if (i / quarter % 2 == 1) {
      auto columns = random_columns(random, 12, rows);
      std::sort(columns.begin(), columns.end());
      pattern.add_row(columns);
      continue;
    }
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < 12; ++k) columns.push_back(static_cast<std::int32_t>(std::min(rows - 1, i + k)));
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    pattern.add_row(columns);
  }
  ZooMatrix<TypeParam, std::int64_t> const m(pattern, true, true, 0);
  ASSERT_GT(m.pointers().nnz, std::int64_t{1} << 20);
  auto const [all, scattered] = host::column_reuse(m.pointers()).of_rows[8];
  EXPECT_NEAR(scattered, 0.5, 0.02);  // two of four chunks
  EXPECT_NEAR(all - scattered, 0.5 / 12, 0.01);
}

ARAIA_TYPED_TEST(CsrColumnReuse, NobodyAsksForNoColumnsOrForColumnsThatAreContiguous) {
  using X = TypeParam;
  ZooMatrix<X, std::int32_t> const m(uniform(3000, 5000, 9), true, true, 0);
  auto const runs = host::csr_row_runs(m.pointers(), 2);
  Dense<X> by_columns(m.cols, 8, false, 0, 0, X(0));
  EXPECT_EQ(host::csr_spmm_entry_prefetch(m.pointers().rows, m.pointers().nnz, &runs, by_columns.constant(),
                                          host::isa(), with_l2(1 << 14)),
            host::EntryPrefetch::no);
  DenseMatrix<X const> const none{nullptr, m.cols, 0, 0, 1};
  EXPECT_EQ(host::csr_spmm_entry_prefetch(m.pointers().rows, m.pointers().nnz, &runs, none, host::isa(), with_l2(0)),
            host::EntryPrefetch::no);
}

/// Numbers of columns at a register, past one and past a line; permuted rows, a row that prefetches chunk by chunk, an
/// end without later entries, rows of none.
ARAIA_TYPED_TEST(CsrColumnReuse, ProductsWhoseEntriesAskAreRight) {
  using X = TypeParam;
  constexpr std::int32_t cols = 30000;  // beyond what RowsOfB takes for a band
  auto pattern = uniform(3000, cols, 9);
  std::mt19937 random(23);
  auto hub = random_columns(random, 1500, cols);
  std::sort(hub.begin(), hub.end());
  pattern.add_row(hub);
  for (int i = 0; i < 50; ++i) pattern.add_row({});
  pattern.add_row({0, 17, cols - 1});
  host::Caches const small = with_l2(1 << 14);
  for (bool const permuted : {false, true}) {
    if (permuted)
      for (std::int64_t i = pattern.rows; i-- > 0;) pattern.row_permutation.push_back(static_cast<std::int32_t>(i));
    for (bool const with_values : {true, false}) {
      ZooMatrix<X, std::int32_t> const m(pattern, with_values, true, 0);
      auto const a = m.pointers();
      auto const runs = host::csr_row_runs(a, 2);
      auto const prefetch_of = [&a](auto const&... of) { return host::csr_spmm_entry_prefetch(a.rows, a.nnz, of...); };
      for (std::int64_t const columns : {1, 4, 8, 16, 17, 64, 131})
        for (X const beta : {X(-1), X(0)}) {
          Dense<X> b(m.cols, columns, true, 0, 0, X(0));
          b.fill(wave);
          Dense<X> c(m.rows, columns, true, 0, 0, beta == X(0) ? std::numeric_limits<X>::quiet_NaN() : X(-5));
          ASSERT_EQ(prefetch_of(&runs, b.constant(), host::isa(), small), host::EntryPrefetch::yes);
          ASSERT_EQ(prefetch_of(nullptr, b.constant(), host::isa(), small), host::EntryPrefetch::in_no_order);
          ASSERT_EQ(prefetch_of(&runs, b.constant(), host::isa(), with_l2(1 << 30)), host::EntryPrefetch::no);
          auto const expected = reference::spmm(Op::none, X(2), a, b.constant(), beta, c.constant());
          for (auto const isa : host::supported_isas()) {
            auto plain = c;
            host::csr_spmm(a, X(2), b.constant(), beta, plain.matrix(), 1, nullptr, isa, with_l2(1 << 30));
            EXPECT_TRUE(reference::check(expected, plain.constant()).ok()) << columns << " columns, beta " << beta;
            for (auto const* const known : {&runs, static_cast<host::CsrRowRuns const*>(nullptr)})
              for (int const threads : {1, 3}) {
                auto asked = c;
                host::csr_spmm(a, X(2), b.constant(), beta, asked.matrix(), threads, known, isa, small);
                EXPECT_TRUE(asked.same_bits(plain)) << columns << " columns, " << threads << " threads";
              }
          }
        }
    }
  }
}

/// Three entries a row, a hub, shifted rows, nodes, rows of none.
ZooPattern short_rows() {
  constexpr std::int32_t cols = 3000;
  auto pattern = uniform(2000, cols, 3);
  pattern.name = "short rows";
  std::mt19937 random(29);
  auto hub = random_columns(random, 700, cols);
  std::sort(hub.begin(), hub.end());
  pattern.add_row(hub);
  for (std::int32_t i = 0; i < 30; ++i) pattern.add_row({i, i + 1, i + 40});
  for (int i = 0; i < 11; ++i) pattern.add_row({7, 8, 9, 2000});
  for (int i = 0; i < 100; ++i) pattern.add_row({});
  pattern.add_row({0, 17, cols - 1});
  return pattern;
}

ARAIA_TYPED_TEST(CsrColumnReuse, ShortRowsAskAloneOnAvx2) {
  using X = TypeParam;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(X));
  ZooMatrix<X, std::int32_t> const m(short_rows(), true, true, 0);
  auto const a = m.pointers();
  auto const runs = host::csr_row_runs(a, 2);
  auto all_shared = runs;
  all_shared.shared_entries = a.nnz;
  auto const prefetch_of = [&](std::int64_t columns, host::CsrRowRuns const* known, host::Isa isa, std::int64_t nnz) {
    DenseMatrix<X const> const b{nullptr, m.cols, columns, columns, 1};
    return host::csr_spmm_entry_prefetch(a.rows, nnz, known, b, isa, with_l2(1 << 14));
  };
  for (std::int64_t const columns : {256 / bytes, 1024 / bytes}) {
    EXPECT_EQ(prefetch_of(columns, &runs, host::Isa::v3, a.nnz), host::EntryPrefetch::alone);
    EXPECT_EQ(prefetch_of(columns, &runs, host::Isa::v3, 8 * a.rows), host::EntryPrefetch::alone);
    EXPECT_NE(prefetch_of(columns, &runs, host::Isa::v3, 8 * a.rows + 1), host::EntryPrefetch::alone);
    EXPECT_NE(prefetch_of(columns, &runs, host::Isa::v4, a.nnz), host::EntryPrefetch::alone);
    EXPECT_NE(prefetch_of(columns, &all_shared, host::Isa::v3, a.nnz), host::EntryPrefetch::alone);
    EXPECT_EQ(prefetch_of(columns, nullptr, host::Isa::v3, a.nnz), host::EntryPrefetch::in_no_order);
  }
  EXPECT_NE(prefetch_of(256 / bytes - 1, &runs, host::Isa::v3, a.nnz), host::EntryPrefetch::alone);
  EXPECT_NE(prefetch_of(1024 / bytes + 1, &runs, host::Isa::v3, a.nnz), host::EntryPrefetch::alone);
}

/// By panels and whole, numbers of columns that end anywhere, permuted; with and without runs, of which the latter do
/// not ask so.
ARAIA_TYPED_TEST(CsrColumnReuse, ProductsOfShortRowsThatAskAreRight) {
  using X = TypeParam;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(X));
  auto pattern = short_rows();
  host::Caches const small = with_l2(1 << 14);
  for (bool const permuted : {false, true}) {
    if (permuted)
      for (std::int64_t i = pattern.rows; i-- > 0;) pattern.row_permutation.push_back(static_cast<std::int32_t>(i));
    ZooMatrix<X, std::int32_t> const m(pattern, !permuted, true, 0);
    auto const a = m.pointers();
    auto const runs = host::csr_row_runs(a, 2);
    for (std::int64_t const columns : {256 / bytes, 256 / bytes + 3, 512 / bytes, 1024 / bytes - 1, 1024 / bytes})
      for (X const beta : {X(-1), X(0)}) {
        Dense<X> b(m.cols, columns, true, 0, 0, X(0));
        b.fill(wave);
        Dense<X> c(m.rows, columns, true, 0, 0, beta == X(0) ? std::numeric_limits<X>::quiet_NaN() : X(-5));
        auto const expected = reference::spmm(Op::none, X(2), a, b.constant(), beta, c.constant());
        for (auto const isa : host::supported_isas()) {
          auto plain = c;
          host::csr_spmm(a, X(2), b.constant(), beta, plain.matrix(), 1, nullptr, isa, with_l2(1 << 30));
          EXPECT_TRUE(reference::check(expected, plain.constant()).ok()) << columns << " columns, beta " << beta;
          for (int const threads : {1, 3}) {
            auto asked = c;
            host::csr_spmm(a, X(2), b.constant(), beta, asked.matrix(), threads, &runs, isa, small);
            EXPECT_TRUE(asked.same_bits(plain)) << columns << " columns, " << threads << " threads";
          }
        }
      }
  }
}

}  // namespace
}  // namespace araia::test
