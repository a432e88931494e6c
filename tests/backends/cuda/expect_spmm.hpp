// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of CUDA SpMM kernels that take plain pointers share: operands, patterns, and the checked product.

#include <gtest/gtest.h>

#include <araia/detail/formats/pointers.hpp>
#include <araia/precision.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/device_array.hpp"
#include "backends/cuda/device_csr.hpp"
#include "backends/dense_fill.hpp"
#include "backends/openmp/reference/epilogue.hpp"
#include "support/part.hpp"
#include "support/reference.hpp"

namespace araia::test::spmm {

namespace ref = araia::reference;

using test::canary;
using test::not_a_number;
using test::wave;

struct Operands {
  std::int64_t columns = 1;
  std::int64_t padding = 0;  // of rows of B and C
  std::size_t first = 0;     // element of the arrays, off their alignment
  double alpha = 1;
  double beta = 0;
};

template <class T>
using Product = std::function<void(T alpha, DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c)>;

/// Captures launch(stream) and replays it three times.
template <class Launch>
void in_graph(Launch const& launch) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  launch(stream);
  cuda::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cuda::check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < 3; ++i) cuda::check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
  cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  cuda::check(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  cuda::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

/// Launches overlap: in a chain of product(from, to) by a square matrix each reads what the one before wrote, and
/// writes what the one before that read. The same bits as with waits between them.
template <class T, class Launch>
void expect_waits(std::int64_t rows, std::string const& what, Launch const& product) {
  constexpr std::int64_t columns = 64;
  std::vector<T> start(static_cast<std::size_t>(rows * columns));
  for (std::size_t k = 0; k < start.size(); ++k) start[k] = static_cast<T>(wave(static_cast<std::int64_t>(k), 3));
  auto const chain = [&](bool wait) {
    DeviceArray<T> const one(start), two(start);
    for (int step = 0; step < 20; ++step) {
      auto const& from = step % 2 == 0 ? one : two;
      auto const& to = step % 2 == 0 ? two : one;
      product(DenseMatrix<T const>{from.data(), rows, columns, columns, 1},
              DenseMatrix<T>{to.data(), rows, columns, columns, 1});
      if (wait) cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return one.download();
  };
  EXPECT_EQ(chain(false), chain(true)) << what;
}

/// Runs the product on device copies, twice: the bound is held, the surroundings stay, the bits are the same.
/// \param u         unit roundoff of the precision promised
/// \param epilogue  that the product has, in host memory
/// \param promised  whose range products have: a floor to the bound
template <class T, class Offset>
void expect_right(ZooMatrix<T, Offset> const& m, Operands const& o, Dense<T> const& b, std::string const& what,
                  Product<T> const& product, long double u = ref::unit_roundoff<T>(),
                  EpiloguePointers<T> const& epilogue = {}, Precision promised = Precision::native) {
  if (!in_this_part()) return;
  SCOPED_TRACE(what + ", columns " + std::to_string(o.columns) + ", padding " + std::to_string(o.padding) + ", first " +
               std::to_string(o.first));
  T const alpha = static_cast<T>(o.alpha);
  T const beta = static_cast<T>(o.beta);
  Dense<T> c(m.rows, o.columns, true, o.padding, o.first, canary<T>);
  c.fill([&](auto i, auto j) { return beta == T{} ? double(not_a_number<T>) : wave(i + 99, j); });
  auto expected = ref::spmm(Op::none, alpha, m.pointers(), b.constant(), beta, c.constant());
  if (epilogue.any()) expected = ref::with_epilogue(std::move(expected), epilogue);
  DeviceArray<T> const device_b(b.buffer);
  auto const run = [&](Dense<T>& result) {
    DeviceArray<T> const device_c(c.buffer);
    auto bs = b.constant();
    bs.data = device_b.data() + o.first;
    auto cs = result.matrix();
    cs.data = device_c.data() + o.first;
    product(alpha, bs, beta, cs);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    result.buffer = device_c.download();
  };
  Dense<T> first = c;
  run(first);
  auto const largest_in = [](auto const& values) {
    return ref::largest_magnitude(values.empty() ? nullptr : values.data(), static_cast<std::int64_t>(values.size()));
  };
  double const floor = product_floor(promised, largest_in(m.values), largest_in(b.buffer));
  auto const report = ref::check(expected, first.constant(), u, static_cast<long double>(floor));
  EXPECT_TRUE(report.ok()) << report.violations << " wrong, first at " << report.first_bad_row << ", "
                           << report.first_bad_column << ": " << report.got << " for " << report.expected << " +- "
                           << report.bound;
  EXPECT_TRUE(first.untouched_outside(canary<T>));
  Dense<T> second = c;
  run(second);
  EXPECT_TRUE(second.same_bits(first)) << "two runs differ";
}

template <class T>
Dense<T> dense_b(std::int64_t rows, Operands const& o) {
  Dense<T> b(rows, o.columns, true, o.padding, o.first, not_a_number<T>);
  b.fill(wave);
  return b;
}

/// body(m, o, b) for a B with NaN, then with infinities of either sign, in some rows: the check wants NaN where NaN is
/// due, the same infinity where one is, and finite values elsewhere.
template <class Offset = std::int32_t, class Body>
void for_each_not_finite(ZooPattern const& pattern, Body const& body) {
  for (float const bad :
       {not_a_number<float>, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    Operands const o{70, 2, 0, 1, 0};
    ZooMatrix<float, Offset> const m(pattern, true, false, 0);
    auto b = dense_b<float>(m.cols, o);
    for (std::int64_t const col : {0, 64, 128, 131, 299})
      for (std::int64_t j = col % 3; j < o.columns; j += 3) b.at(col, j) = bad;
    body(m, o, b);
  }
}

/// Random rows of a density, one of them empty.
inline ZooPattern random_pattern(std::int64_t rows, std::int64_t cols, double density) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  ZooPattern p;
  p.name = "density " + std::to_string(density);
  p.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int64_t j = 0; i != 5 && j < cols; ++j)
      if (uniform(random) < density) columns.push_back(static_cast<std::int32_t>(j));
    p.add_row(columns);
  }
  return p;
}

