// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference worked by hand: everything else is compared with it, so it is compared with pencil and paper.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/openmp/reference/check.hpp"
#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/reference/sample.hpp"
#include "backends/openmp/reference/spmm.hpp"
#include "backends/openmp/reference/spmv.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

//     [ 1  0  2  0 ]
// A = [ 0  0  0  0 ]      x = (1, 2, 3, 4), A x = (7, 0, 26, 0, 8)
//     [ 3  4  5  0 ]      A' (1, 1, 1, 1, 1) = (4, 4, 7, 2)
//     [ 0  0  0  0 ]
//     [ 0  0  0  2 ]
struct Example {
  std::vector<std::int32_t> row_offsets{0, 2, 2, 5, 5, 6};
  std::vector<std::int32_t> col_indices{0, 2, 0, 1, 2, 3};
  std::vector<double> values{1, 2, 3, 4, 5, 2};
  std::vector<double> x{1, 2, 3, 4};
  std::vector<double> ones{1, 1, 1, 1, 1};

  [[nodiscard]] CsrPointers<double, std::int32_t, std::int32_t> csr() const {
    return {5, 4, 6, row_offsets.data(), col_indices.data(), values.data(), nullptr};
  }
};

template <class T>
DenseVector<T const> in(std::vector<T> const& v) {
  return {v.data(), static_cast<std::int64_t>(v.size()), 1};
}

template <class Y>
std::vector<double> doubles(ref::Expected<Y> const& expected) {
  std::vector<double> out;
  for (auto const& v : expected.values) out.push_back(static_cast<double>(v));
  return out;
}

TEST(Reference, MultipliesCsrByHand) {
  Example const e;
  auto const y = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  EXPECT_EQ(doubles(y), (std::vector<double>{7, 0, 26, 0, 8}));
  EXPECT_EQ(y.counts, (std::vector<std::int64_t>{2, 0, 3, 0, 1}));
}

TEST(Reference, TransposesByHand) {
  Example const e;
  for (Op const op : {Op::transpose, Op::conjugate_transpose}) {
    auto const y = ref::spmv(op, 1.0, e.csr(), in(e.ones), 0.0, DenseVector<double const>{});
    EXPECT_EQ(doubles(y), (std::vector<double>{4, 4, 7, 2}));
    EXPECT_EQ(y.counts, (std::vector<std::int64_t>{2, 1, 2, 1}));
  }
}

TEST(Reference, ScalesAndAddsByHand) {
  Example const e;
  std::vector<double> const before{1, -1, 10, 3, 0};
  auto const y = ref::spmv(Op::none, 2.0, e.csr(), in(e.x), -3.0, in(before));
  EXPECT_EQ(doubles(y), (std::vector<double>{11, 3, 22, -9, 16}));
  std::vector<double> magnitudes;
  for (auto const m : y.magnitudes) magnitudes.push_back(static_cast<double>(m));
  EXPECT_EQ(magnitudes, (std::vector<double>{17, 3, 82, 9, 16}));
}

TEST(Reference, ZeroBetaOverwritesNaN) {
  Example const e;
  std::vector<double> const before(5, nan);
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, in(before))),
            (std::vector<double>{7, 0, 26, 0, 8}));
}

