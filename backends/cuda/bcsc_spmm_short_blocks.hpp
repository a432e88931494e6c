// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in BCSC as it is, B and C row-major: short blocks, a warp each, sums in registers.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Rows of a block that the kernel holds.
inline constexpr int most_short_rows = 32;

/// Shape of the product over short blocks. It may change the time, never the answer beyond rounding.
struct BcscShortTuning {
  int lanes = 8;   ///< over columns: 8, 16 or 32; the other lanes of a warp take other block columns
  int vector = 4;  ///< columns a lane: 1, 2 or 4 (double: 1 or 2); at most half of 16 bytes for blocks above 16 rows
  int warps = 8;   ///< of a thread block: 1 to 8, a multiple of split
  int split = 1;   ///< warps a block of rows: 1, 2, 4 or 8; they divide its columns and add up in shared memory
  friend bool operator==(BcscShortTuning const&, BcscShortTuning const&) = default;
};

/// As bcsc_spmm_tiled, for blocks of at most most_short_rows rows, on any device.
/// \throws araia::Error invalid_argument on a tuning out of range or taller blocks, resource_limit, device
template <class T, class Offset>
void bcsc_spmm_short_blocks(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscShortTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
