// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The error bound of kernels that lose what is below the normal range.

#include <araia/detail/formats/pointers.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

/// Takes for right what is within (k + 2)(1 + |alpha|) times the smallest normal number of what is expected: the
/// absolute part of the bound where it stands in place of the smallest subnormal one.
template <class Y>
Expected<Y> with_flushed(Expected<Y> expected, DenseMatrix<Y const> const& got) {
  using wide = typename Expected<Y>::wide;
  auto const normal = static_cast<double>(std::numeric_limits<real_t<Y>>::min());
  for (std::int64_t slot = 0; slot < expected.row_count(); ++slot) {
    std::int64_t const row = expected.row(slot);
    auto const flushed = static_cast<double>(expected.counts[static_cast<std::size_t>(slot)] + 2) *
                         (1 + static_cast<double>(expected.alpha_magnitude)) * normal;
    for (std::int64_t j = 0; j < expected.columns; ++j) {
      auto const value = static_cast<wide>(got.data[row * got.row_stride + j * got.column_stride]);
      auto& want = expected.values[static_cast<std::size_t>(slot * expected.columns + j)];
      if (is_finite(want) && static_cast<double>(std::abs(value - want)) <= flushed) want = value;
    }
  }
  return expected;
}

}  // namespace araia::reference
