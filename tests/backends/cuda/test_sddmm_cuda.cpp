// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA SDDMM over a zoo of shapes, lengths of dot products, strides and alignments: the bound is held, what lies
// beside stays, and two runs give the same bits.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backends/cuda/device_array.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/cuda/expect_spmm.hpp"
#include "backends/cuda/sddmm/arguments.hpp"
#include "backends/cuda/sddmm/csr_sddmm.hpp"
#include "backends/openmp/reference/sddmm.hpp"
#include "support/part.hpp"

namespace {

using namespace araia;
using namespace araia::test;
using araia::test::spmm::wave;
namespace ref = araia::reference;

template <class TType, class OffsetType>
struct Types {
  using T = TType;
  using Offset = OffsetType;
};

template <class T>
class CsrSddmmCuda : public OnCudaDevice {};
using AllTypes = testing::Types<Types<double, std::int32_t>, Types<double, std::int64_t>, Types<float, std::int32_t>,
                                Types<float, std::int64_t>>;
TYPED_TEST_SUITE(CsrSddmmCuda, AllTypes);

struct Case {
  std::int64_t k = 32;
  bool by_rows = true;
  std::int64_t padding = 0;
  std::size_t first = 0;  // element of the arrays, off their alignment
  bool values = false;
  double alpha = 1;
  double beta = 0;
};

cuda::SddmmDevice device() {
  int count = 0;
  int bytes = 0;
  cuda::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
  cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "cudaDeviceGetAttribute");
  return {count, static_cast<std::size_t>(bytes)};
}

template <class TypeParam>
void expect_right(ZooPattern const& pattern, Case const& c, cuda::SddmmTuning const* tuning = nullptr, double bad = 0) {
  using T = typename TypeParam::T;
  if (!in_this_part()) return;
  SCOPED_TRACE(pattern.name + ", k " + std::to_string(c.k) + (c.by_rows ? "" : ", by columns") + ", padding " +
               std::to_string(c.padding) + ", first " + std::to_string(c.first) +
               (tuning
                    ? ", parts " + std::to_string(tuning->parts) + ", rows " + std::to_string(tuning->rows_per_block) +
                          ", panels of " + std::to_string(tuning->panel_columns)
                    : ""));
  ZooMatrix<T, typename TypeParam::Offset> const m(pattern, c.values, false, c.first);
  T const nan = std::numeric_limits<T>::quiet_NaN();
  Dense<T> x(pattern.rows, c.k, c.by_rows, c.padding, c.first, nan);
  Dense<T> y(pattern.cols, c.k, c.by_rows, c.padding, c.first, nan);
  x.fill(wave);
  y.fill([](auto i, auto j) { return wave(i + 50, j); });
  if (bad != 0) {
    x.at(pattern.rows / 2, c.k - 1) = static_cast<T>(bad);
    y.at(pattern.cols / 3, 0) = static_cast<T>(bad);
  }
  auto const alpha = static_cast<T>(c.alpha);
  auto const beta = static_cast<T>(c.beta);
  std::int64_t const nnz = m.pointers().nnz;
  std::vector<T> before(static_cast<std::size_t>(nnz), nan);
  if (beta != T(0))
    for (std::int64_t p = 0; p < nnz; ++p) before[static_cast<std::size_t>(p)] = static_cast<T>(wave(p, 7));
  auto const expected = ref::sddmm(alpha, m.pointers(), x.constant(), y.constant(), false, beta, before.data());

  DeviceCsr<T, typename TypeParam::Offset> const a(m);
  DeviceArray<T> const device_x(x.buffer);
  DeviceArray<T> const device_y(y.buffer);
  auto xs = x.constant();
  auto ys = y.constant();
  xs.data = device_x.data() + c.first;
  ys.data = device_y.data() + c.first;
  std::vector<T> first;
  for (int run = 0; run < 2; ++run) {
    DeviceArray<T> const d(before, c.first);
    auto const by_rule = cuda::csr_sddmm_row_tuning(m.rows, nnz, device());
    cuda::csr_sddmm(a.pointers, alpha, xs, ys, beta, d.data(), tuning ? *tuning : by_rule, nullptr);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto const got = d.download();
    EXPECT_EQ(d.disturbed_bytes(), 0);
    if (run == 0) {
      auto const report = ref::check(expected, DenseVector<T const>{got.data(), nnz, 1});
      EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ": " << report.got
                               << " for " << report.expected << " +- " << report.bound;
      first = got;
    } else if (nnz > 0) {
      EXPECT_EQ(std::memcmp(first.data(), got.data(), got.size() * sizeof(T)), 0) << "two runs differ";
    }
  }
}

TYPED_TEST(CsrSddmmCuda, HoldsTheBoundOnEveryShape) {
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.rows == 0) continue;  // nothing is launched for no entries: dispatch decides
    expect_right<TypeParam>(pattern, {.k = 64, .values = true, .alpha = -0.7, .beta = 0.3});
    expect_right<TypeParam>(pattern, {.k = 32, .padding = 4});
    expect_right<TypeParam>(pattern, {.k = 19, .padding = 3, .first = 1, .values = true, .alpha = 2, .beta = 1});
    expect_right<TypeParam>(pattern, {.k = 24, .by_rows = false, .padding = 1});
    if (testing::Test::HasFailure()) return;
  }
}

