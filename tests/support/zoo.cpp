// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/zoo.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

namespace araia::test {

TestMatrix with_row_lengths(std::string name, std::int64_t cols, std::vector<std::int64_t> const& lengths,
                            std::uint64_t seed) {
  TestMatrix m{std::move(name), static_cast<std::int64_t>(lengths.size()), cols};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<std::int32_t> all(static_cast<std::size_t>(cols));
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<std::int32_t>(c);
  for (std::int64_t const wanted : lengths) {
    auto const length = static_cast<std::size_t>(std::min(wanted, cols));
    for (std::size_t j = 0; j < length; ++j) std::swap(all[j], all[j + random() % (all.size() - j)]);
    std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
    for (std::size_t j = 0; j < length; ++j) {
      m.col_indices.push_back(all[j]);
      m.values.push_back(value(random));
    }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

TestMatrix random_matrix(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t mean,
                         std::uint64_t seed) {
  std::mt19937_64 random(seed + 1);
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < rows; ++i)
    lengths.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * mean + 1)));
  return with_row_lengths(std::move(name), cols, lengths, seed);
}

TestMatrix with_integer_values(TestMatrix m) {
  std::mt19937_64 random(zoo_seed + 2);
  for (double& v : m.values) v = static_cast<double>(static_cast<int>(random() % 15) - 7);
  m.name += ", integers";
  return m;
}

TestMatrix stencil(std::int64_t nx, std::int64_t ny) {
  TestMatrix m{"stencil " + std::to_string(nx) + " x " + std::to_string(ny), nx * ny, nx * ny};
  std::mt19937_64 random(zoo_seed + 4);
  std::uniform_real_distribution<double> value(-1, 1);
  for (std::int64_t i = 0; i < nx * ny; ++i) {
    for (std::int64_t const step : {-nx, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, nx}) {
      bool const leaves_line = (step == -1 && i % nx == 0) || (step == 1 && i % nx == nx - 1);
      if (leaves_line || i + step < 0 || i + step >= nx * ny) continue;
      m.col_indices.push_back(static_cast<std::int32_t>(i + step));
      m.values.push_back(value(random));
    }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

TestMatrix node_blocks(std::int64_t nodes, std::int64_t dofs) {
  auto const graph = random_matrix("node blocks", nodes, nodes, 8);
  TestMatrix m{"node blocks of " + std::to_string(dofs), nodes * dofs, nodes * dofs};
  std::mt19937_64 random(zoo_seed + 5);
  std::uniform_real_distribution<double> value(-1, 1);
  for (std::int64_t row = 0; row < nodes * dofs; ++row) {
    auto const node = static_cast<std::size_t>(row / dofs);
    for (auto k = graph.row_offsets[node]; k < graph.row_offsets[node + 1]; ++k)
      for (std::int64_t dof = 0; dof < dofs; ++dof) {
        m.col_indices.push_back(static_cast<std::int32_t>(graph.col_indices[static_cast<std::size_t>(k)] * dofs + dof));
        m.values.push_back(value(random));
      }
    m.row_offsets.push_back(m.nnz());
  }
  return m;
}

TestMatrix unsorted_with_duplicates(TestMatrix m) {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    auto const first = static_cast<std::ptrdiff_t>(m.row_offsets[static_cast<std::size_t>(i)]);
    auto const last = static_cast<std::ptrdiff_t>(m.row_offsets[static_cast<std::size_t>(i) + 1]);
    std::reverse(m.col_indices.begin() + first, m.col_indices.begin() + last);
    if (last - first >= 2)
      m.col_indices[static_cast<std::size_t>(last) - 1] = m.col_indices[static_cast<std::size_t>(first)];
  }
  m.name += ", unsorted with duplicates";
  return m;
}

bool has_strict_rows(TestMatrix const& m) {
  for (std::size_t row = 0; row + 1 < m.row_offsets.size(); ++row)
    for (std::int64_t k = m.row_offsets[row] + 1; k < m.row_offsets[row + 1]; ++k)
      if (m.col_indices[static_cast<std::size_t>(k)] <= m.col_indices[static_cast<std::size_t>(k - 1)]) return false;
  return true;
}

std::vector<TestMatrix> const& zoo() {
  static std::vector<TestMatrix> const matrices = [] {
    std::vector<std::int64_t> const ladder{0,  1,  2,  3,  5, 7, 8, 15, 16,  17,  31,  32,
                                           33, 63, 64, 65, 0, 0, 4, 6,  127, 128, 129, 0};
    std::vector<std::int64_t> dense_row(67, 2);
    dense_row[40] = 300;
    std::vector<std::int64_t> gaps(70, 0);
    for (std::size_t i = 20; i < 30; ++i) gaps[i] = 3;
    for (std::size_t i = 45; i < 50; ++i) gaps[i] = 9;
    std::vector<std::int64_t> beyond_a_team(60, 0);  // more entries in a row than a device's team takes at once
    beyond_a_team[0] = 1300;
    beyond_a_team[41] = 2100;
    for (std::size_t i = 42; i < 60; ++i) beyond_a_team[i] = 2;
    std::vector<TestMatrix> all;
    all.push_back(with_row_lengths("0 x 0", 0, {}));
    all.push_back(with_row_lengths("0 x 5", 5, {}));
    all.push_back(with_row_lengths("5 x 0", 0, {0, 0, 0, 0, 0}));
    all.push_back(with_row_lengths("3 x 4 without entries", 4, {0, 0, 0}));
    all.push_back(with_row_lengths("1 x 1", 1, {1}));
    all.push_back(with_row_lengths("1 x 200, one row", 200, {150}));
    all.push_back(with_row_lengths("200 x 1, one column", 1, std::vector<std::int64_t>(200, 1)));
    all.push_back(with_row_lengths("row length ladder", 140, ladder));
    all.push_back(with_row_lengths("one dense row", 300, dense_row));
    all.push_back(with_row_lengths("runs of empty rows", 40, gaps));
    all.push_back(with_row_lengths("rows beyond a team's work", 2200, beyond_a_team));
    for (std::int64_t const rows : {31, 32, 33, 255, 256, 257})
      all.push_back(random_matrix(std::to_string(rows) + " rows", rows, 97, 6));
    all.push_back(random_matrix("wide", 50, 1000, 20));
    all.push_back(random_matrix("tall", 1000, 50, 3));
    all.push_back(stencil(37, 11));
    all.push_back(node_blocks(40, 3));
    all.push_back(unsorted_with_duplicates(random_matrix("130 x 130", 130, 130, 9)));
    return all;
  }();
  return matrices;
}

TestCoo coordinates(TestMatrix const& m, bool shuffled) {
  std::vector<std::size_t> order(m.col_indices.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937_64(zoo_seed + 3));
  std::vector<std::int32_t> row_of(m.col_indices.size());
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (auto k = m.row_offsets[static_cast<std::size_t>(i)]; k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      row_of[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(i);
  TestCoo coo;
  for (std::size_t const k : order) {
    coo.row_indices.push_back(row_of[k]);
    coo.col_indices.push_back(m.col_indices[k]);
    coo.values.push_back(m.values[k]);
  }
  return coo;
}

}  // namespace araia::test
