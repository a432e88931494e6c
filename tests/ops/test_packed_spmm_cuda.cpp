// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Csr packed for SpMM on CUDA: which packing the rule has for a matrix and a precision, where it is refused, and what
// its products are. Kernels have tests of their own beside the backend.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/error.hpp>
#include <araia/plan/plan.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"
#include "src/engine/names.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace {

using namespace araia;

template <class T>
using DeviceVector = Kokkos::View<T*, Kokkos::Cuda::device_type>;
template <class T>
using DeviceDense = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::Cuda::device_type>;

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
    a.rows = a.cols = rows;
    a.nnz = static_cast<std::int64_t>(values.size());
    a.row_offsets = upload(row_offsets);
    a.col_indices = upload(col_indices);
    a.values = upload(values);
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
  Csr<T, std::int32_t, std::int32_t, Kokkos::Cuda::device_type> a;
  DeviceDense<T> b, c;
  std::vector<double> expected, magnitude;
};

/// A plan of the packing that the rule expects the least time of.
template <class T>
auto packed(Problem<T> const& problem, Precision precision = Precision::native) {
  Kokkos::Cuda const exec;
  SpmmDesc const desc{.columns = problem.columns, .precision = precision};
  auto const plan = make_plan(exec, desc, problem.a);
  CandidateReport const* best = nullptr;
  for (auto const& c : plan.report().candidates)
    if (!detail::packing_of(c.choice.format, c.choice.kernel).empty() &&
        (!best || c.modelled_seconds < best->modelled_seconds))
      best = &c;
  return make_plan(exec, desc, problem.a, {.choice = best ? best->choice : Choice{}});
}

template <class Plan>
Precision kept_precision(Plan const& plan) {
  return precision_of(plan.report().problem, plan.choice());
}

/// The error of a product.
template <class T, class Plan>
double multiply(Problem<T> const& problem, Plan const& plan) {
  Kokkos::Cuda const exec;
  plan.execute(exec, T{1}, problem.b, T{}, problem.c);
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

TEST(PackedSpmm, TakesGroupsWhereRowsShareColumns) {
  // 3 unknowns a node, each of 27 nodes: a layer of that density would take other kernels.
  constexpr std::int32_t size = 6480;
  Problem<double> blocks(size, 32, [](std::int32_t i) {
    std::vector<std::int32_t> columns;
    std::int32_t const node = i / 3;
    for (std::int32_t n = node - 13; n <= node + 13; ++n)
      for (std::int32_t k = 0; k < 3 && n >= 0 && n < size / 3; ++k) columns.push_back(3 * n + k);
    return columns;
  });
  auto const grouped = packed(blocks);
  EXPECT_EQ(grouped.choice().kernel, "row_groups");
  EXPECT_LE(multiply(blocks, grouped), 2 * 82 * 0x1p-53);  // the expected sums are of doubles too
  Problem<double> random(2048, 32, uniformly(2048, 0.03));
  EXPECT_LE(multiply(random, packed(random)), 2 * 120 * 0x1p-53);  // whichever is expected to be faster
}

#ifndef ARAIA_TYPES_MINIMAL
bool has_tensor_tiles() {
  auto const& device = Kokkos::Cuda().cuda_device_prop();
  return cuda::tile_spmm_runs_on(device.major, device.minor);
}

TEST(PackedSpmm, IsNativeUnlessAskedOtherwise) {
  Problem<float> problem(512, 128, uniformly(512, 0.4));
  auto const plan = packed(problem);
  EXPECT_EQ(kept_precision(plan), Precision::native);
  EXPECT_NE(plan.choice().kernel, "tensor_tiles");
  EXPECT_LE(multiply(problem, plan), 202 * 0x1p-24);
}

TEST(PackedSpmm, HoldsTheBoundOfEachPrecision) {
  if (!has_tensor_tiles()) GTEST_SKIP() << "this device has no kernel of lower precision";
  struct Promised {
    Precision precision;
    double error;  // relative
  };
  for (auto const& [precision, error] : {Promised{Precision::fp32_3xtf32, 32 * 0x1p-24},
                                         {Precision::tf32, 0x1p-10},
                                         {Precision::fp16, 0x1p-10},
                                         {Precision::bf16, 0x1p-7}}) {
    Problem<float> problem(1024, 512, uniformly(1024, 0.4));
    auto const plan = packed(problem, precision);
    EXPECT_EQ(kept_precision(plan), precision);
    EXPECT_EQ(plan.choice().kernel, "tensor_tiles");
    EXPECT_GT(plan.bytes(), static_cast<std::uint64_t>(problem.a.nnz) * 6);
    EXPECT_LE(multiply(problem, plan), error);
    EXPECT_LE(multiply(problem, plan), error);
  }
}

TEST(PackedSpmm, TakesTheFasterKernelOfMorePrecision) {
  if (!has_tensor_tiles()) GTEST_SKIP() << "this device has no kernel of lower precision";
  Problem<float> problem(1024, 64, uniformly(1024, 0.02));
  auto const plan = packed(problem, Precision::fp32_3xtf32);
  EXPECT_EQ(kept_precision(plan), Precision::native);
  EXPECT_EQ(plan.choice().kernel, "padded_rows");
}
#endif

TEST(PackedSpmm, RefusesLowerPrecisionOfDouble) {
  Problem<double> problem(64, 16, uniformly(64, 0.4));
  try {
    (void)make_plan(Kokkos::Cuda(), SpmmDesc{.columns = problem.columns, .precision = Precision::tf32}, problem.a,
                    {.choice = Choice{.format = "csr", .kernel = "tensor_tiles"}});
    FAIL() << "expected an error";
  } catch (Error const& e) {
    EXPECT_EQ(e.kind(), ErrorKind::unsupported);
    EXPECT_NE(std::string(e.what()).find("tensor_tiles"), std::string::npos);
  }
}

}  // namespace

#endif
