// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr_spmm_short_rows, in every shape, over a zoo of matrices (rows longer than a lane's own among them), column
// counts, alignments, batches, and inputs that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <araia/kernels/short_rows.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/spmm_choice.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::ZooMatrix;
using test::ZooPattern;

class ShortRowsSpmm : public test::OnCudaDevice {};

/// As many as there are kernels for either alignment.
std::size_t shapes(std::size_t scalar_bytes) {
  return std::max(cuda::csr_spmm_short_shapes(scalar_bytes, true).size(),
                  cuda::csr_spmm_short_shapes(scalar_bytes, false).size());
}

/// shape(whole, columns) is the tuning.
template <class T, class Offset, class Shape>
void multiply(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b, T beta,
              DenseMatrix<T> const& c, Shape const& shape, cudaStream_t stream = nullptr) {
  DenseBatch<T const> const bs{b};
  DenseBatch<T> const cs{c};
  cuda::csr_spmm_short_rows(a, alpha, bs, beta, cs, {}, shape(cuda::rows_of_whole_packs(bs, cs), c.columns), stream);
}

/// The k-th shape that suits the operands. Rows of more than 64 entries, all or none go by the lanes of a block, those
/// of more than 64, 500 or none by slices of columns, in turn; each shape by each of these once k has passed all shapes
/// six times.
template <class T>
auto shape_number(std::size_t k) {
  return [k](bool whole, std::int64_t) {
    auto const all = cuda::csr_spmm_short_shapes(sizeof(T), whole);
    constexpr std::pair<int, std::int64_t> limits[] = {{64, 0}, {0, 500}, {100000, 0}, {0, 0}, {64, 500}, {100000, 64}};
    auto shape = all[k % all.size()];
    std::tie(shape.longest, shape.hub) = limits[(k % all.size() + k / all.size()) % std::size(limits)];
    return shape;
  };
}

/// The rule's, as for rows of no entries.
template <class T>
cuda::CsrSpmmShortTuning by_rule(bool whole, std::int64_t columns) {
  return cuda::csr_spmm_short_tuning(1, 0, columns, sizeof(T), whole);
}

template <class T, class Offset, class Shape>
void expect_shape_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, std::string const& name,
                        Shape const& shape) {
  DeviceCsr<T, Offset> const a(m);
  expect_right<T, Offset>(m, o, b, "short_rows: " + name, [&](T alpha, auto const& bs, T beta, auto const& cs) {
    multiply(a.pointers, alpha, bs, beta, cs, shape);
  });
}

template <class T, class Offset>
void every_shape() {
  std::size_t next = 0;  // from pattern to pattern, so that each shape has each limit
  for_each_pattern<T, Offset>([&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (std::size_t k = 0; k < shapes(sizeof(T)); ++k, ++next)
      expect_shape_right(m, o, b, name + ", shape " + std::to_string(next), shape_number<T>(next));
  });
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  std::size_t next = 0;
  for_each_column_count<T>([&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    expect_shape_right(m, o, b, name + ", by rule", by_rule<T>);
    for (int other = 0; other < 3; ++other, ++next)
      expect_shape_right(m, o, b, name + ", shape " + std::to_string(next), shape_number<T>(next));
  });
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

/// Rows of 0 to 4 entries, and hubs: in the first and the last row, side by side, and on either side of where a block
/// ends.
ZooPattern hubs_among_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t hub_entries) {
  ZooPattern p;
  p.name = "hubs of " + std::to_string(hub_entries);
  p.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    bool const hub = i == 0 || (i >= 62 && i < 66) || i == 1279 || i == 1280 || i == rows - 1;
    std::int64_t const count = hub ? hub_entries + i % 3 : i % 5;
    std::vector<std::int32_t> columns;
    for (std::int64_t k = 0; k < count; ++k) columns.push_back(static_cast<std::int32_t>((i * 7 + k * 2) % cols));
    std::sort(columns.begin(), columns.end());
    p.add_row(columns);
  }
  return p;
}

