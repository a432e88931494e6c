// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operands of products, each pattern a class of its own for SpGEMM.

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace araia::test::spgemm {

struct HostCsr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(col_indices.size()); }
  void add_row(std::vector<std::int32_t> const& columns) {
    col_indices.insert(col_indices.end(), columns.begin(), columns.end());
    row_offsets.push_back(static_cast<std::int32_t>(col_indices.size()));
    ++rows;
  }
};

inline HostCsr with_values(HostCsr m, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  m.values.resize(m.col_indices.size());
  for (double& v : m.values) v = value(random);
  return m;
}

/// `count` distinct columns of [low, high), ascending; all of them where there are no more.
inline std::vector<std::int32_t> some_columns(std::mt19937& random, std::int64_t count, std::int64_t low,
                                              std::int64_t high) {
  std::set<std::int32_t> columns;
  count = std::min(count, high - low);
  std::uniform_int_distribution<std::int64_t> any(low, high - 1);
  while (static_cast<std::int64_t>(columns.size()) < count) columns.insert(static_cast<std::int32_t>(any(random)));
  return {columns.begin(), columns.end()};
}

/// Rows of `least` to `most` entries within `half_bandwidth` of the diagonal, or anywhere where that is 0.
inline HostCsr random_csr(std::int64_t rows, std::int64_t cols, std::int64_t least, std::int64_t most, unsigned seed,
                          std::int64_t half_bandwidth = 0) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> length(least, most);
  HostCsr m;
  m.cols = cols;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t const centre = std::min(i, cols);
    std::int64_t const low = half_bandwidth > 0 ? std::max<std::int64_t>(0, centre - half_bandwidth) : 0;
    std::int64_t const high = half_bandwidth > 0 ? std::min(cols, centre + half_bandwidth + 1) : cols;
    m.add_row(some_columns(random, length(random), low, high));
  }
  return with_values(m, seed + 1);
}

/// Grid points of n^3 with their neighbours, `unknowns` of each; all 26 neighbours or the six nearest.
inline HostCsr stencil(std::int32_t n, bool all, std::int32_t unknowns, unsigned seed) {
  HostCsr m;
  m.cols = static_cast<std::int64_t>(n) * n * n * unknowns;
  for (std::int32_t z = 0; z < n; ++z)
    for (std::int32_t y = 0; y < n; ++y)
      for (std::int32_t x = 0; x < n; ++x) {
        std::vector<std::int32_t> columns;
        for (std::int32_t k = -1; k <= 1; ++k)
          for (std::int32_t j = -1; j <= 1; ++j)
            for (std::int32_t i = -1; i <= 1; ++i) {
              if (!all && (i != 0) + (j != 0) + (k != 0) > 1) continue;
              if (x + i < 0 || x + i >= n || y + j < 0 || y + j >= n || z + k < 0 || z + k >= n) continue;
              for (std::int32_t u = 0; u < unknowns; ++u)
                columns.push_back((((z + k) * n + y + j) * n + x + i) * unknowns + u);
            }
        for (std::int32_t u = 0; u < unknowns; ++u) m.add_row(columns);
      }
  return with_values(m, seed);
}

/// Short rows, every tenth long, some columns in nearly all rows.
inline HostCsr with_long_rows(std::int64_t n, std::int64_t longest, unsigned seed) {
  std::mt19937 random(seed);
  HostCsr m;
  m.cols = n;
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t const length = i % 97 == 5 ? longest : (i % 10 == 0 ? 40 : static_cast<std::int64_t>(random() % 5));
    std::vector<std::int32_t> columns = some_columns(random, length, 0, n);
    for (std::int32_t const popular : {5, 102})
      if (random() % 4 != 0 && popular < n) columns.push_back(popular);
    std::ranges::sort(columns);
    columns.erase(std::ranges::unique(columns).begin(), columns.end());
    m.add_row(columns);
  }
  return with_values(m, seed + 1);
}

/// Each row's entries in another order, and where `repeat`, one of them twice.
inline HostCsr disordered(HostCsr const& sorted, bool repeat, unsigned seed) {
  std::mt19937 random(seed);
  HostCsr m;
  m.cols = sorted.cols;
  for (std::int64_t i = 0; i < sorted.rows; ++i) {
    auto const begin = sorted.col_indices.begin() + sorted.row_offsets[static_cast<std::size_t>(i)];
    auto const end = sorted.col_indices.begin() + sorted.row_offsets[static_cast<std::size_t>(i) + 1];
    std::vector<std::int32_t> columns(begin, end);
    if (repeat && !columns.empty()) columns.push_back(columns.front());
    std::ranges::shuffle(columns, random);
    m.add_row(columns);
  }
  return with_values(m, seed + 1);
}

