// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "perf/thesis/bcsc_spmm_2019.hpp"

#include <algorithm>

namespace araia::thesis {
namespace {

__global__ void naive_kernel(Bcsc const a, float const* __restrict__ b, float* __restrict__ c, int columns) {
  extern __shared__ float tile[];  // (M_Tile, threads)
  int const column = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  int const height = static_cast<int>(a.block_height);
  for (int r = 0; r < height; ++r) tile[r * blockDim.x + threadIdx.x] = 0;
  if (column >= columns) return;  // every thread has columns of its own
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

template <int TX, int TY, int IX, int IY, int K>
__global__ void __launch_bounds__(TX* TY)
    tiled_kernel(Bcsc const a, float const* __restrict__ b, float* __restrict__ c, int columns) {
  constexpr int m_tile = TY * IY;
  constexpr int n_tile = TX * IX;
  __shared__ float a_tile[K][m_tile];
  __shared__ float b_tile[K][n_tile];
  int const thread = static_cast<int>(threadIdx.x);
  int const tx = thread % TX;
  int const ty = thread / TX;
  int const first_column = static_cast<int>(blockIdx.y) * n_tile;
  float sum[IY][IX] = {};
  int const last = a.block_offsets[blockIdx.x + 1];
  for (int first = a.block_offsets[blockIdx.x]; first < last; first += K) {
    int const count = min(K, last - first);
    for (int i = thread; i < K * m_tile; i += TX * TY) a_tile[i / m_tile][i % m_tile] = 0;
    for (int i = thread; i < K * n_tile; i += TX * TY) {
      int const n = first_column + i % n_tile;
      b_tile[i / n_tile][i % n_tile] =
          i / n_tile < count && n < columns
              ? b[static_cast<std::int64_t>(a.block_cols[first + i / n_tile]) * columns + n]
              : 0.0f;
    }
    __syncthreads();  // the tile of A is zero
    for (int k = ty; k < count; k += TY)
      for (int e = a.col_offsets[first + k] + tx; e < a.col_offsets[first + k + 1]; e += TX)
        a_tile[k][a.row_in_block[e]] = a.values[e];
    __syncthreads();  // both tiles are filled
#pragma unroll
    for (int k = 0; k < K; ++k) {
      float left[IY];
      float right[IX];
#pragma unroll
      for (int y = 0; y < IY; ++y) left[y] = a_tile[k][y * TY + ty];
#pragma unroll
      for (int x = 0; x < IX; ++x) right[x] = b_tile[k][x * TX + tx];
#pragma unroll
      for (int y = 0; y < IY; ++y)
#pragma unroll
        for (int x = 0; x < IX; ++x) sum[y][x] += left[y] * right[x];
    }
    __syncthreads();  // the tiles are overwritten next
  }
#pragma unroll
  for (int y = 0; y < IY; ++y)
#pragma unroll
    for (int x = 0; x < IX; ++x) {
      std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * m_tile + y * TY + ty;
      int const n = first_column + x * TX + tx;
      if (row < a.rows && n < columns) c[row * columns + n] = sum[y][x];
    }
}

dim3 grid(Bcsc const& a, int columns, int tile) {
  return {static_cast<unsigned>(a.blocks), static_cast<unsigned>((columns + tile - 1) / tile), 1};
}

template <int TX, int TY, int IX, int IY, int K>
bool launch_if(Tiling const& t, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  if (t.threads_x != TX || t.threads_y != TY || t.items_x != IX || t.items_y != IY || t.k_tile != K ||
      a.block_height != TY * IY)
    return false;
  tiled_kernel<TX, TY, IX, IY, K><<<grid(a, columns, TX * IX), TX * TY, 0, stream>>>(a, b, c, columns);
  return true;
}

}  // namespace

cudaError_t naive(Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  int const threads = std::min(columns, 256);
  auto const shared = static_cast<std::size_t>(a.block_height) * static_cast<std::size_t>(threads) * sizeof(float);
  naive_kernel<<<grid(a, columns, threads), static_cast<unsigned>(threads), shared, stream>>>(a, b, c, columns);
  return cudaPeekAtLastError();
}

cudaError_t warp_centric(Bcsc const& a, float const* b, float* c, int columns, int logical_warp, int warps,
                         cudaStream_t stream) {
  auto const shared = static_cast<std::size_t>(a.block_height) * static_cast<std::size_t>(logical_warp) * sizeof(float);
  auto const threads = static_cast<unsigned>(32 * warps);
  auto const blocks = grid(a, columns, logical_warp);
  if (logical_warp == 8)
    warp_kernel<8><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  else if (logical_warp == 16)
    warp_kernel<16><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  else if (logical_warp == 32)
    warp_kernel<32><<<blocks, threads, shared, stream>>>(a, b, c, columns);
  else
    return cudaErrorInvalidValue;
  return cudaPeekAtLastError();
}

cudaError_t tiled(Bcsc const& a, float const* b, float* c, int columns, Tiling const& t, cudaStream_t stream) {
  bool const known = launch_if<16, 16, 4, 8, 16>(t, a, b, c, columns, stream) ||
                     launch_if<8, 32, 4, 4, 32>(t, a, b, c, columns, stream) ||
                     launch_if<8, 16, 4, 4, 16>(t, a, b, c, columns, stream) ||
                     launch_if<16, 16, 2, 4, 16>(t, a, b, c, columns, stream) ||
                     launch_if<32, 8, 1, 8, 16>(t, a, b, c, columns, stream);
  return known ? cudaPeekAtLastError() : cudaErrorInvalidValue;
}

}  // namespace araia::thesis