TEST(Reference, ZeroAlphaReadsNeitherMatrixNorVector) {
  CsrPointers<double, std::int32_t, std::int32_t> const unreadable{3, 2, 1, nullptr, nullptr, nullptr, nullptr};
  std::vector<double> const before{1, 2, 3};
  auto const y = ref::spmv(Op::none, 0.0, unreadable, DenseVector<double const>{}, 2.0, in(before));
  EXPECT_EQ(doubles(y), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(y.counts, (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(Reference, EmptyShapesGiveEmptyOrScaledResults) {
  CsrPointers<double, std::int32_t, std::int32_t> const none{};
  EXPECT_TRUE(
      ref::spmv(Op::none, 1.0, none, DenseVector<double const>{}, 0.0, DenseVector<double const>{}).values.empty());
  std::vector<std::int32_t> const offsets{0, 0, 0};
  CsrPointers<double, std::int32_t, std::int32_t> const no_columns{2, 0, 0, offsets.data(), nullptr, nullptr, nullptr};
  std::vector<double> const before{5, 6};
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0, no_columns, DenseVector<double const>{}, 2.0, in(before))),
            (std::vector<double>{10, 12}));
}

TEST(Reference, ReadsUnsortedCooWithDuplicates) {
  // (1, 0, 5) (0, 1, 2) (1, 0, -3) (0, 0, 1), A = [1 2; 2 0]
  std::vector<std::int32_t> const rows{1, 0, 1, 0};
  std::vector<std::int32_t> const cols{0, 1, 0, 0};
  std::vector<double> const values{5, 2, -3, 1};
  CooPointers<double, std::int32_t> const a{2, 2, 4, rows.data(), cols.data(), values.data(), false};
  std::vector<double> const x{10, 100};
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0, a, in(x), 0.0, DenseVector<double const>{})),
            (std::vector<double>{210, 20}));
  auto const transposed = ref::spmv(Op::transpose, 1.0, a, in(x), 0.0, DenseVector<double const>{});
  EXPECT_EQ(doubles(transposed), (std::vector<double>{210, 20}));
  EXPECT_EQ(transposed.counts, (std::vector<std::int64_t>{3, 1}));
}

TEST(Reference, StopsAtTheRowLengthOfEll) {
  // Stored rows 0, 1, 2 of width 2 and ld 4 are rows 2, 0, 1. Padding holds NaN and a column far outside.
  constexpr std::int32_t far = 1 << 30;
  std::vector<std::int32_t> const lengths{1, 2, 0};
  std::vector<std::int32_t> const cols{1, 0, far, far, far, 1, far, far};
  std::vector<double> const values{3, 4, nan, nan, nan, 5, nan, nan};
  std::vector<std::int32_t> const permutation{2, 0, 1};
  EllPointers<double, std::int32_t> const a{
      3, 2, 3, 2, 4, lengths.data(), cols.data(), values.data(), permutation.data()};
  std::vector<double> const x{1, 10};
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0, a, in(x), 0.0, DenseVector<double const>{})),
            (std::vector<double>{54, 0, 30}));
}

TEST(Reference, HonoursRowPermutationAndAbsentValues) {
  std::vector<std::int32_t> const offsets{0, 1, 3};
  std::vector<std::int32_t> const cols{2, 0, 1};
  std::vector<std::int32_t> const permutation{1, 0};
  CsrPointers<float, std::int32_t, std::int32_t> const a{
      2, 3, 3, offsets.data(), cols.data(), nullptr, permutation.data()};
  std::vector<float> const x{1, 2, 4};
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0f, a, in(x), 0.0f, DenseVector<float const>{})),
            (std::vector<double>{3, 4}));
  std::vector<float> const z{10, 100};
  EXPECT_EQ(doubles(ref::spmv(Op::transpose, 1.0f, a, in(z), 0.0f, DenseVector<float const>{})),
            (std::vector<double>{10, 10, 100}));
}

TEST(Reference, ReadsStridedVectors) {
  Example const e;
  std::vector<double> const x{1, nan, 2, nan, 3, nan, 4};
  std::vector<double> const before{1, nan, nan, 1, nan, nan, 1, nan, nan, 1, nan, nan, 1};
  auto const y = ref::spmv(Op::none, 1.0, e.csr(), DenseVector<double const>{x.data(), 4, 2}, 1.0,
                           DenseVector<double const>{before.data(), 5, 3});
  EXPECT_EQ(doubles(y), (std::vector<double>{8, 1, 27, 1, 9}));
}