struct Case {
  std::string name;
  HostCsr a;
  HostCsr b;
};

inline Case square(std::string name, HostCsr const& a) { return {std::move(name), a, a}; }

/// Every class that a form is for, and shapes at their edges.
inline std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(square("one by one", random_csr(1, 1, 1, 1, 1)));
  all.push_back(square("no rows", HostCsr{}));
  all.push_back({"no inner dimension", random_csr(3, 0, 0, 0, 1), random_csr(0, 4, 0, 0, 1)});
  all.push_back({"no columns", random_csr(3, 5, 2, 2, 1), random_csr(5, 0, 0, 0, 1)});
  all.push_back(square("no entries", random_csr(50, 50, 0, 0, 1)));
  all.push_back({"random, rectangular", random_csr(300, 200, 0, 12, 2), random_csr(200, 250, 0, 14, 3)});
  all.push_back({"wide, few products", random_csr(200, 5000, 1, 9, 4), random_csr(5000, 300000, 0, 7, 5)});
  all.push_back({"wide, several hundred products", random_csr(60, 500, 10, 30, 6), random_csr(500, 300000, 5, 30, 7)});
  all.push_back({"wide, many products", random_csr(40, 500, 60, 200, 8), random_csr(500, 300000, 10, 60, 9)});
  all.push_back({"very wide, many products", random_csr(12, 500, 60, 300, 8), random_csr(500, 2000000, 10, 60, 9)});
  all.push_back(square("banded", random_csr(700, 700, 5, 30, 10, 40)));
  all.push_back(square("banded, wide", random_csr(1500, 1500, 10, 20, 11, 700)));
  all.push_back(
      {"a thousand and more entries in a window", random_csr(40, 300, 30, 60, 12), random_csr(300, 30000, 40, 80, 13)});
  all.push_back(square("7-point", stencil(9, false, 1, 14)));
  all.push_back(square("27-point", stencil(7, true, 1, 15)));
  all.push_back(square("3 unknowns a point", stencil(5, true, 3, 16)));
  all.push_back({"groups, another B", stencil(4, true, 3, 17), stencil(4, false, 3, 18)});
  all.push_back({"groups in A alone", stencil(4, true, 3, 17), random_csr(192, 192, 3, 20, 18)});
  all.push_back(
      {"groups of long rows of C", stencil(4, true, 3, 19), [] {
         HostCsr b = random_csr(64, 20000, 50, 90, 20);
         HostCsr m;
         m.cols = b.cols;
         for (std::size_t i = 0; i < 64; ++i)
           for (int r = 0; r < 3; ++r)
             m.add_row({b.col_indices.begin() + b.row_offsets[i], b.col_indices.begin() + b.row_offsets[i + 1]});
         return with_values(m, 21);
       }()});
  all.push_back(square("long rows", with_long_rows(900, 500, 22)));
  all.push_back({"long rows, wide", with_long_rows(400, 350, 23), random_csr(400, 400000, 0, 120, 24)});
  all.push_back({"dense row by dense column", random_csr(1, 3000, 3000, 3000, 25), random_csr(3000, 1, 1, 1, 26)});
  all.push_back({"dense column by dense row", random_csr(70, 1, 1, 1, 27), random_csr(1, 3000, 3000, 3000, 28)});
  all.push_back({"A in disorder", disordered(random_csr(200, 200, 0, 30, 29, 50), true, 30),
                 random_csr(200, 200, 0, 30, 31, 50)});
  all.push_back(
      {"B unsorted", random_csr(200, 200, 0, 30, 32), disordered(random_csr(200, 900, 0, 30, 33), false, 34)});
  all.push_back(
      {"B with duplicates", random_csr(150, 150, 0, 8, 35), disordered(random_csr(150, 100, 0, 8, 36), true, 37)});
  all.push_back({"unsorted, many products", random_csr(20, 300, 100, 200, 38),
                 disordered(random_csr(300, 300000, 20, 200, 39), true, 40)});
  return all;
}

}  // namespace araia::test::spgemm
