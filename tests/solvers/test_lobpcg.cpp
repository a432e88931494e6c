// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG: spectra that are known, spectra that are hard, every status held to residuals in a wider type.
#include "solvers/lobpcg_problems.hpp"  // first: it includes lobpcg.hpp alone

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/detail/formats/conversions.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "support/device.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

TEST(Lobpcg, FindsTheSmallestOfACubeWhereTheyCutAMultipleValue) {
  constexpr std::int64_t n = 11;
  auto const a = cube(n);
  auto const expected = cube_values(n);
  for (int const pairs : {1, 2, 8, 16, 32}) {
    auto const r = solve(a, {.pairs = pairs}).result;
    expect_values(r, expected, 1e-9 * expected[0]);
    EXPECT_LE(r.iterations, 200);
    EXPECT_EQ(r.form, "block");
  }
}

TEST(Lobpcg, FindsTheLargest) {
  auto const a = cube(9);
  auto expected = cube_values(9);
  std::reverse(expected.begin(), expected.end());
  expect_values(solve(a, {.pairs = 7, .end = LobpcgEnd::largest}).result, expected, 1e-9);
}

TEST(Lobpcg, SolvesTheGeneralisedProblem) {
  // A bar of linear elements: (6 / h^2) (1 - cos) / (2 + cos).
  constexpr std::int64_t n = 200;
  constexpr double pi = 3.14159265358979323846;
  double const h = 1.0 / static_cast<double>(n + 1);
  auto const stiffness = tridiagonal(n, 2, -1, 1 / h);
  auto const mass = tridiagonal(n, 4, 1, h / 6);
  std::vector<double> expected;
  for (std::int64_t i = 1; i <= n; ++i) {
    double const c = std::cos(pi * static_cast<double>(i) * h);
    expected.push_back(6 / (h * h) * (1 - c) / (2 + c));
  }
  for (auto const preconditioner : {LobpcgPreconditioner::none, LobpcgPreconditioner::jacobi}) {
    auto const solved = solve(stiffness, {.pairs = 5, .preconditioner = preconditioner}, &mass);
    expect_values(solved.result, expected, 1e-7 * expected[4]);
  }
  std::reverse(expected.begin(), expected.end());
  auto const solved = solve(stiffness, {.pairs = 5, .end = LobpcgEnd::largest}, &mass);
  expect_values(solved.result, expected, 1e-9 * expected[0]);
}

TEST(Lobpcg, IsNotMisledByHardSpectra) {
  constexpr int n = 500;
  struct Case {
    char const* name;
    std::vector<double> d;
    LobpcgEnd end;
  };
  std::vector<Case> cases;
  cases.push_back({"identity", std::vector<double>(n, 1.0), LobpcgEnd::smallest});
  cases.push_back({"zero", std::vector<double>(n, 0.0), LobpcgEnd::largest});
  cases.push_back({"repeated", std::vector<double>(n), LobpcgEnd::smallest});
  cases.push_back({"clustered", std::vector<double>(n), LobpcgEnd::smallest});
  cases.push_back({"indefinite", std::vector<double>(n), LobpcgEnd::smallest});
  cases.push_back({"rank below the block", std::vector<double>(n, 0.0), LobpcgEnd::largest});
  cases.push_back({"a null space beyond the block", std::vector<double>(n, 0.0), LobpcgEnd::smallest});
  for (int i = 0; i < n; ++i) {
    auto const at = static_cast<std::size_t>(i);
    cases[2].d[at] = 1 + i / 50;
    cases[3].d[at] = i < 20 ? 1 + 1e-10 * i : 2 + 0.01 * i;
    cases[4].d[at] = i - 250;
    cases[6].d[at] = i < 100 ? 0 : i;
  }
  cases[5].d[3] = 5;
  cases[5].d[444] = 2;
  for (auto const& one : cases) {
    SCOPED_TRACE(one.name);
    auto sorted = one.d;
    std::sort(sorted.begin(), sorted.end());
    if (one.end == LobpcgEnd::largest) std::reverse(sorted.begin(), sorted.end());
    double const size = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    auto const r = solve(diagonal_matrix(one.d), {.pairs = 6, .end = one.end}).result;
    expect_values(r, sorted, 1e-8 * size);
    auto const narrow =
        solve<double>(diagonal_matrix(one.d), {.pairs = 6, .guard = 0, .end = one.end, .max_iterations = 300}).result;
    if (narrow.status == LobpcgStatus::converged) expect_values(narrow, sorted, 1e-6 * size);
  }
}