template <class T, class Offset>
void hubs_by_rule() {
  auto const pattern = hubs_among_short_rows(3001, 5003, 2300);  // slices: more than 2048 entries
  for (std::int64_t const columns : {4, 16, 17, 33, 130}) {      // 4: no slices
    Operands const o{columns, columns % 2, static_cast<std::size_t>(columns % 2), -0.7, 0.3};
    ZooMatrix<T, Offset> const m(pattern, true, false, 0);
    expect_shape_right(m, o, dense_b<T>(m.cols, o), pattern.name, [&](bool whole, std::int64_t) {
      return cuda::csr_spmm_short_tuning(m.rows, static_cast<std::int64_t>(pattern.col_indices.size()), columns,
                                         sizeof(T), whole);
    });
    if (testing::Test::HasFailure()) return;
  }
}
TEST_F(ShortRowsSpmm, HubsHoldTheBoundByRule) {
  hubs_by_rule<float, std::int32_t>();
  hubs_by_rule<double, std::int64_t>();
}

TEST_F(ShortRowsSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  // Rows of some 30 entries, and long ones, of 200 and of 600.
  for (auto const& pattern : {random_pattern(97, 300, 0.1), random_pattern(23, 500, 0.4), random_pattern(7, 800, 0.75)})
    for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
      for (std::size_t k = 0; k < shapes(sizeof(float)); ++k)
        expect_shape_right(m, o, b, pattern.name, shape_number<float>(k));
    });
}

TEST_F(ShortRowsSpmm, NotFiniteReachesTheRowsThatOwnTheColumnByPacks) {
  auto const pattern = random_pattern(23, 500, 0.4);
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  Operands const o{72, 0, 0, 1, 0};
  for (float const bad : {not_a_number<float>, std::numeric_limits<float>::infinity()}) {
    auto b = dense_b<float>(m.cols, o);
    for (std::int64_t const col : {0, 64, 131, 499})
      for (std::int64_t j = col % 3; j < o.columns; j += 3) b.at(col, j) = bad;
    for (std::size_t k = 0; k < shapes(sizeof(float)); ++k)
      expect_shape_right(m, o, b, pattern.name, shape_number<float>(k));
  }
}

