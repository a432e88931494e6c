// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of sparse matrices held to the reference: structure exactly, values within their bound.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <araia/ops/spgemm.hpp>

#include "support/formats.hpp"
#include "support/spgemm.hpp"
#include "support/types.hpp"

namespace araia::test {

/// A host's copy of any Csr. \param ones  without values, which are ones
template <class Matrix>
WideCsr wide_csr(Matrix const& A) {
  using Scalar = typename Matrix::value_type;
  WideCsr wide{.rows = A.rows, .cols = A.cols};
  if (A.rows > 0) wide.row_offsets = download<std::int64_t>(A.row_offsets);
  wide.col_indices = download<std::int32_t>(A.col_indices);
  wide.values.assign(wide.col_indices.size(), 1.0);
  if (A.has_values()) {
    auto const values = download<Scalar>(A.values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if constexpr (is_complex_v<Scalar>)
        wide.values[k] = {values[k].real(), values[k].imag()};
      else
        wide.values[k] = static_cast<double>(values[k]);
    }
  }
  return wide;
}

/// How far C is from the reference: empty where it is C, else the first place where it is not.
/// \param alpha  of C = alpha A B, applied times `times`
template <class Matrix>
std::string difference(Matrix const& C, ExpectedProduct const& expected, bool sorted = true,
                       std::complex<long double> alpha = 1, int times = 1) {
  using Scalar = typename Matrix::value_type;
  using Real = typename detail::ScalarTraits<Scalar>::real;
  auto const number = [](auto n) { return std::to_string(n); };
  if (C.rows != expected.rows || C.cols != expected.cols)
    return "shape " + number(C.rows) + " x " + number(C.cols) + ", expected " + number(expected.rows) + " x " +
           number(expected.cols);
  validate(typename Matrix::execution_space(), C);
  if (download<std::int64_t>(C.row_offsets) != expected.row_offsets) return "row offsets differ";
  auto const cols = download<std::int32_t>(C.col_indices);
  auto const values = download<Scalar>(C.values);
  for (std::size_t i = 0; i < static_cast<std::size_t>(C.rows); ++i) {
    auto const first = static_cast<std::size_t>(expected.row_offsets[i]);
    auto const last = static_cast<std::size_t>(expected.row_offsets[i + 1]);
    std::vector<std::pair<std::int32_t, std::size_t>> row;
    for (auto k = first; k < last; ++k) row.emplace_back(cols[k], k);
    if (!sorted) std::sort(row.begin(), row.end());
    for (auto k = first; k < last; ++k) {
      auto const [column, at] = row[k - first];
      if (column != expected.col_indices[k])
        return "row " + number(i) + ": column " + number(column) + ", expected " + number(expected.col_indices[k]);
      if (values.empty()) continue;
      std::complex<long double> got;
      if constexpr (is_complex_v<Scalar>)
        got = {values[at].real(), values[at].imag()};
      else
        got = static_cast<long double>(values[at]);
      auto const u = static_cast<long double>(std::numeric_limits<Real>::epsilon()) / 2;
      auto const n = static_cast<long double>((is_complex_v<Scalar> ? 4 : 1) * (times * expected.counts[k] + 2));
      auto const size = std::abs(alpha) * expected.sizes[k] * static_cast<long double>(times);
      auto const bound = n * u / (1 - n * u) * size + std::numeric_limits<Real>::min();
      auto const off = std::abs(got - alpha * expected.values[k] * static_cast<long double>(times));
      if (!(off <= bound))
        return "row " + number(i) + ", column " + number(column) + ": off by " + number(off) + ", bound " +
               number(bound);
    }
  }
  return {};
}

template <class... Matrices>
std::string difference(std::variant<Matrices...> const& C, ExpectedProduct const& expected, bool sorted = true,
                       std::complex<long double> alpha = 1, int times = 1) {
  return std::visit([&](auto const& matrix) { return difference(matrix, expected, sorted, alpha, times); }, C);
}

inline std::vector<SpgemmKernel> spgemm_kernels() {
  return {SpgemmKernel::automatic, SpgemmKernel::row_bins,          SpgemmKernel::dense_window,
          SpgemmKernel::hash,      SpgemmKernel::expand_sort_merge, SpgemmKernel::outer_product};
}

}  // namespace araia::test
