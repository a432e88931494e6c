// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The pattern of a square matrix in host memory. No Kokkos here.

#include <cstdint>
#include <vector>

namespace araia::detail {

/// Rows of a matrix in host memory: row i leads to its columns.
struct GraphRows {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> offsets{};  // (nodes + 1)
  std::vector<std::int32_t> heads{};    // (entries)
};

}  // namespace araia::detail
