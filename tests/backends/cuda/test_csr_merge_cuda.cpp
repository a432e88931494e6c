// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of CSR in equal chunks: rows that span chunks, blocks and many blocks, every shape of lanes, column counts,
// alignments, slices of columns, inputs that are not finite.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backends/cuda/csr_spmm_merge_split.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using cuda::CsrMergeTuning;
using test::Dense;
using test::DeviceArray;
using test::DeviceCsr;
using test::ZooMatrix;
using test::ZooPattern;

/// The chunks of a matrix, found by the plainest loop: a chunk begins with the first row that begins on the path at its
/// first item or behind it.
template <class T>
struct DeviceChunks {
  template <class Offset>
  DeviceChunks(CsrPointers<T, std::int32_t, Offset> const& host, std::int64_t items, std::int64_t carry_columns) {
    std::int64_t const count = cuda::csr_merge_chunk_count(host.rows, host.nnz, items);
    std::vector<std::int32_t> rows;
    std::int32_t row = 0;
    for (std::int64_t chunk = 0; chunk < count; ++chunk) {
      while (row < host.rows && static_cast<std::int64_t>(host.row_offsets[row]) + row < chunk * items) ++row;
      rows.push_back(row);
    }
    rows.push_back(static_cast<std::int32_t>(host.rows));
    first_rows = DeviceArray<std::int32_t>(rows);
    // What carries hold before a product must not matter.
    carries = DeviceArray<T>(
        std::vector<T>(static_cast<std::size_t>(cuda::csr_merge_carries(count) * carry_columns), not_a_number<T>));
    chunks = {items, first_rows.data(), carries.data(), carry_columns};
  }
  DeviceArray<std::int32_t> first_rows;
  DeviceArray<T> carries;
  cuda::CsrMergeChunks<T> chunks;
};

struct Cut {
  CsrMergeTuning tuning;
  std::int64_t items;
  std::int64_t carry_columns;
};

std::string describe(Cut const& c) {
  return "lanes " + std::to_string(c.tuning.lanes) + ", vector " + std::to_string(c.tuning.vector) + ", items " +
         std::to_string(c.items) + ", carry_columns " + std::to_string(c.carry_columns);
}

template <class T, class Offset>
void expect_merge_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, Cut const& cut,
                        std::string const& name) {
  DeviceCsr<T, Offset> const a(m);
  DeviceChunks<T> const chunks(m.pointers(), cut.items, cut.carry_columns);
  expect_right<T, Offset>(m, o, b, name + ", " + describe(cut), [&](T alpha, auto const& bs, T beta, auto const& cs) {
    cuda::csr_spmm_merge_split(a.pointers, chunks.chunks, alpha, bs, beta, cs, cut.tuning, nullptr);
  });
  EXPECT_EQ(chunks.carries.disturbed_bytes(), 0) << name << ", " << describe(cut);
}

/// Rows of 0 to 6 entries, but for some of thousands: one that spans a few blocks, one that spans more than one thread
/// adds, neighbours, the first and the last.
ZooPattern skewed_pattern(std::int64_t rows, std::int64_t cols) {
  std::mt19937 random(3);
  ZooPattern p;
  p.name = "long rows among short ones";
  p.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t const length = i == 0              ? 1500
                                : i == rows / 3     ? 20000
                                : i == rows / 3 + 1 ? 700
                                : i == rows / 2     ? 4000
                                : i == rows - 1     ? 9000
                                                    : static_cast<std::int64_t>(random() % 7);
    p.add_row(test::random_columns(random, length, cols));
  }
  return p;
}

class CsrMergeSpmm : public test::OnCudaDevice {};

template <class T, class Offset>
void every_shape() {
  for_each_pattern<T, Offset>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    for (Cut const& cut : {Cut{{8, 1}, 16, o.columns}, Cut{{2, 16 / sizeof(T)}, 7, 8}, Cut{{32, 3}, 64, 1000},
                           Cut{{16, 2}, 1, 5}, Cut{{4, 16 / sizeof(T)}, 256, o.columns}})
      expect_merge_right(m, o, b, cut, name);
  });
}
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryShapeF32) { every_shape<float, std::int32_t>(); }
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryShapeF32WideOffsets) { every_shape<float, std::int64_t>(); }
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryShapeF64) { every_shape<double, std::int32_t>(); }
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryShapeF64WideOffsets) { every_shape<double, std::int64_t>(); }

