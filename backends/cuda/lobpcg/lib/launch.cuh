// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Launches of LOBPCG's block kernels, checked.

#include <cuda_runtime.h>

#include <cstddef>

#include "backends/cuda/check.hpp"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda::lobpcg {

/// \throws araia::Error (device)
template <class... Parameters, class... Arguments>
void launch(char const* label, void (*kernel)(Parameters...), int blocks, int threads_of_block,
            std::size_t shared_bytes, cudaStream_t stream, Arguments const&... arguments) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking) allow_shared_memory(kernel, shared_bytes, label);
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads_of_block), shared_bytes, stream>>>(
      arguments...);
  check_launch(label);
}

}  // namespace araia::cuda::lobpcg
