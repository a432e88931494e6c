// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the levels of a layout mean.

#include <algorithm>
#include <cstdint>

#include <araia/plan/plan.hpp>
#include "cover/cases.hpp"

namespace araia::test::cover {

/// Strides of a dense operand by its layout. Along an extent of one they say nothing, so anything may stand there.
struct Strides {
  std::int64_t row = 1;
  std::int64_t column = 1;
};
inline Strides strides(Layout layout, std::int64_t rows, std::int64_t columns) {
  std::int64_t const wide = std::max<std::int64_t>(columns, 1);
  std::int64_t const tall = std::max<std::int64_t>(rows, 1);
  switch (layout) {
    case Layout::right: return {wide, 1};
    case Layout::right_odd: return {(wide + 1) | 1, columns == 1 ? 5 : 1};
    case Layout::left: return {1, tall};
    case Layout::left_odd: return {rows == 1 ? 7 : 1, (tall + 1) | 1};
    case Layout::strided: return {2 * wide + 1, 2};
  }
  return {};
}
inline std::int64_t stride_of_vector(Layout layout) {
  switch (layout) {
    case Layout::right:
    case Layout::left: return 1;
    case Layout::right_odd: return 2;
    case Layout::left_odd: return 3;
    case Layout::strided: return 5;
  }
  return 1;
}
inline DenseLayout described(Layout layout) {
  if (layout == Layout::strided) return DenseLayout::strided;
  return layout == Layout::right || layout == Layout::right_odd ? DenseLayout::right : DenseLayout::left;
}

}  // namespace araia::test::cover
