// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in BCSC as it is, B and C row-major: tall blocks, chunks of block columns brought
// to shared memory by producer warps.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>

#include "backends/cuda/bcsc_shapes.hpp"

namespace araia::cuda {

/// Shape of the tiled product. It may change the time, never the answer beyond rounding.
struct BcscTiledTuning {
  int columns = 128;       ///< of C a thread block, and
  int rows = 8;            ///< rows a lane: those of one of bcsc_tiled_shapes
  int parts = 1;           ///< thread blocks that share a block's columns and add up: 1, 2, 4, 8; 1 before sm_90
  int stages = 4;          ///< chunks in shared memory, a producer warp each: 2 to 4; fewer where they do not fit
  int dense_percent = 25;  ///< a chunk of 32 block columns filled to this part is multiplied whole
  friend bool operator==(BcscTiledTuning const&, BcscTiledTuning const&) = default;
};

inline constexpr int bcsc_tiled_barriers = 128;  ///< bytes

/// Shared memory of a chunk: rows of B of `row_bytes` and columns of A of `rows` scalars, one more of each, and a mask
/// a row.
__host__ __device__ constexpr int bcsc_tiled_stage_bytes(int row_bytes, int rows, int scalar_bytes) {
  return ((bcsc_tiled_depth + 1) * (row_bytes + rows * scalar_bytes) + rows * 4 + 16 + 127) / 128 * 128;
}

/// Shared memory that the shape takes at least for blocks of so many rows: two chunks.
constexpr std::int64_t bcsc_tiled_least_shared(BcscTiledShape const& shape, std::int64_t block_height,
                                               std::size_t scalar_bytes) {
  std::int64_t const windows = (block_height + bcsc_tiled_window - 1) / bcsc_tiled_window;
  std::int64_t const rows = windows == 0 ? 1 : (block_height + windows - 1) / windows;
  std::int64_t const of_warp = std::int64_t{32 / shape.lanes} * shape.rows;
  int const padded = static_cast<int>((rows + of_warp - 1) / of_warp * of_warp);
  return bcsc_tiled_barriers +
         2 * bcsc_tiled_stage_bytes(shape.lanes * shape.packs * 16, padded, static_cast<int>(scalar_bytes));
}

/// C = alpha A B + beta C on `stream`; asynchronous, allocates nothing, may be captured in a graph, the same bits in
/// every run. T float or double, offsets int32 or int64; blocks of any height; any number of columns, any alignment:
/// where 16-byte accesses do not fit, B comes and C goes by single elements. beta == 0 overwrites C. alpha is not 0
/// (callers scale C then). Inf and NaN of B reach the rows that store their columns and no others.
/// Compute capability 8.0 and above.
/// \throws araia::Error invalid_argument on a tuning out of range, resource_limit, device
template <class T, class Offset>
void bcsc_spmm_tiled(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b, T beta,
                     DenseMatrix<T> const& c, BcscTiledTuning const& tuning, cudaStream_t stream);

/// The same from compact BCSC, rows of 8 or 16 bits, columns narrow or wide.
template <class T, class Offset, class RowIndex>
void bcsc_spmm_tiled(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T alpha,
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, BcscTiledTuning const& tuning,
                     cudaStream_t stream);

}  // namespace araia::cuda
