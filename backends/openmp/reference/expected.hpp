// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the reference hands to the check: values in a wider type with the magnitudes and counts of the error bound.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

/// Expected entries of y or C, for all rows or for chosen ones. Entry (s, c) is at s * columns + c, s the place of the
/// row in `rows`, or the row itself where that is empty.
template <class Y>
struct Expected {
  using wide = wider_t<Y>;
  using wide_real = real_t<wide>;

  std::int64_t total_rows = 0;          ///< rows of the whole result
  std::int64_t columns = 1;             ///< of C; 1 for y
  std::vector<std::int64_t> rows;       ///< rows computed, or empty: all of them
  bool all_rows = true;                 ///< false where `rows` is a choice, which may be empty
  std::vector<wide> values;             ///< alpha (op(A) x) + beta y
  std::vector<wide_real> magnitudes;    ///< |alpha| sum |a||x| + |beta||y|
  std::vector<wide_real> partial_peak;  ///< sum |a||x| or |beta||y|, the larger: what may overflow on the way
  std::vector<std::int64_t> counts;     ///< (rows) products summed
  wide_real alpha_magnitude = 0;
  int operand_roundings = 0;  ///< conversions of an operand to the accumulator that round: A's or x's scalar is wider

  [[nodiscard]] std::int64_t row_count() const {
    return all_rows ? total_rows : static_cast<std::int64_t>(rows.size());
  }
  [[nodiscard]] std::int64_t row(std::int64_t slot) const {
    return all_rows ? slot : rows[static_cast<std::size_t>(slot)];
  }
};

}  // namespace araia::reference