TEST(Lobpcg, TakesSmallMatricesToADenseSolver) {
  for (int const n : {1, 2, 5, 7, 12, 20, 23, 24, 30}) {
    SCOPED_TRACE(n);
    std::vector<double> d(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) d[static_cast<std::size_t>(i)] = (i * 7) % n;
    auto sorted = d;
    std::sort(sorted.begin(), sorted.end());
    int const pairs = std::min(n, 5);
    auto const r = solve(diagonal_matrix(d), {.pairs = pairs}).result;
    expect_values(r, sorted, 1e-8 * n);
    EXPECT_EQ(r.form, n < 3 * lobpcg_block({.pairs = pairs}) ? "dense" : "block");
    auto const mass = diagonal_matrix(std::vector<double>(static_cast<std::size_t>(n), 4.0));
    auto const scaled = solve(diagonal_matrix(d), {.pairs = pairs}, &mass).result;
    for (auto& value : sorted) value /= 4;
    expect_values(scaled, sorted, 1e-7 * n);
  }
}

TEST(Lobpcg, StaysOrthogonalToConstraints) {
  auto const a = graph(300);
  std::vector<double> const ones(300, 2.5);
  auto const free = solve(a, {.pairs = 4});
  EXPECT_STREQ(to_string(free.result.status), "converged");
  EXPECT_NEAR(free.result.pairs[0].value, 0, 1e-7);
  // The constant vector twice: dependent columns do not count.
  auto const held = solve(a, {.pairs = 3}, nullptr, {ones, ones});
  EXPECT_STREQ(to_string(held.result.status), "converged");
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(held.result.pairs[j].value, free.result.pairs[j + 1].value, 1e-9);
    double sum = 0;
    for (std::size_t i = 0; i < 300; ++i) sum += held.x[j * 300 + i];
    EXPECT_NEAR(sum, 0, 1e-10);
  }
  // So do a small matrix and a mass.
  auto const small = graph(12);
  auto const all = solve(small, {.pairs = 5});
  auto const rest = solve(small, {.pairs = 4}, nullptr, {std::vector<double>(12, 1.0)});
  EXPECT_EQ(rest.result.form, "dense");
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(rest.result.pairs[j].value, all.result.pairs[j + 1].value, 1e-12);
  auto const mass = diagonal_matrix(std::vector<double>(300, 2.0));
  auto const heavy = solve(a, {.pairs = 3}, &mass, {ones});
  EXPECT_STREQ(to_string(heavy.result.status), "converged");
  EXPECT_NEAR(heavy.result.pairs[0].value, held.result.pairs[0].value / 2, 1e-9);
}

TEST(Lobpcg, GoesOnFromPairsThatWereFound) {
  auto const a = cube(8);
  auto const expected = cube_values(8);
  auto const first = solve(a, {.pairs = 4, .tolerance = 1e-10});
  std::vector<std::vector<double>> found;
  for (std::size_t j = 0; j < 4; ++j) found.emplace_back(&first.x[j * 512], &first.x[j * 512] + 512);
  auto const next = solve(a, {.pairs = 3, .tolerance = 1e-8}, nullptr, found).result;
  expect_values(next, {expected.begin() + 4, expected.begin() + 7}, 1e-8);
  // One by one through a triple value, from the same seed.
  std::vector<std::vector<double>> before;
  for (std::size_t j = 0; j < 5; ++j) {
    auto const one = solve(a, {.pairs = 1, .guard = 0}, nullptr, before);
    expect_values(one.result, {expected[j]}, 1e-8);
    before.push_back(one.x);
  }
}

