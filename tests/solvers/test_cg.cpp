// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients: solutions by their residual in a wider type, every status, each operator and preconditioner,
// the same bits in every run and on any number of threads.
#include <araia/solvers/cg.hpp>  // alone, as users may include it

#include <gtest/gtest.h>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/ops/diagonal.hpp>
#include <araia/solvers/block_jacobi.hpp>
#include <araia/solvers/cg_batch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>

#include "support/data.hpp"
#include "support/device.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
template <class T>
using Matrix = Csr<T, std::int32_t, std::int32_t, Device>;
template <class T>
using Vector = Kokkos::View<T*, Device>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A symmetric matrix on the host, by rows.
struct HostMatrix {
  std::int64_t n = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
};

HostMatrix from_file(std::filesystem::path const& file) {
  auto const csr = assemble<double>(read_matrix(file));
  return {.n = csr.rows,
          .row_offsets = download<std::int32_t>(csr.row_offsets),
          .col_indices = download<std::int32_t>(csr.col_indices),
          .values = download<double>(csr.values)};
}

/// Rows as lists of (column, value).
HostMatrix from_rows(std::vector<std::vector<std::pair<std::int32_t, double>>> const& rows) {
  HostMatrix a{.n = static_cast<std::int64_t>(rows.size()), .row_offsets = {0}, .col_indices = {}, .values = {}};
  for (auto const& row : rows) {
    for (auto const& [column, value] : row) {
      a.col_indices.push_back(column);
      a.values.push_back(value);
    }
    a.row_offsets.push_back(static_cast<std::int32_t>(a.col_indices.size()));
  }
  return a;
}

/// (-1, 2 + shift, -1).
HostMatrix tridiagonal(std::int32_t n, double shift = 0) {
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i < n; ++i) {
    auto& row = rows[static_cast<std::size_t>(i)];
    if (i > 0) row.emplace_back(i - 1, -1.0);
    row.emplace_back(i, 2 + shift);
    if (i + 1 < n) row.emplace_back(i + 1, -1.0);
  }
  return from_rows(rows);
}

/// A random graph's Laplacian with weights over several decades, a row that meets all others, and `shift` on the
/// diagonal.
HostMatrix laplacian(std::int32_t n, unsigned seed, double shift, bool hub) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int32_t> any(0, n - 1);
  std::uniform_real_distribution<double> decade(-2, 2);
  std::vector<std::map<std::int32_t, double>> rows(static_cast<std::size_t>(n));
  auto const join = [&](std::int32_t i, std::int32_t j) {
    if (i == j) return;
    double const weight = std::pow(10, decade(random));
    rows[static_cast<std::size_t>(i)][j] -= weight;
    rows[static_cast<std::size_t>(j)][i] -= weight;
    rows[static_cast<std::size_t>(i)][i] += weight;
    rows[static_cast<std::size_t>(j)][j] += weight;
  };
  for (std::int32_t i = 0; i + 1 < n; ++i) join(i, i + 1);
  for (std::int32_t i = 0; i < n; ++i) join(any(random), any(random));
  if (hub)
    for (std::int32_t i = 1; i < n; ++i) join(0, i);
  std::vector<std::vector<std::pair<std::int32_t, double>>> lists;
  for (std::int32_t i = 0; i < n; ++i) {
    rows[static_cast<std::size_t>(i)][i] += shift;
    lists.emplace_back(rows[static_cast<std::size_t>(i)].begin(), rows[static_cast<std::size_t>(i)].end());
  }
  return from_rows(lists);
}

template <class T>
Matrix<T> on_device(HostMatrix const& a) {
  Matrix<T> A{.rows = a.n, .cols = a.n, .nnz = static_cast<std::int64_t>(a.values.size())};
  A.row_offsets = upload<std::int32_t, Device>("row_offsets", a.row_offsets);
  A.col_indices = upload<std::int32_t, Device>("col_indices", a.col_indices);
  A.values = upload<T, Device>("values", a.values);
  return A;
}
template <class T>
Vector<T> on_device(std::vector<double> const& values) {
  return upload<T, Device>("vector", values);
}
template <class View>
auto on_host(View const& view) {
  return download<typename View::non_const_value_type>(view);
}

