// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What dense operands are filled with, and whether what lies between their elements is untouched.

#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace araia::test {

/// The first `count` numbers that a seed gives, uniform in [-1, 1).
std::vector<double> uniform_numbers(std::uint64_t seed, std::int64_t count);

/// The first `count` integers that a seed gives, from -4 to 4.
std::vector<double> small_integers(std::uint64_t seed, std::int64_t count);

/// Bytes of a buffer outside the elements of `matrix`, which lies in it, that differ from those of the element
/// `canary`.
std::int64_t disturbed_bytes(void const* buffer, std::size_t elements, std::size_t bytes_of_element,
                             DenseMatrix<void const> const& matrix, void const* canary);

}  // namespace araia::test
