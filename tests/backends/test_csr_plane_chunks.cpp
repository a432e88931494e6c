// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of rows by chunks: where it is found, what it covers, and that products have the same bits in it.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/csr_plane_chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/past_cache.hpp"
#include "support/reference.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CsrPlaneChunks, RealTypes, TypesByNumber);

/// Rows that meet their neighbours and those of `plane` rows before and behind, and of `line` rows where not 0.
ZooPattern planes(std::int32_t rows, std::int32_t plane, std::int32_t line = 0) {
  return diagonals(rows, {-plane, -line, -1, 0, 1, line, plane});
}

ARAIA_TYPED_TEST(CsrPlaneChunks, ArePartsOfAPlaneThatFitAndFetchLess) {
  auto const pattern = planes(16500, 1500);
  ZooMatrix<TypeParam, std::int32_t> const m(pattern, true, true, 0);
  auto const chunks = host::plane_chunks(m.pointers());
  EXPECT_EQ(chunks.period, 1500);
  EXPECT_EQ(chunks.widths[0].rows, 128);
  EXPECT_EQ(chunks.widths[0].touched, 3 * 128 + 2);
  EXPECT_EQ(chunks.widths[0].fresh, 128 + 2);  // of the plane behind, and both ends, which the plane before lacks
  EXPECT_EQ(chunks.widths[3].rows, 0);         // more than half a plane
  constexpr std::int64_t l2 = std::int64_t{1} << 21;
  host::Caches const mesh{.l1 = 1 << 15, .l2 = l2, .last = std::int64_t{1} << 28, .sharers = 32};
  EXPECT_EQ(chunks.rows_of_chunk(256, 2, mesh), 0);  // planes stay as they are
  EXPECT_GT(chunks.rows_of_chunk(512, 2, {.l1 = 1 << 15, .l2 = l2 / 4, .last = mesh.last, .sharers = 32}), 0);
  EXPECT_EQ(chunks.rows_of_chunk(std::int64_t{1} << 20, 2, mesh), 0);  // nothing stays
  std::int64_t const rows =
      chunks.rows_of_chunk(1024, 2, mesh);  // room for 1536 rows of B: 512 of a plane, less the ends
  EXPECT_GE(rows, 480);
  EXPECT_LE(rows, 512);
}

ARAIA_TYPED_TEST(CsrPlaneChunks, TakeMoreOfALastCacheOfFewCores) {
  auto const pattern = planes(16500, 1500);
  ZooMatrix<TypeParam, std::int32_t> const m(pattern, true, true, 0);
  auto const chunks = host::plane_chunks(m.pointers());
  constexpr std::int64_t mib = std::int64_t{1} << 20;
  host::Caches const near{.l1 = 1 << 15, .l2 = mib, .last = 32 * mib, .sharers = 2};
  EXPECT_EQ(chunks.rows_of_chunk(4000, 1, near), 0);    // planes stay in the last cache
  EXPECT_EQ(chunks.rows_of_chunk(2000, 2, near), 0);    // or in a thread's half of it
  EXPECT_EQ(chunks.rows_of_chunk(4000, 2, near), 250);  // room for 786 rows of B
  EXPECT_EQ(chunks.rows_of_chunk(7168, 1, near), 250);
  host::Caches const alone{.l1 = near.l1, .l2 = mib, .last = near.last, .sharers = 1};
  EXPECT_EQ(chunks.rows_of_chunk(7168, 8, alone), 250);  // each thread has its own
}

ARAIA_TYPED_TEST(CsrPlaneChunks, AreNotFoundWhereRowsShareNothingOrEverything) {
  std::mt19937 random(3);
  ZooPattern scattered, banded, reversed;
  scattered.cols = banded.cols = reversed.cols = 9000;
  for (std::int32_t i = 0; i < 9000; ++i) {
    scattered.add_row(random_columns(random, 6, 9000));
    std::vector<std::int32_t> near = random_columns(random, 8, 801);
    std::sort(near.begin(), near.end());
    for (auto& c : near) c = std::min(8999, std::max(0, c + i - 400));
    banded.add_row(near);
    reversed.add_row({std::min(8999, i + 700), i});
  }
  // Planes of 1000 rows, none of which has entries where a chunk is sampled.
  ZooPattern hollow;
  hollow.cols = 16000;
  for (std::int32_t i = 0; i < 16000; ++i) {
    if (i >= 8300 && i < 8900)
      hollow.add_row({});
    else
      hollow.add_row({std::max(0, i - 1000), i, std::min(15999, i + 1000)});
  }
  for (auto const* const pattern : {&scattered, &banded, &reversed, &hollow}) {
    ZooMatrix<TypeParam, std::int32_t> const m(*pattern, true, true, 0);
    EXPECT_EQ(host::plane_chunks(m.pointers()).rows_of_chunk(1600, 2), 0);
  }
}

