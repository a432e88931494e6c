// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host SpMV over a zoo of shapes, on every instruction set of this machine, against the reference.

#include <araia/Araia_Config.hpp>
#include "backends/openmp/csr_spmv_host.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/reference/spmv.hpp"
#include "support/backend_types.hpp"
#include "support/reference.hpp"
#include "support/typed.hpp"

namespace araia::test {
namespace {

namespace ref = araia::reference;

ARAIA_TYPED_SUITE(CsrSpmvHost, BackendTypes, TypesByNumber);

double vector_wave(std::int64_t i) { return std::sin(static_cast<double>(3 * i + 1)); }

struct SpmvKernel {
  host::Isa isa;
  bool gathers;
};

/// Every instruction set of this machine, and the gathers of the one that has them, fast or not.
std::vector<SpmvKernel> all_spmv_kernels() {
  std::vector<SpmvKernel> kernels;
  for (auto const isa : host::supported_isas()) {
    kernels.push_back({isa, false});
    if (isa == host::Isa::v4) kernels.push_back({isa, true});
  }
  return kernels;
}

ARAIA_TYPED_TEST(CsrSpmvHost, HoldsTheBoundOnEveryMixOfShortRows) {
  // Rows of 0 to 33 entries, some of 60, in stretches that fill whole blocks of short rows, parts of them, and none.
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  std::mt19937 random(11);
  for (int const longest : {1, 3, 17, 33}) {
    ZooPattern pattern;
    pattern.cols = 200;
    for (int i = 0; i < 421; ++i) {
      int const length = i % 97 == 96 ? 60
                         : i > 300    ? longest * (i % 2)
                                      : static_cast<int>(random() % (static_cast<unsigned>(longest) + 1U));
      pattern.add_row(random_columns(random, length, pattern.cols));
    }
    for (bool const with_values : {true, false})
      for (std::size_t const first : {0U, 3U}) {
        ZooMatrix<typename TypeParam::A, typename TypeParam::Offset> const m(pattern, with_values, false, first);
        Dense<X> x(m.cols, 1, true, 0, first, not_a_number<X>);
        x.fill([](auto i, auto) { return vector_wave(i); });
        Dense<Y> before(m.rows, 1, true, 0, first, canary<Y>);
        before.fill([](auto i, auto) { return vector_wave(i + 99); });
        auto const expected =
            ref::spmv(Op::none, Y(-0.7), m.pointers(), x.constant_vector(), Y(0.3), before.constant_vector());
        for (auto const [isa, gathers] : all_spmv_kernels()) {
          SCOPED_TRACE(std::string(host::to_string(isa)) + (gathers ? ", gathers" : "") + ", longest " +
                       std::to_string(longest));
          auto one = before;
          host::csr_spmv(m.pointers(), Y(-0.7), x.constant_vector(), Y(0.3), one.vector(), 1, nullptr, isa, gathers);
          auto const report = ref::check(expected, one.constant_vector());
          EXPECT_TRUE(report.ok()) << report.violations << " wrong, first in row " << report.first_bad_row;
          EXPECT_TRUE(one.untouched_outside(canary<Y>));
          for (int const threads : {2, 3, 7}) {
            auto many = before;
            host::csr_spmv(m.pointers(), Y(-0.7), x.constant_vector(), Y(0.3), many.vector(), threads, nullptr, isa,
                           gathers);
            EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
          }
          if (testing::Test::HasFailure()) return;
        }
      }
  }
}

ARAIA_TYPED_TEST(CsrSpmvHost, WideOffsetsAreNarrowedInChunksWithoutATraceInTheBits) {
  // More rows than a chunk has, rows of half as many entries as it may have, and one of more.
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  constexpr std::int32_t most_entries = 1 << 20;
  ZooPattern pattern;
  pattern.cols = 3000;
  auto const add_row = [&](std::int32_t length) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < length; ++k)
      columns.push_back(static_cast<std::int32_t>((7 * k + length) % pattern.cols));
    pattern.add_row(columns);
  };
  for (int i = 0; i < 1500; ++i) add_row(i % 5);
  for (std::int32_t const length : {most_entries / 2, 3, most_entries / 2 + 1, most_entries + 5, 0, 9}) add_row(length);
  for (bool const with_values : {true, false}) {
    if (!with_values)
      for (std::int64_t i = 0; i < pattern.rows; ++i)
        pattern.row_permutation.push_back(static_cast<std::int32_t>(pattern.rows - 1 - i));
    ZooMatrix<A, typename TypeParam::Offset> const m(pattern, with_values, false, 0);
    ZooMatrix<A, std::int32_t> const narrow(pattern, with_values, false, 0);
    Dense<X> x(m.cols, 1, true, 0, 0, not_a_number<X>);
    x.fill([](auto i, auto) { return vector_wave(i); });
    Dense<Y> before(m.rows, 1, true, 0, 0, canary<Y>);
    before.fill([](auto i, auto) { return vector_wave(i + 99); });
    auto const expected =
        ref::spmv(Op::none, Y(-0.7), m.pointers(), x.constant_vector(), Y(0.3), before.constant_vector());
    for (auto const [isa, gathers] : all_spmv_kernels()) {
      SCOPED_TRACE(std::string(host::to_string(isa)) + (gathers ? ", gathers" : "") + (with_values ? "" : ", pattern"));
      auto one = before;
      host::csr_spmv(m.pointers(), Y(-0.7), x.constant_vector(), Y(0.3), one.vector(), 1, nullptr, isa, gathers);
      auto const report = ref::check(expected, one.constant_vector());
      EXPECT_TRUE(report.ok()) << report.violations << " wrong, first in row " << report.first_bad_row;
      auto many = before;
      host::csr_spmv(m.pointers(), Y(-0.7), x.constant_vector(), Y(0.3), many.vector(), 3, nullptr, isa, gathers);
      EXPECT_TRUE(many.same_bits(one)) << "3 threads";
      auto of_narrow = before;
      host::csr_spmv(narrow.pointers(), Y(-0.7), x.constant_vector(), Y(0.3), of_narrow.vector(), 1, nullptr, isa,
                     gathers);
      EXPECT_TRUE(of_narrow.same_bits(one)) << "offsets of 32 bits";
    }
  }
}

