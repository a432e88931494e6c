// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Problems for LOBPCG whose pairs are known, operators without a matrix, and what every result is held to.

#include <araia/solvers/lobpcg.hpp>  // first and alone, as users may include it

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/device.hpp"

namespace araia::test {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
template <class T>
using Matrix = Csr<T, std::int32_t, std::int32_t, Device>;
template <class T>
using Vectors = Kokkos::View<T**, Kokkos::LayoutLeft, Device>;

/// A symmetric matrix on the host, by rows.
struct Rows {
  std::int64_t n = 0;
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> col_indices{};
  std::vector<double> values{};

  void put(std::int64_t column, double value) {
    col_indices.push_back(static_cast<std::int32_t>(column));
    values.push_back(value);
  }
  void end_row() {
    row_offsets.push_back(static_cast<std::int32_t>(col_indices.size()));
    ++n;
  }
};

inline Rows diagonal_matrix(std::vector<double> const& d) {
  Rows a;
  for (std::size_t i = 0; i < d.size(); ++i) {
    a.put(static_cast<std::int64_t>(i), d[i]);
    a.end_row();
  }
  return a;
}

/// (-1, diagonal, -1) times scale.
inline Rows tridiagonal(std::int64_t n, double diagonal, double beside, double scale = 1) {
  Rows a;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0) a.put(i - 1, beside * scale);
    a.put(i, diagonal * scale);
    if (i + 1 < n) a.put(i + 1, beside * scale);
    a.end_row();
  }
  return a;
}

/// The 7-point Laplacian of n^3 points, held at the rim.
inline Rows cube(std::int64_t n) {
  Rows a;
  for (std::int64_t i = 0; i < n * n * n; ++i) {
    std::int64_t const x = i % n;
    std::int64_t const y = i / n % n;
    std::int64_t const z = i / (n * n);
    if (z > 0) a.put(i - n * n, -1);
    if (y > 0) a.put(i - n, -1);
    if (x > 0) a.put(i - 1, -1);
    a.put(i, 6);
    if (x + 1 < n) a.put(i + 1, -1);
    if (y + 1 < n) a.put(i + n, -1);
    if (z + 1 < n) a.put(i + n * n, -1);
    a.end_row();
  }
  return a;
}

/// Its eigenvalues, ascending.
inline std::vector<double> cube_values(std::int64_t n) {
  constexpr double pi = 3.14159265358979323846;
  auto const one = [&](std::int64_t i) {
    double const sine = std::sin(pi * static_cast<double>(i) / static_cast<double>(2 * (n + 1)));
    return 4 * sine * sine;
  };
  std::vector<double> values;
  for (std::int64_t i = 1; i <= n; ++i)
    for (std::int64_t j = 1; j <= n; ++j)
      for (std::int64_t k = 1; k <= n; ++k) values.push_back(one(i) + one(j) + one(k));
  std::sort(values.begin(), values.end());
  return values;
}

/// The graph Laplacian of a path with some more edges: the constant vector is its null space.
inline Rows graph(std::int64_t n) {
  std::vector<std::vector<double>> dense(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(n)));
  auto const join = [&](std::int64_t i, std::int64_t j) {
    auto const a = static_cast<std::size_t>(i);
    auto const b = static_cast<std::size_t>(j);
    dense[a][b] -= 1;
    dense[b][a] -= 1;
    dense[a][a] += 1;
    dense[b][b] += 1;
  };
  for (std::int64_t i = 0; i + 1 < n; ++i) join(i, i + 1);
  for (std::int64_t i = 0; i + 40 < n; i += 7) join(i, i + 40);
  Rows a;
  for (auto const& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) a.put(static_cast<std::int64_t>(j), row[j]);
    a.end_row();
  }
  return a;
}

/// Eigenvalue `mode` of tridiagonal(n, 2, -1), from 1.
inline double line_value(std::int64_t n, int mode) {
  constexpr double pi = 3.14159265358979323846;
  double const sine = std::sin(pi * mode / static_cast<double>(2 * (n + 1)));
  return 4 * sine * sine;
}
/// Its eigenvector.
inline std::vector<double> line_vector(std::int64_t n, int mode) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<double> v;
  for (std::int64_t i = 1; i <= n; ++i)
    v.push_back(std::sin(pi * mode * static_cast<double>(i) / static_cast<double>(n + 1)));
  return v;
}

template <class T>
Matrix<T> on_device(Rows const& a) {
  Matrix<T> A{.rows = a.n, .cols = a.n, .nnz = static_cast<std::int64_t>(a.values.size())};
  A.row_offsets = upload<std::int32_t, Device>("row_offsets", a.row_offsets);
  A.col_indices = upload<std::int32_t, Device>("col_indices", a.col_indices);
  A.values = upload<T, Device>("values", a.values);
  return A;
}

template <class T>
Vectors<T> vectors(std::int64_t n, int k, std::vector<T> const& from = {}) {
  Vectors<T> const X("X", static_cast<std::size_t>(n), static_cast<std::size_t>(k));
  if (!from.empty()) detail::copy_bytes<Device, Kokkos::HostSpace>(X.data(), from.data(), from.size() * sizeof(T));
  return X;
}

struct Solved {
  LobpcgResult result;
  std::vector<double> x;  // (n, pairs), columns one after another
};

using Wide = long double;