TEST_F(ShortRowsSpmm, ItemsOfABatchAreProductsOfTheirOwn) {
  constexpr std::int64_t items = 3;
  ZooMatrix<float, std::int32_t> const m(random_pattern(70, 90, 0.2), true, false, 0);
  DeviceCsr<float, std::int32_t> const a(m);
  for (std::int64_t const columns : {12, 13}) {
    std::vector<float> values(static_cast<std::size_t>(items * m.cols * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(wave(static_cast<int>(i), 5));
    DeviceArray<float> const b(values);
    std::vector<float> const start(static_cast<std::size_t>(items * m.rows * columns), 0.5f);
    DeviceArray<float> const together(start), alone(start);
    DenseBatch<float const> const bs{{b.data(), m.cols, columns, columns, 1}, items, m.cols * columns};
    DenseBatch<float> const cs{{together.data(), m.rows, columns, columns, 1}, items, m.rows * columns};
    for (auto tuning : cuda::csr_spmm_short_shapes(sizeof(float), cuda::rows_of_whole_packs(bs, cs))) {
      tuning.hub = tuning.pieces % 2 == 0 ? 18 : 0;  // half of the rows have more
      cuda::csr_spmm_short_rows(a.pointers, 2.0f, bs, -0.5f, cs, {}, tuning, nullptr);
      for (std::int64_t i = 0; i < items; ++i) {
        auto of_item = cs.item(i);
        of_item.data = alone.data() + i * cs.stride;
        multiply(a.pointers, 2.0f, bs.item(i), -0.5f, of_item, [&](bool, std::int64_t) { return tuning; });
      }
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      EXPECT_EQ(together.download(), alone.download()) << columns << " columns, lanes " << tuning.lanes;
    }
  }
}

TEST_F(ShortRowsSpmm, BatchesOfMoreItemsThanAGridHas) {
  // Items of 9 doubles: the first of the second launch begins 8 bytes into a pack.
  constexpr std::int64_t items = 65537;
  constexpr std::int64_t n = 3;
  ZooMatrix<double, std::int32_t> const m(random_pattern(n, n, 0.9), true, false, 0);
  DeviceCsr<double, std::int32_t> const a(m);
  std::vector<double> values(static_cast<std::size_t>(items * n * n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = wave(static_cast<int>(i % 1000), 5);
  DeviceArray<double> const b(values);
  DeviceArray<double> const c(std::vector<double>(values.size(), 0.5));
  DenseBatch<double const> const bs{{b.data(), n, n, n, 1}, items, n * n};
  DenseBatch<double> const cs{{c.data(), n, n, n, 1}, items, n * n};
  cuda::csr_spmm_short_rows(a.pointers, 1.0, bs, 0.0, cs, {}, by_rule<double>(false, n), nullptr);
  cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  auto const result = c.download();
  for (std::int64_t const item : {std::int64_t{0}, std::int64_t{1}, items - 6, items - 5, items - 2, items - 1}) {
    DeviceArray<double> const alone(std::vector<double>(n * n, 0.5));
    multiply(a.pointers, 1.0, bs.item(item), 0.0, DenseMatrix<double>{alone.data(), n, n, n, 1}, by_rule<double>);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto const right = alone.download();
    for (std::size_t k = 0; k < right.size(); ++k)
      EXPECT_NEAR(result[static_cast<std::size_t>(item * n * n) + k], right[k], 1e-13) << item;
  }
}

/// B of exactly its rows, of which the first and the last are of every row of A: compute-sanitizer tells of what is
/// read beside it.
template <class T>
void expect_nothing_beyond_b(std::int64_t columns, std::int64_t stride) {
  SCOPED_TRACE(std::to_string(columns) + " columns, stride " + std::to_string(stride));
  ZooMatrix<T, std::int32_t> const m(random_pattern(40, 7, 1), true, false, 0);
  DeviceCsr<T, std::int32_t> const a(m);
  std::vector<T> values(static_cast<std::size_t>((m.cols - 1) * stride + columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(wave(static_cast<int>(i), 5));
  DeviceArray<T> const b(values);
  std::vector<T> first;
  for (auto const& shape : cuda::csr_spmm_short_shapes(sizeof(T), false)) {
    DeviceArray<T> const c(std::vector<T>(static_cast<std::size_t>(m.rows * columns), T{7}));
    multiply(a.pointers, T{1}, DenseMatrix<T const>{b.data(), m.cols, columns, stride, 1}, T{0},
             DenseMatrix<T>{c.data(), m.rows, columns, columns, 1}, [&](bool, std::int64_t) { return shape; });
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto const result = c.download();
    if (first.empty()) first = result;
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], first[i], 1e-4) << shape.lanes << ' ' << i;
  }
}

TEST_F(ShortRowsSpmm, ReadsNothingBeyondB) {
  for (std::int64_t const columns : {3, 5, 13, 33, 97}) {
    expect_nothing_beyond_b<float>(columns, columns);
    expect_nothing_beyond_b<double>(columns, columns);
  }
  expect_nothing_beyond_b<float>(13, 1);  // rows that overlap: packs around any of them pass B's ends
  expect_nothing_beyond_b<double>(1, 1);
}

TEST_F(ShortRowsSpmm, CapturesAndReplays) {
  Operands const o{40, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(random_pattern(64, 256, 0.4), true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceCsr<float, std::int32_t> const a(m);
  expect_right<float, std::int32_t>(
      m, o, b, "short_rows", [&](float alpha, auto const& bs, float beta, auto const& cs) {
        in_graph([&](cudaStream_t s) { multiply(a.pointers, alpha, bs, beta, cs, by_rule<float>, s); });
      });
}

TEST_F(ShortRowsSpmm, WaitsForTheProductBefore) {
  constexpr std::int64_t n = 600;
  ZooMatrix<float, std::int32_t> m(random_pattern(n, n, 0.02), true, false, 0);
  for (float& v : m.values) v *= 0.25f;
  DeviceCsr<float, std::int32_t> const a(m);
  expect_waits<float>(n, "short_rows",
                      [&](auto const& b, auto const& c) { multiply(a.pointers, 1.0f, b, 0.5f, c, by_rule<float>); });
}

TEST_F(ShortRowsSpmm, RefusesShapesWithoutAKernel) {
  ZooMatrix<float, std::int32_t> const m(random_pattern(8, 8, 0.5), true, false, 0);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceArray<float> const data(std::vector<float>(8 * 64));
  auto const try_shape = [&](std::int64_t columns, cuda::CsrSpmmShortTuning const& tuning) {
    multiply<float>(a.pointers, 1.0f, DenseMatrix<float const>{data.data(), 8, columns, columns, 1}, 0.0f,
                    DenseMatrix<float>{data.data(), 8, columns, columns, 1},
                    [&](bool, std::int64_t) { return tuning; });
  };
  using enum cuda::ShortRowAccess;
  for (auto const& tuning : {cuda::CsrSpmmShortTuning{},
                             {1, 2, words},
                             {3, 1, words},
                             {64, 1, packs},
                             {16, 1, words},
                             {32, 7, packs},
                             {8, 7, shifted},
                             {4, 0, shifted},
                             {8, 2, packs, -1},
                             {8, 2, packs, 64, -1}})
    EXPECT_THROW(try_shape(16, tuning), Error) << tuning.lanes << ' ' << tuning.pieces;
  EXPECT_THROW(try_shape(17, {2, 1, packs}), Error);  // rows of B that are not whole packs
}

TEST(ShortRowsTuning, TheRuleTakesShapesThatThereAre) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (bool const whole : {true, false}) {
      auto const all = cuda::csr_spmm_short_shapes(bytes, whole);
      for (std::int64_t columns = 1; columns <= 700; ++columns)
        for (std::int64_t const nnz : {7000, 8001, 32000, 79000}) {
          auto t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, whole);
          EXPECT_GE(t.longest, 3 * nnz / 1000) << "rows of usual length are their own lanes'";
          EXPECT_EQ(t.hub > 0, columns * static_cast<std::int64_t>(bytes) >= 64) << "slices of 32 bytes, two at least";
          t.longest = all.front().longest;
          t.hub = all.front().hub;
          EXPECT_NE(std::find(all.begin(), all.end(), t), all.end()) << columns << " columns, " << nnz << " entries";
        }
    }
  // One tile where there is one.
  using enum cuda::ShortRowAccess;
  auto const shape = [](std::int64_t nnz, std::int64_t columns, std::size_t bytes, bool whole) {
    auto t = cuda::csr_spmm_short_tuning(1000, nnz, columns, bytes, whole);
    t.hub = 0;
    return t;
  };
  EXPECT_EQ(shape(7000, 17, sizeof(float), false), (cuda::CsrSpmmShortTuning{4, 6, words}));
  EXPECT_EQ(shape(16000, 17, sizeof(float), false), (cuda::CsrSpmmShortTuning{8, 3, words}));
  EXPECT_EQ(shape(7000, 128, sizeof(float), true), (cuda::CsrSpmmShortTuning{8, 4, packs}));
  EXPECT_EQ(shape(7000, 121, sizeof(float), false), (cuda::CsrSpmmShortTuning{8, 4, shifted}));
  EXPECT_EQ(shape(7000, 33, sizeof(double), false), (cuda::CsrSpmmShortTuning{8, 3, shifted}));
  EXPECT_EQ(shape(79000, 129, sizeof(float), false), (cuda::CsrSpmmShortTuning{32, 5, words, 316}));
  EXPECT_EQ(shape(79000, 64, sizeof(double), true), (cuda::CsrSpmmShortTuning{8, 4, packs, 316}));
}

TEST(ShortRowsTuning, WhatIsPackedIsPricedAboveTheShortestRows) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {8, 36, 97, 129, 512}) {
      cuda::SpmmProblem const seven_points{
          .rows = 195112, .cols = 195112, .nnz = 1345600, .columns = columns, .scalar_bytes = bytes};
      double const as_it_is = detail::short_rows_seconds(195112, 1345600, columns, static_cast<int>(bytes));
      auto const all = cuda::estimate_spmm(seven_points);
      EXPECT_GE(all.size(), 2u);
      for (auto const& e : all) EXPECT_GT(e.seconds, as_it_is) << cuda::kernel_name(e.choice.kernel) << ' ' << columns;
    }
}

double price_of_groups(cuda::SpmmProblem const& p) {
  for (auto const& e : cuda::estimate_spmm(p))
    if (e.choice.kernel == cuda::SpmmKernel::row_groups) return e.seconds;
  ADD_FAILURE() << "no estimate of row_groups";
  return 0;
}

TEST(ShortRowsTuning, RowGroupsArePricedBelowLongerRows) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {8, 32, 128, 512}) {
      cuda::SpmmProblem const fem{
          .rows = 52728, .cols = 52728, .nnz = 4186710, .columns = columns, .scalar_bytes = bytes};
      EXPECT_LT(price_of_groups(fem), detail::short_rows_seconds(52728, 4186710, columns, static_cast<int>(bytes)))
          << columns;
    }
}