template <class T>
void every_column_count() {
  for_each_column_count<T>([](auto const& m, Operands const& o, auto const& b, std::string const& name) {
    constexpr int most_words = sizeof(T) == 4 ? 4 : 3;
    for (bool const neighbours : {false, true})
      expect_merge_right(m, o, b, {cuda::csr_merge_tuning(o.columns, sizeof(T), neighbours), 32, o.columns}, name);
    int const words = 1 + static_cast<int>(o.columns) % most_words;
    expect_merge_right(m, o, b, {{2 << (o.columns % 5), words}, 16 + o.columns % 50, 1 + o.columns * 2 / 3}, name);
  });
}
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF32) { every_column_count<float>(); }
TEST_F(CsrMergeSpmm, HoldsTheBoundOnEveryNumberOfColumnsAndAlignmentF64) { every_column_count<double>(); }

template <class T>
void long_rows() {
  auto const pattern = skewed_pattern(900, 3000);
  for (std::int64_t const columns : {1, 7, 8, 32, 40, 130})
    for (std::int64_t const items : {16, 64, 256}) {
      Operands const o{columns, 0, 0, -0.7, items == 64 ? 0.0 : 0.3};
      ZooMatrix<T, std::int32_t> const m(pattern, true, items == 16, 0);
      auto const b = dense_b<T>(m.cols, o);
      expect_merge_right(m, o, b, {cuda::csr_merge_tuning(columns, sizeof(T), columns % 8 == 0), items, columns},
                         pattern.name);
      expect_merge_right(m, o, b, {{32, 1}, items, columns}, pattern.name);
      if (testing::Test::HasFailure()) return;
    }
}
TEST_F(CsrMergeSpmm, RowsThatSpanManyBlocksHoldTheBoundF32) { long_rows<float>(); }
TEST_F(CsrMergeSpmm, RowsThatSpanManyBlocksHoldTheBoundF64) { long_rows<double>(); }

TEST_F(CsrMergeSpmm, ARowThatIsAllOfTheMatrix) {
  for (std::int64_t const before : {0, 1, 5000})
    for (std::int64_t const behind : {0, 1, 5000}) {
      std::mt19937 random(7);
      ZooPattern pattern;
      pattern.name =
          "a dense row, " + std::to_string(before) + " empty ones before, " + std::to_string(behind) + " behind";
      pattern.cols = 2000;
      for (std::int64_t i = 0; i < before; ++i) pattern.add_row({});
      pattern.add_row(test::random_columns(random, 30000, pattern.cols));
      for (std::int64_t i = 0; i < behind; ++i) pattern.add_row({});
      Operands const o{24, 0, 0, 1, 0.5};
      ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
      auto const b = dense_b<float>(m.cols, o);
      for (std::int64_t const items : {16, 100}) expect_merge_right(m, o, b, {{8, 4}, items, 24}, pattern.name);
      if (testing::Test::HasFailure()) return;
    }
}

TEST_F(CsrMergeSpmm, NotFiniteReachesTheRowsThatOwnTheColumn) {
  auto const pattern = random_pattern(97, 300, 0.1);
  for_each_not_finite(pattern, [&](auto const& m, Operands const& o, auto const& b) {
    expect_merge_right(m, o, b, {{16, 4}, 16, o.columns}, pattern.name);
    expect_merge_right(m, o, b, {{32, 3}, 100, o.columns}, pattern.name);
  });
}