TEST(Lobpcg, BeginsFromGivenVectors) {
  auto const a = cube(8);
  auto const cold = solve(a, {.pairs = 4});
  auto start = cold.x;
  for (std::size_t i = 0; i < 512; ++i) start[3 * 512 + i] = 0;  // becomes random
  for (std::size_t i = 0; i < 512; ++i) start[i] *= 1e6;
  auto const warm = solve(a, {.pairs = 4, .start = true}, nullptr, {}, start);
  EXPECT_STREQ(to_string(warm.result.status), "converged");
  EXPECT_NEAR(warm.result.pairs[3].value, cold.result.pairs[3].value, 1e-9);
  EXPECT_LE(solve(a, {.pairs = 4, .start = true}, nullptr, {}, cold.x).result.iterations, cold.result.iterations / 2);
}

TEST(Lobpcg, SaysWhatIsNoNumberOrNoMass) {
  std::vector<double> d(400, 1.0);
  d[17] = std::numeric_limits<double>::quiet_NaN();
  Exec const exec;
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t const n : {std::size_t{9}, std::size_t{400}}) {
      std::vector<double> of(n, 1.0);
      of[n / 2] = bad;
      auto const X = vectors<double>(static_cast<std::int64_t>(n), 3);
      auto const r = make_lobpcg(exec, on_device<double>(diagonal_matrix(of)), {.pairs = 3}).solve(exec, X);
      EXPECT_STREQ(to_string(r.status), "breakdown");
      ASSERT_EQ(r.pairs.size(), 3u);
      EXPECT_TRUE(std::isnan(r.pairs[0].value));
    }
  std::vector<double> signs(400, 1.0);
  for (std::size_t i = 0; i < 400; i += 2) signs[i] = -1;
  for (std::int64_t const n : {std::int64_t{9}, std::int64_t{400}}) {
    auto const mass = diagonal_matrix({signs.begin(), signs.begin() + n});
    auto const X = vectors<double>(n, 3);
    auto const r = make_lobpcg(exec, on_device<double>(tridiagonal(n, 2, -1)), on_device<double>(mass), {.pairs = 3})
                       .solve(exec, X);
    EXPECT_STREQ(to_string(r.status), "breakdown") << n;
  }
}

TEST(Lobpcg, KeepsTheBestOfWhatWasReached) {
  auto const a = cube(10);
  auto const few = solve(a, {.pairs = 4, .max_iterations = 5}).result;
  EXPECT_STREQ(to_string(few.status), "iteration_limit");
  EXPECT_EQ(few.iterations, 5);
  auto const more = solve(a, {.pairs = 4, .max_iterations = 15}).result;
  EXPECT_LT(more.pairs[0].value, few.pairs[0].value);
  EXPECT_GT(more.pairs[0].value, cube_values(10)[0] * (1 - 1e-12));
  auto const unreachable = solve(tridiagonal(300, 3, -1), {.pairs = 2, .tolerance = 1e-18}).result;
  EXPECT_STREQ(to_string(unreachable.status), "stagnated");
  EXPECT_LE(unreachable.pairs[1].relative_residual, 1e-14);
}

TEST(Lobpcg, RepeatsItsBits) {
  auto const a = cube(9);
  auto const once = solve(a, {.pairs = 5});
  EXPECT_EQ(solve(a, {.pairs = 5}).x, once.x);
  EXPECT_NE(solve(a, {.pairs = 5, .seed = 7}).x, once.x);
}

