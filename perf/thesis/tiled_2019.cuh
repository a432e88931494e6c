// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The tiling kernel of the 2019 thesis (section 3.4.3): C = A B, A in BCSC.
// Mapping  thread block: M_Tile rows x N_Tile columns of C | thread: IY rows, TY apart, x IX columns, TX apart
//
//            chunk of K_Tile block columns      A dense (K_Tile, M_Tile)      B (K_Tile, N_Tile)
//
//          Without prefetching all threads fill the tiles, then multiply them (algorithm 3.10). With it, warps of their
//          own fill them, half as many as multiply: into one pair of tiles (3.12) or two by turns (3.13). Named
//          barriers hand the tiles over, as in the thesis's source [Bauer et al. 2011]. A pair is given back once its
//          last fragments are in registers.
// Traffic  8 bytes an entry and 8 a block column for each tile of columns, a row of B a block column; shared memory:
//          IX + IY words a thread and block column. All M_Tile x K_Tile places are multiplied.

#include <cuda_runtime_api.h>
#include <cstdint>

#include "perf/thesis/bcsc_spmm_2019.hpp"

namespace araia::thesis {
namespace {

template <int TX, int TY, int IX, int IY, int K>
struct Shape {
  static constexpr int m_tile = TY * IY;
  static constexpr int n_tile = TX * IX;
  static constexpr int threads = TX * TY;
  static constexpr int dma_threads = threads / 2;  // the thesis names no number
  static_assert(dma_threads % 32 == 0 && dma_threads % TX == 0);
};

template <class S, int K>
struct Tiles {
  alignas(16) float a[K][S::m_tile];
  alignas(16) float b[K][S::n_tile];
};

/// Barriers by number: 0 is __syncthreads().
constexpr int full_barrier = 1;   // and 2: a pair of tiles is filled
constexpr int empty_barrier = 3;  // and 4: it may be overwritten
constexpr int dma_barrier = 5;    // among those that fill

template <int THREADS>
__device__ __forceinline__ void barrier_sync(int id) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}
template <int THREADS>
__device__ __forceinline__ void barrier_arrive(int id) {
  __threadfence_block();  // what was written is seen by those who wait
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

/// Block columns [first, first + count) by THREADS threads; columns beyond are zeros.
/// \param sync  a barrier among the threads
template <class S, int TX, int K, int THREADS, bool WIDE, class Sync>
__device__ __forceinline__ void fill(Bcsc const& a, float const* __restrict__ b, int columns, int first_column,
                                     int first, int count, int thread, Tiles<S, K>& to, Sync const& sync) {
  for (int i = thread; i < K * S::m_tile; i += THREADS) to.a[i / S::m_tile][i % S::m_tile] = 0;
  constexpr int width = WIDE ? 4 : 1;  // columns of a load
  constexpr int loads = S::n_tile / width;
#pragma unroll 4
  for (int i = thread; i < K * loads; i += THREADS) {
    int const k = i / loads;
    int const n = i % loads * width;
    bool const given = k < count && first_column + n < columns;
    float const* const from =
        b + (given ? static_cast<std::int64_t>(a.block_cols[first + k]) * columns + first_column + n : 0);
    if constexpr (WIDE)
      *reinterpret_cast<float4*>(&to.b[k][n]) = given ? *reinterpret_cast<float4 const*>(from) : float4{};
    else
      to.b[k][n] = given ? *from : 0.0f;
  }
  sync();  // the tile of A is zero
  for (int k = thread / TX; k < count; k += THREADS / TX)
    for (int e = a.col_offsets[first + k] + thread % TX; e < a.col_offsets[first + k + 1]; e += TX)
      to.a[k][a.row_in_block[e]] = a.values[e];
}

/// sum += A B of a pair of tiles, an outer product a block column (algorithm 3.11).
/// \param release  called when nothing is left to read
template <class S, int TX, int TY, int IX, int IY, int K, class Release>
__device__ __forceinline__ void multiply(Tiles<S, K> const& from, int tx, int ty, float (&sum)[IY][IX],
                                         Release const& release) {
#pragma unroll
  for (int k = 0; k < K; ++k) {
    float left[IY];
    float right[IX];
#pragma unroll
    for (int y = 0; y < IY; ++y) left[y] = from.a[k][y * TY + ty];
#pragma unroll
    for (int x = 0; x < IX; ++x) right[x] = from.b[k][x * TX + tx];
    if (k == K - 1) release();
#pragma unroll
    for (int y = 0; y < IY; ++y)
#pragma unroll
      for (int x = 0; x < IX; ++x) sum[y][x] += left[y] * right[x];
  }
}

template <int TX, int TY, int IX, int IY, int K, bool WIDE, Prefetch PREFETCH>
__global__ void __launch_bounds__(TX* TY + (PREFETCH == Prefetch::none ? 0 : TX * TY / 2))
    tiled_kernel(Bcsc const a, float const* __restrict__ b, float* __restrict__ c, int columns) {
  using S = Shape<TX, TY, IX, IY, K>;
  constexpr int buffers = PREFETCH == Prefetch::double_buffer ? 2 : 1;
  __shared__ Tiles<S, K> tiles[buffers];
  int const thread = static_cast<int>(threadIdx.x);
  int const tx = thread % TX;
  int const ty = thread / TX;
  int const first_column = static_cast<int>(blockIdx.y) * S::n_tile;
  int const first = a.block_offsets[blockIdx.x];
  int const last = a.block_offsets[blockIdx.x + 1];
  float sum[IY][IX] = {};
  if constexpr (PREFETCH == Prefetch::none) {
    for (int at = first; at < last; at += K) {
      auto const sync = [] { __syncthreads(); };
      fill<S, TX, K, S::threads, WIDE>(a, b, columns, first_column, at, min(K, last - at), thread, tiles[0], sync);
      __syncthreads();  // both tiles are filled
      multiply<S, TX, TY, IX, IY, K>(tiles[0], tx, ty, sum, [] {});
      __syncthreads();  // the tiles are overwritten next
    }
  } else {
    constexpr int all = S::threads + S::dma_threads;
    if (thread >= S::threads) {
      int turn = 0;
      for (int at = first; at < last; at += K, turn = (turn + 1) % buffers) {
        barrier_sync<all>(empty_barrier + turn);  // the tiles are read
        auto const sync = [] { barrier_sync<S::dma_threads>(dma_barrier); };
        fill<S, TX, K, S::dma_threads, WIDE>(a, b, columns, first_column, at, min(K, last - at), thread - S::threads,
                                             tiles[turn], sync);
        barrier_arrive<all>(full_barrier + turn);
      }
      // What the others have given back last.
#pragma unroll
      for (int i = 0; i < buffers; ++i) barrier_sync<all>(empty_barrier + i);
      return;
    }
#pragma unroll
    for (int i = 0; i < buffers; ++i) barrier_arrive<all>(empty_barrier + i);
    int turn = 0;
    for (int at = first; at < last; at += K, turn = (turn + 1) % buffers) {
      barrier_sync<all>(full_barrier + turn);  // the tiles are filled
      multiply<S, TX, TY, IX, IY, K>(tiles[turn], tx, ty, sum, [turn] { barrier_arrive<all>(empty_barrier + turn); });
    }
  }
#pragma unroll
  for (int y = 0; y < IY; ++y)
#pragma unroll
    for (int x = 0; x < IX; ++x) {
      std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * S::m_tile + y * TY + ty;
      int const n = first_column + x * TX + tx;
      if (row < a.rows && n < columns) c[row * columns + n] = sum[y][x];
    }
}

inline dim3 grid(Bcsc const& a, int columns, int tile) {
  return {static_cast<unsigned>(a.blocks), static_cast<unsigned>((columns + tile - 1) / tile), 1};
}

template <int TX, int TY, int IX, int IY, int K, bool WIDE, Prefetch PREFETCH>
void launch_tiled(Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  using S = Shape<TX, TY, IX, IY, K>;
  constexpr int threads = S::threads + (PREFETCH == Prefetch::none ? 0 : S::dma_threads);
  tiled_kernel<TX, TY, IX, IY, K, WIDE, PREFETCH>
      <<<grid(a, columns, S::n_tile), threads, 0, stream>>>(a, b, c, columns);
}

}  // namespace
}  // namespace araia::thesis