TEST(EachPlaneChunk, CoversEveryRowOnce) {
  for (std::int64_t const width : {0, 1, 7, 30, 100})
    for (auto const& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 100}, {13, 95}, {40, 41}, {5, 5}}) {
      std::vector<int> seen(100, 0);
      host::each_plane_chunk(30, width, first, last, [&](std::int64_t from, std::int64_t to) {
        EXPECT_LE(from, to);
        for (std::int64_t i = from; i < to; ++i) ++seen[static_cast<std::size_t>(i)];
      });
      for (std::int64_t i = 0; i < 100; ++i)
        EXPECT_EQ(seen[static_cast<std::size_t>(i)], i >= first && i < last ? 1 : 0) << i << ", chunks of " << width;
    }
}

TEST(RowWindows, AreForACacheOfTheWholeMachineThatBLeaves) {
  constexpr std::int64_t mib = 1 << 20;
  host::Caches const of{.l1 = 1 << 15, .l2 = mib, .last = 32 * mib, .sharers = 8, .whole = true};
  EXPECT_EQ(host::windows_of_thread(1000, 16000, 32 * mib, 8, of), 1) << "B stays";
  EXPECT_EQ(host::windows_of_thread(1000, 16000, 64 * mib, 8, of), 4);
  EXPECT_EQ(host::windows_of_thread(1000, 16000, 64 * mib, 3, of), 10);
  EXPECT_EQ(host::windows_of_thread(1000, 16000, 64 * mib, 1, of), 1);
  EXPECT_EQ(host::windows_of_thread(1000, 7000, 64 * mib, 8, of), 1) << "short rows";
  host::Caches const several{.l1 = of.l1, .l2 = mib, .last = of.last, .sharers = 8};
  EXPECT_EQ(host::windows_of_thread(1000, 16000, 64 * mib, 8, several), 1) << "another part of the machine has its own";
}

TEST(RowWindows, CoverEveryChunkOnceAndGoByTurns) {
  for (int const threads : {1, 2, 7})
    for (std::int64_t const windows : {1, 2, 5}) {
      std::vector<int> owner(static_cast<std::size_t>(threads * windows), -1);
      for (int thread = 0; thread < threads; ++thread)
        host::each_window(thread, threads, windows, [&](std::int64_t chunk, std::int64_t chunks) {
          EXPECT_EQ(chunks, threads * windows);
          ASSERT_LT(chunk, chunks);
          EXPECT_EQ(std::exchange(owner[static_cast<std::size_t>(chunk)], thread), -1) << "taken twice";
        });
      for (std::size_t i = 0; i < owner.size(); ++i) EXPECT_EQ(owner[i], static_cast<int>(i) % threads);
    }
}

constexpr std::int64_t columns_of_products = 140;

/// Products of m by columns_of_products columns on every instruction set: rows in their own order within the bound, and
/// expect_same(product), where product(threads, runs, of) expects the same bits.
template <class X, class ExpectSame>
void for_each_product(ZooMatrix<X, std::int32_t> const& m, ExpectSame const& expect_same) {
  auto const a = m.pointers();
  Dense<X> b(m.cols, columns_of_products, true, 0, 0, X(0));
  b.fill(wave);
  Dense<X> c(m.rows, columns_of_products, true, 0, 0, X(-5));
  auto const expected = reference::spmm(Op::none, X(2), a, b.constant(), X(-1), c.constant());
  for (auto const isa : host::supported_isas()) {
    auto plain = c;
    host::csr_spmm(a, X(2), b.constant(), X(-1), plain.matrix(), 1, nullptr, isa);
    EXPECT_TRUE(reference::check(expected, plain.constant()).ok());
    expect_same([&](int threads, host::CsrRowRuns const* runs, host::Caches const& of) {
      auto other = c;
      host::csr_spmm(a, X(2), b.constant(), X(-1), other.matrix(), threads, runs, isa, of);
      EXPECT_TRUE(other.same_bits(plain)) << threads << " threads";
    });
  }
}

ARAIA_TYPED_TEST(CsrPlaneChunks, ProductsHaveTheSameBits) {
  using X = TypeParam;
  ZooMatrix<X, std::int32_t> const m(planes(12500, 1500), true, true, 0);
  auto const runs = host::csr_row_runs(m.pointers(), 2);
  host::Caches const small{.l1 = 1 << 15, .l2 = 1 << 20, .last = 1 << 20};
  ASSERT_GT(runs.plane_chunks.rows_of_chunk(columns_of_products * static_cast<std::int64_t>(sizeof(X)), 5, small), 0);
  for_each_product<X>(m, [&](auto const& expect_same_bits) {
    for (int const threads : {1, 2, 5}) expect_same_bits(threads, &runs, small);
  });
}