TEST(Lobpcg, MultipliesByOperatorsPlansAndFormats) {
  Exec const exec;
  constexpr std::int64_t n = 400;
  auto const a = tridiagonal(n, 3, -1);
  LobpcgOptions const options{.pairs = 3, .max_iterations = 4000};
  auto const expected = solve(a, options).result;
  auto const check = [&](auto solver, char const* what) {
    SCOPED_TRACE(what);
    auto const X = vectors<double>(n, 3);
    Solved solved{solver.solve(exec, X), {}};
    solved.x = download<double>(X);
    expect_honest<double>(a, nullptr, solved, options);
    EXPECT_STREQ(to_string(solved.result.status), "converged");
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(solved.result.pairs[j].value, expected.pairs[j].value, 1e-9);
    return solved.result;
  };
  EXPECT_EQ(check(make_lobpcg<double>(exec, n, Stencil{n}, options), "operator").product, "operator");
  check(make_lobpcg<double>(exec, n, Stencil{n}, options, Scaling{0.25}), "preconditioner");
  check(make_lobpcg<double>(exec, n, Stencil{n}, Scaling{1}, options), "mass");
  check(make_lobpcg(exec, on_device<double>(a), options, Scaling{-1}), "a preconditioner of the other sign");
  EXPECT_EQ(check(make_lobpcg(exec, csr_to_ell(exec, on_device<double>(a)), options), "ell").product, "ell");
}

TEST(Lobpcg, IsTheSameForMatricesOfAnySize) {
  constexpr std::int64_t n = 200;
  LobpcgOptions const options{.pairs = 2, .tolerance = 1e-7, .max_iterations = 4000};
  auto const expect_line = [&](LobpcgResult const& r, double scale) {
    EXPECT_STREQ(to_string(r.status), "converged");
    EXPECT_GT(r.iterations, 0);
    for (int j = 0; j < 2; ++j) {
      auto const& pair = r.pairs[static_cast<std::size_t>(j)];
      EXPECT_NEAR(pair.value / scale, line_value(n, j + 1), 1e-9);
      EXPECT_LE(pair.residual / scale, 4.01e-7);
      EXPECT_GT(pair.residual, 0);
    }
    EXPECT_GT(r.norm / scale, 1);
    EXPECT_LT(r.norm / scale, 4.0001);
  };
  for (double const scale : {1e-170, 1e-155, 1e-40, 1e160, 1e290}) {
    SCOPED_TRACE(scale);
    auto const a = tridiagonal(n, 2, -1, scale);
    expect_line(solve(a, options).result, scale);
    auto jacobi = options;
    jacobi.preconditioner = LobpcgPreconditioner::jacobi;
    expect_line(solve(a, jacobi).result, scale);
    auto const small = solve(tridiagonal(9, 2, -1, scale), {.pairs = 4}).result;
    EXPECT_STREQ(to_string(small.status), "converged");
    EXPECT_EQ(small.form, "dense");
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(small.pairs[static_cast<std::size_t>(j)].value / scale, line_value(9, j + 1), 1e-12);
  }
  auto const largest = solve(tridiagonal(n, 2, -1, 1e-200), {.pairs = 1, .end = LobpcgEnd::largest}).result;
  EXPECT_STREQ(to_string(largest.status), "converged");
  EXPECT_NEAR(largest.pairs[0].value / 1e-200, line_value(n, n), 1e-9);
}

TEST(Lobpcg, IsTheSameForMassesOfAnySize) {
  constexpr std::int64_t n = 200;
  std::vector<double> const weights(n, 1.0);
  for (double const scale : {1e-250, 1e-170, 1e170, 1e250})
    for (double const of_a : {1.0, scale}) {
      SCOPED_TRACE(scale);
      auto const mass = tridiagonal(n, 1, 0, scale);
      auto const a = tridiagonal(n, 2, -1, of_a);
      auto const solved = solve(a, {.pairs = 2, .max_iterations = 4000}, &mass, {line_vector(n, 1)});
      EXPECT_STREQ(to_string(solved.result.status), "converged");
      EXPECT_NEAR(solved.result.mass_norm / scale, 1, 1e-12);
      for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(solved.result.pairs[static_cast<std::size_t>(j)].value / of_a * scale, line_value(n, j + 2), 1e-9);
    }
}

