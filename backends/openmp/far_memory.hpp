// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// When a matrix is worth asking for ahead of time.

#include <cstddef>
#include <cstdint>

namespace araia::host {

/// Is a matrix of so many slots, each with a column, too large to have stayed in cache since the last product? Software
/// prefetch makes the time of larger ones 0.75 to 0.85, and that of ones in cache 1.1 (Emerald Rapids).
inline bool comes_from_memory(std::int64_t slots, std::size_t value_bytes) {
  constexpr double least_bytes = 32 * 1024 * 1024;
  return static_cast<double>(slots) * static_cast<double>(value_bytes + sizeof(std::int32_t)) > least_bytes;
}

}  // namespace araia::host