TYPED_TEST(CsrSddmmCuda, HoldsTheBoundForDotProductsOfEveryLength) {
  auto const pattern = zoo_patterns()[5];
  for (std::int64_t k = 1; k <= 70; ++k) expect_right<TypeParam>(pattern, {.k = k, .beta = 0.5});
  for (std::int64_t const k : {96, 124, 127, 128, 132, 192, 252, 255, 256, 260, 384, 508, 512, 520, 1024, 1030})
    for (bool const by_rows : {true, false})
      expect_right<TypeParam>(pattern, {.k = k, .by_rows = by_rows, .padding = 8, .beta = -1});
}

TYPED_TEST(CsrSddmmCuda, EveryTuningGivesTheResult) {
  for (auto const& pattern : zoo_patterns()) {
    if (pattern.rows == 0) continue;
    for (cuda::SddmmTuning const tuning :
         {cuda::SddmmTuning{.parts = 1, .rows_per_block = 8}, cuda::SddmmTuning{.parts = 3, .rows_per_block = 70},
          cuda::SddmmTuning{.parts = 16, .rows_per_block = 32}})
      expect_right<TypeParam>(pattern, {.k = 48, .beta = 1}, &tuning);
  }
}

TYPED_TEST(CsrSddmmCuda, PanelsHoldTheBoundOnEveryShape) {
  using T = typename TypeParam::T;
  auto patterns = zoo_patterns();  // most have columns that do not ascend, the last two have
  for (double const density : {0.02, 0.3}) patterns.push_back(araia::test::spmm::random_pattern(150, 400, density));
  int turn = 0;
  for (auto const& pattern : patterns) {
    if (pattern.rows == 0) continue;
    for (int const columns : {1, 7, 24, 96}) {
      if (pattern.rows > 1000) continue;  // hundreds of thousands of blocks: by rule alone
      cuda::SddmmTuning const tuning{.panel_columns = columns, .rows_per_block = 1 + 5 * columns % 60};
      if (turn++ % 2 == 0)
        expect_right<TypeParam>(pattern, {.k = 64, .values = true, .alpha = -0.7, .beta = 0.3}, &tuning);
      else
        expect_right<TypeParam>(pattern, {.k = 20, .padding = 4}, &tuning);
    }
    ++turn;  // so that the next pattern's are the others
    auto const by_rule = cuda::csr_sddmm_panel_tuning(pattern.rows, pattern.cols, 128, sizeof(T), device());
    expect_right<TypeParam>(pattern, {.k = 128, .beta = 1}, &by_rule);
    if (testing::Test::HasFailure()) return;
  }
  constexpr int most = static_cast<int>(cuda::most_panel_loads) * cuda::vector_of<T>;
  for (double const density : {0.02, 0.3}) {  // ascending
    auto const pattern = araia::test::spmm::random_pattern(150, 400, density);
    for (std::int64_t const k : {4, 8, 28, 32, 60, 64, 100, 128, 252, 256, most}) {
      auto const by_rule = cuda::csr_sddmm_panel_tuning(150, 400, k, sizeof(T), device());
      expect_right<TypeParam>(pattern, {.k = k, .values = true, .alpha = 0.5}, &by_rule);
      expect_right<TypeParam>(pattern, {.k = k}, &by_rule, std::numeric_limits<double>::quiet_NaN());
    }
  }
}

TYPED_TEST(CsrSddmmCuda, SpreadsNaNAndInfinityToEntriesOfTheirRowsAlone) {
  for (auto const& pattern : zoo_patterns())
    if (pattern.name == "stencil" || pattern.name == "every row length from 0 to 130")
      for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (std::int64_t const k : {30, 32, 260}) expect_right<TypeParam>(pattern, {.k = k}, nullptr, bad);
}

TYPED_TEST(CsrSddmmCuda, RefusesTuningsOutOfRange) {
  for (cuda::SddmmTuning const tuning :
       {cuda::SddmmTuning{.parts = 0}, cuda::SddmmTuning{.parts = 1025}, cuda::SddmmTuning{.rows_per_block = 0},
        cuda::SddmmTuning{.panel_columns = -1}, cuda::SddmmTuning{.panel_columns = 8, .rows_per_block = 513},
        cuda::SddmmTuning{.panel_columns = 5000}})
    EXPECT_THROW(expect_right<TypeParam>(zoo_patterns()[4], {}, &tuning), Error);
  cuda::SddmmTuning const panels{.panel_columns = 8};
  EXPECT_THROW(expect_right<TypeParam>(zoo_patterns()[4], {.by_rows = false}, &panels), Error);
  EXPECT_THROW(expect_right<TypeParam>(zoo_patterns()[4], {.k = 33}, &panels), Error);
}

}  // namespace
