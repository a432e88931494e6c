// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tensor-core products of one warp as the PTX manual defines them: sum (16, 8) += a (16, K) b (K, 8), K = 8 of double
// and TF32, 16 of 16 bits. Lane 4 g + t has rows g and g + 8 of a, column g of b, and rows g and g + 8 of the sum's
// columns 2 t and 2 t + 1. Of K it has t and t + 4 (16 bits: four of its own); which of the caller's K those are is
// free as long as a and b agree. Compute capability 8.0 and above.

#include <araia/precision.hpp>

namespace araia::cuda {

/// a: {row g, row g + 8} of the lane's first K, then of its second; b: of its first, its second.
__device__ __forceinline__ void warp_mma(double (&sum)[4], double const (&a)[4], double const (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int half = 0; half < 2; ++half)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(sum[2 * half]), "+d"(sum[2 * half + 1])
                   : "d"(a[2 * k + half]), "d"(b[k]));
#endif
}

/// tf32: operands as bits, in the order of double's. fp16, bf16: as pairs of neighbours in the lane's four of K:
/// {row g, row g + 8} of the first pair, then of the second.
template <Precision P>
__device__ __forceinline__ void warp_mma(float (&sum)[4], unsigned const (&a)[4], unsigned const (&b)[2]) {
#define ARAIA_WARP_MMA(shape)                                           \
  asm volatile("mma.sync.aligned." shape                                \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "        \
               "{%0, %1, %2, %3};"                                      \
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (P == Precision::fp16)
    ARAIA_WARP_MMA("m16n8k16.row.col.f32.f16.f16.f32");
  else if constexpr (P == Precision::bf16)
    ARAIA_WARP_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
  else
    ARAIA_WARP_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
#undef ARAIA_WARP_MMA
}

}  // namespace araia::cuda
