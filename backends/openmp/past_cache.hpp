// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// When C of an SpMM is written past the caches.

#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/caches.hpp"

namespace araia::host {

// From this size on, C is written past the caches: it does not fit beside A and B, and reading each line of it before
// it is overwritten would be a third of all traffic.
inline constexpr std::int64_t least_bytes_past_cache = std::int64_t{1} << 24;

// Smaller ones too, from this share of the last-level cache on, where A, B and C are more than it holds.
inline constexpr std::int64_t least_share_past_cache = 8;

/// Is C so large?
/// \param bytes_read  of A and B
template <class Y>
bool leaves_caches(DenseBatch<Y> const& batch, std::int64_t bytes_read) {
  auto const& c = batch.first;
  std::int64_t const written = batch.count * c.rows * c.columns * static_cast<std::int64_t>(sizeof(Y));
  return written >= least_bytes_past_cache ||
         (written >= caches().last / least_share_past_cache && written + bytes_read > caches().last);
}

/// And so aligned that whole registers can go past the caches?
template <class Y>
bool goes_past_cache(DenseBatch<Y> const& batch, std::int64_t bytes_read) {
  auto const& c = batch.first;
  auto const bytes = static_cast<std::int64_t>(sizeof(Y));
  return leaves_caches(batch, bytes_read) && c.column_stride == 1 &&
         reinterpret_cast<std::uintptr_t>(c.data) % 64 == 0 && c.row_stride * bytes % 64 == 0 &&
         batch.stride * bytes % 64 == 0;
}

}  // namespace araia::host