TEST(Reference, MultipliesMatricesOfEitherLayout) {
  Example const e;
  //     [ 1 10 ]            [  7  70 ]
  // B = [ 2 20 ]  A B = C = [  0   0 ]  and so on
  //     [ 3 30 ]            [ 26 260 ]
  //     [ 4 40 ]
  std::vector<double> const by_rows{1, 10, nan, 2, 20, nan, 3, 30, nan, 4, 40, nan};
  std::vector<double> const by_columns{1, 2, 3, 4, 10, 20, 30, 40};
  std::vector<double> const want{7, 70, 0, 0, 26, 260, 0, 0, 8, 80};
  DenseMatrix<double const> const left{by_columns.data(), 4, 2, 1, 4};
  DenseMatrix<double const> const right{by_rows.data(), 4, 2, 3, 1};
  EXPECT_EQ(doubles(ref::spmm(Op::none, 1.0, e.csr(), left, 0.0, DenseMatrix<double const>{})), want);
  EXPECT_EQ(doubles(ref::spmm(Op::none, 1.0, e.csr(), right, 0.0, DenseMatrix<double const>{})), want);
}

TEST(Reference, ConjugatesOnlyWhereAsked) {
  using C = std::complex<double>;
  // A = [1+2i 3i], x = (1, 1), x' = (2+i)
  std::vector<std::int32_t> const offsets{0, 2};
  std::vector<std::int32_t> const cols{0, 1};
  std::vector<C> const values{{1, 2}, {0, 3}};
  CsrPointers<C, std::int32_t, std::int32_t> const a{1, 2, 2, offsets.data(), cols.data(), values.data(), nullptr};
  std::vector<C> const ones{1, 1};
  std::vector<C> const z{{2, 1}};
  auto const at = [](auto const& expected, std::size_t i) {
    return C(static_cast<double>(expected.values[i].real()), static_cast<double>(expected.values[i].imag()));
  };
  auto const plain = ref::spmv(Op::none, C(0, 1), a, in(ones), C(0), DenseVector<C const>{});
  EXPECT_EQ(at(plain, 0), C(-5, 1));  // i (1 + 5i)
  auto const transposed = ref::spmv(Op::transpose, C(1), a, in(z), C(0), DenseVector<C const>{});
  EXPECT_EQ(at(transposed, 0), C(0, 5));
  EXPECT_EQ(at(transposed, 1), C(-3, 6));
  auto const adjoint = ref::spmv(Op::conjugate_transpose, C(1), a, in(z), C(0), DenseVector<C const>{});
  EXPECT_EQ(at(adjoint, 0), C(4, -3));
  EXPECT_EQ(at(adjoint, 1), C(3, -6));
  auto const conjugated = ref::spmv(Op::conjugate, C(0, 1), a, in(ones), C(0), DenseVector<C const>{});
  EXPECT_EQ(at(conjugated, 0), C(5, 1));  // i (1 - 5i)
}

TEST(Reference, ComputesBeyondTheResultsPrecision) {
  // 2^24 + 1 - 2^24 is 0 in float whatever the product, 1 in double.
  std::vector<std::int32_t> const offsets{0, 3};
  std::vector<std::int32_t> const cols{0, 1, 2};
  std::vector<float> const values{16777216.0f, 1.0f, -16777216.0f};
  CsrPointers<float, std::int32_t, std::int32_t> const a{1, 3, 3, offsets.data(), cols.data(), values.data(), nullptr};
  std::vector<float> const x{1, 1, 1};
  EXPECT_EQ(doubles(ref::spmv(Op::none, 1.0f, a, in(x), 0.0f, DenseVector<float const>{})), (std::vector<double>{1}));
}

TEST(Reference, GivesChosenRowsAlone) {
  Example const e;
  auto const some = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{}, {2, 4});
  EXPECT_EQ(doubles(some), (std::vector<double>{26, 8}));
  std::vector<double> const y{nan, nan, 26, nan, 9};
  auto const report = ref::check(some, in(y));
  EXPECT_EQ(report.rows_checked, 2);
  EXPECT_EQ(report.violations, 1);
  EXPECT_EQ(report.first_bad_row, 4);
  auto const no_rows = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{}, {});
  EXPECT_TRUE(no_rows.values.empty());
  EXPECT_EQ(ref::check(no_rows, in(y)).entries_checked, 0);
}