ARAIA_TYPED_TEST(CsrPlaneChunks, ProductsByTurnsHaveTheSameBits) {
  using X = TypeParam;
  ZooPattern band;
  band.name = "band";
  band.cols = 3000;
  for (std::int32_t i = 0; i < band.cols; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = -8; k < 8; ++k)
      if (i + 11 * k >= 0 && i + 11 * k < band.cols && (i + k) % 9 != 0) columns.push_back(i + 11 * k);
    band.add_row(columns);
  }
  ZooMatrix<X, std::int32_t> const m(band, true, true, 0);
  auto const a = m.pointers();
  auto const runs = host::csr_row_runs(a, 2);
  ASSERT_EQ(runs.plane_chunks.period, 0) << "chunks would take the place of windows";
  host::Caches const shared{.l1 = 1 << 15, .l2 = 1 << 14, .last = 1 << 20, .sharers = 3, .whole = true};
  std::int64_t const bytes_of_b = a.cols * columns_of_products * static_cast<std::int64_t>(sizeof(X));
  for_each_product<X>(m, [&](auto const& expect_same_bits) {
    for (int const threads : {2, 3, 5, 6}) {
      EXPECT_GT(host::windows_of_thread(a.rows, a.nnz, bytes_of_b, threads, shared), 1);
      expect_same_bits(threads, nullptr, shared);
      expect_same_bits(threads, &runs, shared);
    }
  });
}

/// Elements of B or C, the first at a line of cache.
template <class X>
struct Lines {
  std::vector<X> buffer;
  DenseMatrix<X> matrix;
  Lines(std::int64_t rows, std::int64_t columns, X value)
      : buffer(static_cast<std::size_t>(rows * columns) + 64 / sizeof(X), value) {
    auto const past = reinterpret_cast<std::uintptr_t>(buffer.data()) % 64;
    matrix = {buffer.data() + (past ? (64 - past) / sizeof(X) : 0), rows, columns, columns, 1};
  }
  [[nodiscard]] DenseMatrix<X const> constant() const {
    return {matrix.data, matrix.rows, matrix.columns, matrix.row_stride, 1};
  }
};

ARAIA_TYPED_TEST(CsrPlaneChunks, RowsThatLeaveTheCachesHaveTheSameBits) {
  using X = TypeParam;
  using Case = std::pair<std::int32_t, std::vector<std::int64_t>>;
  for (auto const& [line, numbers] : {Case{0, {32, 38, 40, 48, 56, 128}}, {40, {35, 45, 64}}})  // 5 and 7 entries a row
    for (std::int64_t const columns : numbers) {
      auto const row_bytes = columns * static_cast<std::int64_t>(sizeof(X));
      auto const rows = static_cast<std::int32_t>(host::least_bytes_past_cache / row_bytes + 100);
      ZooMatrix<X, std::int32_t> const m(planes(rows, 1500, line), true, true, 0);
      auto const a = m.pointers();
      auto const runs = host::csr_row_runs(a, 2);
      EXPECT_GT(runs.shared_entries, a.nnz / 2);
      Lines<X> b(rows, columns, X(0)), plain(rows, columns, std::numeric_limits<X>::quiet_NaN());
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) b.matrix.data[i * columns + j] = static_cast<X>(wave(i, j));
      ASSERT_TRUE(host::leaves_caches(DenseBatch<X>{plain.matrix}, 0));
      EXPECT_EQ(host::goes_past_cache(DenseBatch<X>{plain.matrix}, 0), row_bytes % 64 == 0);
      auto const expected = reference::spmm(Op::none, X(2), a, b.constant(), X(0), plain.constant());
      for (auto const isa : host::supported_isas()) {
        host::csr_spmm(a, X(2), b.constant(), X(0), plain.matrix, 1, nullptr, isa);
        EXPECT_TRUE(reference::check(expected, plain.constant()).ok());
        host::Caches const small{.l1 = 1 << 15, .l2 = 1 << 20, .last = 1 << 20};
        for (auto const& [threads, of] : {std::pair(1, host::caches()), {3, host::caches()}, {2, small}}) {
          Lines<X> c(rows, columns, std::numeric_limits<X>::quiet_NaN());
          host::csr_spmm(a, X(2), b.constant(), X(0), c.matrix, threads, &runs, isa, of);
          EXPECT_EQ(std::memcmp(c.matrix.data, plain.matrix.data, static_cast<std::size_t>(rows * row_bytes)), 0)
              << columns << " columns, " << threads << " threads, " << host::to_string(isa);
        }
      }
    }
}

}  // namespace
}  // namespace araia::test