TEST(ShortRowsTuning, SingleRowsByWordsArePricedAboveLongerRows) {
  for (std::int64_t const columns : {33, 65}) {
    cuda::SpmmProblem random{.rows = 83333, .cols = 83333, .nnz = 1333328, .columns = columns};
    double const as_they_are = detail::short_rows_seconds(random.rows, random.nnz, columns, sizeof(float));
    EXPECT_GT(price_of_groups(random), as_they_are) << columns;
    random.columns = columns - 1;
    EXPECT_LT(price_of_groups(random), as_they_are) << columns;
  }
}

TEST(ShortRowsTuning, GroupsByWordsArePricedAboveRowsOf27Points) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)})
    for (std::int64_t const columns : {9, 33, 65, 129}) {
      cuda::SpmmProblem p{.rows = 159220, .cols = 159220, .nnz = 4200000, .columns = columns, .scalar_bytes = bytes};
      p.shared = 1.99;
      EXPECT_GT(price_of_groups(p), detail::short_rows_seconds(p.rows, p.nnz, columns, static_cast<int>(bytes)))
          << columns;
      p.rows = p.cols = 52728;  // FEM
      EXPECT_LT(price_of_groups(p), detail::short_rows_seconds(p.rows, p.nnz, columns, static_cast<int>(bytes)))
          << columns;
    }
}

