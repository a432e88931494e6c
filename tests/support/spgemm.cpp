// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spgemm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace araia::test {

namespace {

/// |z|, without the square root where z is real.
long double magnitude(std::complex<long double> const& z) { return z.imag() == 0 ? std::abs(z.real()) : std::abs(z); }

std::complex<long double> product(std::complex<long double> const& a, std::complex<long double> const& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

ExpectedProduct expected_spgemm(WideCsr const& A, WideCsr const& B) {
  struct Sum {
    std::complex<long double> value{};
    long double size = 0;
    std::int64_t count = 0;
  };
  ExpectedProduct C{.rows = A.rows, .cols = B.cols};
  std::vector<Sum> sums(static_cast<std::size_t>(B.cols));
  std::vector<std::int32_t> columns;
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
    columns.clear();
    for (auto p = static_cast<std::size_t>(A.row_offsets[i]); p < static_cast<std::size_t>(A.row_offsets[i + 1]); ++p) {
      auto const k = static_cast<std::size_t>(A.col_indices[p]);
      for (auto q = static_cast<std::size_t>(B.row_offsets[k]); q < static_cast<std::size_t>(B.row_offsets[k + 1]);
           ++q) {
        auto& sum = sums[static_cast<std::size_t>(B.col_indices[q])];
        if (sum.count == 0) columns.push_back(B.col_indices[q]);
        std::complex<long double> const a = A.values[p];
        std::complex<long double> const b = B.values[q];
        sum.value += product(a, b);
        sum.size += magnitude(a) * magnitude(b);
        ++sum.count;
        ++C.products;
      }
    }
    std::sort(columns.begin(), columns.end());
    for (auto const column : columns) {
      auto& sum = sums[static_cast<std::size_t>(column)];
      C.col_indices.push_back(column);
      C.values.push_back(sum.value);
      C.sizes.push_back(sum.size);
      C.counts.push_back(sum.count);
      sum = {};
    }
    C.row_offsets.push_back(static_cast<std::int64_t>(C.col_indices.size()));
  }
  return C;
}

std::string difference(WideCsr const& C, bool values, ExpectedProduct const& expected, SpgemmRounding const& rounding,
                       bool sorted, std::complex<long double> alpha, int times) {
  auto const number = [](auto n) { return std::to_string(n); };
  if (C.rows != expected.rows || C.cols != expected.cols)
    return "shape " + number(C.rows) + " x " + number(C.cols) + ", expected " + number(expected.rows) + " x " +
           number(expected.cols);
  if (C.row_offsets != expected.row_offsets) return "row offsets differ";
  std::complex<long double> const factor(alpha.real() * times, alpha.imag() * times);
  long double const size_factor = magnitude(alpha) * times;
  std::vector<std::pair<std::int32_t, std::size_t>> row;
  for (std::size_t i = 0; i < static_cast<std::size_t>(C.rows); ++i) {
    auto const first = static_cast<std::size_t>(expected.row_offsets[i]);
    auto const last = static_cast<std::size_t>(expected.row_offsets[i + 1]);
    row.clear();
    for (auto k = first; k < last; ++k) row.emplace_back(C.col_indices[k], k);
    if (!sorted) std::sort(row.begin(), row.end());
    for (auto k = first; k < last; ++k) {
      auto const [column, at] = row[k - first];
      if (column != expected.col_indices[k])
        return "row " + number(i) + ": column " + number(column) + ", expected " + number(expected.col_indices[k]);
      if (!values) continue;
      auto const n = static_cast<long double>(rounding.factor * (times * expected.counts[k] + 2));
      auto const bound = n * rounding.unit / (1 - n * rounding.unit) * size_factor * expected.sizes[k] + rounding.least;
      auto const off = magnitude(std::complex<long double>(C.values[at]) - product(factor, expected.values[k]));
      if (!(off <= bound))
        return "row " + number(i) + ", column " + number(column) + ": off by " + number(off) + ", bound " +
               number(bound);
    }
  }
  return {};
}

WideCsr transposed(WideCsr const& A, bool conjugate) {
  WideCsr B{.rows = A.cols, .cols = A.rows};
  B.row_offsets.assign(static_cast<std::size_t>(A.cols) + 1, 0);
  for (auto const column : A.col_indices) ++B.row_offsets[static_cast<std::size_t>(column) + 1];
  for (std::size_t j = 0; j < static_cast<std::size_t>(A.cols); ++j) B.row_offsets[j + 1] += B.row_offsets[j];
  B.col_indices.resize(A.col_indices.size());
  B.values.resize(A.values.size());
  auto next = B.row_offsets;
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i)
    for (auto p = static_cast<std::size_t>(A.row_offsets[i]); p < static_cast<std::size_t>(A.row_offsets[i + 1]); ++p) {
      auto const to = static_cast<std::size_t>(next[static_cast<std::size_t>(A.col_indices[p])]++);
      B.col_indices[to] = static_cast<std::int32_t>(i);
      B.values[to] = conjugate ? std::conj(A.values[p]) : A.values[p];
    }
  return B;
}

}  // namespace araia::test
