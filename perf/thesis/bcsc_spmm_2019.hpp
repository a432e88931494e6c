// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B with A in BCSC, float, B and C row-major: the three kernels of the 2019 thesis, rebuilt from its description
// and frozen. A baseline to measure against, not part of the library: int32 arrays, alpha 1, beta 0, no row
// permutation.

#include <cuda_runtime_api.h>
#include <araia/formats/bcsc_pointers.hpp>
#include <cstdint>

namespace araia::thesis {

using Bcsc = BcscPointers<float, std::int32_t, std::int32_t>;

/// A block of M_Tile rows, a thread a column of C, C's tile in shared memory. Threads: min(N, 256).
cudaError_t naive(Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream);

/// A logical warp a block column: its lanes read the column's entries together and hand them round; C's tile in shared
/// memory, added to by atomics.
/// \param logical_warp 8, 16 or 32 lanes, the columns of a tile \param warps of 32 threads a block: 8, 16 or 32
cudaError_t warp_centric(Bcsc const& a, float const* b, float* c, int columns, int logical_warp, int warps,
                         cudaStream_t stream);

/// K_Tile block columns of A made dense in shared memory beside their rows of B; a thread sums a register tile.
struct Tiling {
  int threads_x;  ///< over columns
  int threads_y;  ///< over rows
  int items_x;    ///< columns a thread
  int items_y;    ///< rows a thread
  int k_tile;     ///< block columns at once
};
inline constexpr Tiling dnn_tiling{16, 16, 4, 8, 16};    // M_Tile 128, N_Tile 64
inline constexpr Tiling narrow_tiling{8, 32, 4, 4, 32};  // M_Tile 128, N_Tile 32: for N = 32
inline constexpr Tiling sparse_tilings[] = {
    {8, 16, 4, 4, 16}, {16, 16, 2, 4, 16}, {32, 8, 1, 8, 16}};  // > 0.99: M_Tile 64

/// \return cudaErrorInvalidValue for a tiling that is not one of the presets, or another block height than its M_Tile
cudaError_t tiled(Bcsc const& a, float const* b, float* c, int columns, Tiling const& tiling, cudaStream_t stream);

}  // namespace araia::thesis
