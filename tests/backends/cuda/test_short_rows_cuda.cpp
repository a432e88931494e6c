// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr_spmm_short_rows, in every shape, over a zoo of matrices (rows longer than a lane's own among them), column
// counts, alignments, batches, and inputs that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
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

/// The k-th shape that suits the operands. Rows of more than 64 entries, 10, all or none go by the lanes of a block,
/// those of groups of more than 60, 64, 500 or none by slices of columns, shared by up to three blocks, in turn; each
/// shape by each of these once k has passed all shapes seven times. Rows of a warp are neighbours, or 2 to 32 apart.
template <class T>
auto shape_number(std::size_t k) {
  return [k](bool whole, std::int64_t) {
    auto const all = cuda::csr_spmm_short_shapes(sizeof(T), whole);
    constexpr std::tuple<int, std::int64_t, int> limits[] = {{64, 0, 1},   {0, 500, 1}, {100000, 0, 1}, {0, 0, 1},
                                                             {64, 500, 3}, {10, 60, 2}, {100000, 64, 1}};
    auto shape = all[k % all.size()];
    auto const turn = k % all.size() + k / all.size();
    std::tie(shape.longest, shape.long_group, shape.shares) = limits[turn % std::size(limits)];
    shape.rows_apart = 1 << turn % 6;  // six and seven: all pairs in turn
    return shape;
  };
}

/// The rule's, as for rows of no entries.
template <class T>
cuda::CsrSpmmShortTuning by_rule(bool whole, std::int64_t columns) {
  return cuda::csr_spmm_short_tuning(1, 0, columns, sizeof(T), whole, columns);
}

template <class T, class Offset, class Shape>
void expect_shape_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, std::string const& name,
                        Shape const& shape) {
  DeviceCsr<T, Offset> const a(m);
  expect_right<T, Offset>(m, o, b, "short_rows: " + name, [&](T alpha, auto const& bs, T beta, auto const& cs) {
    multiply(a.pointers, alpha, bs, beta, cs, shape);
  });
}

/// As many shapes as there are, from the next one on.
template <class T, class Offset>
void expect_shapes_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, std::string const& name,
                         std::size_t& next) {
  for (std::size_t k = 0; k < shapes(sizeof(T)); ++k, ++next)
    expect_shape_right(m, o, b, name + ", shape " + std::to_string(next), shape_number<T>(next));
}

template <class T, class Offset>
void every_shape() {
  std::size_t next = 0;  // from pattern to pattern, so that each shape has each limit
  for_each_pattern<T, Offset>([&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    expect_shapes_right(m, o, b, name, next);
  });
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  std::size_t next = 0;
  std::int64_t columns = 0;
  for_each_column_count<T>([&](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    expect_shape_right(m, o, b, name + ", by rule", by_rule<T>);
    if (o.columns != columns) columns = o.columns, ++next;  // a shape meets other alignments by other columns
    for (int other = 0; other < 3; ++other, ++next) {
      Operands any = o;
      any.beta = next / shapes(sizeof(T)) % 2 == 0 ? 0 : -1;
      expect_shape_right(m, any, b, name + ", shape " + std::to_string(next), shape_number<T>(next));
    }
  });
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

/// Several tiles of whole packs, with and without C as it was.
template <class T>
void many_columns() {
  auto const pattern = random_pattern(61, 150, 0.3);
  ZooMatrix<T, std::int32_t> const m(pattern, true, false, 0);
  std::size_t next = 0;
  for (std::int64_t const columns : {260, 384})
    for (double const beta : {0.0, -1.0}) {
      Operands const o{columns, 0, 0, 2, beta};
      auto const b = dense_b<T>(m.cols, o);
      expect_shapes_right(m, o, b, pattern.name, next);
    }
  Operands const wide{1540, 0, 0, 2, 0};  // seven tiles of the widest packs of float
  expect_shape_right(m, wide, dense_b<T>(m.cols, wide), pattern.name + ", by rule", by_rule<T>);
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnTilesOfWholePacksF32) { many_columns<float>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnTilesOfWholePacksF64) { many_columns<double>(); }

/// count(i) entries in row i, the k-th in column(i, k).
template <class Count, class Column>
ZooPattern pattern_of(std::string const& name, std::int64_t rows, std::int64_t cols, Count const& count,
                      Column const& column) {
  ZooPattern p;
  p.name = name;
  p.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int64_t k = 0; k < count(i); ++k) columns.push_back(static_cast<std::int32_t>(column(i, k)));
    std::sort(columns.begin(), columns.end());
    p.add_row(columns);
  }
  return p;
}

/// Rows of 0 to 70 entries, most of them near what lanes hold at once, of ones.
ZooPattern rows_of_all_lengths() {
  return pattern_of(
      "all lengths", 142, 90, [](std::int64_t i) { return i % 71; },
      [](std::int64_t i, std::int64_t k) { return k + i % 20; });
}

