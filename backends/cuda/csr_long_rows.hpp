// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which rows csr/sub_warp leaves to a whole block. No CUDA here: plans price by it.

#include <algorithm>
#include <cstdint>

namespace araia::cuda {

inline constexpr int csr_sub_warp_threads = 256;  ///< of a block

/// Entries up to which the lanes of a row walk it alone: beyond, they would end long after the others of the block. A
/// matrix whose rows are all so long keeps all its warps busy without.
constexpr std::int64_t csr_longest_alone(std::int64_t rows, std::int64_t nnz) {
  return std::max(std::int64_t{2048}, 8 * (nnz / std::max(rows, std::int64_t{1})));
}

}  // namespace araia::cuda
