// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of BSR on the tensor cores, in each precision: block shapes, column counts, alignments, tunings, inputs that
// are not finite.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "backends/cuda/bsr_spmm_tensor_cores.hpp"
#include "backends/cuda/device_bsr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using namespace araia::test::spmm;
using cuda::BsrTensorTuning;
using test::BlockPattern;
using test::Dense;
using test::DeviceBsr;
using test::random_blocks;
using test::ZooMatrix;

struct BlockShape {
  int rows;
  int cols;
};
constexpr BlockShape block_shapes[] = {{1, 1}, {2, 2}, {3, 3}, {3, 2},  {4, 4},   {6, 6},   {5, 7},
                                       {8, 8}, {7, 1}, {1, 9}, {12, 5}, {16, 16}, {20, 24}, {32, 32}};

std::string describe(BsrTensorTuning const& t) {
  return std::to_string(t.packs) + " packs, " + std::to_string(t.column_warps) + " side by side, split " +
         std::to_string(t.split) + (t.deep ? ", deep" : "");
}

template <class T>
std::vector<Precision> precisions() {
  std::vector<Precision> all;
  for (Precision const precision : all_precisions)
    if (cuda::has_bsr_tensor_cores<T>(precision)) all.push_back(precision);
  return all;
}

/// A third of the slots as fill.
template <class T, class Offset = std::int32_t>
ZooMatrix<T, Offset> matrix_of(BlockPattern const& p, std::size_t first) {
  ZooMatrix<T, Offset> m(p.slots(), true, false, first);
  for (std::size_t k = first; k < m.values.size(); k += 3) m.values[k] = T{};
  return m;
}

template <class T, class Offset>
void expect_bsr_right(BlockPattern const& p, ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b,
                      BsrTensorTuning const& tuning, T outside = T{}) {
  DeviceBsr<T, Offset> const a(m, p, outside);
  for (Precision const precision : precisions<T>())
    expect_right<T, Offset>(
        m, o, b, std::string(precision_name(precision)) + ": " + p.name + ", " + describe(tuning),
        [&](T alpha, auto const& bs, T beta, auto const& cs) {
          cuda::bsr_spmm_tensor_cores(a.pointers, precision, alpha, bs, beta, cs, tuning, nullptr);
        },
        araia::unit_roundoff(precision, sizeof(T)), {}, precision);
}

