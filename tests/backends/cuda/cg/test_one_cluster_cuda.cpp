// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients in one launch: every form against the true residual and the plainest loop, ends of every kind,
// batches, repeats, graphs.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <cstring>
#include <limits>

#include "backends/cuda/cg/csr_one_cluster/kernel.hpp"
#include "backends/cuda/cg/systems.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/device_array.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using namespace araia::cuda::one_cluster;
using namespace araia::test::cg;
using test::DeviceArray;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

class OneClusterCg : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_cuda_device()) GTEST_SKIP() << "no CUDA device";
    int device = 0;
    int major = 0;
    cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "attribute");
    if (major < 9) GTEST_SKIP() << "no device of compute capability 9.0 or above";
  }
};

struct Outcome {
  std::vector<double> x;
  std::vector<Result> results;
  std::vector<double> history;
};

bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// A pattern on the device, as a caller holds it.
class Solver {
 public:
  explicit Solver(Matrix const& m, int cluster = 0, std::int64_t systems = 1)
      : rows_(at(m.rows)), plan_(make_plan(m.rows, m.row_offsets.data(), m.col_indices.data(), systems, cluster)) {
    if (plan_.refusal.empty()) words_ = DeviceArray<std::uint32_t>(plan_.packing.words);
  }
  [[nodiscard]] Plan const& plan() const { return plan_; }
  [[nodiscard]] std::uint32_t const* words() const { return words_.data(); }

  /// Of as many systems as x has room for; values or rhs of one system are shared.
  [[nodiscard]] Outcome run(std::vector<double> const& values, std::vector<double> const& rhs,
                            std::vector<double> const& x, Stop const& stop = {}) const {
    auto const count = static_cast<int>(x.size() / rows_);
    DeviceArray<double> const a(values), b(rhs), solution(x);
    DeviceArray<Result> const results(std::vector<Result>(at(count), Result{}));
    std::size_t const nnz = at(plan_.packing.layout.nnz);
    DeviceArray<double> const history(std::vector<double>(at(count) * (at(stop.max_iterations) + 1), -1.0));
    solve(plan_, words_.data(),
          {.count = count,
           .values = a.data(),
           .values_stride = values.size() > nnz ? static_cast<std::int64_t>(nnz) : 0,
           .rhs = b.data(),
           .rhs_stride = rhs.size() > rows_ ? static_cast<std::int64_t>(rows_) : 0,
           .solution = solution.data(),
           .solution_stride = static_cast<std::int64_t>(rows_)},
          stop, results.data(), history.data(), nullptr);
    cuda::check(cudaDeviceSynchronize(), "solve");
    EXPECT_EQ(solution.disturbed_bytes(), 0);
    EXPECT_EQ(results.disturbed_bytes(), 0);
    EXPECT_EQ(history.disturbed_bytes(), 0);
    EXPECT_TRUE(same_bits(b.download(), rhs));
    return {solution.download(), results.download(), history.download()};
  }

 private:
  std::size_t rows_;
  Plan plan_;
  DeviceArray<std::uint32_t> words_;
};

std::vector<Matrix> zoo() {
  std::vector<Matrix> all;
  for (std::int32_t const n : {1, 2, 31, 1000, 15000}) all.push_back(tridiagonal(n));
  all.push_back(seven_points(10, 10, 10));
  all.push_back(seven_points(25, 25, 24));
  all.push_back(random_pattern(700, 3, {0, 350}, 1));
  all.push_back(random_pattern(1500, 12, {3, 4, 5, 1499}, 7));
  all.push_back(random_pattern(150, 60, {}, 1));
  all.push_back(random_pattern(15000, 1, {7500}, 1));
  return all;
}

void expect_solved(Matrix const& m, int cluster, bool jacobi) {
  Solver const solver(m, cluster);
  std::string const name = m.name + ", cluster " + std::to_string(cluster) + (jacobi ? ", Jacobi" : "");
  if (m.rows > most_rows(cluster)) {
    EXPECT_NE(solver.plan().refusal, "") << name;
    return;
  }
  if (!solver.plan().refusal.empty()) {  // some devices hold no clusters of 16; shared memory may not do
    EXPECT_TRUE(cluster == 16 || m.rows > 1000) << name << ": " << solver.plan().refusal;
    return;
  }
  EXPECT_EQ(solver.plan().packing.layout.shape.cluster, cluster);
  auto const b = random_vector(at(m.rows), 3);
  std::vector<double> const start = random_vector(at(m.rows), 4);
  constexpr double tolerance = 1e-10;
  std::vector<double> expected = start;
  int const iterations = conjugate_gradients(m, m.values, expected, b, tolerance, 5000, jacobi);
  Outcome const got =
      solver.run(m.values, b, start, {.tolerance = tolerance, .max_iterations = 5000, .jacobi = jacobi});
  Result const& r = got.results[0];
  EXPECT_EQ(r.status, Status::converged) << name;
  EXPECT_NEAR(r.iterations, iterations, 2 + iterations / 20) << name;
  EXPECT_NEAR(r.rhs_squares, dot(b, b), 1e-12 * dot(b, b)) << name;
  EXPECT_LE(r.residual_squares, tolerance * tolerance * r.rhs_squares) << name;
  EXPECT_LE(true_residual(m, m.values, got.x, b), 2 * tolerance) << name;
  for (int k = 0; k < r.iterations; ++k)
    ASSERT_GT(got.history[at(k)], tolerance * tolerance * r.rhs_squares) << name << " iteration " << k;
  EXPECT_EQ(got.history[at(r.iterations)], r.residual_squares) << name;
  EXPECT_EQ(got.history[at(r.iterations) + 1], -1) << name;
}

