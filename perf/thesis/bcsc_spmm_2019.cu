// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The naive and the warp-centric kernel of the 2019 thesis (sections 3.4.1 and 3.4.2), and which tiling runs.
// Mapping  naive: thread block: M_Tile rows x N_Tile columns, thread: a column, all entries of the block one after the
//          other | warp-centric: thread block likewise, logical warp: every n-th block column, lane: a column; N_Tile
//          is the logical warp's lanes
#include "perf/thesis/bcsc_spmm_2019.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

#include "perf/thesis/grid.hpp"
#include "perf/thesis/tiled_2019.cuh"

namespace araia::thesis {
namespace {

__global__ void naive_kernel(Bcsc const a, float const* __restrict__ b, float* __restrict__ c, int columns) {
  extern __shared__ float tile[];  // (M_Tile, threads)
  int const column = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  int const height = static_cast<int>(a.block_height);
  if (column >= columns) return;  // every thread has columns of its own
  for (int r = 0; r < height; ++r) tile[r * blockDim.x + threadIdx.x] = 0;
  for (int j = a.block_offsets[blockIdx.x]; j < a.block_offsets[blockIdx.x + 1]; ++j) {
    float const x = b[static_cast<std::int64_t>(a.block_cols[j]) * columns + column];
    for (int k = a.col_offsets[j]; k < a.col_offsets[j + 1]; ++k)
      tile[a.row_in_block[k] * blockDim.x + threadIdx.x] += a.values[k] * x;
  }
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x) * height;
  for (int r = 0; r < height && first_row + r < a.rows; ++r)
    c[(first_row + r) * columns + column] = tile[r * blockDim.x + threadIdx.x];
}

template <int LANES>
__global__ void warp_kernel(Bcsc const a, float const* __restrict__ b, float* __restrict__ c, int columns) {
  extern __shared__ float tile[];  // (M_Tile, LANES)
  int const height = static_cast<int>(a.block_height);
  for (int i = static_cast<int>(threadIdx.x); i < height * LANES; i += static_cast<int>(blockDim.x)) tile[i] = 0;
  __syncthreads();  // the tile is zero
  int const lane = static_cast<int>(threadIdx.x) % LANES;
  int const logical_warp = static_cast<int>(threadIdx.x) / LANES;
  int const logical_warps = static_cast<int>(blockDim.x) / LANES;
  unsigned const members = (LANES == 32 ? ~0u : (1u << LANES) - 1)
                           << (static_cast<int>(threadIdx.x) % 32 / LANES * LANES);
  int const column = static_cast<int>(blockIdx.y) * LANES + lane;
  for (int j = a.block_offsets[blockIdx.x] + logical_warp; j < a.block_offsets[blockIdx.x + 1]; j += logical_warps) {
    float const x = column < columns ? b[static_cast<std::int64_t>(a.block_cols[j]) * columns + column] : 0.0f;
    for (int first = a.col_offsets[j]; first < a.col_offsets[j + 1]; first += LANES) {
      int const count = min(LANES, a.col_offsets[j + 1] - first);
      int const row = lane < count ? a.row_in_block[first + lane] : 0;
      float const value = lane < count ? a.values[first + lane] : 0.0f;
      for (int k = 0; k < count; ++k) {
        int const r = __shfl_sync(members, row, k, LANES);
        float const v = __shfl_sync(members, value, k, LANES);
        atomicAdd(&tile[r * LANES + lane], v * x);
      }
    }
  }
  __syncthreads();  // all warps have added to the tile
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x) * height;
  for (int i = static_cast<int>(threadIdx.x); i < height * LANES; i += static_cast<int>(blockDim.x)) {
    std::int64_t const row = first_row + i / LANES;
    int const n = static_cast<int>(blockIdx.y) * LANES + i % LANES;
    if (row < a.rows && n < columns) c[row * columns + n] = tile[i];
  }
}

/// cudaSuccess where the sums of a thread block fit.
cudaError_t fits(Bcsc const& a, int tile) {
  return a.block_height * tile * static_cast<std::int64_t>(sizeof(float)) <= most_shared ? cudaSuccess
                                                                                         : cudaErrorInvalidValue;
}