ARAIA_TYPED_TEST(CsrSpmvHost, ARowHasItsBitsWhateverRowsComeWithIt) {
  // The same rows in turn, so that lengths change from row to row, and each many times over: short rows are summed in
  // three ways, of which the lengths around them decide. Values of every third kind make products of zero, of which the
  // sign tells how they were added up.
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  auto const bits = [](Y y) {
    std::conditional_t<sizeof(Y) == 8, std::uint64_t, std::uint32_t> all;
    std::memcpy(&all, &y, sizeof y);
    return all;
  };
  constexpr int kinds = 40;
  constexpr int copies = 620;  // beyond what is taken for remembered by the branch predictor
  std::mt19937 random(5);
  std::vector<std::vector<std::int32_t>> kind;
  for (int i = 0; i < kinds; ++i) kind.push_back(random_columns(random, i % 14, 90));
  auto const matrix = [&](bool with_values, auto const& kind_of_row) {
    ZooPattern pattern;
    pattern.cols = 90;
    for (int i = 0; i < kinds * copies; ++i) pattern.add_row(kind[static_cast<std::size_t>(kind_of_row(i))]);
    ZooMatrix<A, typename TypeParam::Offset> m(pattern, with_values, false, 0);
    for (int i = 0; i < kinds * copies; ++i) {
      auto const row = static_cast<std::size_t>(i);
      for (auto k = m.row_offsets[row]; k < m.row_offsets[row + 1]; ++k)
        m.values[static_cast<std::size_t>(k)] =
            kind_of_row(i) % 3 == 1 ? -std::numeric_limits<A>::denorm_min()
                                    : static_cast<A>(vector_wave(100 * kind_of_row(i) + (k - m.row_offsets[row])));
    }
    return m;
  };
  Dense<X> x(90, 1, true, 0, 0, not_a_number<X>);
  x.fill([](auto i, auto) { return vector_wave(i); });
  for (bool const with_values : {true, false}) {
    auto const in_turn = matrix(with_values, [](int i) { return i % kinds; });
    auto const in_stretches = matrix(with_values, [](int i) { return i / copies; });
    for (auto const [isa, gathers] : all_spmv_kernels()) {
      Dense<Y> turn(kinds * copies, 1, true, 0, 0, canary<Y>);
      auto stretch = turn;
      host::csr_spmv(in_turn.pointers(), Y(1), x.constant_vector(), Y(0), turn.vector(), 1, nullptr, isa, gathers);
      host::csr_spmv(in_stretches.pointers(), Y(1), x.constant_vector(), Y(0), stretch.vector(), 3, nullptr, isa,
                     gathers);
      for (std::int64_t i = 0; i < kinds * copies; ++i)
        ASSERT_EQ(bits(turn.buffer[static_cast<std::size_t>(i)]),
                  bits(stretch.buffer[static_cast<std::size_t>((i % kinds) * copies + i / kinds)]))
            << host::to_string(isa) << (gathers ? ", gathers" : "") << ", row " << i;
    }
  }
}