void expect_refused(Call const& call, ErrorKind kind, std::string const& text) {
  std::string message;
  EXPECT_EQ(kind_of(call, &message), kind) << message;
  EXPECT_NE(message.find(text), std::string::npos) << message;
}

std::vector<double> random_vector(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> v(static_cast<std::size_t>(n));
  for (auto& value : v) value = uniform(random);
  return v;
}

long double norm(std::vector<long double> const& v) {
  long double sum = 0;
  for (auto const value : v) sum += value * value;
  return std::sqrt(sum);
}

struct Residual {
  long double residual = 0;
  long double relative = 0;
  long double backward_error = 0;
};

/// Of x for A x = b, in a wider type.
template <class T>
Residual residual_of(HostMatrix const& a, std::vector<T> const& b, std::vector<T> const& x) {
  std::vector<long double> r, wide_b, wide_x;
  long double most = 0;
  for (std::int64_t i = 0; i < a.n; ++i) {
    auto const row = static_cast<std::size_t>(i);
    long double sum = b[row];
    long double size = 0;
    for (auto k = static_cast<std::size_t>(a.row_offsets[row]); k < static_cast<std::size_t>(a.row_offsets[row + 1]);
         ++k) {
      auto const value = static_cast<long double>(static_cast<T>(a.values[k]));
      sum -= value * x[static_cast<std::size_t>(a.col_indices[k])];
      size += std::abs(value);
    }
    most = std::max(most, size);
    r.push_back(sum);
    wide_b.push_back(b[row]);
    wide_x.push_back(x[row]);
  }
  Residual result{.residual = norm(r)};
  result.relative = result.residual / norm(wide_b);
  result.backward_error = result.residual / (most * norm(wide_x) + norm(wide_b));
  return result;
}

struct Solved {
  CgResult result;
  std::vector<double> x;
};

Solved solve(HostMatrix const& a, std::vector<double> const& b, CgOptions const& options = {},
             std::vector<double> const& x0 = {}, Exec const& exec = Exec()) {
  auto solver = make_cg(exec, on_device<double>(a), options);
  auto const bs = on_device<double>(b);
  auto const xs = on_device<double>(x0.empty() ? std::vector<double>(b.size(), 0.0) : x0);
  auto result = solver.solve(exec, bs, xs);
  return {std::move(result), on_host(xs)};
}

/// What the result claims, held to x itself.
void expect_honest(HostMatrix const& a, std::vector<double> const& b, Solved const& solved, double tolerance) {
  auto const true_residual = residual_of(a, b, solved.x);
  constexpr double slack = 1e-14;  // of the residual's own rounding, beside ||A|| ||x|| + ||b||
  auto const scale = true_residual.residual / std::max(true_residual.backward_error, 1e-300L);
  EXPECT_NEAR(solved.result.residual, static_cast<double>(true_residual.residual), static_cast<double>(slack * scale));
  EXPECT_NEAR(solved.result.backward_error, static_cast<double>(true_residual.backward_error), slack);
  bool const is_small = solved.result.relative_residual <= tolerance;
  EXPECT_EQ(is_small, solved.result.status == CgStatus::converged);
}

std::vector<CgOptions> all_forms() {
  std::vector<CgOptions> forms;
  for (auto const reductions : {CgReductions::two, CgReductions::one})
    for (auto const preconditioner : {CgPreconditioner::none, CgPreconditioner::jacobi})
      for (bool const plan : {true, false})
        for (auto const form : {CgForm::loop, CgForm::automatic})
          forms.push_back({.preconditioner = preconditioner, .reductions = reductions, .form = form, .plan = plan});
  return forms;
}

/// Operators of the caller's.
struct Operator {
  Matrix<double> a;
  void apply(Exec const& on, Kokkos::View<double const*, Device, Kokkos::MemoryUnmanaged> const& x,
             Kokkos::View<double*, Device, Kokkos::MemoryUnmanaged> const& y) const {
    spmv(on, Op::none, 1.0, a, x, 0.0, y);
  }
};