TEST(ReferenceCheck, AcceptsAllTheBoundAllowsAndNoMore) {
  Example const e;
  auto const expected = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  std::vector<double> y{7, 0, 26, 0, 8};
  EXPECT_TRUE(ref::check(expected, in(y)).ok());
  EXPECT_EQ(ref::check(expected, in(y)).worst_ratio, 0);
  constexpr double u = 0x1p-53;
  y[2] = 26 + 4 * 26 * u;  // gamma_5 allows 5 u of 26; the spacing there is 32 u
  EXPECT_TRUE(ref::check(expected, in(y)).ok());
  y[2] = 26 + 6 * 26 * u;
  auto const report = ref::check(expected, in(y));
  EXPECT_EQ(report.violations, 1);
  EXPECT_EQ(report.first_bad_row, 2);
  EXPECT_EQ(report.first_bad_column, 0);
  EXPECT_EQ(report.got.real(), y[2]);
  EXPECT_EQ(report.expected.real(), 26);
  EXPECT_GT(report.worst_ratio, 1);
  EXPECT_LT(report.worst_ratio, 1.4);
}

TEST(ReferenceCheck, EmptyRowMustBeZeroButForTheSmallestNumbers) {
  Example const e;
  auto const expected = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  std::vector<double> const y{7, 1e-300, 26, 0, 8};
  EXPECT_EQ(ref::check(expected, in(y)).first_bad_row, 1);
}

TEST(ReferenceCheck, NanAndInfinityFailWhereNumbersAreExpected) {
  Example const e;
  auto const expected = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  for (double const bad : {nan, inf, -inf}) {
    std::vector<double> const y{7, 0, bad, 0, 8};
    auto const report = ref::check(expected, in(y));
    EXPECT_EQ(report.violations, 1);
    EXPECT_EQ(report.first_bad_row, 2);
    EXPECT_EQ(report.worst_ratio, inf);
  }
}

TEST(ReferenceCheck, NonFiniteMustBeMetByItsLike) {
  Example e;
  e.x[0] = inf;  // rows 0 and 2 store column 0: both become infinite; row 2 with -inf x[1] a NaN
  auto const infinite = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  EXPECT_TRUE(ref::check(infinite, in(std::vector<double>{inf, 0, inf, 0, 8})).ok());
  EXPECT_EQ(ref::check(infinite, in(std::vector<double>{-inf, 0, inf, 0, 8})).first_bad_row, 0);
  EXPECT_EQ(ref::check(infinite, in(std::vector<double>{inf, 0, nan, 0, 8})).first_bad_row, 2);
  EXPECT_EQ(ref::check(infinite, in(std::vector<double>{inf, 0, 1e308, 0, 8})).first_bad_row, 2);
  EXPECT_EQ(ref::check(infinite, in(std::vector<double>{inf, nan, inf, 0, 8})).first_bad_row, 1);
  e.x[1] = -inf;
  auto const undefined = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  EXPECT_TRUE(ref::check(undefined, in(std::vector<double>{inf, 0, nan, 0, 8})).ok());
  EXPECT_EQ(ref::check(undefined, in(std::vector<double>{inf, 0, inf, 0, 8})).first_bad_row, 2);
}

TEST(ReferenceCheck, OverflowOnTheWayIsAllowedToShow) {
  // 3e38 + 3e38 - 3e38 is 3e38, yet no float sum from the left is finite.
  std::vector<std::int32_t> const offsets{0, 3};
  std::vector<std::int32_t> const cols{0, 1, 2};
  std::vector<float> const values{3e38f, 3e38f, -3e38f};
  CsrPointers<float, std::int32_t, std::int32_t> const a{1, 3, 3, offsets.data(), cols.data(), values.data(), nullptr};
  std::vector<float> const x{1, 1, 1};
  auto const expected = ref::spmv(Op::none, 1.0f, a, in(x), 0.0f, DenseVector<float const>{});
  EXPECT_TRUE(ref::check(expected, in(std::vector<float>{std::numeric_limits<float>::infinity()})).ok());
  EXPECT_TRUE(ref::check(expected, in(std::vector<float>{3e38f})).ok());
  EXPECT_FALSE(ref::check(expected, in(std::vector<float>{1e38f})).ok());
}