ARAIA_TYPED_TEST(CsrSpmvHost, HoldsTheBoundWhereMatricesAreAskedForAhead) {
  // Beyond the 32 MiB of comes_from_memory, where kernels that gather have loops of their own.
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (int const length : {2, 9, 18}) {
    ZooPattern pattern;
    pattern.cols = 50000;
    auto const rows = static_cast<int>((std::int64_t{33} << 20) / (length * static_cast<int>(sizeof(A) + 4)));
    std::vector<std::int32_t> columns;
    for (int i = 0; i < rows; ++i) {
      columns.clear();
      for (int k = 0; k < length + (i % 2 == 0 ? 1 : -1); ++k) columns.push_back((i * 7 + k * 1313) % 50000);
      pattern.add_row(columns);
    }
    ZooMatrix<A, typename TypeParam::Offset> const m(pattern, true, false, 0);
    Dense<X> x(m.cols, 1, true, 0, 0, not_a_number<X>);
    x.fill([](auto i, auto) { return vector_wave(i); });
    Dense<Y> before(m.rows, 1, true, 0, 0, canary<Y>);
    before.fill([](auto, auto) { return double(not_a_number<Y>); });
    auto const expected = ref::spmv(Op::none, Y(1), m.pointers(), x.constant_vector(), Y(0), before.constant_vector());
    for (auto const [isa, gathers] : all_spmv_kernels()) {
      auto y = before;
      host::csr_spmv(m.pointers(), Y(1), x.constant_vector(), Y(0), y.vector(), 2, nullptr, isa, gathers);
      auto const report = ref::check(expected, y.constant_vector());
      EXPECT_TRUE(report.ok()) << host::to_string(isa) << (gathers ? ", gathers" : "") << ", length " << length
                               << ", row " << report.first_bad_row << ": " << report.got << " for " << report.expected
                               << " +- " << report.bound;
    }
  }
}

ARAIA_TYPED_TEST(CsrSpmvHost, HoldsTheBoundOnEveryShape) {
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns())
    for (bool const with_values : {true, false})
      for (std::size_t const first : {0U, 1U, 3U}) {
        if (!with_values && first == 1U) continue;
        ZooMatrix<A, typename TypeParam::Offset> const m(pattern, with_values, false, first);
        auto const a = m.pointers();
        auto const runs = host::csr_row_runs(a, 2);
        Dense<X> x(m.cols, 1, true, 0, first, not_a_number<X>);
        x.fill([](auto i, auto) { return vector_wave(i); });
        for (Y const alpha : {Y(1), Y(-0.7)})
          for (Y const beta : {Y(0), Y(0.3)}) {
            Dense<Y> before(m.rows, 1, true, 0, first, canary<Y>);
            before.fill([&](auto i, auto) { return beta == Y(0) ? double(not_a_number<Y>) : vector_wave(i + 99); });
            auto const expected = ref::spmv(Op::none, alpha, a, x.constant_vector(), beta, before.constant_vector());
            for (auto const [isa, gathers] : all_spmv_kernels())
              for (auto const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs}) {
                SCOPED_TRACE(pattern.name + ", " + std::string(host::to_string(isa)) + (r ? ", runs" : "") +
                             (gathers ? ", gathers" : "") + (with_values ? "" : ", ones") + ", first " +
                             std::to_string(first));
                auto one = before;
                host::csr_spmv(a, alpha, x.constant_vector(), beta, one.vector(), 1, r, isa, gathers);
                auto const report = ref::check(expected, one.constant_vector());
                EXPECT_TRUE(report.ok()) << report.violations << " wrong, first in row " << report.first_bad_row << ": "
                                         << report.got << " for " << report.expected << " +- " << report.bound;
                EXPECT_TRUE(one.untouched_outside(canary<Y>));
                for (int const threads : {2, 3, 7}) {
                  if (alpha == Y(1)) continue;  // half of the cases will do
                  auto many = before;
                  host::csr_spmv(a, alpha, x.constant_vector(), beta, many.vector(), threads, r, isa, gathers);
                  EXPECT_TRUE(many.same_bits(one)) << threads << " threads";
                }
                if (testing::Test::HasFailure()) return;
              }
          }
      }
}