TEST_F(OneClusterCg, SolvesToTheTolerance) {
  for (Matrix const& m : zoo())
    for (int const cluster : clusters) {
      expect_solved(m, cluster, true);
      expect_solved(m, cluster, false);
    }
}

TEST_F(OneClusterCg, AFormIsFoundForEverySize) {
  for (Matrix const& m : zoo())
    for (int const systems : {1, 15, 300}) EXPECT_EQ(Solver(m, 0, systems).plan().refusal, "") << m.name;
}

TEST_F(OneClusterCg, WithoutRightHandSideXIsZero) {
  Matrix const m = seven_points(10, 10, 10);
  for (int const cluster : clusters) {
    Solver const solver(m, cluster);
    if (!solver.plan().refusal.empty()) continue;
    for (double const start : {1.0, std::nan("")}) {
      Outcome const got = solver.run(m.values, std::vector<double>(1000, 0.0), std::vector<double>(1000, start));
      EXPECT_EQ(got.results[0].status, Status::converged);
      EXPECT_EQ(got.results[0].iterations, 0);
      EXPECT_EQ(got.results[0].residual_squares, 0);
      EXPECT_EQ(got.results[0].rhs_squares, 0);
      EXPECT_EQ(got.history[0], 0);
      for (double const v : got.x) ASSERT_EQ(v, 0);
    }
  }
}

TEST_F(OneClusterCg, AnExactStartIsKept) {
  Matrix m = seven_points(10, 10, 10);
  for (double& v : m.values) v = std::round(v * 20);
  std::vector<double> ones(1000, 1.0);
  auto const b = product(m, m.values, ones);
  for (int const cluster : clusters) {
    Solver const solver(m, cluster);
    if (!solver.plan().refusal.empty()) continue;
    Outcome const got = solver.run(m.values, b, ones, {.tolerance = 0});
    EXPECT_EQ(got.results[0].status, Status::converged);
    EXPECT_EQ(got.results[0].iterations, 0);
    EXPECT_EQ(got.results[0].residual_squares, 0);
    EXPECT_TRUE(same_bits(got.x, ones));
  }
}

TEST_F(OneClusterCg, MatricesThatAreNotPositiveDefiniteAreFound) {
  Builder two(2);
  two.add_both(0, 1, 2);
  two.add(0, 0, 1);
  two.add(1, 1, 1);
  Matrix const m = two.as_it_is("eigenvalues 3 and -1");
  Matrix negative = tridiagonal(1000);
  for (double& v : negative.values) v = -v;
  for (int const cluster : clusters)
    for (bool const jacobi : {false, true}) {
      Solver const solver(m, cluster);
      Solver const thousand(negative, cluster);
      if (!solver.plan().refusal.empty()) continue;
      Outcome const got = solver.run(m.values, {1, -1}, {0, 0}, {.jacobi = jacobi});
      EXPECT_EQ(got.results[0].status, Status::indefinite);
      EXPECT_EQ(got.results[0].iterations, 0);
      EXPECT_EQ(got.results[0].residual_squares, 2);
      EXPECT_EQ(got.x, (std::vector<double>{0, 0}));
      Outcome const other =
          thousand.run(negative.values, random_vector(1000, 1), std::vector<double>(1000), {.jacobi = jacobi});
      EXPECT_EQ(other.results[0].status, Status::indefinite);
    }
}

