// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B with A in BCSC, float, B and C row-major: the three kernels of the 2019 thesis (chapter 3), rebuilt from its
// description and frozen. A baseline to measure against, not part of the library: int32 arrays, entries that have
// values and lie each at a place of its own, blocks of one height, B and C without padding, alpha 1, beta 0, no row
// permutation. Zeros of tiles are multiplied, so an infinity or NaN in B reaches rows that do not own its column.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <cstdint>

#include "perf/thesis/presets.hpp"

namespace araia::thesis {

using Bcsc = BcscPointers<float, std::int32_t, std::int32_t>;

/// Shared memory that a thread block may have without asking, as on the thesis's devices.
inline constexpr int most_shared = 48 * 1024;  // bytes

/// Algorithm 3.6. A thread block has M_Tile rows, a thread a column of C, its sums in shared memory.
/// \param threads  of a thread block, N_Tile: 1 to 1024
/// \return cudaErrorInvalidValue where M_Tile x N_Tile sums are more than most_shared
cudaError_t naive(Bcsc const& a, float const* b, float* c, int columns, int threads, cudaStream_t stream);

/// Algorithms 3.7 and 3.8. A logical warp has a block column: its lanes read the entries together and hand them round
/// by shuffles; C's tile is in shared memory, added to by atomics.
/// \param warps      logical ones a thread block: warps * warp_size is a multiple of 32, at most 1024
/// \param warp_size  8, 16 or 32 lanes, N_Tile
/// \return cudaErrorInvalidValue for others, and as naive
cudaError_t warp_centric(Bcsc const& a, float const* b, float* c, int columns, int warps, int warp_size,
                         cudaStream_t stream);

/// What the thesis tries on top of the tiling kernel.
struct TilingOptions {
  bool wide_loads = true;              ///< B by 128 bits ("vectorized memory access"), where its rows allow it
  Prefetch prefetch = Prefetch::none;  ///< the thesis's own figures are without
};

/// Algorithms 3.9 to 3.13. K_Tile block columns of A are made dense in shared memory beside their rows of B; a thread
/// sums a register tile.
/// \return cudaErrorInvalidValue for a tiling that is not built, or another block height than its M_Tile
cudaError_t tiled(Bcsc const& a, float const* b, float* c, int columns, Tiling const& tiling,
                  TilingOptions const& options, cudaStream_t stream);

/// Whether tiled() has the tiling: those of `tilings`, and with Araia_PERF_THESIS_GRID the possible values of tables
/// 4.4 and 4.7, these with wide loads and without prefetching alone.
[[nodiscard]] bool is_built(Tiling const& tiling, TilingOptions const& options);

}  // namespace araia::thesis