TEST_F(CsrMergeSpmm, SumsOfIntegersAreExactHoweverRowsAreCut) {
  auto const pattern = skewed_pattern(300, 1000);
  Operands const o{36, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<float>(static_cast<int>(k % 7) - 3);
  auto b = dense_b<float>(m.cols, o);
  b.fill([](std::int64_t i, std::int64_t j) { return static_cast<double>((3 * i + 5 * j) % 7 - 3); });
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceArray<float> const device_b(b.buffer);
  auto bs = b.constant();
  bs.data = device_b.data();
  std::vector<float> first;
  for (std::int64_t const items : {1, 16, 64, 1000, 100000})
    for (CsrMergeTuning const t : {CsrMergeTuning{2, 4}, {8, 1}, {32, 2}}) {
      DeviceChunks<float> const chunks(m.pointers(), items, o.columns);
      Dense<float> c(m.rows, o.columns, true, 0, 0, canary<float>);
      DeviceArray<float> const device_c(c.buffer);
      auto cs = c.matrix();
      cs.data = device_c.data();
      cuda::csr_spmm_merge_split(a.pointers, chunks.chunks, 1.0f, bs, 0.0f, cs, t, nullptr);
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      auto const got = device_c.download();
      if (first.empty()) first = got;
      ASSERT_EQ(got, first) << describe({t, items, o.columns});
    }
  // and they are the sums
  expect_merge_right(m, o, b, {{8, 4}, 64, o.columns}, pattern.name);
}

TEST_F(CsrMergeSpmm, CapturesAndReplays) {
  auto const pattern = skewed_pattern(500, 800);
  Operands const o{64, 0, 0, 1, 0};
  ZooMatrix<float, std::int32_t> const m(pattern, true, false, 0);
  auto const b = dense_b<float>(m.cols, o);
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceChunks<float> const chunks(m.pointers(), 32, o.columns);
  expect_right<float, std::int32_t>(
      m, o, b, "merge_split", [&](float alpha, auto const& bs, float beta, auto const& cs) {
        in_graph([&](cudaStream_t stream) {
          cuda::csr_spmm_merge_split(a.pointers, chunks.chunks, alpha, bs, beta, cs, {16, 4}, stream);
        });
      });
}

TEST_F(CsrMergeSpmm, WaitsForTheProductBefore) {
  auto pattern = random_pattern(512, 512, 0.02);
  ZooMatrix<float, std::int32_t> m(pattern, true, false, 0);
  for (float& v : m.values) v *= 0.25f;
  DeviceCsr<float, std::int32_t> const a(m);
  DeviceChunks<float> const chunks(m.pointers(), 16, 64);
  expect_waits<float>(512, "merge_split", [&](auto const& from, auto const& to) {
    cuda::csr_spmm_merge_split(a.pointers, chunks.chunks, 1.0f, from, 0.0f, to, {16, 4}, nullptr);
  });
}

TEST(CsrMergeSpmmArguments, RefusesWhatIsOutOfRange) {
  float value = 0;
  std::int32_t row = 0;
  CsrPointers<float, std::int32_t, std::int32_t> const a{100, 100, 0, &row, &row, &value, nullptr};
  cuda::CsrMergeChunks<float> const chunks{16, &row, &value, 8};
  DenseMatrix<float const> const b{&value, 100, 8, 8, 1};
  DenseMatrix<float> const c{&value, 100, 8, 8, 1};
  auto const refusal_of = [&](auto const& p, auto const& bs, CsrMergeTuning const& t) {
    return test::kind_of([&] { cuda::csr_spmm_merge_split(a, p, 1.0f, bs, 0.0f, c, t, nullptr); });
  };
  for (CsrMergeTuning const t : {CsrMergeTuning{1, 1}, {3, 1}, {64, 1}, {8, 0}, {8, 5}})
    EXPECT_EQ(refusal_of(chunks, b, t), ErrorKind::invalid_argument) << describe({t, 16, 8});
  for (auto const& p : {cuda::CsrMergeChunks<float>{0, &row, &value, 8},
                        {16, nullptr, &value, 8},
                        {16, &row, nullptr, 8},
                        {16, &row, &value, 0},
                        {std::int64_t{1} << 21, &row, &value, 8}})
    EXPECT_EQ(refusal_of(p, b, {8, 1}), ErrorKind::invalid_argument);
  EXPECT_EQ(refusal_of(chunks, DenseMatrix<float const>{&value, 100, 8, 1, 100}, {8, 1}), ErrorKind::invalid_argument);
  EXPECT_EQ(refusal_of(chunks, DenseMatrix<float const>{&value, 100, 8, std::int64_t{1} << 30, 1}, {8, 1}),
            ErrorKind::invalid_argument);
  double wide = 0;
  CsrPointers<double, std::int32_t, std::int32_t> const d{100, 100, 0, &row, &row, &wide, nullptr};
  EXPECT_EQ(test::kind_of([&] {
              cuda::csr_spmm_merge_split(d, cuda::CsrMergeChunks<double>{16, &row, &wide, 8}, 1.0,
                                         DenseMatrix<double const>{&wide, 100, 8, 8, 1}, 0.0,
                                         DenseMatrix<double>{&wide, 100, 8, 8, 1}, {8, 4}, nullptr);
            }),
            ErrorKind::invalid_argument);
}

TEST(CsrMergeSpmmTuning, TheRuleCoversTheColumns) {
  for (std::size_t const bytes : {4u, 8u})
    for (bool const neighbours : {false, true})
      for (std::int64_t columns = 1; columns < 600; ++columns) {
        auto const t = cuda::csr_merge_tuning(columns, bytes, neighbours);
        EXPECT_LE(t.vector, bytes == 4 ? 4 : 3);
        EXPECT_TRUE(t.lanes == 32 || t.lanes * t.vector >= columns) << columns;
        EXPECT_TRUE(t.lanes == 2 || t.lanes / 2 * t.vector < columns) << columns;
      }
}

}  // namespace