struct InverseDiagonal {
  Vector<double> d;
  void apply(Exec const& on, Kokkos::View<double const*, Device, Kokkos::MemoryUnmanaged> const& r,
             Kokkos::View<double*, Device, Kokkos::MemoryUnmanaged> const& z) const {
    auto const diagonal = d;
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Exec>(on, 0, static_cast<int>(r.extent(0))),
        KOKKOS_LAMBDA(int i) { z(i) = r(i) / diagonal(i); });
  }
};

struct Identity {
  void apply(Exec const& on, Kokkos::View<double const*, Device, Kokkos::MemoryUnmanaged> const& x,
             Kokkos::View<double*, Device, Kokkos::MemoryUnmanaged> const& y) const {
    Kokkos::deep_copy(on, y, x);
  }
};

TEST(Cg, SolvesAndSaysWhatItReached) {
  std::vector<HostMatrix> const matrices{tridiagonal(1),
                                         tridiagonal(2),
                                         tridiagonal(1000),
                                         tridiagonal(5000, 0.1),
                                         laplacian(300, 1, 0.1, false),
                                         laplacian(9000, 2, 1, true)};
  for (auto const& a : matrices)
    for (auto options : all_forms()) {
      SCOPED_TRACE(std::to_string(a.n) + " rows, " + to_string(options.preconditioner) + ", reductions " +
                   std::to_string(static_cast<int>(options.reductions)) + (options.plan ? ", plan, " : ", one call, ") +
                   to_string(options.form));
      options.tolerance = 1e-9;
      auto const b = random_vector(a.n, 7);
      auto const solved = solve(a, b, options);
      EXPECT_EQ(to_string(solved.result.status), std::string("converged"));
      expect_honest(a, b, solved, options.tolerance);
    }
}

template <class T>
void check_narrow() {
  if constexpr (!detail::has_cg<T>) {
    GTEST_SKIP() << "this build has no solvers of float";
  } else {
    auto const a = tridiagonal(2000, 0.5);
    auto const b = on_device<T>(random_vector(a.n, 3));
    Exec const exec;
    for (auto const reductions : {CgReductions::two, CgReductions::one}) {
      auto solver = make_cg(exec, on_device<T>(a), {.tolerance = 1e-5, .reductions = reductions});
      Vector<T> const x("x", b.extent(0));
      EXPECT_EQ(solver.solve(exec, b, x).status, CgStatus::converged);
      EXPECT_LE(residual_of(a, on_host(b), on_host(x)).relative, 2e-5L);
      auto strict = make_cg(exec, on_device<T>(a), {.tolerance = 1e-12, .reductions = reductions});
      EXPECT_EQ(to_string(strict.solve(exec, b, x).status), std::string("stagnated"));
    }
  }
}
TEST(Cg, FloatReachesWhatFloatCan) { check_narrow<float>(); }

TEST(Cg, OfNothingAndOfZeroIsDone) {
  auto const empty = solve(from_rows({}), {});
  EXPECT_EQ(empty.result.status, CgStatus::converged);
  EXPECT_EQ(empty.result.iterations, 0);
  for (auto const& options : all_forms()) {
    auto const zero = solve(tridiagonal(50), std::vector<double>(50, 0.0), options, random_vector(50, 1));
    EXPECT_EQ(zero.result.status, CgStatus::converged);
    EXPECT_EQ(zero.result.iterations, 0);
    EXPECT_EQ(zero.x, std::vector<double>(50, 0.0));
    EXPECT_EQ(zero.result.backward_error, 0);
  }
}

