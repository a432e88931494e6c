// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaPackedCsr: what its precisions are, where they are refused, and what they compute. Kernels have tests of their
// own beside the backend.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/dispatch/cuda_packed_csr.hpp>
#include <araia/dispatch/views.hpp>
#include <araia/error.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#ifdef KOKKOS_ENABLE_CUDA

namespace {

using namespace araia;

template <class T>
using DeviceVector = Kokkos::View<T*, Kokkos::CudaSpace>;
template <class T>
using DeviceDense = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;

template <class T>
DeviceVector<T> upload(std::vector<T> const& host) {
  DeviceVector<T> device(Kokkos::view_alloc(Kokkos::WithoutInitializing, "test::packed"), host.size());
  Kokkos::deep_copy(device, Kokkos::View<T const*, Kokkos::HostSpace>(host.data(), host.size()));
  return device;
}

/// A matrix, B and the products in double.
template <class T>
struct Problem {
  /// Each row's columns are of(i), in order.
  template <class Columns>
  Problem(std::int32_t size, std::int64_t n, Columns of) : rows(size), columns(n) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<std::int32_t> row_offsets{0}, col_indices;
    std::vector<T> values;
    for (std::int32_t i = 0; i < size; ++i) {
      for (std::int32_t const j : of(i)) {
        col_indices.push_back(j);
        values.push_back(static_cast<T>(uniform(random)));
      }
      row_offsets.push_back(static_cast<std::int32_t>(col_indices.size()));
    }
    auto const count = static_cast<std::size_t>(rows * columns);
    b = DeviceDense<T>("test::packed::b", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    c = DeviceDense<T>("test::packed::c", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    auto const host_b = Kokkos::create_mirror_view(b);
    for (std::size_t k = 0; k < count; ++k) host_b.data()[k] = static_cast<T>(uniform(random));
    Kokkos::deep_copy(b, host_b);
    expected.assign(count, 0);
    magnitude.assign(count, 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
      for (auto k = static_cast<std::size_t>(row_offsets[i]); k < static_cast<std::size_t>(row_offsets[i + 1]); ++k)
        for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
          double const product = double(values[k]) * double(host_b(static_cast<std::size_t>(col_indices[k]), j));
          expected[i * static_cast<std::size_t>(columns) + j] += product;
          magnitude[i * static_cast<std::size_t>(columns) + j] += std::abs(product);
        }
    offsets = upload(row_offsets);
    indices = upload(col_indices);
    entries = upload(values);
    a.rows = a.cols = rows;
    a.nnz = static_cast<std::int64_t>(values.size());
    a.row_offsets = offsets.data();
    a.col_indices = indices.data();
    a.values = entries.data();
  }

  /// The largest error over |A||B|.
  double error() const {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c);
    double worst = 0;
    for (std::size_t k = 0; k < expected.size(); ++k)
      if (magnitude[k] > 0) worst = std::max(worst, std::abs(double(host.data()[k]) - expected[k]) / magnitude[k]);
    return worst;
  }

