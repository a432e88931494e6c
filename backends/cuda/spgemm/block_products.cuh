// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of a row by a whole block.

#include <cuda_runtime.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.cuh"

namespace araia::cuda::spgemm {

inline constexpr int product_threads = 256;  // of a block that calls these

/// Inclusive sums over the block; `warps` in shared memory. All threads call.
template <class T>
__device__ T block_sum_up_to(T value, T (&warps)[product_threads / 32]) {
  auto const warp = Team<32>::of_thread();
  T const up_to = warp.sum_up_to(value);
  __syncthreads();  // the sums before have been read
  if (warp.lane == 31) warps[threadIdx.x / 32] = up_to;
  __syncthreads();  // all warps' sums are there
  T before = 0;
  for (int w = 0; w < static_cast<int>(threadIdx.x / 32); ++w) before += warps[w];
  return before + up_to;
}

/// visit(entry of B, entry of A) for the products of A's entries first .. end - 1, but only of every `chunks`th chunk
/// of product_threads entries from chunk `chunk` on; threads take products of a chunk in turn. All threads call; visit
/// does not synchronise.
template <class Visit>
__device__ void for_each_product_of_block(Operands const& p, int begin, int end, int chunk, int chunks,
                                          Visit const& visit) {
  __shared__ std::int64_t warps[product_threads / 32];
  __shared__ std::int64_t up_to[product_threads];   // products of a chunk's entries up to this
  __shared__ std::int64_t origin[product_threads];  // so that product t is entry origin + t of B
  for (int first = begin + chunk * product_threads; first < end; first += chunks * product_threads) {
    int const k = first + static_cast<int>(threadIdx.x);
    std::int64_t start = 0;
    std::int64_t length = 0;
    if (k < end) {
      int const j = p.a.col_indices[k];
      start = p.b.row_offsets[j];
      length = p.b.row_offsets[j + 1] - start;
    }
    std::int64_t const sum = block_sum_up_to(length, warps);  // the chunk before is done with after its barriers
    up_to[threadIdx.x] = sum;
    origin[threadIdx.x] = start - (sum - length);
    __syncthreads();  // the chunk's sums are there
    std::int64_t const all = up_to[product_threads - 1];
    for (std::int64_t t = threadIdx.x; t < all; t += product_threads) {
      int e = 0;
#pragma unroll
      for (int d = product_threads / 2; d > 0; d /= 2)
        if (up_to[e + d - 1] <= t) e += d;
      visit(static_cast<int>(origin[e] + t), first + e);
    }
  }
  __syncthreads();  // all is visited
}

/// The same for one row of B after the other, whose columns are distinct: visits of one never meet.
template <class Visit>
__device__ void for_each_product_in_order(Operands const& p, int begin, int end, Visit const& visit) {
  for (int k = begin; k < end; ++k) {
    int const j = p.a.col_indices[k];
    int const b_end = p.b.row_offsets[j + 1];
    for (int t = p.b.row_offsets[j] + static_cast<int>(threadIdx.x); t < b_end; t += product_threads) visit(t, k);
    __syncthreads();  // this row of B is done before the next
  }
}

}  // namespace araia::cuda::spgemm
