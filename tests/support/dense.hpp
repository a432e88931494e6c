// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What dense operands are filled with, and whether what lies between their elements is untouched.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace araia::test {

/// The first `count` numbers that a seed gives, uniform in [-1, 1).
std::vector<double> uniform_numbers(std::uint64_t seed, std::int64_t count);

/// The first `count` integers that a seed gives, from -4 to 4.
std::vector<double> small_integers(std::uint64_t seed, std::int64_t count);

/// Elements of a buffer that belong to a matrix: (i, j) is at offset + i * row_stride + j * column_stride.
struct Placement {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 1;
  std::int64_t column_stride = 1;
  std::int64_t offset = 0;
};

/// Bytes outside the matrix's elements that are not `canary`.
std::int64_t disturbed_bytes(void const* buffer, std::size_t elements, std::size_t bytes_of_element,
                             Placement const& matrix, unsigned char canary);

}  // namespace araia::test
