// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/dense.hpp"

#include <algorithm>
#include <random>

namespace araia::test {

std::vector<double> uniform_numbers(std::uint64_t seed, std::int64_t count) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::generate(numbers.begin(), numbers.end(), [&] { return value(random); });
  return numbers;
}

std::vector<double> small_integers(std::uint64_t seed, std::int64_t count) {
  std::mt19937_64 random(seed);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::generate(numbers.begin(), numbers.end(),
                [&] { return static_cast<double>(static_cast<int>(random() % 9) - 4); });
  return numbers;
}

std::int64_t disturbed_bytes(void const* buffer, std::size_t elements, std::size_t bytes_of_element,
                             Placement const& matrix, unsigned char canary) {
  std::vector<char> own(elements, 0);
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.columns; ++j)
      own[static_cast<std::size_t>(matrix.offset + i * matrix.row_stride + j * matrix.column_stride)] = 1;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < elements; ++k) {
    if (own[k]) continue;
    auto const* const bytes = static_cast<unsigned char const*>(buffer) + k * bytes_of_element;
    count += std::count_if(bytes, bytes + bytes_of_element, [&](unsigned char b) { return b != canary; });
  }
  return count;
}

}  // namespace araia::test
