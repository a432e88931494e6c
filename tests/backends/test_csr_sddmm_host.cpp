// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SDDMM over a zoo of shapes, lengths of dot products and alignments, on every instruction set of this
// machine.

#include "backends/openmp/sddmm/csr_host_simd/kernel.hpp"

#include <gtest/gtest.h>

#include <araia/Araia_Config.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/reference/sddmm.hpp"
#include "support/reference.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

template <class TType, class OffsetType>
struct SddmmOperands {
  using T = TType;
  using Offset = OffsetType;
};

#ifdef ARAIA_TYPES_MINIMAL
using SddmmTypes = TypeList<SddmmOperands<double, std::int32_t>>;
#else
using SddmmTypes = TypeList<SddmmOperands<double, std::int32_t>, SddmmOperands<double, std::int64_t>,
                            SddmmOperands<float, std::int32_t>, SddmmOperands<float, std::int64_t>>;
#endif
ARAIA_TYPED_SUITE(CsrSddmmHost, SddmmTypes, TypesByNumber);

struct SddmmCase {
  std::int64_t k = 1;
  std::int64_t padding = 0;
  std::size_t first = 0;
  bool values = false;
  double alpha = 1;
  double beta = 0;
};

/// Operands whose surroundings are NaN, so that reading beyond a row shows.
template <class T>
Dense<T> operand(std::int64_t rows, SddmmCase const& c, int shift) {
  Dense<T> m(rows, c.k, true, c.padding, c.first, not_a_number<T>);
  m.fill([&](auto i, auto j) { return wave(i + shift, j); });
  return m;
}

/// Computes with 1 thread, checks it, and compares other thread counts bit by bit.
template <class TypeParam>
void expect_right_sddmm(ZooPattern const& pattern, SddmmCase const& c, Dense<typename TypeParam::T> const& x,
                        Dense<typename TypeParam::T> const& y) {
  using T = typename TypeParam::T;
  ZooMatrix<T, typename TypeParam::Offset> const m(pattern, c.values, false, c.first);
  auto const a = m.pointers();
  auto const alpha = static_cast<T>(c.alpha);
  auto const beta = static_cast<T>(c.beta);
  Dense<T> before(a.nnz, 1, false, 0, c.first, canary<T>);
  before.fill([&](auto i, auto j) { return beta == T(0) ? double(not_a_number<T>) : wave(i + 99, j); });
  ASSERT_TRUE(host::csr_sddmm_supports(x.constant(), y.constant()));
  auto const expected = ref::sddmm(alpha, a, x.constant(), y.constant(), false, beta, before.constant().data);
  for (auto const isa : host::supported_isas()) {
    SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + ", k " + std::to_string(c.k) + ", first " +
                 std::to_string(c.first) + (c.values ? "" : ", ones"));
    auto one = before;
    host::csr_sddmm(a, alpha, x.constant(), y.constant(), beta, one.matrix().data, 1, isa);
    auto const report = ref::check(expected, one.constant());
    EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ": " << report.got
                             << " for " << report.expected << " +- " << report.bound;
    EXPECT_TRUE(one.untouched_outside(canary<T>));
    for (int const threads : {2, 7}) {
      auto many = before;
      host::csr_sddmm(a, alpha, x.constant(), y.constant(), beta, many.matrix().data, threads, isa);
      EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
    }
  }
}
template <class TypeParam>
void expect_right_sddmm(ZooPattern const& pattern, SddmmCase const& c) {
  using T = typename TypeParam::T;
  expect_right_sddmm<TypeParam>(pattern, c, operand<T>(pattern.rows, c, 0), operand<T>(pattern.cols, c, 50));
}

ARAIA_TYPED_TEST(CsrSddmmHost, HoldsTheBoundOnEveryShape) {
  for (auto const& pattern : zoo_patterns()) {
    expect_right_sddmm<TypeParam>(pattern,
                                  {.k = 19, .padding = 3, .first = 1, .values = true, .alpha = -0.7, .beta = 0.3});
    expect_right_sddmm<TypeParam>(pattern, {.k = 64, .alpha = 1, .beta = 0});
    if (testing::Test::HasFailure()) return;
  }
}

ARAIA_TYPED_TEST(CsrSddmmHost, HoldsTheBoundForDotProductsOfEveryLength) {
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name != "empty rows first, in the middle and last") continue;
    for (std::int64_t k = 0; k <= 70; ++k)
      expect_right_sddmm<TypeParam>(pattern, {.k = k, .padding = k % 3, .first = 1, .alpha = 2, .beta = -1});
    for (std::int64_t const k : {127, 128, 130, 512})
      expect_right_sddmm<TypeParam>(pattern, {.k = k, .values = true, .alpha = 1, .beta = 1});
  }
}

ARAIA_TYPED_TEST(CsrSddmmHost, HoldsTheBoundWhereYDoesNotFitTheCaches) {
  ZooPattern pattern;
  pattern.name = "columns anywhere";
  pattern.cols = 40000;
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) pattern.add_row(random_columns(random, i % 23, pattern.cols));
  expect_right_sddmm<TypeParam>(pattern, {.k = 71, .values = true, .alpha = 0.5, .beta = 1});
}

ARAIA_TYPED_TEST(CsrSddmmHost, SpreadsNaNAndInfinityToEntriesOfTheirRowsAlone) {
  using T = typename TypeParam::T;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.name != "every row length from 0 to 130" && pattern.name != "stencil") continue;
    for (T const bad : {not_a_number<T>, std::numeric_limits<T>::infinity()}) {
      SddmmCase const c{.k = 37, .padding = 2, .alpha = 1};
      auto x = operand<T>(pattern.rows, c, 0);
      auto y = operand<T>(pattern.cols, c, 50);
      x.at(9, 36) = bad;
      y.at(11, 0) = bad;
      expect_right_sddmm<TypeParam>(pattern, c, x, y);
    }
  }
}

ARAIA_TYPED_TEST(CsrSddmmHost, MayOverwriteTheValuesItReads) {
  using T = typename TypeParam::T;
  auto const pattern = zoo_patterns()[4];
  SddmmCase const c{.k = 24, .values = true};
  auto const x = operand<T>(pattern.rows, c, 0);
  auto const y = operand<T>(pattern.cols, c, 50);
  ZooMatrix<T, typename TypeParam::Offset> m(pattern, true, false, 0);
  auto const expected = ref::sddmm(T(1), m.pointers(), x.constant(), y.constant(), false, T(0.5), m.values.data());
  host::csr_sddmm(m.pointers(), T(1), x.constant(), y.constant(), T(0.5), m.values.data(), 2);
  EXPECT_TRUE(ref::check(expected, DenseVector<T const>{m.values.data(), m.pointers().nnz, 1}).ok());
}

TEST(CsrSddmmHostLayouts, RowsMustBeContiguous) {
  Dense<double> const by_rows(3, 4, true, 2, 0, 0.0);
  Dense<double> const by_columns(3, 4, false, 2, 0, 0.0);
  EXPECT_TRUE(host::csr_sddmm_supports(by_rows.constant(), by_rows.constant()));
  EXPECT_FALSE(host::csr_sddmm_supports(by_columns.constant(), by_rows.constant()));
  EXPECT_FALSE(host::csr_sddmm_supports(by_rows.constant(), by_columns.constant()));
}

}  // namespace
}  // namespace araia::test
