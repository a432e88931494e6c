// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Symmetric matrices for solvers, products and conjugate gradients of the plainest kind, on the host.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace araia::test::cg {

struct Matrix {
  std::string name;
  std::int32_t rows = 0;
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;

  [[nodiscard]] std::size_t nnz() const { return col_indices.size(); }
};

/// Entries off the diagonal, put together in any order, and then a diagonal that dominates by `margin`.
class Builder {
 public:
  explicit Builder(std::int32_t rows) : rows_(static_cast<std::size_t>(rows)) {}
  void add(std::int32_t i, std::int32_t j, double v) { rows_[static_cast<std::size_t>(i)][j] = v; }
  void add_both(std::int32_t i, std::int32_t j, double v) {
    if (i == j) return;
    add(i, j, v);
    add(j, i, v);
  }
  [[nodiscard]] Matrix dominant(std::string name, double margin) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double sum = margin;
      for (auto const& [j, v] : rows_[i]) sum += std::abs(v);
      rows_[i][static_cast<std::int32_t>(i)] = sum;
    }
    return as_it_is(std::move(name));
  }
  [[nodiscard]] Matrix as_it_is(std::string name) const {
    Matrix m;
    m.name = std::move(name);
    m.rows = static_cast<std::int32_t>(rows_.size());
    for (auto const& row : rows_) {
      for (auto const& [j, v] : row) {
        m.col_indices.push_back(j);
        m.values.push_back(v);
      }
      m.row_offsets.push_back(static_cast<std::int32_t>(m.col_indices.size()));
    }
    return m;
  }

 private:
  std::vector<std::map<std::int32_t, double>> rows_;
};

inline Matrix tridiagonal(std::int32_t rows, double margin = 0.01) {
  Builder b(rows);
  for (std::int32_t i = 0; i + 1 < rows; ++i) b.add_both(i, i + 1, -1);
  return b.dominant("tridiagonal " + std::to_string(rows), margin);
}

inline Matrix seven_points(std::int32_t x, std::int32_t y, std::int32_t z) {
  Builder b(x * y * z);
  for (std::int32_t k = 0; k < z; ++k)
    for (std::int32_t j = 0; j < y; ++j)
      for (std::int32_t i = 0; i < x; ++i) {
        std::int32_t const here = (k * y + j) * x + i;
        if (i + 1 < x) b.add_both(here, here + 1, -1);
        if (j + 1 < y) b.add_both(here, here + x, -1);
        if (k + 1 < z) b.add_both(here, here + x * y, -1);
      }
  return b.dominant("seven points " + std::to_string(x * y * z), 0.05);
}

/// `links` random neighbours a row, and rows `longs` that are joined to every `step`-th row.
inline Matrix random_pattern(std::int32_t rows, int links, std::vector<std::int32_t> const& longs, std::int32_t step,
                             bool symmetric = true) {
  std::mt19937 random(static_cast<unsigned>(rows + links));
  std::uniform_int_distribution<std::int32_t> any(0, rows - 1);
  std::uniform_real_distribution<double> value(-1, 1);
  Builder b(rows);
  auto const join = [&](std::int32_t i, std::int32_t j) {
    if (i == j) return;
    if (symmetric)
      b.add_both(i, j, value(random));
    else
      b.add(i, j, value(random));
  };
  for (std::int32_t i = 0; i < rows; ++i)
    for (int k = 0; k < links; ++k) join(i, any(random));
  for (std::int32_t const row : longs)
    for (std::int32_t j = 0; j < rows; j += step) join(row, j);
  return b.dominant("random " + std::to_string(rows) + " of " + std::to_string(links) + " links, " +
                        std::to_string(longs.size()) + " long rows",
                    0.1);
}

inline std::vector<double> product(Matrix const& a, std::vector<double> const& values, std::vector<double> const& x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto k = static_cast<std::size_t>(a.row_offsets[i]); k < static_cast<std::size_t>(a.row_offsets[i + 1]); ++k)
      y[i] += values[k] * x[static_cast<std::size_t>(a.col_indices[k])];
  return y;
}

inline double dot(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// ||b - A x|| / ||b||
inline double true_residual(Matrix const& a, std::vector<double> const& values, std::vector<double> const& x,
                            std::vector<double> const& b) {
  auto r = product(a, values, x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return std::sqrt(dot(r, r) / dot(b, b));
}

/// Iterations until ||r|| <= tolerance ||b||, with three sums one after the other.
inline int conjugate_gradients(Matrix const& a, std::vector<double> const& values, std::vector<double>& x,
                               std::vector<double> const& b, double tolerance, int most, bool jacobi) {
  std::size_t const n = x.size();
  std::vector<double> inverse(n, 1);
  for (std::size_t i = 0; i < n && jacobi; ++i)
    for (auto k = static_cast<std::size_t>(a.row_offsets[i]); k < static_cast<std::size_t>(a.row_offsets[i + 1]); ++k)
      if (a.col_indices[k] == static_cast<std::int32_t>(i) && values[k] > 0) inverse[i] = 1 / values[k];
  auto r = product(a, values, x);
  for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - r[i];
  std::vector<double> z(n), p(n);
  double gamma = 1;
  int iteration = 0;
  for (; iteration < most && dot(r, r) > tolerance * tolerance * dot(b, b); ++iteration) {
    for (std::size_t i = 0; i < n; ++i) z[i] = inverse[i] * r[i];
    double const next = dot(r, z);
    double const beta = iteration == 0 ? 0 : next / gamma;
    gamma = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    auto const q = product(a, values, p);
    double const alpha = gamma / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
  }
  return iteration;
}

inline std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> v(size);
  std::ranges::generate(v, [&] { return value(random); });
  return v;
}

inline constexpr std::array<int, 5> clusters{1, 2, 4, 8, 16};

}  // namespace araia::test::cg
