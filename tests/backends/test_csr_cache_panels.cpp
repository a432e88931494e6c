// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Csr packed by panels that stay in L1, and its products, over a zoo of shapes, layouts and column counts, on every
// instruction set of this machine.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/spmm/csr_cache_panels/packing.hpp"
#include "backends/openmp/stack_room.hpp"

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "backends/spmm_checks.hpp"
#include "support/on_stack_of.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

ARAIA_TYPED_SUITE(CsrCachePanels, RealTypes, TypesByNumber);

/// Any matrix has a shape for tests: small panels and blocks, so that small matrices have several.
host::CachePanelShape shape_of(int lines, std::int32_t block_rows, std::int32_t panel_cols) {
  return {.lines = lines, .panel_cols = panel_cols, .block_rows = block_rows};
}

/// The shape for products of so many columns with a pattern.
std::optional<host::CachePanelShape> cache_panel_shape_of(ZooPattern const& pattern, std::int64_t columns, int bytes) {
  return host::cache_panel_shape(host::length_histogram(pattern.row_offsets.data(), pattern.rows), pattern.cols,
                                 static_cast<std::int64_t>(pattern.col_indices.size()), columns, bytes);
}

/// The same with rows of one length.
std::optional<host::CachePanelShape> cache_panel_shape_of(std::int64_t rows, std::int64_t cols, std::int64_t length,
                                                          std::int64_t columns, int bytes) {
  host::LengthHistogram lengths{};
  lengths[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(length)))] = rows;
  return host::cache_panel_shape(lengths, cols, rows * length, columns, bytes);
}

/// What multiplies by a packed matrix.
template <class X>
auto products_of(host::CachePanels<X> const& packed) {
  return [&packed](host::Isa isa, X alpha, DenseBatch<X const> const& b, X beta, DenseBatch<X> const& c,
                   EpiloguePointers<X> const& epilogue,
                   int threads) { host::cache_panels_spmm(packed, alpha, b, beta, c, epilogue, threads, isa); };
}

template <class X>
void expect_right_panels(ZooPattern const& pattern, host::CachePanelShape const& shape, std::int64_t columns,
                         Layouts layouts, bool with_values, std::int64_t padding, std::size_t first, X alpha, X beta) {
  ZooMatrix<X, std::int32_t> const m(pattern, with_values, false, first);
  auto const packed = host::pack_cache_panels(m.pointers(), shape, 2);
  expect_right_product(m, pattern.name + ", lines " + std::to_string(shape.lines), {columns, layouts, padding, first},
                       alpha, beta, products_of(packed));
}

ARAIA_TYPED_TEST(CsrCachePanels, HoldsTheBoundOnEveryShapeAndLayout) {
  using X = TypeParam;
  for (auto const& pattern : zoo_patterns())
    for (auto const layouts : all_layouts) {
      expect_right_panels<X>(pattern, shape_of(1, 32, 512), 5, layouts, true, 3, 1, X(-0.7), X(0.3));
      expect_right_panels<X>(pattern, shape_of(4, 32, 9), 37, layouts, true, 0, 0, X(1), X(0));
      expect_right_panels<X>(pattern, shape_of(2, 36, 256), 16, layouts, false, 0, 0, X(1), X(0));
      if (testing::Test::HasFailure()) return;
    }
}

ARAIA_TYPED_TEST(CsrCachePanels, HoldsTheBoundOnEveryNumberOfColumns) {
  using X = TypeParam;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name != "every row length from 0 to 130") continue;
    for (std::int64_t columns = 0; columns <= 130; columns += columns < 36 ? 1 : 7)
      for (int const lines : {1, 2, 3, 4, 5, 6}) {
        expect_right_panels<X>(pattern, shape_of(lines, 40, 50), columns, {true, true}, true, columns % 4, 3, X(2),
                               X(-1));
        if (testing::Test::HasFailure()) return;
      }
  }
}

ARAIA_TYPED_TEST(CsrCachePanels, HoldsTheBoundOnLayersByItsOwnShapes) {
  using X = TypeParam;
  auto const pattern = pruned_layer_pattern(613, 700, 0.15);
  for (std::int64_t const columns : {1, 8, 16, 40, 64, 130, 256}) {
    auto const shape = cache_panel_shape_of(pattern, columns, sizeof(X));
    ASSERT_TRUE(shape);
    EXPECT_TRUE(shape->pays);
    EXPECT_LE(shape->lines * shape->panel_cols * host::cache_line, host::cache_panel_bytes);
    expect_right_panels<X>(pattern, *shape, columns, {true, true}, true, 0, 0, X(1), X(0));
    expect_right_panels<X>(pattern, *shape, columns, {columns % 16 != 0, true}, false, 3, 1, X(-2), X(0.5));
  }
  auto const shape = cache_panel_shape_of(pattern, 64, sizeof(X));
  expect_right_panels<X>(permuted(pattern), *shape, 64, {true, true}, true, 0, 0, X(1), X(1));
}

