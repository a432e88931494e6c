// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an epilogue makes of an expected product, for the same check.

#include <algorithm>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstddef>
#include <cstdint>

#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

/// act(expected + bias + R): up to three sums more in every entry. ReLU brings no two values further apart, so the
/// bound of its argument is that of its result.
template <class Y>
Expected<Y> with_epilogue(Expected<Y> expected, EpiloguePointers<Y> const& e) {
  using wide = typename Expected<Y>::wide;
  for (std::int64_t slot = 0; slot < expected.row_count(); ++slot) {
    std::int64_t const row = expected.row(slot);
    expected.counts[static_cast<std::size_t>(slot)] += 3;
    for (std::int64_t column = 0; column < expected.columns; ++column) {
      auto const k = static_cast<std::size_t>(slot * expected.columns + column);
      auto const add = [&](Y const& term) {
        expected.values[k] += static_cast<wide>(term);
        expected.magnitudes[k] += magnitude(static_cast<wide>(term));
        expected.partial_peak[k] = std::max(expected.partial_peak[k], expected.magnitudes[k]);
      };
      if (e.row_bias) add(e.row_bias[row * e.row_bias_stride]);
      if (e.column_bias) add(e.column_bias[column * e.column_bias_stride]);
      if (e.residual) add(e.residual[row * e.residual_row_stride + column * e.residual_column_stride]);
      if constexpr (!is_complex<Y>)
        if (e.relu && expected.values[k] < wide(0)) expected.values[k] = wide(0);
    }
  }
  return expected;
}

}  // namespace araia::reference
