// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a row kernel does with its rows' sums: y = alpha A x + beta y, or what FusedRows asks for. A fused kernel's
// blocks leave a partial sum each, in the order of the rows; the block that ends last adds them up, always in the same
// order: no second launch, the same bits on every run.

#include <cuda_runtime.h>

#include <algorithm>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"

namespace araia::cuda {

/// y = alpha sum + beta y.
template <class Y>
struct ScaledRows {
  Y alpha;
  Y* y;
  Y beta;
  __device__ __forceinline__ void store(std::int64_t row, Y product) const {
    store_scaled(y + row, alpha, product, beta);
  }
  /// A row that another kernel adds to: y = beta y.
  __device__ __forceinline__ void leave(std::int64_t row) const { y[row] = beta == Y{} ? Y{} : beta * y[row]; }
};

/// What one thread has of a fused product.
template <class Y>
struct SummedRows {
  FusedRows<Y> const& fused;
  double sum = 0;
  __device__ __forceinline__ explicit SummedRows(FusedRows<Y> const& f) : fused(f) {}
  __device__ __forceinline__ void store(std::int64_t row, Y product) {
    Y const out = fused.b ? load_operand(fused.b + row) - product : product;
    fused.y[row] = out;
    if (fused.sum) sum += static_cast<double>(fused.w ? load_operand(fused.w + row) : out) * static_cast<double>(out);
  }
};

/// Of all threads of the block, whole warps, to thread 0.
inline __device__ double block_sum(double sum) {
  __shared__ double of_warps[32];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  int const thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // an earlier sum was read
  if (thread % 32 == 0) of_warps[thread / 32] = sum;
  __syncthreads();  // every warp's sum is there
  double total = 0;
  if (thread == 0)
    for (int warp = 0; warp < static_cast<int>(blockDim.x) / 32; ++warp) total += of_warps[warp];
  return total;
}

/// Ends a fused kernel: all threads of every block call it once, with what they summed.
template <class Y>
__device__ __forceinline__ void add_up_blocks(FusedRows<Y> const& fused, double sum) {
  if (!fused.sum) return;
  __shared__ bool is_last;
  double const own = block_sum(sum);
  if (threadIdx.x == 0) {
    fused.partial_sums[blockIdx.x] = own;
    __threadfence();
    is_last = atomicAdd(fused.arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();  // is_last is known
  if (!is_last) return;
  __threadfence();
  double total = 0;
#pragma unroll 8
  for (unsigned p = threadIdx.x; p < gridDim.x; p += blockDim.x) total += __ldcg(fused.partial_sums + p);
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *fused.sum = static_cast<Y>(total);
    *fused.arrived = 0;
  }
}

/// Blocks that the device holds at once, and no more than there are groups of rows or room for sums: a fused kernel's
/// blocks take groups gridDim.x apart. A block waits at its end until its sum is seen, which a block a group would do
/// too often.
template <class... Parameters>
unsigned fused_blocks(void (*kernel)(Parameters...), int threads, std::int64_t rows, std::int64_t groups,
                      char const* name) {
  int of_each = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, kernel, threads, 0), name);
  std::int64_t const fit = std::max<std::int64_t>(1, std::int64_t{multiprocessors_of_device(name)} * of_each);
  return static_cast<unsigned>(std::min({groups, fit, most_partial_sums(rows)}));
}

}  // namespace araia::cuda