#ifdef __linux__
ARAIA_TYPED_TEST(CsrCachePanels, BitsDoNotDependOnTheRoomOnTheStack) {
  using X = TypeParam;
  std::size_t const small = std::size_t{320} << 10;
  on_stack_of(small, [] { EXPECT_FALSE(host::stack_holds(host::cache_panel_workspace_bytes)); });
  on_stack_of(8 * small, [] { EXPECT_TRUE(host::stack_holds(host::cache_panel_workspace_bytes)); });
  auto const pattern = pruned_layer_pattern(613, 700, 0.15);
  ZooMatrix<X, std::int32_t> const m(pattern, true, false, 0);
  auto const packed = host::pack_cache_panels(m.pointers(), *cache_panel_shape_of(pattern, 64, sizeof(X)), 1);
  Dense<X> b(m.cols, 64, true, 0, 0, not_a_number<X>);
  b.fill(wave);
  for (auto const isa : host::supported_isas()) {
    Dense<X> c(m.rows, 64, true, 0, 0, canary<X>);
    auto of_small = c;
    auto const multiply = [&](Dense<X>& to) {
      host::cache_panels_spmm(packed, X(2), {b.constant(), 1, 0}, X(0), {to.matrix(), 1, 0}, {}, 1, isa);
    };
    on_stack_of(8 * small, [&] { multiply(c); });
    on_stack_of(small, [&] {
      multiply(of_small);
      multiply(of_small);  // by the memory of before
    });
    EXPECT_TRUE(c.same_bits(of_small)) << host::to_string(isa);
  }
}

ARAIA_TYPED_TEST(CsrCachePanels, NoColumnsAreZerosWhateverAThreadHadBefore) {
  using X = TypeParam;
  auto const before = pruned_layer_pattern(64, 700, 0.15);
  ZooPattern none;
  none.name = "no columns";
  for (int row = 0; row < 64; ++row) none.add_row(std::vector<std::int32_t>{});
  ZooMatrix<X, std::int32_t> const m(before, true, false, 0);
  ZooMatrix<X, std::int32_t> const empty(none, true, false, 0);
  auto const packed = host::pack_cache_panels(m.pointers(), shape_of(4, 32, 64), 1);
  auto const packed_empty = host::pack_cache_panels(empty.pointers(), shape_of(4, 32, 64), 1);
  Dense<X> b(m.cols, 37, true, 0, 0, not_a_number<X>);
  b.fill(wave);
  Dense<X> const no_rows(0, 37, true, 0, 0, not_a_number<X>);
  for (auto const isa : host::supported_isas()) {
    Dense<X> c(m.rows, 37, true, 0, 0, canary<X>);
    on_stack_of(std::size_t{320} << 10, [&] {
      auto const multiply = [&](auto const& a, Dense<X> const& by) {
        host::cache_panels_spmm(a, X(1), {by.constant(), 1, 0}, X(0), {c.matrix(), 1, 0}, {}, 1, isa);
      };
      multiply(packed, b);  // leaves its sums in the thread's memory
      multiply(packed_empty, no_rows);
    });
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < 37; ++j) ASSERT_EQ(c.at(i, j), X(0)) << i << ", " << j << host::to_string(isa);
  }
}
#endif

ARAIA_TYPED_TEST(CsrCachePanels, HoldsTheBoundWithLargeBlocks) {
  // A row in 16 is long: blocks of as many rows as have 64 KiB of sums, several of them in a tile.
  using X = TypeParam;
  std::mt19937 random(3);
  ZooPattern pattern;
  pattern.name = "large blocks";
  pattern.cols = 700;
  for (int i = 0; i < 33000; ++i)
    pattern.add_row(random_columns(random, i % 16 == 3 ? 100 : static_cast<int>(random() % 4U), 700));
  for (std::int64_t const lines : {1, 2}) {
    auto const columns = lines * host::cache_line / static_cast<std::int64_t>(sizeof(X)) - 1;
    auto const shape = cache_panel_shape_of(pattern, columns, sizeof(X));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->lines, lines);
    EXPECT_EQ(shape->block_rows, 1024 / lines);
    expect_right_panels<X>(pattern, *shape, columns, {true, true}, true, 0, 0, X(1), X(0));
  }
}

