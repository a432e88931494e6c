// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// When a matrix is worth prefetching.

#include <cstddef>
#include <cstdint>

namespace araia::host {

/// Is a matrix of so many slots, each with a column, too large to have stayed in cache since the last product? Software
/// prefetch pays for larger ones, and costs time for ones in cache.
inline bool comes_from_memory(std::int64_t slots, std::size_t value_bytes) {
  constexpr double least_bytes = 32 * 1024 * 1024;
  return static_cast<double>(slots) * static_cast<double>(value_bytes + sizeof(std::int32_t)) > least_bytes;
}

}  // namespace araia::host