TEST(Lobpcg, DropsConstraintsThatDependOnThoseOfAnEarlierChunk) {
  constexpr std::int64_t n = 250;
  std::vector<std::vector<double>> y;
  for (int mode = 1; mode <= 64; ++mode) y.push_back(line_vector(n, mode));
  auto const expect_next = [&] {
    SCOPED_TRACE(y.size());
    auto const r = solve(tridiagonal(n, 2, -1), {.pairs = 2, .max_iterations = 4000}, nullptr, y).result;
    expect_values(r, {line_value(n, 65), line_value(n, 66)}, 1e-9);
    EXPECT_LE(r.orthogonality, 1e-12);
  };
  expect_next();
  for (int extra = 0; extra < 2; ++extra) {
    std::vector<double> sum(n);
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] = y[static_cast<std::size_t>(extra)][i] + 0.3 * y[static_cast<std::size_t>(extra + 1)][i] +
               y[static_cast<std::size_t>(extra + 3)][i];
    y.push_back(sum);
    expect_next();
  }
}

TEST(Lobpcg, SaysThatAMassIsSingular) {
  constexpr int n = 400;
  std::vector<double> d(n);
  for (int i = 0; i < n; ++i) d[static_cast<std::size_t>(i)] = i + 1;
  auto const a = diagonal_matrix(d);
  for (double const last : {0.0, 1e-18}) {
    SCOPED_TRACE(last);
    std::vector<double> ones(n, 1.0);
    ones[n / 2] = last;
    auto const mass = diagonal_matrix(ones);
    auto const r = solve(a, {.pairs = 2, .end = LobpcgEnd::largest}, &mass).result;
    EXPECT_STREQ(to_string(r.status), "breakdown");
    // The smallest have no part of where B is zero.
    auto const smallest = solve(a, {.pairs = 2, .max_iterations = 4000}, &mass).result;
    if (smallest.status == LobpcgStatus::converged) expect_values(smallest, {1, 2}, 1e-5);
  }
  // Badly conditioned, but not singular.
  std::vector<double> graded(n);
  for (int i = 0; i < n; ++i) graded[static_cast<std::size_t>(i)] = std::pow(10.0, -8.0 * i / n);
  auto const fine = diagonal_matrix(graded);
  auto const r = solve(diagonal_matrix(d), {.pairs = 2, .max_iterations = 4000}, &fine).result;
  expect_values(r, {1, 2 / graded[1]}, 1e-5);
}

/// The identity for so many products, then x -> e_0 x_0: a mass that changes.
struct Fading {
  std::int64_t n;
  std::shared_ptr<int> left;
  template <class From, class To>
  void apply(Exec const& exec, From const& x, To const& y) const {
    bool const whole = (*left)-- > 0;
    Kokkos::parallel_for(
        "fading", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(std::int64_t row) {
          auto const i = static_cast<std::size_t>(row);
          for (std::size_t j = 0; j < x.extent(1); ++j) y(i, j) = whole || i == 0 ? x(i, j) : 0;
        });
  }
};

