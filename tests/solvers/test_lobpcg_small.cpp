// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The eigenproblem inside LOBPCG's small problem, on the space of the solver: pairs held to A V = V D and V'V = I.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "src/solvers/lobpcg_small_device.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using detail::SmallMatrix;

/// Q diag(d) Q' of a reflection Q = I - 2 u u'.
SmallMatrix of_spectrum(std::vector<double> const& d) {
  int const n = static_cast<int>(d.size());
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<double> u(d.size());
  double square = 0;
  for (double& value : u) {
    value = values(random);
    square += value * value;
  }
  SmallMatrix q(n, n);
  SmallMatrix q_d(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      q(i, j) = (i == j ? 1.0 : 0.0) - 2 * u[static_cast<std::size_t>(i)] * u[static_cast<std::size_t>(j)] / square;
      q_d(i, j) = q(i, j) * d[static_cast<std::size_t>(j)];
    }
  return detail::small_product(q_d, false, q);  // Q is symmetric
}

void expect_pairs(SmallMatrix const& a, std::vector<double> const& values, SmallMatrix const& v, double norm) {
  int const n = a.rows;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double const bound = 10 * n * epsilon;
  ASSERT_EQ(values.size(), static_cast<std::size_t>(n));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  SmallMatrix const av = detail::small_product(a, false, v);
  SmallMatrix const vv = detail::small_product(v, true, v);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      ASSERT_NEAR(av(i, j), values[static_cast<std::size_t>(j)] * v(i, j), bound * norm) << i << ", " << j;
      ASSERT_NEAR(vv(i, j), i == j ? 1 : 0, bound) << i << ", " << j;
    }
}

TEST(SmallEigensolver, FindsAllPairsOfEverySize) {
  Exec const exec;
  constexpr int most = 192;
  detail::SmallEigensolver<Exec> const solver(exec, most);
  for (int const n : {1, 2, 40, 95, 96, 97, 120, most, most + 1}) {
    SCOPED_TRACE(n);
    std::vector<double> spread(static_cast<std::size_t>(n));
    std::vector<double> repeated(static_cast<std::size_t>(n));
    std::vector<double> graded(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      auto const at = static_cast<std::size_t>(i);
      spread[at] = i - n / 2;
      repeated[at] = i % 3;
      graded[at] = std::pow(10.0, -12.0 * i / n);
    }
    for (auto const& d : {spread, repeated, graded, std::vector<double>(static_cast<std::size_t>(n), 0.0)}) {
      auto const a = of_spectrum(d);
      std::vector<double> values;
      SmallMatrix vectors;
      ASSERT_TRUE(solver(exec, a, values, vectors));
      double norm = 0;
      for (double const value : d) norm = std::max(norm, std::abs(value));
      expect_pairs(a, values, vectors, norm);
      auto expected = d;
      std::sort(expected.begin(), expected.end());
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-12 * n * norm);
    }
  }
}

TEST(SmallEigensolver, SaysSoWhereElementsAreNotFinite) {
  Exec const exec;
  for (int const n : {3, 100}) {
    detail::SmallEigensolver<Exec> const solver(exec, n);
    auto a = of_spectrum(std::vector<double>(static_cast<std::size_t>(n), 1.0));
    a(0, n - 1) = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> values;
    SmallMatrix vectors;
    EXPECT_FALSE(solver(exec, a, values, vectors));
  }
}

}  // namespace
}  // namespace araia::test
