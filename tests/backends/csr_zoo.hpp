// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// CSR matrices of awkward shapes, and dense operands with canaries round them, for kernels that take plain pointers.

#include <algorithm>
#include <araia/Araia_Config.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "support/dense.hpp"
#include "support/typed.hpp"

namespace araia::test {

/// The pattern alone; values are made for each type.
struct ZooPattern {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<std::int32_t> col_indices;
  std::vector<std::int32_t> row_permutation;  // or empty

  void add_row(std::vector<std::int32_t> const& columns) {
    col_indices.insert(col_indices.end(), columns.begin(), columns.end());
    row_offsets.push_back(static_cast<std::int64_t>(col_indices.size()));
    ++rows;
  }
};

/// Scalars of the kernels that take one for all.
#ifdef ARAIA_TYPES_MINIMAL
using RealTypes = TypeList<double>;
#else
using RealTypes = TypeList<double, float>;
#endif

/// Row i meets the columns i + offset that there are, each once.
inline ZooPattern diagonals(std::int32_t rows, std::vector<std::int32_t> offsets) {
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  ZooPattern pattern;
  pattern.name = "diagonals";
  pattern.cols = rows;
  for (std::int32_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> columns;
    for (std::int32_t const offset : offsets)
      if (i + offset >= 0 && i + offset < rows) columns.push_back(i + offset);
    pattern.add_row(columns);
  }
  return pattern;
}

inline std::vector<std::int32_t> random_columns(std::mt19937& random, std::int64_t count, std::int64_t cols) {
  std::vector<std::int32_t> columns;
  for (std::int64_t k = 0; k < count; ++k)
    columns.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(cols)));
  return columns;  // unsorted, with duplicates: both are legal
}

inline std::vector<ZooPattern> zoo_patterns() {
  std::mt19937 random(20260101);
  std::vector<ZooPattern> zoo;
  auto const start = [&](char const* name, std::int64_t cols) -> ZooPattern& {
    zoo.push_back({});
    zoo.back().name = name;
    zoo.back().cols = cols;
    return zoo.back();
  };
  start("no rows", 5);
  {
    auto& m = start("no entries", 4);
    for (int i = 0; i < 19; ++i) m.add_row({});
  }
  {
    auto& m = start("no columns", 0);
    for (int i = 0; i < 3; ++i) m.add_row({});
  }
  start("one entry", 1).add_row({0});
  {
    auto& m = start("every row length from 0 to 130", 140);
    for (int length = 0; length <= 130; ++length) m.add_row(random_columns(random, length, m.cols));
  }
  {
    auto& m = start("empty rows first, in the middle and last", 33);
    for (int i = 0; i < 60; ++i)
      m.add_row(i < 9 || (i > 20 && i < 41) || i > 50 ? std::vector<std::int32_t>{}
                                                      : random_columns(random, i % 11, 33));
  }
  {
    auto& m = start("one dense row among short ones", 9000);
    for (int i = 0; i < 30; ++i) m.add_row(random_columns(random, i == 17 ? 9000 : 2, m.cols));
  }
  {
    auto& m = start("one column", 1);
    for (int i = 0; i < 77; ++i) m.add_row(i % 3 == 0 ? std::vector<std::int32_t>{} : std::vector<std::int32_t>{0});
  }
  {
    auto& m = start("one row", 300);
    m.add_row(random_columns(random, 211, m.cols));
  }
  {
    // Grid lines of 37, as a stencil: runs shifted by 1, broken at the ends of each line.
    auto& m = start("stencil", 37 * 41);
    for (int j = 0; j < 41; ++j)
      for (int i = 0; i < 37; ++i) {
        std::vector<std::int32_t> columns;
        for (int dj = -1; dj <= 1; ++dj)
          for (int di = -1; di <= 1; ++di)
            if (j + dj >= 0 && j + dj < 41 && i + di >= 0 && i + di < 37 && (di == 0 || dj != 1))
              columns.push_back((j + dj) * 37 + i + di);
        m.add_row(columns);
      }
  }
  {
    // Nodes of 1 to 5 unknowns: runs of rows on the same columns.
    auto& m = start("nodes", 400);
    for (int node = 0; node < 130; ++node) {
      auto const columns = random_columns(random, 7 + node % 40, m.cols);
      for (int i = 0; i < 1 + node % 5; ++i) m.add_row(columns);
    }
  }
  {
    // Nodes of 2 to 6 unknowns on groups of three columns, the last ones of the matrix among them; every seventh has a
    // column more.
    auto& m = start("nodes on groups of three", 120);
    for (int node = 0; node < 100; ++node) {
      std::vector<std::int32_t> columns;
      for (auto const group : random_columns(random, 3 + node % 20, 40))
        for (int j = 0; j < 3; ++j) columns.push_back(3 * group + j);
      if (node % 7 == 6 && columns[0] > 0) columns.insert(columns.begin(), 0);
      for (int i = 0; i < 2 + node % 5; ++i) m.add_row(columns);
    }
  }
  {
    // Other shifts, negative ones among them.
    auto& m = start("shifted by 2 and by -3", 600);
    for (int i = 0; i < 90; ++i) m.add_row({2 * i, 2 * i + 9, 2 * i + 1, 2 * i + 77, 2 * i + 300});
    for (int i = 0; i < 90; ++i) m.add_row({300 - 3 * i, 301 - 3 * i, 500 - 3 * i, 305 - 3 * i});
  }
  {
    auto& m = start("permuted rows", 700);
    for (int i = 0; i < 501; ++i) m.add_row(random_columns(random, i % 29, m.cols));
    for (int i = 0; i < 501; ++i) m.row_permutation.push_back((i * 7 + 3) % 501);
  }
  {
    auto& m = start("enough work for many threads", 3000);
    for (int i = 0; i < 4000; ++i) m.add_row(random_columns(random, (i * i) % 41, m.cols));
  }
  return zoo;
}