TEST_F(OneClusterCg, WhatIsNotFiniteBreaksDown) {
  Matrix const m = seven_points(10, 10, 10);
  std::vector<double> const b = random_vector(1000, 5);
  std::vector<double> const zero(1000);
  for (int const cluster : clusters) {
    Solver const solver(m, cluster);
    if (!solver.plan().refusal.empty()) continue;
    for (double const bad : {std::nan(""), std::numeric_limits<double>::infinity()})
      for (std::size_t const where : {std::size_t{0}, std::size_t{777}, std::size_t{999}}) {
        auto bad_b = b;
        bad_b[where] = bad;
        EXPECT_EQ(solver.run(m.values, bad_b, zero).results[0].status, Status::breakdown);
        auto bad_x = zero;
        bad_x[where] = bad;
        EXPECT_EQ(solver.run(m.values, b, bad_x).results[0].status, Status::breakdown);
        auto bad_values = m.values;
        bad_values[where] = bad;
        EXPECT_EQ(solver.run(bad_values, b, zero).results[0].status, Status::breakdown);
      }
  }
}

TEST_F(OneClusterCg, DiagonalsThatAreNotPositiveCountAsOne) {
  // The last row is empty but for what its diagonal is: x keeps its start there.
  for (double const diagonal : {0.0, -3.0}) {
    Builder b(64);
    for (std::int32_t i = 0; i + 2 < 64; ++i) b.add_both(i, i + 1, -1);
    Matrix m = b.dominant("one row apart", 0.5);
    m.values.back() = diagonal;
    auto rhs = random_vector(64, 9);
    rhs.back() = 0;
    for (int const cluster : clusters) {
      Solver const solver(m, cluster);
      if (!solver.plan().refusal.empty()) continue;
      Outcome const got = solver.run(m.values, rhs, std::vector<double>(64));
      EXPECT_EQ(got.results[0].status, Status::converged);
      EXPECT_EQ(got.x.back(), 0);
      EXPECT_LE(true_residual(m, m.values, got.x, rhs), 2e-8);
    }
  }
}

TEST_F(OneClusterCg, StopsAfterTheIterationsAllowed) {
  Matrix const m = seven_points(10, 10, 10);
  auto const b = random_vector(1000, 6);
  for (int const cluster : clusters) {
    Solver const solver(m, cluster);
    if (!solver.plan().refusal.empty()) continue;
    for (int const most : {0, 1, 7}) {
      std::vector<double> expected(1000);
      conjugate_gradients(m, m.values, expected, b, 0, most, true);
      Outcome const got = solver.run(m.values, b, std::vector<double>(1000), {.tolerance = 0, .max_iterations = most});
      EXPECT_EQ(got.results[0].status, Status::max_iterations);
      EXPECT_EQ(got.results[0].iterations, most);
      for (std::size_t i = 0; i < 1000; ++i) ASSERT_NEAR(got.x[i], expected[i], 1e-12) << i;
      EXPECT_NEAR(std::sqrt(got.results[0].residual_squares / dot(b, b)), true_residual(m, m.values, got.x, b), 1e-12);
    }
  }
}

/// 37 systems of one pattern, some much easier than others, one without right-hand side.
TEST_F(OneClusterCg, SystemsSideBySideAreSolvedAsAlone) {
  constexpr std::size_t count = 37;
  for (Matrix const& m : {seven_points(9, 9, 9), random_pattern(700, 3, {0, 350}, 1), tridiagonal(12000)}) {
    std::size_t const n = at(m.rows);
    std::vector<double> values, rhs;
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t i = 0; i < n; ++i)
        for (auto k = at(m.row_offsets[i]); k < at(m.row_offsets[i + 1]); ++k)
          values.push_back(m.values[k] * static_cast<double>(1 + s) +
                           (at(m.col_indices[k]) == i ? static_cast<double>(s * s) / 10 : 0));
      auto const b = random_vector(n, static_cast<unsigned>(s));
      for (double const v : b) rhs.push_back(s == 20 ? 0 : v);
    }
    std::vector<double> const start = random_vector(count * n, 99);
    for (int const cluster : {0, 1, 2, 4, 8, 16}) {
      Solver const solver(m, cluster, count);
      if (!solver.plan().refusal.empty()) continue;
      Outcome const got = solver.run(values, rhs, start);
      for (std::size_t s = 0; s < count; ++s) {
        auto const part = [&](std::vector<double> const& of, std::size_t size) {
          return std::vector<double>(of.begin() + static_cast<std::ptrdiff_t>(s * size),
                                     of.begin() + static_cast<std::ptrdiff_t>((s + 1) * size));
        };
        Outcome const alone = solver.run(part(values, m.nnz()), part(rhs, n), part(start, n));
        EXPECT_TRUE(same_bits(alone.x, part(got.x, n))) << m.name << " cluster " << cluster << " system " << s;
        EXPECT_EQ(std::memcmp(&alone.results[0], &got.results[s], sizeof(Result)), 0);
        EXPECT_EQ(got.results[s].status, Status::converged);
        if (s != 20) {
          EXPECT_LE(true_residual(m, part(values, m.nnz()), part(got.x, n), part(rhs, n)), 2e-8);
        }
      }
      // Values that all have in common.
      Outcome const shared = solver.run(m.values, rhs, start);
      for (std::size_t s = 0; s < count; ++s) EXPECT_EQ(shared.results[s].status, Status::converged);
    }
  }
}

