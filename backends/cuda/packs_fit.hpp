// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whether kernels of SpMM may take some columns of B and C by one access.

#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

/// Scalars of an access of 16 bytes.
template <class T>
inline constexpr int pack_words = 16 / static_cast<int>(sizeof(T));

/// Rows of B and C of all items start at multiples of `width` elements and hold whole packs of them.
template <class T>
bool packs_fit(DenseBatch<T const> const& b, DenseBatch<T> const& c, std::int64_t width) {
  std::size_t const bytes = static_cast<std::size_t>(width) * sizeof(T);
  return rows_fit(b.first.data, b.first.row_stride, c.first.columns, bytes) &&
         rows_fit(c.first.data, c.first.row_stride, c.first.columns, bytes) && b.stride % width == 0 &&
         c.stride % width == 0;
}

/// Of 16 bytes.
template <class T>
bool rows_of_whole_packs(DenseBatch<T const> const& b, DenseBatch<T> const& c) {
  return packs_fit(b, c, pack_words<T>);
}

}  // namespace araia::cuda
