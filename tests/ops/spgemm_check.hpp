// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of sparse matrices held to the reference: structure exactly, values within their bound.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <araia/ops/spgemm.hpp>
#include <araia/plan/choice.hpp>

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
  validate(typename Matrix::execution_space(), C);
  SpgemmRounding const rounding{.unit = static_cast<long double>(std::numeric_limits<Real>::epsilon()) / 2,
                                .least = std::numeric_limits<Real>::min(),
                                .factor = is_complex_v<Scalar> ? 4 : 1};
  return difference(wide_csr(C), C.has_values(), expected, rounding, sorted, alpha, times);
}

template <class... Matrices>
std::string difference(std::variant<Matrices...> const& C, ExpectedProduct const& expected, bool sorted = true,
                       std::complex<long double> alpha = 1, int times = 1) {
  return std::visit([&](auto const& matrix) { return difference(matrix, expected, sorted, alpha, times); }, C);
}

/// Those of the list, and the choice among them.
inline std::vector<std::string> spgemm_kernels() {
  auto names = kernel_names("csr", OpId::spgemm, Op::none);
  names.insert(names.begin(), "automatic");
  return names;
}

}  // namespace araia::test