TEST_F(OneClusterCg, RepeatsTheSameBits) {
  for (Matrix const& m : {seven_points(12, 12, 12), seven_points(25, 25, 24), random_pattern(1500, 12, {3, 4}, 7)}) {
    auto const b = random_vector(at(m.rows), 12);
    std::vector<double> const zero(at(m.rows));
    for (int const cluster : clusters) {
      Solver const solver(m, cluster);
      if (!solver.plan().refusal.empty()) continue;
      Outcome const first = solver.run(m.values, b, zero);
      for (int k = 0; k < 20; ++k) {
        Outcome const again = solver.run(m.values, b, zero);
        ASSERT_TRUE(same_bits(again.x, first.x)) << m.name << " cluster " << cluster << " run " << k;
        ASSERT_TRUE(same_bits(again.history, first.history));
      }
    }
  }
}

TEST_F(OneClusterCg, GraphsReplayIt) {
  Matrix const m = seven_points(12, 12, 12);
  std::size_t const n = at(m.rows);
  auto const b = random_vector(n, 13);
  for (int const cluster : clusters) {
    Solver const solver(m, cluster);
    if (!solver.plan().refusal.empty()) continue;
    Outcome const expected = solver.run(m.values, b, std::vector<double>(n));
    DeviceArray<double> const values(m.values), rhs(b), x(std::vector<double>(n, 0.0));
    DeviceArray<Result> const results(std::vector<Result>(1));
    cudaStream_t stream = nullptr;
    cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    cuda::check(cudaMemsetAsync(x.data(), 0, n * sizeof(double), stream), "memset");
    solve(solver.plan(), solver.words(), {.values = values.data(), .rhs = rhs.data(), .solution = x.data()}, {},
          results.data(), nullptr, stream);
    cuda::check(cudaStreamEndCapture(stream, &graph), "capture");
    cuda::check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
    for (int k = 0; k < 3; ++k) {
      cuda::check(cudaGraphLaunch(exec, stream), "launch");
      cuda::check(cudaStreamSynchronize(stream), "synchronize");
      EXPECT_TRUE(same_bits(x.download(), expected.x)) << "cluster " << cluster;
      EXPECT_EQ(results.download()[0].iterations, expected.results[0].iterations);
    }
    cuda::check(cudaGraphExecDestroy(exec), "destroy");
    cuda::check(cudaGraphDestroy(graph), "destroy");
    cuda::check(cudaStreamDestroy(stream), "destroy");
  }
}

TEST_F(OneClusterCg, WhatDoesNotFitIsRefused) {
  Matrix const large = tridiagonal(static_cast<std::int32_t>(most_rows(16)) + 1);
  Solver const solver(large);
  EXPECT_NE(solver.plan().refusal.find("32769 rows"), std::string::npos) << solver.plan().refusal;
  EXPECT_NE(Solver(tridiagonal(2049), 1).plan().refusal, "");
  EXPECT_NE(Solver(random_pattern(15000, 12, {}, 1)).plan().refusal, "");
  // Some 36 entries a row beyond registers, 10 bytes each.
  EXPECT_NE(Solver(random_pattern(1500, 20, {}, 1), 1).plan().refusal.find("shared memory"), std::string::npos);
  EXPECT_EQ(test::kind_of([&] { solve(solver.plan(), nullptr, {}, {}, nullptr, nullptr, nullptr); }),
            ErrorKind::invalid_argument);
  Solver const small(tridiagonal(3));
  EXPECT_EQ(
      test::kind_of([&] { solve(small.plan(), small.words(), {}, {.tolerance = -1}, nullptr, nullptr, nullptr); }),
      ErrorKind::invalid_argument);
  EXPECT_EQ(
      test::kind_of([&] { solve(small.plan(), small.words(), {}, {.max_iterations = -1}, nullptr, nullptr, nullptr); }),
      ErrorKind::invalid_argument);
}

/// Where there is no such device, plans say so and nothing throws.
TEST(OneClusterCgElsewhere, PlansAreRefusedBeforeCompute90) {
  if (!test::has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  int major = 0;
  cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "attribute");
  if (major >= 9) GTEST_SKIP() << "the device has clusters";
  EXPECT_NE(Solver(tridiagonal(10)).plan().refusal.find("9.0"), std::string::npos);
}

}  // namespace
