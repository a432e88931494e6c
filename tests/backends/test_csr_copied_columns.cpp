// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpMM by panels of B that are copied, over a zoo of shapes, layouts and column counts.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/spmm/csr_copied_columns/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "backends/spmm_checks.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(CsrCopiedColumns, RealTypes, TypesByNumber);

/// The workspace of a panel, exactly as large as it must be: sanitizers see what reads or writes beyond. Not a number
/// at first.
template <class X>
class StripProducts {
 public:
  StripProducts(ZooMatrix<X, std::int32_t> const& m, int lines)
      : a_(m.pointers()), lines_(lines), scalars_(host::copied_columns_workspace(m.cols, lines, sizeof(X))) {
    if (scalars_ == 0) return;
    room_.reset(static_cast<X*>(std::aligned_alloc(64, static_cast<std::size_t>(scalars_) * sizeof(X))));
    std::fill_n(room_.get(), scalars_, not_a_number<X>);
  }
  void operator()(host::Isa isa, X alpha, DenseBatch<X const> const& b, X beta, DenseBatch<X> const& c,
                  EpiloguePointers<X> const& epilogue, int threads) const {
    host::copied_columns_spmm(a_, lines_, room_.get(), alpha, b, beta, c, epilogue, threads, isa);
  }

 private:
  struct Free {
    void operator()(X* p) const { std::free(p); }
  };
  CsrPointers<X, std::int32_t, std::int32_t> a_;
  int lines_;
  std::int64_t scalars_;
  std::unique_ptr<X[], Free> room_{};
};

template <class X>
void expect_right_copied_columns(ZooPattern const& pattern, int lines, ProductCase const& at, bool with_values, X alpha,
                                 X beta) {
  ZooMatrix<X, std::int32_t> const m(pattern, with_values, false, at.first);
  expect_right_product(m, pattern.name + ", lines " + std::to_string(lines), at, alpha, beta,
                       StripProducts<X>(m, lines));
}

ARAIA_TYPED_TEST(CsrCopiedColumns, HoldsTheBoundOnEveryShapeAndLayout) {
  using X = TypeParam;
  for (auto const& pattern : zoo_patterns())
    for (auto const layouts : all_layouts) {
      expect_right_copied_columns<X>(pattern, 1, {5, layouts, 3, 1}, true, X(-0.7), X(0.3));
      expect_right_copied_columns<X>(pattern, 2, {37, layouts}, true, X(1), X(0));
      expect_right_copied_columns<X>(pattern, 1, {16, layouts}, false, X(1), X(0));
      if (testing::Test::HasFailure()) return;
    }
}

ARAIA_TYPED_TEST(CsrCopiedColumns, HoldsTheBoundOnEveryNumberOfColumns) {
  using X = TypeParam;
  auto const layer = pruned_layer_pattern(70, 75, 0.1);
  for (std::int64_t columns = 0; columns <= 130; columns += columns < 36 ? 1 : 7)
    for (int const lines : {1, 2}) {
      expect_right_copied_columns<X>(layer, lines, {columns, {true, true}, columns % 4, 3}, true, X(2), X(-1));
      if (testing::Test::HasFailure()) return;
    }
  expect_right_copied_columns<X>(permuted(layer), 1, {40}, true, X(1), X(1));
  expect_right_copied_columns<X>(layer, 1, {40}, true, X(0), X(-0.5));
}

ARAIA_TYPED_TEST(CsrCopiedColumns, HoldsTheBoundWithEpiloguesOfBatches) {
  using X = TypeParam;
  ZooMatrix<X, std::int32_t> const m(pruned_layer_pattern(101, 90, 0.2), true, false, 0);
  for (std::int64_t const columns : {1, 16, 33, 64})
    expect_right_batches(m, columns, StripProducts<X>(m, columns == 33 ? 2 : 1));
}

ARAIA_TYPED_TEST(CsrCopiedColumns, NaNAndInfinityReachTheRowsThatStoreTheirColumn) {
  using X = TypeParam;
  auto const pattern = pruned_layer_pattern(130, 140, 0.1);
  ZooMatrix<X, std::int32_t> const m(pattern, true, false, 0);
  StripProducts<X> const multiply(m, 1);
  for (X const poison : {not_a_number<X>, std::numeric_limits<X>::infinity()}) {
    Dense<X> b(m.cols, 21, true, 1, 0, not_a_number<X>);
    b.fill([&](auto i, auto j) { return i % 30 == 29 && (j == 6 || j == 20) ? double(poison) : wave(i, j); });
    Dense<X> c(m.rows, 21, true, 1, 0, canary<X>);
    auto const expected = reference::spmm(Op::none, X(1), m.pointers(), b.constant(), X(0), c.constant());
    for (auto const isa : host::supported_isas()) {
      multiply(isa, X(1), DenseBatch<X const>{b.constant()}, X(0), DenseBatch<X>{c.matrix()}, {}, 2);
      auto const report = reference::check(expected, c.constant());
      EXPECT_TRUE(report.ok()) << "at " << report.first_bad_row << ", " << report.first_bad_column;
    }
  }
}

ARAIA_TYPED_TEST(CsrCopiedColumns, ShapesFollowTheLastLevelCache) {
  constexpr auto bytes = static_cast<int>(sizeof(TypeParam));
  constexpr std::int64_t in_line = 64 / bytes;
  host::Caches const of{.l1 = 1 << 15, .l2 = 1 << 20, .last = 1 << 24};
  auto const shape = [&](std::int64_t cols, std::int64_t lines) {
    return host::copied_columns_shape(cols, 10 * cols, lines * in_line, bytes, of);
  };
  EXPECT_EQ(shape(1 << 16, 8)->lines, 2);
  EXPECT_EQ(shape(1 << 16, 9)->panels, 5);
  EXPECT_TRUE(shape(1 << 16, 8)->pays);
  EXPECT_FALSE(shape(1 << 16, 2)->pays);  // all of B fits
  EXPECT_EQ(shape(1 << 17, 8)->lines, 1);
  EXPECT_TRUE(shape(1 << 17, 8)->pays);
  EXPECT_FALSE(shape(1 << 18, 8)->pays);  // no strip does
  EXPECT_FALSE(shape(1 << 17, 1)->pays);  // one strip is all of B
  EXPECT_EQ(shape(100, 1)->lines, 1);
  EXPECT_FALSE(shape(0, 8));
  EXPECT_FALSE(host::copied_columns_shape(8, 0, 8, bytes, of));
  EXPECT_LT(shape(1 << 16, 8)->seconds, shape(1 << 16, 16)->seconds);
  EXPECT_EQ(host::copied_columns_workspace(1000, 2, bytes), 2000 * in_line);
}

}  // namespace
}  // namespace araia::test