ARAIA_TYPED_TEST(CsrSpmvHost, IsExactOnSmallIntegers) {
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns()) {
    ZooMatrix<A, typename TypeParam::Offset> const m(pattern, true, true, 0);
    auto const a = m.pointers();
    auto const runs = host::csr_row_runs(a, 1);
    Dense<X> x(m.cols, 1, true, 0, 0, not_a_number<X>);
    x.fill([](auto i, auto) { return i % 7 - 3; });
    Dense<Y> before(m.rows, 1, true, 0, 0, canary<Y>);
    before.fill([](auto i, auto) { return i % 5; });
    auto const expected = ref::spmv(Op::none, Y(2), a, x.constant_vector(), Y(-1), before.constant_vector());
    for (auto const [isa, gathers] : all_spmv_kernels())
      for (auto const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs}) {
        auto y = before;
        host::csr_spmv(a, Y(2), x.constant_vector(), Y(-1), y.vector(), 2, r, isa, gathers);
        for (std::int64_t i = 0; i < m.rows; ++i)
          ASSERT_EQ(static_cast<double>(y.at(i, 0)), static_cast<double>(expected.values[static_cast<std::size_t>(i)]))
              << pattern.name << " row " << i << " " << host::to_string(isa);
      }
  }
}

ARAIA_TYPED_TEST(CsrSpmvHost, ZeroAlphaReadsNeitherMatrixNorVector) {
  using Y = typename TypeParam::Y;
  using Offset = typename TypeParam::Offset;
  CsrPointers<typename TypeParam::A, std::int32_t, Offset> const unreadable{3,       2,       4,      nullptr,
                                                                            nullptr, nullptr, nullptr};
  DenseVector<typename TypeParam::X const> const no_x{nullptr, 2, 1};
  std::vector<Y> y{1, not_a_number<Y>, 3};
  host::csr_spmv(unreadable, Y(0), no_x, Y(2), DenseVector<Y>{y.data(), 3, 1}, 2);
  EXPECT_EQ(y[0], Y(2));
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], Y(6));
  host::csr_spmv(unreadable, Y(0), no_x, Y(0), DenseVector<Y>{y.data(), 3, 1}, 2);
  EXPECT_EQ(y, (std::vector<Y>{0, 0, 0}));
}

ARAIA_TYPED_TEST(CsrSpmvHost, NaNReachesTheRowsThatStoreItsColumnAndNoOther) {
  using A = typename TypeParam::A;
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.col_indices.empty()) continue;
    ZooMatrix<A, typename TypeParam::Offset> const m(pattern, true, false, 0);
    auto const a = m.pointers();
    auto const runs = host::csr_row_runs(a, 1);
    auto const poisoned = pattern.col_indices[pattern.col_indices.size() / 2];
    for (X const poison : {not_a_number<X>, std::numeric_limits<X>::infinity()}) {
      Dense<X> x(m.cols, 1, true, 0, 0, not_a_number<X>);
      x.fill([&](auto i, auto) { return i == poisoned ? double(poison) : vector_wave(i); });
      Dense<Y> y(m.rows, 1, true, 0, 0, canary<Y>);
      auto const expected = ref::spmv(Op::none, Y(1), a, x.constant_vector(), Y(0), y.constant_vector());
      for (auto const [isa, gathers] : all_spmv_kernels())
        for (auto const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs}) {
          host::csr_spmv(a, Y(1), x.constant_vector(), Y(0), y.vector(), 1, r, isa, gathers);
          auto const report = ref::check(expected, y.constant_vector());
          EXPECT_TRUE(report.ok()) << pattern.name << " row " << report.first_bad_row << ": " << report.got << " for "
                                   << report.expected << ", " << host::to_string(isa);
        }
    }
  }
}

TEST(CsrRowRuns, FindsLinesAndNodesAlone) {
  // Rows 0..9: three columns, each row one to the right; 10..18: nine rows on the same four columns; 19, 20 alone.
  ZooPattern p;
  p.cols = 40;
  for (int i = 0; i < 10; ++i) p.add_row({i, i + 5, i + 20});
  for (int i = 0; i < 9; ++i) p.add_row({1, 2, 30, 31});
  p.add_row({7});
  p.add_row({});
  ZooMatrix<double, std::int32_t> const m(p, true, false, 0);
  auto const runs = host::csr_row_runs(m.pointers(), 2);
  // The two rows at the end are few enough to get lists of their own.
  std::vector<host::CsrRowRun> const want{{.first_entry = 0, .list = 0, .first_row = 0, .shift = 1, .length = 3},
                                          {.first_entry = 30, .list = 3, .first_row = 10, .shift = 0, .length = 4},
                                          {.first_entry = 66, .list = 7, .first_row = 19, .shift = 0, .length = 1},
                                          {.first_entry = 67, .list = 8, .first_row = 20, .shift = 0, .length = 0}};
  EXPECT_EQ(runs.runs, want);
  EXPECT_EQ(runs.columns, (std::vector<std::int32_t>{0, 5, 20, 1, 2, 30, 31, 7}));
  EXPECT_EQ(runs.shared_entries, 9 * 3 + 8 * 4);
}

