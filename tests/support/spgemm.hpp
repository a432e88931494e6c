// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The product of two sparse matrices by a textbook loop in long double, and the bound of every entry.

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace araia::test {

/// CSR in host vectors; columns in any order, duplicates legal.
struct WideCsr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<std::int32_t> col_indices{};
  std::vector<std::complex<double>> values{};
};

/// Columns of every row ascending. What falls together is summed in long double.
struct ExpectedProduct {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::uint64_t products = 0;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<std::int32_t> col_indices{};
  std::vector<std::complex<long double>> values{};
  std::vector<long double> sizes{};    ///< sum of |a| |b| of the entry
  std::vector<std::int64_t> counts{};  ///< products of the entry
};

/// A B, of matrices that fit each other.
ExpectedProduct expected_spgemm(WideCsr const& A, WideCsr const& B);

/// Of the scalar that a product was formed in.
struct SpgemmRounding {
  long double unit = 0;   ///< roundoff of a real operation
  long double least = 0;  ///< the smallest normal number
  int factor = 1;         ///< roundings of a product and its addition: 4 where it is complex
};

/// How far C is from alpha A B, applied `times` times: empty where it is that, else the first place where it is not.
/// \param C       in any order within a row where it is not `sorted`
/// \param values  false: of C the columns alone count
std::string difference(WideCsr const& C, bool values, ExpectedProduct const& expected, SpgemmRounding const& rounding,
                       bool sorted, std::complex<long double> alpha, int times);

/// op(A), entries of a row in the order of A's rows.
WideCsr transposed(WideCsr const& A, bool conjugate);

}  // namespace araia::test