TEST(Cg, StartsFromX) {
  for (auto const& options : all_forms()) {
    // A (1, ..., 1) is exact: the residual is zero.
    auto const a = tridiagonal(400, 1);
    std::vector<double> b(400, 1.0);
    b.front() = b.back() = 2.0;
    auto const exact = solve(a, b, options, std::vector<double>(400, 1.0));
    EXPECT_EQ(exact.result.status, CgStatus::converged);
    EXPECT_EQ(exact.result.iterations, 0);
    EXPECT_EQ(exact.x, std::vector<double>(400, 1.0));
    EXPECT_EQ(exact.result.residual, 0);
    auto const cold = solve(a, b, options);
    std::vector<double> near(400, 1.0);
    near[7] += 1e-7;
    auto const warm = solve(a, b, options, near);
    EXPECT_EQ(warm.result.status, CgStatus::converged);
    EXPECT_LT(warm.result.iterations, cold.result.iterations);
  }
}

TEST(Cg, NamesWhatIsNotPositiveDefinite) {
  for (auto const& options : all_forms()) {
    // Eigenvalues 3 and -1.
    auto const indefinite = solve(from_rows({{{0, 1.0}, {1, 2.0}}, {{0, 2.0}, {1, 1.0}}}), {1.0, -2.0}, options);
    EXPECT_EQ(to_string(indefinite.result.status), std::string("indefinite"));
    EXPECT_GT(indefinite.result.residual, 0);
    auto const negative = solve(tridiagonal(30, -6), std::vector<double>(30, 1.0), options);
    EXPECT_EQ(to_string(negative.result.status), std::string("indefinite"));
    auto const zero = solve(from_rows({{{0, 0.0}}, {{1, 0.0}}}), {1.0, 1.0}, options);
    EXPECT_EQ(to_string(zero.result.status), std::string("breakdown"));
    EXPECT_EQ(zero.x, (std::vector<double>{0, 0}));
  }
}

TEST(Cg, SolvesSingularSystemsThatHaveASolution) {
  auto const a = laplacian(500, 4, 0, false);  // constants are its null space
  auto b = random_vector(a.n, 5);
  double mean = 0;
  for (double const value : b) mean += value / static_cast<double>(a.n);
  for (double& value : b) value -= mean;
  for (auto const& options : all_forms()) {
    auto const solved = solve(a, b, options);
    EXPECT_EQ(to_string(solved.result.status), std::string("converged"));
    expect_honest(a, b, solved, options.tolerance);
  }
}

TEST(Cg, LeavesXWhereTheInputIsNoNumber) {
  for (auto const& options : all_forms())
    for (double const bad : {nan, infinity}) {
      auto b = random_vector(60, 2);
      b[17] = bad;
      auto const x0 = random_vector(60, 3);
      auto const solved = solve(tridiagonal(60), b, options, x0);
      EXPECT_EQ(to_string(solved.result.status), std::string("breakdown"));
      EXPECT_EQ(solved.x, x0);
      EXPECT_TRUE(std::isnan(solved.result.residual));
      auto x = x0;
      x[5] = bad;
      auto const from_bad = solve(tridiagonal(60), random_vector(60, 2), options, x);
      EXPECT_EQ(to_string(from_bad.result.status), std::string("breakdown"));
    }
}

TEST(Cg, WithoutATolerance) {
  // Further than any sum holds digits: what ends it is that the residual computed from x no longer falls.
  auto const a = tridiagonal(500, 1);
  auto const b = random_vector(a.n, 19);
  for (auto options : all_forms()) {
    options.tolerance = 0;
    options.max_iterations = 100000;
    auto const solved = solve(a, b, options);
    EXPECT_EQ(to_string(solved.result.status), std::string("stagnated"));
    EXPECT_LE(solved.result.backward_error, 1e-15);
  }
}

TEST(Cg, StopsAtTheLimitAndKeepsWhatWasReached) {
  auto const a = tridiagonal(800);
  auto const b = random_vector(a.n, 9);
  for (auto options : all_forms()) {
    options.max_iterations = 37;
    options.history = true;
    auto const solved = solve(a, b, options);
    EXPECT_EQ(to_string(solved.result.status), std::string("limit"));
    EXPECT_EQ(solved.result.iterations, 37);
    ASSERT_EQ(solved.result.history.size(), 38u);
    EXPECT_NEAR(solved.result.history.back(), solved.result.residual, 1e-10 * solved.result.history.front());
    expect_honest(a, b, solved, options.tolerance);
  }
}