template <class T>
void patterns_alone() {
  auto const pattern = rows_of_all_lengths();
  ZooMatrix<T, std::int32_t> const m(pattern, false, false, 0);
  std::size_t next = 0;
  for (Operands const& o : {Operands{13, 1, 1, 1, 0}, Operands{33, 0, 1, 1, 0.5}, Operands{130, 1, 0, 1, 0}}) {
    auto const b = dense_b<T>(m.cols, o);
    for (int again = 0; again < 3; ++again) expect_shapes_right(m, o, b, pattern.name, next);
  }
}
TEST_F(ShortRowsSpmm, HoldsTheBoundOnPatternsAndRowsOfAllLengthsF32) { patterns_alone<float>(); }
TEST_F(ShortRowsSpmm, HoldsTheBoundOnPatternsAndRowsOfAllLengthsF64) { patterns_alone<double>(); }

/// Rows of 0 to 4 entries, and long ones: in the first and the last row, side by side, and on either side of where a
/// block ends.
ZooPattern long_rows_among_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t long_entries) {
  return pattern_of(
      "long rows of " + std::to_string(long_entries), rows, cols,
      [&](std::int64_t i) {
        bool const is_long = i == 0 || (i >= 62 && i < 66) || i == 1279 || i == 1280 || i == rows - 1;
        return is_long ? long_entries + i % 3 : i % 5;
      },
      [&](std::int64_t i, std::int64_t k) { return (i * 7 + k * 2) % cols; });
}

template <class T, class Offset>
void long_rows_by_rule() {
  auto const pattern = long_rows_among_short_rows(3001, 5003, 2300);  // of more entries than any long group
  for (std::int64_t const columns : {4, 16, 17, 33, 130}) {           // 4: one slice
    Operands const o{columns, columns % 2, static_cast<std::size_t>(columns % 2), -0.7, 0.3};
    ZooMatrix<T, Offset> const m(pattern, true, false, 0);
    expect_shape_right(m, o, dense_b<T>(m.cols, o), pattern.name, [&](bool whole, std::int64_t) {
      return cuda::csr_spmm_short_tuning(m.rows, static_cast<std::int64_t>(pattern.col_indices.size()), columns,
                                         sizeof(T), whole, columns);
    });
    if (testing::Test::HasFailure()) return;
  }
}
TEST_F(ShortRowsSpmm, HubsHoldTheBoundByRule) {
  long_rows_by_rule<float, std::int32_t>();
  long_rows_by_rule<double, std::int64_t>();
}

/// Rows of 0 to 4 entries, and groups of rows of 40 to 90, also at the matrix's ends, with a long row
/// among them.
ZooPattern long_groups_among_short_rows() {
  constexpr std::int64_t rows = 517;
  constexpr std::int64_t cols = 409;
  return pattern_of(
      "long groups", rows, cols,
      [](std::int64_t i) {
        bool const in_group = i < 7 || (i >= 90 && i < 170) || i >= rows - 3;
        return i == 131 ? 330 : in_group ? 40 + i * 11 % 51 : i % 5;
      },
      [](std::int64_t i, std::int64_t k) { return (i * 5 + k) % cols; });
}

/// A long group's rows by a warp each and by a block, by as many blocks as there may be and fewer.
template <class T, class Offset>
void long_groups() {
  auto const pattern = long_groups_among_short_rows();
  ZooMatrix<T, Offset> const m(pattern, true, false, 0);
  for (Operands const& o : {Operands{9, 1, 1, -0.7, 0.3}, Operands{40, 0, 0, 1, 0}, Operands{131, 1, 1, 1, -1}}) {
    auto const b = dense_b<T>(m.cols, o);
    for (std::size_t k = 0; k < shapes(sizeof(T)); ++k)
      expect_shape_right(m, o, b, pattern.name + ", shape " + std::to_string(k), [&](bool whole, std::int64_t) {
        auto const all = cuda::csr_spmm_short_shapes(sizeof(T), whole);
        auto shape = all[k % all.size()];
        constexpr int shares[] = {1, 3, 8, 16};
        shape.longest = 20;
        shape.long_group = k % 3 == 0 ? 300 : 120;
        shape.shares = shares[k % std::size(shares)];
        shape.rows_apart = k % 2 == 0 ? 8 : 1;
        return shape;
      });
  }
}
TEST_F(ShortRowsSpmm, LongGroupsHoldTheBoundF32) { long_groups<float, std::int32_t>(); }
TEST_F(ShortRowsSpmm, LongGroupsHoldTheBoundF64WideOffsets) { long_groups<double, std::int64_t>(); }