/// A ZooPattern with values and offsets of given types. `first_element` shifts the arrays off their alignment.
template <class A, class Offset>
struct ZooMatrix {
  std::vector<Offset> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<A> values;
  std::vector<std::int32_t> row_permutation;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool has_values = true;
  std::size_t first_element = 0;

  ZooMatrix(ZooPattern const& p, bool with_values, bool integers, std::size_t first)
      : row_permutation(p.row_permutation), rows(p.rows), cols(p.cols), has_values(with_values), first_element(first) {
    std::mt19937 random(7);
    for (auto const offset : p.row_offsets) row_offsets.push_back(static_cast<Offset>(offset));
    col_indices.assign(first, -1);
    col_indices.insert(col_indices.end(), p.col_indices.begin(), p.col_indices.end());
    values.assign(first, A(-1e30f));
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (std::size_t k = 0; k < p.col_indices.size(); ++k)
      values.push_back(integers ? static_cast<A>(static_cast<int>(random() % 9) - 4) : static_cast<A>(uniform(random)));
  }
  [[nodiscard]] CsrPointers<A, std::int32_t, Offset> pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = static_cast<std::int64_t>(col_indices.size() - first_element),
            .row_offsets = row_offsets.data(),
            .col_indices = col_indices.data() + first_element,
            .values = has_values ? values.data() + first_element : nullptr,
            .row_permutation = row_permutation.empty() ? nullptr : row_permutation.data()};
  }
};

/// A dense matrix inside a larger buffer. What lies outside it is NaN where it is input, so that reading it shows, and
/// a canary where it is output.
template <class T>
struct Dense {
  std::vector<T> buffer;
  std::size_t first = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 1;
  std::int64_t column_stride = 1;

  Dense(std::int64_t row_count, std::int64_t column_count, bool by_rows, std::int64_t padding,
        std::size_t first_element, T outside)
      : first(first_element), rows(row_count), columns(column_count) {
    (by_rows ? row_stride : column_stride) = (by_rows ? columns : rows) + padding;
    buffer.assign(first + static_cast<std::size_t>((by_rows ? row_stride * rows : column_stride * columns)) + 64,
                  outside);
  }
  T& at(std::int64_t i, std::int64_t j) {
    return buffer[first + static_cast<std::size_t>(i * row_stride + j * column_stride)];
  }
  DenseMatrix<T> matrix() { return {buffer.data() + first, rows, columns, row_stride, column_stride}; }
  DenseMatrix<T const> constant() const { return {buffer.data() + first, rows, columns, row_stride, column_stride}; }
  DenseVector<T> vector() { return {buffer.data() + first, rows, row_stride}; }
  DenseVector<T const> constant_vector() const { return {buffer.data() + first, rows, row_stride}; }

  template <class F>
  void fill(F&& f) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) at(i, j) = static_cast<T>(f(i, j));
  }
  /// Whether all elements outside the matrix have the bits of `outside`.
  [[nodiscard]] bool untouched_outside(T outside) const {
    DenseMatrix<void const> const matrix{buffer.data() + first, rows, columns, row_stride, column_stride};
    return disturbed_bytes(buffer.data(), buffer.size(), sizeof(T), matrix, &outside) == 0;
  }
  [[nodiscard]] bool same_bits(Dense const& other) const {
    return buffer.size() == other.buffer.size() &&
           (buffer.empty() || std::memcmp(buffer.data(), other.buffer.data(), buffer.size() * sizeof(T)) == 0);
  }
};

}  // namespace araia::test