TEST(Cg, SaysThatRoundingKeepsItAboveTheTolerance) {
  auto const a = laplacian(300, 11, 1e-6, true);
  auto const b = random_vector(a.n, 12);
  for (auto options : all_forms()) {
    options.tolerance = 1e-15;
    options.max_iterations = 200000;
    auto const solved = solve(a, b, options);
    EXPECT_EQ(to_string(solved.result.status), std::string("stagnated"));
    EXPECT_LE(solved.result.backward_error, 1e-13);
    expect_honest(a, b, solved, options.tolerance);
  }
}

TEST(Cg, FormsAgreeInTheirIterations) {
  auto const a = laplacian(3000, 21, 2, false);
  auto const b = random_vector(a.n, 22);
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (auto const& options : all_forms()) {
    if (options.preconditioner == CgPreconditioner::none) continue;
    auto const solved = solve(a, b, options);
    fewest = std::min(fewest, solved.result.iterations);
    most = std::max(most, solved.result.iterations);
  }
  EXPECT_GT(fewest, 10);
  EXPECT_LE(static_cast<double>(most), 1.03 * static_cast<double>(fewest) + 1);
}

TEST(Cg, MultipliesByEveryFormatPlanAndOperator) {
  auto const a = laplacian(2000, 31, 0.5, false);
  auto const A = on_device<double>(a);
  auto const b = random_vector(a.n, 32);
  auto const bs = on_device<double>(b);
  Exec const exec;
  std::int64_t expected = 0;
  auto const check = [&](auto solver, std::string const& what) {
    SCOPED_TRACE(what);
    Vector<double> const xs("x", b.size());
    auto const result = solver.solve(exec, bs, xs);
    EXPECT_EQ(to_string(result.status), std::string("converged"));
    EXPECT_LE(residual_of(a, b, on_host(xs)).relative, 1.1e-10L);
    if (expected == 0) expected = result.iterations;
    EXPECT_NEAR(static_cast<double>(result.iterations), static_cast<double>(expected),
                0.03 * static_cast<double>(expected) + 1);
  };
  CgOptions const options;
  check(make_cg(exec, A, options), "csr");
  check(make_cg(exec, csr_to_ell(exec, A), options), "ell");
  check(make_cg(exec, csr_to_sell(exec, A), options), "sell");
  check(make_cg(exec, csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2}), options), "bsr");
  check(make_cg(exec, make_plan(exec, SpmvDesc{.fused = true}, A), A, options), "plan");
  for (auto const reductions : {CgReductions::two, CgReductions::one})
    check(make_cg<double>(exec, a.n, Operator{A}, {.reductions = reductions}, InverseDiagonal{diagonal(exec, A)}),
          "operators of the caller's");
  expected = 0;
  check(make_cg<double>(exec, a.n, Operator{A}, {.preconditioner = CgPreconditioner::none}), "without preconditioner");
}

TEST(Cg, BlockJacobiInvertsTheDiagonalBlocks) {
  // Blocks of 3 that are coupled strongly inside and weakly to the next: 100 rows, so that the last block is cut.
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(100);
  for (std::int32_t i = 0; i < 100; ++i)
    for (std::int32_t j = 0; j < 100; ++j) {
      double value = 0;
      if (i / 3 == j / 3) value = i == j ? 1.0 + 1e-3 * (i % 7 + 1) : 0.999 * (i % 3 == 0 || j % 3 == 0 ? 0.5 : 1.0);
      if (i == j) value += 0.5;
      if (std::abs(i - j) == 3) value = -0.01;
      if (value != 0) rows[static_cast<std::size_t>(i)].emplace_back(j, value);
    }
  auto const a = from_rows(rows);
  auto const A = on_device<double>(a);
  Exec const exec;
  auto const b = random_vector(a.n, 41);
  auto const bs = on_device<double>(b);
  auto const m = make_block_jacobi(exec, csr_to_bsr(exec, A, {.block_rows = 3, .block_cols = 3}));
  Vector<double> z("z", 100);
  m.apply(exec, bs, z);
  // The first block by hand: A_00 z = b on its three rows.
  auto const zs = on_host(z);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (auto const& [column, value] : rows[i])
      if (column < 3) sum += value * zs[static_cast<std::size_t>(column)];
    EXPECT_NEAR(sum, b[i], 1e-13);
  }
  Vector<double> const xs("x", 100);
  auto blocks = make_cg(exec, A, {}, m);
  auto const with_blocks = blocks.solve(exec, bs, xs);
  EXPECT_EQ(with_blocks.status, CgStatus::converged);
  EXPECT_LE(residual_of(a, b, on_host(xs)).relative, 1.1e-10L);
  EXPECT_LT(with_blocks.iterations, solve(a, b).result.iterations);
  expect_refused([&] { (void)make_block_jacobi(exec, csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 3})); },
                 ErrorKind::invalid_argument, "2 x 3");
}