TEST(CsrRowRuns, ListGroupsOfThreeThatLeaveRoomToReadOn) {
  ZooPattern p;
  p.cols = 40;
  for (int i = 0; i < 8; ++i) p.add_row({1, 2, 3, 30, 31, 32});
  for (int i = 0; i < 8; ++i) p.add_row({1, 2, 3, 37, 38, 39});              // nothing after the last column
  for (int i = 0; i < 8; ++i) p.add_row({0, 1, 3, 30, 31, 32});              // a gap
  for (int i = 0; i < 8; ++i) p.add_row({0, 1, 2, 5, 6, 7, 9});              // one more
  for (int i = 0; i < 8; ++i) p.add_row({4, 5, 6, 11, 12, 13});              // together with what follows
  for (int i = 0; i < 8; ++i) p.add_row({4, 5, 6, 11, 12, 13, 14, 15, 16});  // nothing after the last entry
  ZooMatrix<double, std::int32_t> const m(p, true, false, 0);
  auto const runs = host::csr_row_runs(m.pointers(), 2);
  ASSERT_EQ(runs.runs.size(), 6u);
  std::vector<std::int64_t> at;
  for (auto const& run : runs.runs) at.push_back(run.groups);
  auto const none = host::CsrRowRun::no_groups;
  EXPECT_EQ(at, (std::vector<std::int64_t>{0, none, none, none, 2, none}));
  EXPECT_EQ(runs.groups, (std::vector<std::int32_t>{1, 30, 4, 11}));
}

TEST(CsrRowRuns, CountEntriesOnDiagonalsThatFillASlice) {
  // Lines of nine rows, each one to the right of the one before, on the same diagonals or on ones of their own; and a
  // row in between.
  auto const entries = [](int lines, int apart) {
    ZooPattern p;
    p.cols = 4000;
    for (int row = 0; row < 10 * lines; ++row)
      p.add_row(row % 10 == 9 ? std::vector<std::int32_t>{row}
                              : std::vector<std::int32_t>{row, row + 7 + row / 10 * apart, row + 900});
    ZooMatrix<double, std::int32_t> const m(p, true, false, 0);
    auto const runs = host::csr_row_runs(m.pointers(), 2);
    EXPECT_EQ(runs.shared_entries, 3 * 8 * lines);
    return runs.diagonal_entries;
  };
  EXPECT_EQ(entries(3, 0), 0);  // 27 rows
  EXPECT_EQ(entries(4, 0), 3 * 8 * 4);
  EXPECT_EQ(entries(20, 1), 0);
}

TEST(CsrRowRuns, DoNotDependOnTheThreadCount) {
  for (auto const& pattern : zoo_patterns()) {
    ZooMatrix<float, std::int64_t> const m(pattern, true, false, 0);
    auto const one = host::csr_row_runs(m.pointers(), 1);
    auto const three = host::csr_row_runs(m.pointers(), 3);
    EXPECT_EQ(one.runs, three.runs) << pattern.name;
    EXPECT_EQ(one.columns, three.columns) << pattern.name;
    EXPECT_EQ(one.groups, three.groups) << pattern.name;
    EXPECT_EQ(one.shared_entries, three.shared_entries) << pattern.name;
    EXPECT_EQ(one.diagonal_entries, three.diagonal_entries) << pattern.name;
  }
}

TEST(CsrRowRuns, HoldLongMatricesWithoutRunsAsOne) {
  ZooPattern p;
  p.cols = 1 << 20;
  std::mt19937 random(3);
  for (int i = 0; i < 40000; ++i) p.add_row(random_columns(random, 2, p.cols));
  ZooMatrix<double, std::int32_t> const m(p, true, false, 0);
  EXPECT_EQ(host::csr_row_runs(m.pointers(), 2).runs.size(), 1u);
}

TEST(Isa, EverySupportedOneIsNamed) {
  for (auto const isa : host::supported_isas()) EXPECT_FALSE(host::to_string(isa).empty());
  EXPECT_EQ(host::supported_isas().back(), host::isa());
}

}  // namespace
}  // namespace araia::test
