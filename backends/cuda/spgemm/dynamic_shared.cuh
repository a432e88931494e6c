// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The shared memory that a launch sizes.

#include <cuda_runtime.h>

namespace araia::cuda::spgemm {

/// The block's shared memory beside its static arrays, at an address of 16 bytes' alignment.
__device__ __forceinline__ unsigned char* dynamic_shared() {
  extern __shared__ uint4 spgemm_shared[];
  return reinterpret_cast<unsigned char*>(spgemm_shared);
}

}  // namespace araia::cuda::spgemm