/// More groups of rows than the threads of a block at the front look at together: all of them where eight share a
/// slice, else every fourth or so, by turns.
template <class T>
void long_groups_among_many() {
  auto const p = pattern_of(
      "long groups among many", 4099, 64, [](std::int64_t i) { return i % 97 == 0 ? 40 : 1; },
      [](std::int64_t i, std::int64_t k) { return k + i % 20; });
  ZooMatrix<T, std::int32_t> const m(p, true, false, 0);
  for (std::int64_t const columns : {8, 17})
    for (int const shares : {1, 8}) {
      Operands const o{columns, 0, 0, 1, -1};
      expect_shape_right(m, o, dense_b<T>(m.cols, o), p.name, [&](bool whole, std::int64_t) {
        auto shape = cuda::csr_spmm_short_shapes(sizeof(T), whole).front();
        shape.longest = 8;
        shape.long_group = 12;  // groups of two or three rows
        shape.shares = shares;
        return shape;
      });
    }
}
TEST_F(ShortRowsSpmm, CrowdsAmongManyGroupsHoldTheBound) {
  long_groups_among_many<float>();
  long_groups_among_many<double>();
}

TEST_F(ShortRowsSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  // Rows of some 30 entries, and long ones, of 200 and of 600.
  for (auto const& pattern : {random_pattern(97, 300, 0.1), random_pattern(23, 500, 0.4), random_pattern(7, 800, 0.75)})
    for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
      for (std::size_t k = 0; k < shapes(sizeof(float)); ++k)
        expect_shape_right(m, o, b, pattern.name, shape_number<float>(k));
    });
}

/// At the ends of rows of B, which share packs with the rows beside them.
template <class T>
void not_finite_at_ends_of_rows() {
  auto const pattern = random_pattern(61, 300, 0.1);
  ZooMatrix<T, std::int32_t> const m(pattern, true, false, 0);
  std::size_t next = 0;
  for (Operands const& o : {Operands{70, 1, 1, 1, 0}, Operands{69, 0, 3, 1, 0}, Operands{21, 0, 0, 1, 0}})
    for (float const bad : {not_a_number<float>, std::numeric_limits<float>::infinity()}) {
      auto b = dense_b<T>(m.cols, o);
      for (std::int64_t const col : {0, 64, 65, 131, 299})
        for (std::int64_t const j : {std::int64_t{0}, std::int64_t{2}, o.columns - 3, o.columns - 1})
          b.at(col, j) = static_cast<T>(bad);
      expect_shapes_right(m, o, b, pattern.name, next);
    }
}
TEST_F(ShortRowsSpmm, NotFiniteAtEndsOfRowsReachesTheRowsThatOwnTheColumnF32) { not_finite_at_ends_of_rows<float>(); }
TEST_F(ShortRowsSpmm, NotFiniteAtEndsOfRowsReachesTheRowsThatOwnTheColumnF64) { not_finite_at_ends_of_rows<double>(); }

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
      tuning.longest = 9;
      tuning.long_group = tuning.accesses % 2 == 0 ? 18 : 0;  // half of the rows have more
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
/// read beside it. `whole`: by the shapes of packs.
template <class T>
void expect_nothing_beyond_b(std::int64_t columns, std::int64_t stride, bool whole = false) {
  SCOPED_TRACE(std::to_string(columns) + " columns, stride " + std::to_string(stride));
  ZooMatrix<T, std::int32_t> const m(random_pattern(40, 7, 1), true, false, 0);
  DeviceCsr<T, std::int32_t> const a(m);
  std::vector<T> values(static_cast<std::size_t>((m.cols - 1) * stride + columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(wave(static_cast<int>(i), 5));
  DeviceArray<T> const b(values);
  std::vector<T> first;
  auto shapes_and_limits = cuda::csr_spmm_short_shapes(sizeof(T), whole);
  for (std::size_t i = 0, many = shapes_and_limits.size(); i < many; ++i) {  // by the block, and by slices of columns
    auto shape = shapes_and_limits[i];
    shape.longest = 0;
    shapes_and_limits.push_back(shape);
    shape.long_group = 3;
    shapes_and_limits.push_back(shape);
  }
  for (auto const& shape : shapes_and_limits) {
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
  expect_nothing_beyond_b<float>(13, 1);  // rows that overlap
  expect_nothing_beyond_b<double>(1, 1);
  for (std::int64_t const packs : {1, 9, 10, 17, 20, 33}) {
    expect_nothing_beyond_b<float>(4 * packs, 4 * packs, true);
    expect_nothing_beyond_b<double>(2 * packs, 2 * packs, true);
  }
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
                             {8, 7, packs},
                             {4, 0, words},
                             {8, 2, packs, -1},
                             {8, 2, packs, 64, -1},
                             {8, 2, packs, 64, 1024, 0},
                             {8, 2, packs, 64, 1024, 17},
                             {8, 2, packs, 64, 1024, 1, 0},
                             {8, 2, packs, 64, 1024, 1, 3},
                             {8, 2, packs, 64, 1024, 1, -4},
                             {8, 2, packs, 64, 1024, 1, std::numeric_limits<int>::min()},
                             {8, 2, packs, 64, 1024, 1, 64}})
    EXPECT_THROW(try_shape(16, tuning), Error) << tuning.lanes << ' ' << tuning.accesses;
  EXPECT_THROW(try_shape(17, {2, 1, packs}), Error);  // rows of B that are not whole packs
}

}  // namespace
