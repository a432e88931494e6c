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
                             DenseMatrix<void const> const& matrix, void const* canary) {
  auto const* const bytes = static_cast<unsigned char const*>(buffer);
  auto const* const expected = static_cast<unsigned char const*>(canary);
  auto const first =
      (static_cast<unsigned char const*>(matrix.data) - bytes) / static_cast<std::int64_t>(bytes_of_element);
  std::vector<char> own(elements, 0);
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.columns; ++j)
      own[static_cast<std::size_t>(first + i * matrix.row_stride + j * matrix.column_stride)] = 1;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < elements; ++k)
    for (std::size_t byte = 0; !own[k] && byte < bytes_of_element; ++byte)
      count += bytes[k * bytes_of_element + byte] != expected[byte] ? 1 : 0;
  return count;
}

}  // namespace araia::test