TEST(Cg, TakesNewValues) {
  auto a = laplacian(900, 51, 1, false);
  auto const b = random_vector(a.n, 52);
  Exec const exec;
  for (auto const& options : all_forms()) {
    auto solver = make_cg(exec, on_device<double>(a), options);
    auto changed = a;
    for (std::size_t i = 0; i < changed.values.size(); ++i) changed.values[i] *= 3;
    auto const values = on_device<double>(changed.values);
    for (int trial = 0; trial < 2; ++trial) {
      auto const bs = on_device<double>(b);
      Vector<double> const xs("x", b.size());
      auto const result = solver.solve(exec, bs, xs);
      EXPECT_EQ(result.status, CgStatus::converged);
      EXPECT_LE(residual_of(trial == 0 ? a : changed, b, on_host(xs)).relative, 1.1e-10L);
      solver.update_values(exec, values);
    }
    expect_refused([&] { solver.update_values(exec, Vector<double>("short", 3)); }, ErrorKind::dimension_mismatch, "3");
  }
}

TEST(Cg, GivesTheSameBitsInEveryRunOnAnyNumberOfThreads) {
  auto const a = laplacian(9000, 61, 5, false);
  auto const b = random_vector(a.n, 62);
  for (auto const& options : all_forms()) {
    auto const first = solve(a, b, options);
    for (int run = 0; run < 3; ++run) {
      auto const again = solve(a, b, options);
      EXPECT_EQ(again.x, first.x);
      EXPECT_EQ(again.result.iterations, first.result.iterations);
    }
#ifdef KOKKOS_ENABLE_OPENMP
    if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>) {
      for (int const threads : {1, 2, 3, 7}) {
        auto const other = solve(a, b, options, {}, Kokkos::OpenMP(threads));
        EXPECT_EQ(other.x, first.x) << threads << " threads";
      }
    }
#endif
  }
}

