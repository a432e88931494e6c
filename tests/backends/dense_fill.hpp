// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of products with dense operands fill these with, on hosts and devices.

#include <cmath>
#include <cstdint>
#include <limits>

namespace araia::test {

inline double wave(std::int64_t i, std::int64_t j) { return std::sin(static_cast<double>(3 * i + 11 * j + 1)); }

/// Stands around what a product may write.
template <class T>
constexpr T canary = T(-123456);
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

struct Layouts {
  bool b_by_rows;
  bool c_by_rows;
};
inline constexpr Layouts all_layouts[] = {{true, true}, {true, false}, {false, true}, {false, false}};

}  // namespace araia::test
