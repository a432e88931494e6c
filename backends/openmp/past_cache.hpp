// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// When C of an SpMM is written past the caches.

#include <araia/kernels/epilogue.hpp>
#include <cstdint>

namespace araia::host {

// From this size on, C is written past the caches: it does not fit beside A and B, and reading each line of it before
// it is overwritten would be a third of all traffic. 7-point stencil, 16 columns of f64, C of 54 MB: 1.3 times the
// speed.
inline constexpr std::int64_t least_bytes_past_cache = std::int64_t{1} << 24;

/// Is C so large, and so aligned that whole registers can go past the caches?
template <class Y>
bool goes_past_cache(DenseBatch<Y> const& batch) {
  auto const& c = batch.first;
  auto const bytes = static_cast<std::int64_t>(sizeof(Y));
  return c.column_stride == 1 && batch.count * c.rows * c.columns * bytes >= least_bytes_past_cache &&
         reinterpret_cast<std::uintptr_t>(c.data) % 64 == 0 && c.row_stride * bytes % 64 == 0 &&
         batch.stride * bytes % 64 == 0;
}

}  // namespace araia::host