TEST(CgBatch, SolvesEachSystem) {
  Exec const exec;
  constexpr std::int64_t systems = 5;
  for (std::int32_t const n : {1, 40, 700, 6000}) {
    auto const a = laplacian(n, 81, 0.5, n == 700);
    auto const rows = static_cast<std::size_t>(a.n);
    auto const nnz = a.values.size();
    Kokkos::View<double**, Kokkos::LayoutRight, Device> const values("values", systems, nnz);
    Kokkos::View<double**, Kokkos::LayoutRight, Device> const b("b", systems, rows);
    std::vector<HostMatrix> matrices;
    std::vector<std::vector<double>> rhs;
    auto const host_values = Kokkos::create_mirror_view(values);
    auto const host_b = Kokkos::create_mirror_view(b);
    for (unsigned s = 0; s < systems; ++s) {
      matrices.push_back(a);
      for (double& value : matrices.back().values) value *= 1 + 0.3 * s;
      rhs.push_back(s == 3 ? std::vector<double>(rows, 0.0) : random_vector(a.n, 82 + s));
      for (std::size_t k = 0; k < nnz; ++k) host_values(s, k) = matrices.back().values[k];
      for (std::size_t i = 0; i < rows; ++i) host_b(s, i) = rhs.back()[i];
    }
    Kokkos::deep_copy(values, host_values);
    Kokkos::deep_copy(b, host_b);
    auto solver = make_cg_batch(exec, on_device<double>(a), systems);
    auto const check = [&](std::vector<CgResult> const& results, auto const& x, bool own_values, bool own_b) {
      auto const host_x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
      for (std::size_t s = 0; s < systems; ++s) {
        SCOPED_TRACE(std::to_string(n) + " rows, system " + std::to_string(s));
        std::vector<double> solution(rows);
        for (std::size_t i = 0; i < rows; ++i) solution[i] = host_x(s, i);
        EXPECT_EQ(to_string(results[s].status), std::string("converged"));
        auto const& of = own_b ? rhs[s] : rhs[1];
        if (own_b && s == 3) {
          EXPECT_EQ(solution, std::vector<double>(rows, 0.0));
          continue;
        }
        auto const reached = residual_of(own_values ? matrices[s] : a, of, solution);
        EXPECT_LE(reached.relative, 1.1e-10L);
        EXPECT_NEAR(results[s].backward_error, static_cast<double>(reached.backward_error), 1e-14);
      }
    };
    Kokkos::View<double**, Kokkos::LayoutRight, Device> const x("x", systems, rows);
    check(solver.solve(exec, values, b, x), x, true, true);
    Kokkos::deep_copy(x, 0.0);
    check(solver.solve(exec, values, on_device<double>(rhs[1]), x), x, true, false);
    Kokkos::deep_copy(x, 0.0);
    check(solver.solve(exec, on_device<double>(a.values), b, x), x, false, true);
  }
}

TEST(CgBatch, SaysOfEachSystemHowItEnded) {
  Exec const exec;
  auto const good = tridiagonal(64);
  auto const bad = tridiagonal(64, -6);
  auto solver = make_cg_batch(exec, on_device<double>(good), 3);
  std::vector<double> all;
  for (auto const* matrix : {&good, &bad, &good}) all.insert(all.end(), matrix->values.begin(), matrix->values.end());
  auto const flat = on_device<double>(all);
  Kokkos::View<double const**, Kokkos::LayoutRight, Device, Kokkos::MemoryUnmanaged> const values(flat.data(), 3,
                                                                                                  good.values.size());
  auto b = random_vector(3 * 64, 91);
  b[2 * 64 + 9] = infinity;
  auto const flat_b = on_device<double>(b);
  Kokkos::View<double const**, Kokkos::LayoutRight, Device, Kokkos::MemoryUnmanaged> const bs(flat_b.data(), 3, 64);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const x("x", 3, 64);
  auto const results = solver.solve(exec, values, bs, x);
  EXPECT_EQ(to_string(results[0].status), std::string("converged"));
  EXPECT_EQ(to_string(results[1].status), std::string("indefinite"));
  EXPECT_EQ(to_string(results[2].status), std::string("breakdown"));
  expect_refused([&] { (void)make_cg_batch(exec, on_device<double>(good), 0); }, ErrorKind::invalid_argument,
                 "systems is 0");
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const two("x", 2, 64);
  expect_refused([&] { (void)solver.solve(exec, values, bs, two); }, ErrorKind::dimension_mismatch, "2, expected 3");
  Kokkos::View<double**, Kokkos::LayoutLeft, Device> const left("x", 3, 64);
  expect_refused([&] { (void)solver.solve(exec, values, bs, left); }, ErrorKind::invalid_argument, "LayoutRight");
}