template <class T>
class BsrTensorCores : public test::OnCudaDevice {
 protected:
  void SetUp() override {
    test::OnCudaDevice::SetUp();
    if (IsSkipped()) return;
    cudaDeviceProp device{};
    cuda::check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    if (!cuda::bsr_tensor_cores_run_on(device.major)) GTEST_SKIP() << "compute capability " << device.major;
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(BsrTensorCores, Scalars);

template <class T, class Offset>
void every_block_shape() {
  for (auto const [rows, cols] : block_shapes) {
    auto const p = random_blocks(rows, cols, rows > 8 ? 7 : 23, 50, 6);  // the full block row is longer than a warp
    int const packs = cuda::most_bsr_tensor_packs(rows);
    for (Operands const o : {Operands{40, 0, 0, 1, 0}, Operands{150, 3, 1, -0.7, 0.3}}) {
      auto const m = matrix_of<T, Offset>(p, o.first);
      auto const b = dense_b<T>(m.cols, o);
      for (BsrTensorTuning const t :
           {BsrTensorTuning{1, 1, 1}, {2, 2, 1}, {packs, 1, 2}, {1, 4, 2, rows <= 8}, {packs, 1, 8}})
        expect_bsr_right(p, m, o, b, t);
      if (testing::Test::HasFailure()) return;
    }
  }
}
TYPED_TEST(BsrTensorCores, HoldTheBoundOnEveryBlockShape) { every_block_shape<TypeParam, std::int32_t>(); }
TYPED_TEST(BsrTensorCores, HoldTheBoundOnEveryBlockShapeWideOffsets) { every_block_shape<TypeParam, std::int64_t>(); }

TYPED_TEST(BsrTensorCores, HoldTheBoundOnEveryNumberOfColumnsAndAlignment) {
  using T = TypeParam;
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= 17; ++n) counts.push_back(n);
  for (std::int64_t const n : {31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 512}) counts.push_back(n);
  for (auto const [rows, cols] : {BlockShape{3, 3}, {8, 8}, {16, 4}, {32, 3}}) {
    auto const p = random_blocks(rows, cols, 9, 20, 5);
    for (std::int64_t const columns : counts)
      for (std::size_t const first : {0u, 1u})
        for (std::int64_t const padding : {std::int64_t{0}, std::int64_t{1}, (4 - columns % 4) % 4}) {
          Operands const o{columns, padding, first, 2, first % 2 == 0 ? 0.0 : -1.0};
          auto const m = matrix_of<T>(p, first);
          auto const b = dense_b<T>(m.cols, o);
          int const packs = 1 << static_cast<int>(columns + padding) % (rows > 16 ? 2 : 3);
          int const side = 1 << static_cast<int>(columns) % 3;
          expect_bsr_right(p, m, o, b, {packs, side, first == 1 ? 2 : 1});
          DeviceBsr<T, std::int32_t> const a(m, p);
          expect_bsr_right(p, m, o, b, cuda::bsr_tensor_tuning({a.pointers, columns, 132}));
          if (testing::Test::HasFailure()) return;
        }
  }
}

TYPED_TEST(BsrTensorCores, MultiplyMatricesOfAwkwardShape) {
  using T = TypeParam;
  Operands const o{24, 0, 0, 1.5, 0.5};
  for (auto const [rows, cols] : {BlockShape{2, 2}, {4, 4}, {16, 16}, {32, 32}})
    for (BlockPattern p : {BlockPattern{"no rows", rows, cols, 0, 9, {}},
                           BlockPattern{"no blocks", rows, cols, rows * 3, 40, {{}, {}, {}}},
                           BlockPattern{"one row", rows, cols, 1, cols * 40, {{0, 7, 39}}},
                           BlockPattern{"one column", rows, cols, rows * 2, 1, {{0}, {0}}}}) {
      p.name += ", " + std::to_string(rows);
      auto const m = matrix_of<T>(p, 0);
      auto const b = dense_b<T>(m.cols, o);
      for (BsrTensorTuning const t : {BsrTensorTuning{1, 1, 1}, {2, 1, 4}}) expect_bsr_right(p, m, o, b, t);
      if (testing::Test::HasFailure()) return;
    }
}

TYPED_TEST(BsrTensorCores, NotFiniteReachesTheRowsWhoseBlocksCoverIt) {
  using T = TypeParam;
  for (auto const [rows, cols] : {BlockShape{1, 1}, {3, 3}, {8, 8}, {5, 7}, {16, 16}, {32, 3}}) {
    auto const p = random_blocks(rows, cols, 31, 40, 4);
    for (T const bad : {not_a_number<T>, std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()}) {
      Operands const o{70, 2, 0, 1, 0};
      auto const m = matrix_of<T>(p, 0);
      auto b = dense_b<T>(m.cols, o);
      for (std::int64_t const col : {std::int64_t{0}, m.cols / 3, m.cols / 2 + 1, m.cols - 1})
        for (std::int64_t j = col % 3; j < o.columns; j += 3) b.at(col, j) = bad;
      for (BsrTensorTuning const t : {BsrTensorTuning{1, 1, 1}, {2, 1, 4}}) expect_bsr_right(p, m, o, b, t);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TYPED_TEST(BsrTensorCores, NothingBeyondTheLastColumnIsMultiplied) {
  using T = TypeParam;
  // The matrix ends inside its last blocks. Where rows of B would lie that their slots stand for, and to the right of
  // its columns, there is NaN; the slots are not zero.
  for (auto const [rows, cols] : {BlockShape{2, 2}, {3, 3}, {4, 4}, {5, 7}, {8, 8}, {16, 16}, {20, 24}, {32, 32}}) {
    auto p = random_blocks(rows, cols, 9, 20, 5);
    for (auto& columns : p.block_columns)  // whose last block is in every row that has any
      if (!columns.empty() && columns.back() != 19) columns.push_back(19);
    for (Operands const o : {Operands{24, 5, 0, 1, 0}, Operands{70, 1, 1, -0.7, 0.3}}) {
      auto const m = matrix_of<T>(p, o.first);
      auto b = dense_b<T>(m.cols, o);
      b.buffer.resize(b.buffer.size() + static_cast<std::size_t>(cols * b.row_stride), not_a_number<T>);
      for (BsrTensorTuning const t : {BsrTensorTuning{1, 1, 1}, {cuda::most_bsr_tensor_packs(rows), 1, 2}, {1, 4, 1}})
        expect_bsr_right(p, m, o, b, t, T(1));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(BsrTensorCoresRange, NumbersThatOverflowAreComputedInFloat) {
  if (!test::has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  auto const p = random_blocks(4, 4, 20, 24, 5);
  Operands const o{66, 0, 0, 0.5, 0};
  auto m = matrix_of<float>(p, 0);
  for (auto& v : m.values) v *= 0x1p-8f;
  auto b = dense_b<float>(m.cols, o);
  for (std::int64_t j = 0; j < o.columns; ++j) {
    b.at(j % m.cols, j) = std::numeric_limits<float>::max();  // rounds to infinity in TF32
    b.at((j + 7) % m.cols, j) = 70000;                        // in half
  }
  expect_bsr_right(p, m, o, b, {1, 1, 1});
  expect_bsr_right(p, m, o, b, {2, 1, 2});
}

TYPED_TEST(BsrTensorCores, CaptureAndReplay) {
  using T = TypeParam;
  auto const p = random_blocks(6, 6, 40, 30, 8);
  Operands const o{128, 0, 0, 1, 0};
  auto const m = matrix_of<T>(p, 0);
  auto const b = dense_b<T>(m.cols, o);
  DeviceBsr<T, std::int32_t> const a(m, p);
  for (Precision const precision : precisions<T>())
    expect_right<T, std::int32_t>(
        m, o, b, precision_name(precision),
        [&](T alpha, auto const& bs, T beta, auto const& cs) {
          in_graph([&](cudaStream_t stream) {
            cuda::bsr_spmm_tensor_cores(a.pointers, precision, alpha, bs, beta, cs, {2, 1, 2}, stream);
          });
        },
        araia::unit_roundoff(precision, sizeof(T)), {}, precision);
}

TYPED_TEST(BsrTensorCores, WaitForTheProductBefore) {
  using T = TypeParam;
  auto p = random_blocks(4, 4, 128, 128, 4);
  p.rows = p.cols = 512;
  auto m = matrix_of<T>(p, 0);
  for (T& v : m.values) v *= T(0.25);
  DeviceBsr<T, std::int32_t> const a(m, p);
  for (Precision const precision : precisions<T>())
    expect_waits<T>(p.rows, precision_name(precision), [&](auto const& from, auto const& to) {
      cuda::bsr_spmm_tensor_cores(a.pointers, precision, T(1), from, T(0), to, {2, 2, 1}, nullptr);
    });
}

template <class T>
ErrorKind refusal_of(BsrPointers<T, std::int32_t, std::int32_t> const& a, Precision precision,
                     DenseMatrix<T const> const& b, DenseMatrix<T> const& c, BsrTensorTuning const& tuning) {
  return test::kind_of([&] { cuda::bsr_spmm_tensor_cores(a, precision, T(1), b, T(0), c, tuning, nullptr); });
}

TEST(BsrTensorCoresArguments, RefusesWhatHasNoKernel) {
  float value = 0;
  BsrPointers<float, std::int32_t, std::int32_t> a{
      .rows = 100, .cols = 100, .block_rows = 20, .block_cols = 5, .values = &value};
  DenseMatrix<float const> const b{&value, 100, 8, 8, 1};
  DenseMatrix<float> const c{&value, 100, 8, 8, 1};
  EXPECT_EQ(refusal_of(a, Precision::native, b, c, {}), ErrorKind::unsupported);
  for (BsrTensorTuning const t : std::initializer_list<BsrTensorTuning>{
           {3, 1, 1}, {4, 1, 1}, {0, 1, 1}, {1, 8, 1}, {1, 3, 1}, {1, 1, 3}, {1, 1, 16}, {1, 4, 4}, {1, 1, 1, true}})
    EXPECT_EQ(refusal_of(a, Precision::tf32, b, c, t), ErrorKind::invalid_argument) << describe(t);
  EXPECT_EQ(refusal_of(a, Precision::tf32, {&value, 100, 8, 1, 100}, c, {}), ErrorKind::unsupported);
  EXPECT_EQ(refusal_of(a, Precision::tf32, b, {&value, 100, 8, 1, 100}, {}), ErrorKind::unsupported);
  EXPECT_EQ(refusal_of(a, Precision::tf32, {&value, 100, 8, std::int64_t{1} << 30, 1}, c, {}), ErrorKind::unsupported);
  a.block_cols = 33;
  EXPECT_EQ(refusal_of(a, Precision::tf32, b, c, {}), ErrorKind::unsupported);
  a.block_cols = 5;
  a.cols = std::int64_t{1} << 32;
  EXPECT_EQ(refusal_of(a, Precision::tf32, b, c, {}), ErrorKind::unsupported);
  a.cols = 100;
  a.values = nullptr;
  EXPECT_EQ(refusal_of(a, Precision::tf32, b, c, {}), ErrorKind::unsupported);
  double wide = 0;
  BsrPointers<double, std::int32_t, std::int32_t> const d{
      .rows = 100, .cols = 100, .block_rows = 4, .block_cols = 4, .values = &wide};
  EXPECT_EQ(refusal_of(d, Precision::tf32, {&wide, 100, 8, 8, 1}, {&wide, 100, 8, 8, 1}, {}), ErrorKind::unsupported);
}

TEST(BsrTensorCoresTuning, TheRuleStaysInRange) {
  for (int const rows : {1, 3, 8, 16, 32})
    for (std::int64_t const columns : {1, 8, 17, 64, 512, 5000})
      for (std::int64_t const size : {40, 3000, 500000}) {
        BsrPointers<double, std::int32_t, std::int32_t> const a{
            .rows = size, .cols = size, .block_rows = rows, .block_cols = rows, .blocks = size / rows * 20};
        auto const t = cuda::bsr_tensor_tuning({a, columns, 132});
        EXPECT_LE(t.packs, cuda::most_bsr_tensor_packs(rows)) << describe(t);
        EXPECT_LE(t.column_warps * t.split, 8) << describe(t);
        EXPECT_TRUE(!t.deep || (t.packs == 1 && rows <= 8)) << describe(t);
        // No warp is without columns but in the last tile.
        EXPECT_TRUE(t.packs == 1 || (t.packs / 2) * 16 < columns) << describe(t);
      }
}

}  // namespace