TEST(ShortRowsTuning, RowsMuchLongerThanTheOthersAreGroupsByFewColumns) {
  auto const as_they_are = [](cuda::SpmmProblem const& p) {
    return detail::short_rows_seconds(p.rows, p.nnz, p.columns, sizeof(float), p.longest);
  };
  cuda::SpmmProblem circuit{.rows = 913043, .cols = 913043, .nnz = 3673447, .columns = 8, .longest = 20000};
  EXPECT_LT(price_of_groups(circuit), as_they_are(circuit));
  circuit.columns = 32;  // hubs go by slices
  EXPECT_GT(price_of_groups(circuit), as_they_are(circuit));
  circuit.columns = 8;
  circuit.longest = 100;
  EXPECT_GT(price_of_groups(circuit), as_they_are(circuit));
  cuda::SpmmProblem power_law{.rows = 280000, .cols = 280000, .nnz = 4012157, .columns = 17, .longest = 2000};
  EXPECT_LT(price_of_groups(power_law), as_they_are(power_law));
  power_law.columns = 97;
  EXPECT_GT(price_of_groups(power_law), as_they_are(power_law));
}

TEST(ShortRowsTuning, WhatRowsShareLowersThePriceOfRowGroups) {
  for (std::size_t const bytes : {sizeof(float), sizeof(double)}) {
    cuda::SpmmProblem fem{.rows = 20577, .cols = 20577, .nnz = 1594053, .columns = 32, .scalar_bytes = bytes};
    double const alone = price_of_groups(fem);
    fem.shared = 3;
    EXPECT_LT(price_of_groups(fem), 0.6 * alone);
    EXPECT_LT(price_of_groups(fem), detail::short_rows_seconds(fem.rows, fem.nnz, 32, static_cast<int>(bytes)));
    fem.shared = 1.5;  // single rows are packed
    EXPECT_EQ(price_of_groups(fem), alone);
    EXPECT_FALSE(cuda::groups_of_four_pay(1.5, bytes));
    EXPECT_TRUE(cuda::groups_of_four_pay(2, bytes));
    cuda::GroupStats stats{.shared = {1, 1.2, 1.4, 2}};
    EXPECT_EQ(cuda::choose_groups(stats, 20577, 1594053, 32, bytes, 132, 50 << 20).shape.group_rows, 4);
    stats.shared = {1, 1, 1, 1.5};
    EXPECT_EQ(cuda::choose_groups(stats, 20577, 1594053, 32, bytes, 132, 50 << 20).shape.group_rows, 1);
  }
}