TEST(ReferenceCheck, ComplexErrorIsMeasuredInThePlane) {
  using C = std::complex<double>;
  std::vector<std::int32_t> const offsets{0, 1};
  std::vector<std::int32_t> const cols{0};
  std::vector<C> const values{{1, 1}};
  CsrPointers<C, std::int32_t, std::int32_t> const a{1, 1, 1, offsets.data(), cols.data(), values.data(), nullptr};
  std::vector<C> const x{{1, -1}};  // (1 + i)(1 - i) = 2: the imaginary part cancels, its error is not relative to 0
  auto const expected = ref::spmv(Op::none, C(1), a, in(x), C(0), DenseVector<C const>{});
  EXPECT_TRUE(ref::check(expected, in(std::vector<C>{{2, 0x1p-51}})).ok());
  EXPECT_FALSE(ref::check(expected, in(std::vector<C>{{2, 0x1p-47}})).ok());
  EXPECT_FALSE(ref::check(expected, in(std::vector<C>{{2, nan}})).ok());
}

TEST(ReferenceCheck, LowerPrecisionHasItsOwnBound) {
  Example const e;
  auto const expected = ref::spmv(Op::none, 1.0, e.csr(), in(e.x), 0.0, DenseVector<double const>{});
  std::vector<double> const y{7 * (1 + 0x1p-22), 0, 26, 0, 8};
  EXPECT_FALSE(ref::check(expected, in(y)).ok());
  EXPECT_TRUE(ref::check(expected, in(y), 0x1p-24L).ok());
}

TEST(ReferenceCheck, MatrixViolationNamesItsColumn) {
  Example const e;
  std::vector<double> const b{1, 10, 2, 20, 3, 30, 4, 40};
  auto const expected = ref::spmm(Op::none, 1.0, e.csr(), DenseMatrix<double const>{b.data(), 4, 2, 2, 1}, 0.0,
                                  DenseMatrix<double const>{});
  std::vector<double> const c{7, 70, 0, 0, 26, 261, 0, 0, 8, 81};
  auto const report = ref::check(expected, DenseMatrix<double const>{c.data(), 5, 2, 2, 1});
  EXPECT_EQ(report.entries_checked, 10);
  EXPECT_EQ(report.violations, 2);
  EXPECT_EQ(report.first_bad_row, 2);
  EXPECT_EQ(report.first_bad_column, 1);
}

TEST(ReferenceSample, HoldsAllRowsWhenFewElseTheExtremes) {
  std::vector<std::int64_t> lengths(1000, 7);
  lengths[333] = 900;
  lengths[444] = 0;
  EXPECT_EQ(ref::sample_rows(lengths, 1000).size(), 1000u);
  auto const rows = ref::sample_rows(lengths, 50);
  EXPECT_EQ(rows.size(), 50u);
  for (std::int64_t const must : {0, 333, 444, 999}) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), must));
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_EQ(rows, ref::sample_rows(lengths, 50));
  EXPECT_NE(rows, ref::sample_rows(lengths, 50, 2));
  EXPECT_TRUE(ref::sample_rows({}, 50).empty());
}

TEST(ReferenceSample, CountsRowsOfTheTranspose) {
  Example const e;
  EXPECT_EQ(ref::row_lengths(Op::none, e.csr()), (std::vector<std::int64_t>{2, 0, 3, 0, 1}));
  EXPECT_EQ(ref::row_lengths(Op::transpose, e.csr()), (std::vector<std::int64_t>{2, 1, 2, 1}));
}

}  // namespace
}  // namespace araia::test