TEST(Lobpcg, EndsWhereItsVectorsBecomeFewer) {
  Exec const exec;
  constexpr std::int64_t n = 120;
  for (int products = 0; products < 15; ++products) {
    SCOPED_TRACE(products);
    auto const X = vectors<double>(n, 3);
    auto const r =
        make_lobpcg<double>(exec, n, Stencil{n}, Fading{n, std::make_shared<int>(products)}, LobpcgOptions{.pairs = 3})
            .solve(exec, X);
    EXPECT_STREQ(to_string(r.status), "breakdown");
    ASSERT_EQ(r.pairs.size(), 3u);
    for (auto const& pair : r.pairs) EXPECT_TRUE(std::isnan(pair.value)) << pair.value;
  }
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(Lobpcg, WorksInFloat) {
  auto const expected = cube_values(10);
  auto const solved = solve<float>(cube(10), {.pairs = 8});
  expect_values(solved.result, expected, 1e-5);
  for (double const value : {0.0, 1.0}) {
    auto const r = solve<float>(diagonal_matrix(std::vector<double>(300, value)), {.pairs = 4}).result;
    expect_values(r, std::vector<double>(4, value), 1e-6);
  }
  for (double const scale : {1e-33, 1e-20, 1e20, 1e33}) {
    SCOPED_TRACE(scale);
    auto const r = solve<float>(tridiagonal(100, 4, -1, scale), {.pairs = 3}).result;
    EXPECT_STREQ(to_string(r.status), "converged");
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(r.pairs[static_cast<std::size_t>(j)].value / scale, 2 + line_value(100, j + 1), 1e-4);
  }
  std::vector<std::vector<double>> y;
  for (int mode = 1; mode <= 64; ++mode) y.push_back(line_vector(250, mode));
  y.push_back(y[3]);
  for (std::size_t i = 0; i < 250; ++i) y[64][i] += 0.3 * y[8][i];
  auto const next = solve<float>(tridiagonal(250, 2, -1), {.pairs = 2}, nullptr, y).result;
  expect_values(next, {line_value(250, 65), line_value(250, 66)}, 1e-4);
  auto const strict = solve<float>(cube(10), {.pairs = 4, .tolerance = 1e-12}).result;
  EXPECT_STREQ(to_string(strict.status), "stagnated");
}
#endif

TEST(Lobpcg, RefusesWhatItCannotDo) {
  Exec const exec;
  auto const A = on_device<double>(tridiagonal(10, 2, -1));
  auto const expect_refused = [](Call const& call, ErrorKind kind, std::string const& text) {
    std::string message;
    EXPECT_EQ(kind_of(call, &message), kind) << message;
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  auto const options_refused = [&](LobpcgOptions const& options, std::string const& text) {
    expect_refused([&] { (void)make_lobpcg(exec, A, options); }, ErrorKind::invalid_argument, text);
  };
  options_refused({.pairs = 0}, "pairs is 0, expected 1 to 64");
  options_refused({.pairs = 65}, "pairs is 65");
  options_refused({.pairs = 60, .guard = 5}, "guard is 5");
  options_refused({.tolerance = 1}, "tolerance is 1");
  options_refused({.tolerance = std::numeric_limits<double>::quiet_NaN()}, "tolerance is nan");
  options_refused({.max_iterations = -1}, "max_iterations is -1");
  options_refused({.refresh = 0}, "refresh is 0");
  auto wide = A;
  wide.cols = 11;
  expect_refused([&] { (void)make_lobpcg(exec, wide, {.pairs = 1}); }, ErrorKind::dimension_mismatch,
                 "A is 10 x 11, expected a square matrix");
  auto const B = on_device<double>(tridiagonal(9, 4, 1));
  expect_refused([&] { (void)make_lobpcg(exec, A, B, {.pairs = 1}); }, ErrorKind::dimension_mismatch,
                 "B has 9 rows, expected those of A, 10");
  auto solver = make_lobpcg(exec, A, {.pairs = 3});
  expect_refused([&] { (void)solver.solve(exec, vectors<double>(10, 2)); }, ErrorKind::dimension_mismatch,
                 "number of columns of X is 2, expected 3");
  expect_refused([&] { (void)solver.solve(exec, vectors<double>(9, 3)); }, ErrorKind::dimension_mismatch,
                 "number of rows of X is 9, expected 10");
  auto const X = vectors<double>(10, 3);
  expect_refused([&] { (void)solver.solve(exec, X, X); }, ErrorKind::invalid_argument, "overlap");
  auto many = make_lobpcg(exec, A, {.pairs = 10});
  std::vector<double> const ones(10, 1.0);
  expect_refused([&] { (void)many.solve(exec, vectors<double>(10, 10), vectors<double>(10, 1, ones)); },
                 ErrorKind::invalid_argument, "pairs is 10, expected at most 9");
  expect_refused(
      [&] { (void)make_lobpcg<double>(exec, 10, Stencil{10}, {.preconditioner = LobpcgPreconditioner::jacobi}); },
      ErrorKind::unsupported, "jacobi");
}

}  // namespace
}  // namespace araia::test