  std::int64_t rows, columns;
  DeviceVector<std::int32_t> offsets, indices;
  DeviceVector<T> entries;
  CsrPointers<T, std::int32_t, std::int32_t> a;
  DeviceDense<T> b, c;
  std::vector<double> expected, magnitude;
};

template <class T>
double multiply(Problem<T>& problem, araia::detail::CudaPackedCsr<T, std::int32_t> const& packed) {
  Kokkos::Cuda const exec;
  auto const b = araia::detail::as_const(araia::detail::dense_matrix(problem.b));
  auto const c = araia::detail::dense_matrix(problem.c);
  EXPECT_TRUE(packed.supports(b, c));
  packed.spmm(exec, T{1}, b, T{}, c);
  exec.fence("test::packed");
  return problem.error();
}

/// Columns at random, so many of 1.
auto uniformly(std::int32_t size, double density) {
  return [size, density, random = std::mt19937(7)](std::int32_t) mutable {
    std::bernoulli_distribution there(density);
    std::vector<std::int32_t> columns;
    for (std::int32_t j = 0; j < size; ++j)
      if (there(random)) columns.push_back(j);
    return columns;
  };
}

TEST(CudaPackedCsr, TakesGroupsWhereRowsShareColumns) {
  // 3 unknowns a node, each of 27 nodes: a layer of that density would take other kernels.
  constexpr std::int32_t size = 6480;
  Problem<double> blocks(size, 32, [](std::int32_t i) {
    std::vector<std::int32_t> columns;
    std::int32_t const node = i / 3;
    for (std::int32_t n = node - 13; n <= node + 13; ++n)
      for (std::int32_t k = 0; k < 3 && n >= 0 && n < size / 3; ++k) columns.push_back(3 * n + k);
    return columns;
  });
  araia::detail::CudaPackedCsr<double, std::int32_t> const grouped(Kokkos::Cuda(), blocks.a, blocks.columns);
  EXPECT_STREQ(grouped.kernel_name(), "row_groups");
  EXPECT_LE(multiply(blocks, grouped), 2 * 82 * 0x1p-53);  // the expected sums are of doubles too
  Problem<double> random(2048, 32, uniformly(2048, 0.03));
  araia::detail::CudaPackedCsr<double, std::int32_t> const padded(Kokkos::Cuda(), random.a, random.columns);
  EXPECT_STREQ(padded.kernel_name(), "padded_rows");
  EXPECT_LE(multiply(random, padded), 2 * 120 * 0x1p-53);
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(CudaPackedCsr, IsNativeUnlessAskedOtherwise) {
  Problem<float> problem(512, 128, uniformly(512, 0.4));
  araia::detail::CudaPackedCsr<float, std::int32_t> const packed(Kokkos::Cuda(), problem.a, problem.columns);
  EXPECT_EQ(packed.precision(), Precision::native);
  EXPECT_STRNE(packed.kernel_name(), "tensor_tiles");
  EXPECT_LE(multiply(problem, packed), 202 * 0x1p-24);
}

TEST(CudaPackedCsr, HoldsTheBoundOfEachPrecision) {
  Kokkos::Cuda const exec;
  struct Promised {
    Precision precision;
    double error;  // relative
  };
  for (auto const& [precision, error] : {Promised{Precision::fp32_3xtf32, 32 * 0x1p-24},
                                         {Precision::tf32, 0x1p-10},
                                         {Precision::fp16, 0x1p-10},
                                         {Precision::bf16, 0x1p-7}}) {
    if (!araia::detail::CudaPackedCsr<float, std::int32_t>::supports_precision(exec, precision))
      GTEST_SKIP() << precision_name(precision) << " does not run on this device";
    Problem<float> problem(1024, 512, uniformly(1024, 0.4));
    araia::detail::CudaPackedCsr<float, std::int32_t> const packed(exec, problem.a, problem.columns,
                                                                   {.precision = precision});
    EXPECT_EQ(packed.precision(), precision);
    EXPECT_STREQ(packed.kernel_name(), "tensor_tiles");
    EXPECT_GT(packed.bytes(), static_cast<std::uint64_t>(problem.a.nnz) * 6);
    EXPECT_LE(multiply(problem, packed), error);
    EXPECT_LE(multiply(problem, packed), error);
  }
}

TEST(CudaPackedCsr, TakesTheFasterKernelOfMorePrecision) {
  Kokkos::Cuda const exec;
  if (!araia::detail::CudaPackedCsr<float, std::int32_t>::supports_precision(exec, Precision::fp32_3xtf32))
    GTEST_SKIP() << "fp32_3xtf32 does not run on this device";
  Problem<float> problem(1024, 64, uniformly(1024, 0.02));
  araia::detail::CudaPackedCsr<float, std::int32_t> const packed(exec, problem.a, problem.columns,
                                                                 {.precision = Precision::fp32_3xtf32});
  EXPECT_EQ(packed.precision(), Precision::native);
  EXPECT_STREQ(packed.kernel_name(), "padded_rows");
}
#endif

TEST(CudaPackedCsr, RefusesLowerPrecisionOfDouble) {
  Problem<double> problem(64, 16, uniformly(64, 0.4));
  using Packed = araia::detail::CudaPackedCsr<double, std::int32_t>;
  EXPECT_FALSE(Packed::supports_precision(Kokkos::Cuda(), Precision::tf32));
  try {
    Packed const packed(Kokkos::Cuda(), problem.a, problem.columns, {.precision = Precision::tf32});
    FAIL() << "expected an error";
  } catch (Error const& e) {
    EXPECT_EQ(e.kind(), ErrorKind::unsupported);
    EXPECT_NE(std::string(e.what()).find("tf32"), std::string::npos);
  }
}

}  // namespace

#endif