ARAIA_TYPED_TEST(CsrCachePanels, ShapesFollowRowsAndColumns) {
  auto const bytes = static_cast<int>(sizeof(TypeParam));
  std::int64_t const in_line = host::cache_line / bytes;
  auto const shape = [&](std::int64_t n, double density, std::int64_t columns) {
    return cache_panel_shape_of(n, n, static_cast<std::int64_t>(density * static_cast<double>(n)), columns, bytes);
  };
  EXPECT_EQ(shape(2048, 0.2, 8 * in_line)->lines, 4);
  EXPECT_EQ(shape(2048, 0.2, 5 * in_line)->lines, 5);
  EXPECT_EQ(shape(2048, 0.1, 5 * in_line)->lines, 3);  // 3 and 2
  EXPECT_EQ(shape(2048, 0.2, 7 * in_line)->lines, 4);  // 4 and 3
  EXPECT_EQ(shape(2048, 0.2, 2 * in_line - 1)->lines, 2);
  EXPECT_EQ(shape(2048, 0.05, 8 * in_line)->lines, 2);
  EXPECT_TRUE(shape(2048, 0.05, 8 * in_line)->pays);
  EXPECT_FALSE(shape(2048, 0.02, 8 * in_line)->pays);  // B stays in L2
  EXPECT_TRUE(shape(2048, 0.02, 32 * in_line)->pays);  // and here it does not
  EXPECT_FALSE(shape(2048, 0.01, 32 * in_line)->pays);
  EXPECT_FALSE(shape(std::int64_t{1} << 20, 1e-5, 8 * in_line));     // tables larger than the matrix
  EXPECT_FALSE(cache_panel_shape_of(64, 256, 25, 64, bytes)->pays);  // too few rows for copying B
  EXPECT_FALSE(shape(0, 1, 8));
  // Few long rows hold most entries: those among short ones count, and so do the parts of the short ones.
  auto const skewed = [&](std::int64_t long_rows, std::int64_t short_rows) {
    host::LengthHistogram lengths{};
    lengths[9] = long_rows;  // some 384 entries
    lengths[1] = short_rows;
    return host::cache_panel_shape(lengths, 8 * in_line, 384 * long_rows + short_rows, 2 * in_line, bytes);
  };
  EXPECT_TRUE(skewed(1000, 10000)->pays);
  EXPECT_FALSE(skewed(100, 10000)->pays);
  EXPECT_LT(shape(1024, 0.1, 64)->seconds, shape(1024, 0.2, 64)->seconds);
}

ARAIA_TYPED_TEST(CsrCachePanels, PackingIsTheSameForAnyThreadsAndTakesNewValues) {
  using X = TypeParam;
  auto const pattern = pruned_layer_pattern(300, 290, 0.2);
  ZooMatrix<X, std::int32_t> m(pattern, true, false, 0);
  auto const shape = shape_of(3, 64, 100);
  auto packed = host::pack_cache_panels(m.pointers(), shape, 1);
  auto const other = host::pack_cache_panels(m.pointers(), shape, 5);
  EXPECT_EQ(packed.values, other.values);
  EXPECT_EQ(packed.places, other.places);
  EXPECT_EQ(packed.lengths, other.lengths);
  EXPECT_EQ(packed.group_rows, other.group_rows);
  EXPECT_GE(packed.stored(), static_cast<std::int64_t>(pattern.col_indices.size()));
  EXPECT_LE(packed.stored(), static_cast<std::int64_t>(pattern.col_indices.size()) * 5 / 4);
  auto const guess = host::cache_panels_bytes(pattern.rows, pattern.cols,
                                              static_cast<std::int64_t>(pattern.col_indices.size()), sizeof(X), shape);
  EXPECT_NEAR(static_cast<double>(guess), static_cast<double>(packed.bytes()), 0.3 * static_cast<double>(guess));
  EXPECT_EQ(host::pack_cache_panels(m.pointers(), shape, 2, packed.bytes()).bytes(), packed.bytes());
  try {
    (void)host::pack_cache_panels(m.pointers(), shape, 2, packed.bytes() - 1);
    ADD_FAILURE() << "a byte too many was made";
  } catch (araia::Error const& e) {
    EXPECT_EQ(e.kind(), araia::ErrorKind::resource_limit);
  }
  for (auto& value : m.values) value = value * X(3) - X(1);
  host::update_values(packed, m.pointers(), 3);
  auto const fresh = host::pack_cache_panels(m.pointers(), shape, 2);
  EXPECT_EQ(packed.values, fresh.values);
}