template <std::size_t I, bool WIDE, Prefetch PREFETCH>
bool launch_if(Tiling const& t, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  constexpr Tiling built = tilings[I];
  if (t != built) return false;
  launch_tiled<built.threads_x, built.threads_y, built.items_x, built.items_y, built.k_tile, WIDE, PREFETCH>(
      a, b, c, columns, stream);
  return true;
}

template <bool WIDE, Prefetch PREFETCH>
bool launch_one(Tiling const& t, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (launch_if<I, WIDE, PREFETCH>(t, a, b, c, columns, stream) || ...);
  }
  (std::make_index_sequence<std::size(tilings)>());
}

template <bool WIDE>
bool launch_prefetching(Tiling const& t, Prefetch prefetch, Bcsc const& a, float const* b, float* c, int columns,
                        cudaStream_t stream) {
  switch (prefetch) {
    case Prefetch::none: return launch_one<WIDE, Prefetch::none>(t, a, b, c, columns, stream);
    case Prefetch::single_buffer: return launch_one<WIDE, Prefetch::single_buffer>(t, a, b, c, columns, stream);
    case Prefetch::double_buffer: return launch_one<WIDE, Prefetch::double_buffer>(t, a, b, c, columns, stream);
  }
  return false;
}

}  // namespace

cudaError_t naive(Bcsc const& a, float const* b, float* c, int columns, int threads, cudaStream_t stream) {
  if (threads < 1 || threads > 1024) return cudaErrorInvalidValue;
  if (auto const status = fits(a, threads); status != cudaSuccess) return status;
  if (a.blocks == 0 || columns == 0) return cudaSuccess;
  auto const shared = static_cast<std::size_t>(a.block_height) * static_cast<std::size_t>(threads) * sizeof(float);
  naive_kernel<<<grid(a, columns, threads), static_cast<unsigned>(threads), shared, stream>>>(a, b, c, columns);
  return cudaPeekAtLastError();
}

cudaError_t warp_centric(Bcsc const& a, float const* b, float* c, int columns, int warps, int warp_size,
                         cudaStream_t stream) {
  if (warp_size != 8 && warp_size != 16 && warp_size != 32) return cudaErrorInvalidValue;
  if (warps < 1 || warps > 1024 / warp_size || warps * warp_size % 32 != 0) return cudaErrorInvalidValue;
  if (auto const status = fits(a, warp_size); status != cudaSuccess) return status;
  if (a.blocks == 0 || columns == 0) return cudaSuccess;
  auto const shared = static_cast<std::size_t>(a.block_height) * static_cast<std::size_t>(warp_size) * sizeof(float);
  auto const threads = static_cast<unsigned>(warps * warp_size);
  auto const blocks = grid(a, columns, warp_size);
  if (warp_size == 8)
    warp_kernel<8><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  else if (warp_size == 16)
    warp_kernel<16><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  else
    warp_kernel<32><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  return cudaPeekAtLastError();
}

bool is_built(Tiling const& tiling, TilingOptions const& options) {
  for (auto const& t : tilings)
    if (t == tiling) return true;
  return options.wide_loads && options.prefetch == Prefetch::none && is_in_grid(tiling);
}

cudaError_t tiled(Bcsc const& a, float const* b, float* c, int columns, Tiling const& tiling,
                  TilingOptions const& options, cudaStream_t stream) {
  if (a.block_height != tiling.m_tile() || !is_built(tiling, options)) return cudaErrorInvalidValue;
  if (a.blocks == 0 || columns == 0) return cudaSuccess;
  bool const wide = options.wide_loads && columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(b) % 16 == 0;
  bool const launched = wide ? launch_prefetching<true>(tiling, options.prefetch, a, b, c, columns, stream)
                             : launch_prefetching<false>(tiling, options.prefetch, a, b, c, columns, stream);
  if (!launched && !(wide && launch_of_grid(tiling, a, b, c, columns, stream))) return cudaErrorInvalidValue;
  return cudaPeekAtLastError();
}

}  // namespace araia::thesis