/// body(m, o, b, name) for every pattern of the zoo: with values, padded and off their alignment; a pattern alone with
/// `columns` of B. Ends at the first failure.
template <class T, class Offset, class Body>
void for_each_pattern(Body const& body, std::int64_t columns = 32) {
  for (auto const& pattern : zoo_patterns())
    for (bool const with_values : {true, false}) {
      Operands const o = with_values ? Operands{20, 3, 1, -0.7, 0.3} : Operands{columns, 0, 0, 1, 0};
      ZooMatrix<T, Offset> const m(pattern, with_values, false, o.first);
      body(m, o, dense_b<T>(m.cols, o), pattern.name);
      if (testing::Test::HasFailure()) return;
    }
}

/// Numbers of columns of B that meet an edge.
inline std::vector<std::int64_t> column_counts() {
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= 17; ++n) counts.push_back(n);
  for (std::int64_t const n : {31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 512}) counts.push_back(n);
  return counts;
}

/// body(m, o, b, name) for every one of column_counts(), base offset and padding, one matrix. Ends at the first
/// failure.
template <class T, class Body>
void for_each_column_count(Body const& body) {
  auto const pattern = random_pattern(61, 150, 0.3);
  for (std::int64_t const columns : column_counts())
    for (std::size_t const first : {0u, 1u, 2u, 3u})
      for (std::int64_t const padding : {std::int64_t{0}, std::int64_t{1}, (4 - columns % 4) % 4}) {
        Operands const o{columns, padding, first, 2, first % 2 == 0 ? 0.0 : -1.0};
        ZooMatrix<T, std::int32_t> const m(pattern, true, false, first);
        body(m, o, dense_b<T>(m.cols, o), pattern.name);
        if (testing::Test::HasFailure()) return;
      }
}

}  // namespace araia::test::spmm