TEST(ShortRowsTuning, RowGroupsAreChosenInCacheWhereRowsShareColumnsOrOneIsLong) {
  struct Matrix {
    std::int64_t rows, nnz;
    double shared;
  };
  for (auto const& [rows, nnz, shared] :  // FEM, orbitals, a lattice, 27 points
       {Matrix{5184, 378000, 2.09}, {5135, 231025, 3.07}, {7500, 292500, 2.11}, {10648, 262144, 1.99}})
    for (std::size_t const bytes : {sizeof(float), sizeof(double)})
      for (std::int64_t const columns : {8, 16, 32, 64, 128}) {
        cuda::SpmmProblem p{.rows = rows, .cols = rows, .nnz = nnz, .columns = columns, .scalar_bytes = bytes};
        p.shared_bytes = 227 * 1024;
        p.shared = shared;
        EXPECT_EQ(cuda::choose_spmm(p).kernel, cuda::SpmmKernel::row_groups) << rows << " rows, " << columns;
        p.rows = p.cols = rows / 4;  // a layer that is not sparse enough
        EXPECT_NE(cuda::choose_spmm(p).kernel, cuda::SpmmKernel::row_groups) << rows << " rows, " << columns;
      }
  cuda::SpmmProblem random{.rows = 5184, .cols = 5184, .nnz = 378000, .columns = 32};
  random.shared = 1.03;
  EXPECT_EQ(cuda::choose_spmm(random).kernel, cuda::SpmmKernel::padded_rows);
  // Denser than what was measured.
  cuda::SpmmProblem fem{.rows = 5184, .cols = 5184, .nnz = 378000, .columns = 32, .shared = 2.09};
  fem.nnz = 430000;  // 0.016
  EXPECT_NE(cuda::choose_spmm(fem).kernel, cuda::SpmmKernel::row_groups);
  // A layer whose rows are long, all alike: as before its longest row was known.
  cuda::SpmmProblem layer{.rows = 128, .cols = 4096, .nnz = 209715, .columns = 128, .longest = 1738};
  EXPECT_EQ(cuda::choose_spmm(layer).kernel, cuda::SpmmKernel::padded_rows);
  layer.rows = layer.cols = 4096;
  layer.nnz = 838861;
  layer.scalar_bytes = sizeof(double);
  layer.longest = 4096;
  EXPECT_EQ(cuda::choose_spmm(layer).kernel, cuda::SpmmKernel::padded_rows);
  cuda::SpmmProblem power_law{.rows = 22222, .cols = 22222, .nnz = 314194, .columns = 128};
  EXPECT_EQ(cuda::choose_spmm(power_law).kernel, cuda::SpmmKernel::padded_rows);
  power_law.longest = 1193;
  EXPECT_EQ(cuda::choose_spmm(power_law).kernel, cuda::SpmmKernel::row_groups);
}

TEST(ShortRowsTuning, PricesInCacheAreNearWhatWasMeasured) {
  struct Measured {  // us of an H200
    std::int64_t rows, nnz;
    double by_8, by_32, by_128;
  };
  for (auto const& [rows, nnz, by_8, by_32, by_128] :  // FEM, orbitals, a lattice, 27 points, float
       {Measured{5184, 378000, 6.5, 8.8, 17.9},
        {5135, 231025, 6.8, 5.8, 11.1},
        {7500, 292500, 6.7, 4.8, 11.0},
        {10648, 262144, 4.9, 4.5, 10.4}}) {
    auto const price = [&](std::int64_t columns) {
      return 1e6 * detail::short_rows_seconds(rows, nnz, columns, sizeof(float));
    };
    for (auto const& [columns, measured] : {std::pair{8, by_8}, {32, by_32}, {128, by_128}}) {
      EXPECT_GT(price(columns), 0.7 * measured) << rows << " rows, " << columns;
      EXPECT_LT(price(columns), 1.5 * measured) << rows << " rows, " << columns;
    }
  }
  // No step where rows become longer.
  EXPECT_LT(detail::short_rows_seconds(10000, 80100, 8, 4), 1.1 * detail::short_rows_seconds(10000, 80000, 8, 4));
}

TEST(ShortRowsTuning, DenseLayersAndFewRowsKeepAWarpARow) {
  using araia::detail::has_short_rows;
  EXPECT_TRUE(has_short_rows(343, 343, 343 * 6, 16));             // 7 points
  EXPECT_TRUE(has_short_rows(64000, 64000, 64000 * 25, 4));       // 27 points
  EXPECT_FALSE(has_short_rows(1000, 1000, 1000 * 9, 32));         // few rows
  EXPECT_TRUE(has_short_rows(1000, 1000, 1000 * 9, 4096));        // of many columns
  EXPECT_FALSE(has_short_rows(512, 512, 512 * 26, 1 << 20));      // 0.95 sparse
  EXPECT_TRUE(has_short_rows(52728, 52728, 52728 * 79, 32));      // FEM
  EXPECT_FALSE(has_short_rows(20000, 20000, 20000 * 101, 1024));  // longer
}

}  // namespace