inline std::vector<Wide> times(Rows const& a, double const* x) {
  std::vector<Wide> y(static_cast<std::size_t>(a.n), 0);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      y[i] += static_cast<Wide>(a.values[static_cast<std::size_t>(k)]) * x[a.col_indices[static_cast<std::size_t>(k)]];
  return y;
}

/// What is reported is so, and `converged` is not said of what is not.
template <class T>
void expect_honest(Rows const& a, Rows const* b, Solved const& solved, LobpcgOptions const& options) {
  auto const& r = solved.result;
  ASSERT_EQ(r.pairs.size(), static_cast<std::size_t>(options.pairs));
  double const tolerance = options.tolerance > 0 ? options.tolerance : std::is_same_v<T, double> ? 1e-8 : 1e-5;
  auto const epsilon = static_cast<Wide>(std::numeric_limits<T>::epsilon());
  auto const n = static_cast<std::size_t>(a.n);
  std::vector<std::vector<Wide>> bx;
  for (std::size_t j = 0; j < r.pairs.size(); ++j) {
    double const* const x = &solved.x[j * n];
    auto const ax = times(a, x);
    bx.push_back(b ? times(*b, x) : std::vector<Wide>(x, x + n));
    Wide sum = 0;
    Wide size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Wide const residual = ax[i] - static_cast<Wide>(r.pairs[j].value) * bx[j][i];
      sum += residual * residual;
      size += static_cast<Wide>(x[i]) * x[i];
    }
    Wide const scale =
        (static_cast<Wide>(r.norm) + std::abs(static_cast<Wide>(r.pairs[j].value)) * r.mass_norm) * std::sqrt(size);
    EXPECT_NEAR(static_cast<double>(std::sqrt(sum)), r.pairs[j].residual, static_cast<double>(100 * epsilon * scale));
    if (r.status == LobpcgStatus::converged) {
      EXPECT_LE(r.pairs[j].relative_residual, tolerance);
      EXPECT_LE(std::sqrt(sum), (tolerance + 100 * epsilon) * scale);
      for (std::size_t l = 0; l <= j; ++l) {
        Wide dot = 0;
        for (std::size_t i = 0; i < n; ++i) dot += static_cast<Wide>(solved.x[l * n + i]) * bx[j][i];
        EXPECT_NEAR(static_cast<double>(dot), l == j ? 1 : 0, static_cast<double>(2000 * epsilon * (1 + scale)));
      }
    }
    if (j == 0) continue;
    double const before = r.pairs[j - 1].value;
    double const here = r.pairs[j].value;
    EXPECT_TRUE(options.end == LobpcgEnd::smallest ? before <= here : before >= here) << before << ", " << here;
  }
}

template <class T = double>
Solved solve(Rows const& a, LobpcgOptions const& options, Rows const* b = nullptr,
             std::vector<std::vector<double>> const& constraints = {}, std::vector<T> const& start = {}) {
  Exec const exec;
  auto const A = on_device<T>(a);
  auto const X = vectors<T>(a.n, options.pairs, start);
  auto solver = b ? make_lobpcg(exec, A, on_device<T>(*b), options) : make_lobpcg(exec, A, options);
  EXPECT_EQ(solver.rows(), a.n);
  EXPECT_GT(solver.bytes(), 0u);
  Solved solved;
  if (constraints.empty()) {
    solved.result = solver.solve(exec, X);
  } else {
    std::vector<T> y;
    for (auto const& column : constraints)
      for (double const value : column) y.push_back(static_cast<T>(value));
    solved.result = solver.solve(exec, X, vectors<T>(a.n, static_cast<int>(constraints.size()), y));
  }
  solved.x = download<double>(X);
  expect_honest<T>(a, b, solved, options);
  return solved;
}

inline void expect_values(LobpcgResult const& r, std::vector<double> const& expected, double tolerance) {
  EXPECT_STREQ(to_string(r.status), "converged");
  for (std::size_t j = 0; j < r.pairs.size(); ++j) EXPECT_NEAR(r.pairs[j].value, expected[j], tolerance) << j;
}

/// (-1, 3, -1) without a matrix, on any number of columns.
struct Stencil {
  std::int64_t n;
  template <class From, class To>
  void apply(Exec const& exec, From const& x, To const& y) const {
    auto const last = static_cast<std::size_t>(n - 1);
    Kokkos::parallel_for(
        "stencil", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(std::int64_t row) {
          auto const i = static_cast<std::size_t>(row);
          for (std::size_t j = 0; j < x.extent(1); ++j)
            y(i, j) = 3 * x(i, j) - (i > 0 ? x(i - 1, j) : 0) - (i < last ? x(i + 1, j) : 0);
        });
  }
};

/// Z = factor R.
struct Scaling {
  double factor;
  template <class From, class To>
  void apply(Exec const& exec, From const& r, To const& z) const {
    double const by = factor;
    Kokkos::parallel_for(
        "scaling", Kokkos::RangePolicy<Exec>(exec, 0, static_cast<std::int64_t>(r.extent(0))),
        KOKKOS_LAMBDA(std::int64_t row) {
          auto const i = static_cast<std::size_t>(row);
          for (std::size_t j = 0; j < r.extent(1); ++j) z(i, j) = by * r(i, j);
        });
  }
};

}  // namespace araia::test