TEST(Cg, RefusesWhatItCannotTake) {
  Exec const exec;
  auto const A = on_device<double>(tridiagonal(10));
  Matrix<double> wide = A;
  wide.cols = 11;
  expect_refused([&] { (void)make_cg(exec, wide); }, ErrorKind::dimension_mismatch, "10 x 11");
  expect_refused([&] { (void)make_cg(exec, A, {.tolerance = -1}); }, ErrorKind::invalid_argument, "tolerance");
  expect_refused([&] { (void)make_cg(exec, A, {.tolerance = nan}); }, ErrorKind::invalid_argument, "tolerance");
  expect_refused([&] { (void)make_cg(exec, A, {.max_iterations = -1}); }, ErrorKind::invalid_argument,
                 "max_iterations");
  auto solver = make_cg(exec, A);
  Vector<double> const ten("ten", 10);
  Vector<double> const other("other", 10);
  expect_refused([&] { (void)solver.solve(exec, Vector<double>("nine", 9), ten); }, ErrorKind::dimension_mismatch,
                 "9, expected 10");
  expect_refused([&] { (void)solver.solve(exec, ten, Vector<double>("nine", 9)); }, ErrorKind::dimension_mismatch,
                 "9, expected 10");
  expect_refused([&] { (void)solver.solve(exec, ten, ten); }, ErrorKind::invalid_argument, "overlap");
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const pairs("pairs", 10, 2);
  expect_refused([&] { (void)solver.solve(exec, Kokkos::subview(pairs, Kokkos::ALL, 0), ten); },
                 ErrorKind::invalid_argument, "stride 2");
  expect_refused([&] { (void)make_cg<double>(exec, 10, Identity{}); }, ErrorKind::unsupported, "diagonal");
  auto of_operator = make_cg<double>(exec, 10, Identity{}, {.preconditioner = CgPreconditioner::none});
  expect_refused([&] { of_operator.update_values(exec, ten); }, ErrorKind::unsupported, "Csr");
  if constexpr (!detail::is_cuda_space<Exec>) {
    expect_refused([&] { (void)make_cg(exec, A, {.form = CgForm::graph}); }, ErrorKind::unsupported, "graph");
    expect_refused([&] { (void)make_cg(exec, A, {.form = CgForm::cluster}); }, ErrorKind::unsupported, "cluster");
  }
}

TEST(Cg, GeneratedMatricesToTheLastBits) {
  int short_of = 0;
  for (unsigned seed = 100; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    auto const n = static_cast<std::int32_t>(50 + 83 * (seed - 100));
    auto const a = laplacian(n, seed, std::pow(10.0, -static_cast<double>(seed % 7)), seed % 3 == 0);
    auto const b = random_vector(a.n, seed);
    CgOptions const options{.tolerance = 1e-13, .max_iterations = 40 * a.n + 4000};
    auto const solved = solve(a, b, options);
    expect_honest(a, b, solved, options.tolerance);
    if (solved.result.backward_error > 1e-12) {
      EXPECT_EQ(to_string(solved.result.status), std::string("stagnated")) << solved.result.backward_error;
      ++short_of;
    }
  }
  EXPECT_LE(short_of, 2);
}

TEST(Cg, RealMatricesToTheLastBits) {
  std::vector<std::string> const names{"LFAT5",    "gko_simple_A", "1138_bus", "bar",
                                       "bcsstk09", "wathen_30_30", "bcsstk17", "ergo_overlap_008"};
  int found = 0;
  int stagnated = 0;
  for (auto const& name : names) {
    std::filesystem::path file;
    if (std::filesystem::exists(data_directory()))
      for (auto const& entry : std::filesystem::recursive_directory_iterator(data_directory())) {
        auto const base = entry.path().filename().string();
        if (base.substr(0, base.find('.')) == name) file = entry.path();
      }
    if (file.empty()) continue;
    ++found;
    SCOPED_TRACE(name);
    auto const a = from_file(file);
    auto const b = random_vector(a.n, 71);
    for (auto const reductions : {CgReductions::two, CgReductions::one}) {
      CgOptions const options{.tolerance = 1e-13, .max_iterations = 40 * a.n + 4000, .reductions = reductions};
      auto const solved = solve(a, b, options);
      expect_honest(a, b, solved, options.tolerance);
      if (solved.result.backward_error > 1e-12) {
        EXPECT_EQ(to_string(solved.result.status), std::string("stagnated")) << solved.result.backward_error;
        ++stagnated;
      }
    }
  }
  if (found == 0) GTEST_SKIP() << "no matrices in " << data_directory();
  EXPECT_LE(stagnated, 2);
}

}  // namespace
}  // namespace araia::test
