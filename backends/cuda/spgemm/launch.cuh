// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Launches of SpGEMM's kernels, checked, and the shared memory that a launch sizes.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "backends/cuda/check.hpp"

namespace araia::cuda::spgemm {

/// The block's shared memory beside its static arrays, at an address of 16 bytes' alignment.
__device__ __forceinline__ unsigned char* dynamic_shared() {
  extern __shared__ uint4 spgemm_shared[];
  return reinterpret_cast<unsigned char*>(spgemm_shared);
}

/// \throws araia::Error (resource_limit, device)
template <class... Parameters, class... Arguments>
void launch(char const* label, void (*kernel)(Parameters...), std::int64_t blocks, int threads,
            std::size_t shared_bytes, cudaStream_t stream, Arguments... arguments) {
  if (blocks == 0) return;
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
          label);
  kernel<<<grid_blocks(blocks, 1, label), static_cast<unsigned>(threads), shared_bytes, stream>>>(
      static_cast<Parameters>(arguments)...);
  check_launch(label);
}

}  // namespace araia::cuda::spgemm
