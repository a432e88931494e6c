// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in BCSC as it is, B and C row-major: a logical warp a block column, sums in shared
// memory.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Shape of the warp-centric product. It may change the time, never the answer beyond rounding.
struct BcscWarpTuning {
  int lanes = 32;        ///< of a logical warp: 8, 16 or 32
  int vector = 1;        ///< columns a lane: 1, or 16 bytes of them
  int warps = 8;         ///< of 32 threads a thread block, 1 to 8; fewer where their sums do not fit shared memory
  bool atomics = false;  ///< one set of sums for all logical warps: the order of additions is left open
  friend bool operator==(BcscWarpTuning const&, BcscWarpTuning const&) = default;
};

/// As bcsc_spmm_tiled, on any device; only stored entries are multiplied. With atomics bits may differ between runs.
/// \throws araia::Error invalid_argument on a tuning out of range, resource_limit, device
template <class T, class Offset>
void bcsc_spmm_warp_centric(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscWarpTuning const& tuning, cudaStream_t stream);

/// The same from compact BCSC, rows of 8 or 16 bits, columns narrow or wide.
template <class T, class Offset, class RowIndex>
void bcsc_spmm_warp_centric(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha,
                            DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c,
                            BcscWarpTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
