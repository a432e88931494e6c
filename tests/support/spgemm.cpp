// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spgemm.hpp"

#include <algorithm>

namespace araia::test {

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
        sum.value += std::complex<long double>(a.real() * b.real() - a.imag() * b.imag(),
                                               a.real() * b.imag() + a.imag() * b.real());
        sum.size += std::abs(a) * std::abs(b);
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
