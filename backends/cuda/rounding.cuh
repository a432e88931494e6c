// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Scalars as the tensor cores take them. Compute capability 8.0 and above.

#include <araia/precision.hpp>

namespace araia::cuda {

/// x rounded to the nearest TF32 value, ties away from zero.
__device__ __forceinline__ float round_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

/// Two floats as halves or bfloat16, to the nearest, ties to even; the first in the low bits.
template <Precision P>
__device__ __forceinline__ unsigned pack_16_bit(float first, float second) {
  unsigned bits;
  if constexpr (P == Precision::fp16)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(second), "f"(first));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(second), "f"(first));
  return bits;
}

}  // namespace araia::cuda