ARAIA_TYPED_TEST(CsrCachePanels, NaNAndInfinityReachTheRowsThatStoreTheirColumn) {
  using X = TypeParam;
  constexpr X infinity = std::numeric_limits<X>::infinity();
  auto patterns = zoo_patterns();
  patterns.push_back(pruned_layer_pattern(130, 140, 0.1));
  for (auto const& pattern : patterns) {
    if (pattern.col_indices.empty()) continue;
    ZooMatrix<X, std::int32_t> const m(pattern, true, false, 0);
    auto const packed = host::pack_cache_panels(m.pointers(), shape_of(2, 32, 30), 1);
    auto const poisoned = pattern.col_indices[pattern.col_indices.size() / 2];
    for (X const poison : {not_a_number<X>, infinity}) {
      Dense<X> b(m.cols, 11, true, 1, 0, not_a_number<X>);
      // The columns at both ends of panels too: groups are filled with zeros there.
      b.fill([&](auto i, auto j) { return (i == poisoned || i % 30 == 29) && j == 6 ? double(poison) : wave(i, j); });
      Dense<X> c(m.rows, 11, true, 1, 0, canary<X>);
      auto const expected = ref::spmm(Op::none, X(1), m.pointers(), b.constant(), X(0), c.constant());
      for (auto const isa : host::supported_isas()) {
        host::cache_panels_spmm(packed, X(1), DenseBatch<X const>{b.constant()}, X(0), DenseBatch<X>{c.matrix()}, {}, 1,
                                isa);
        auto const report = ref::check(expected, c.constant());
        EXPECT_TRUE(report.ok()) << pattern.name << " at " << report.first_bad_row << ", " << report.first_bad_column;
      }
    }
  }
}

ARAIA_TYPED_TEST(CsrCachePanels, HoldsTheBoundWithEpiloguesOfBatches) {
  using X = TypeParam;
  ZooMatrix<X, std::int32_t> const m(pruned_layer_pattern(101, 90, 0.2), true, false, 0);
  auto const packed = host::pack_cache_panels(m.pointers(), shape_of(3, 32, 40), 1);
  for (std::int64_t const columns : {1, 16, 33, 64}) expect_right_batches(m, columns, products_of(packed));
}

ARAIA_TYPED_TEST(CsrCachePanels, WritesLargeResultsPastTheCache) {
  using X = TypeParam;
  constexpr std::int64_t columns = 64;
  std::int64_t const rows = (std::int64_t{1} << 24) / (columns * static_cast<std::int64_t>(sizeof(X))) + 5;
  ZooPattern pattern;
  pattern.cols = 64;
  for (std::int64_t i = 0; i < rows; ++i)
    pattern.add_row({static_cast<std::int32_t>(i % 61), static_cast<std::int32_t>(i % 64)});
  ZooMatrix<X, std::int32_t> const m(pattern, true, true, 0);
  auto const packed = host::pack_cache_panels(m.pointers(), shape_of(4, 256, 128), 2);
  Dense<X> b(m.cols, columns, true, 0, 0, not_a_number<X>);
  b.fill([](auto i, auto j) { return (i + j) % 9 - 4; });
  Dense<X> c(m.rows, columns, true, 0, 0, canary<X>);
  while (reinterpret_cast<std::uintptr_t>(c.buffer.data() + c.first) % 64 != 0) ++c.first;
  ASSERT_TRUE(host::goes_past_cache(DenseBatch<X>{c.matrix()}, 0));
  host::cache_panels_spmm(packed, X(3), DenseBatch<X const>{b.constant()}, X(0), DenseBatch<X>{c.matrix()}, {}, 2);
  EXPECT_TRUE(c.untouched_outside(canary<X>));
  for (std::int64_t i = 0; i < m.rows; i += i < m.rows - 200 ? 97 : 1)
    for (std::int64_t j = 0; j < columns; ++j) {
      auto const sum = m.values[static_cast<std::size_t>(2 * i)] * static_cast<X>(b.at(i % 61, j)) +
                       m.values[static_cast<std::size_t>(2 * i + 1)] * static_cast<X>(b.at(i % 64, j));
      ASSERT_EQ(c.at(i, j), static_cast<X>(3 * sum)) << i << ", " << j;
    }
}

}  // namespace
}  // namespace araia::test
