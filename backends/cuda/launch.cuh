// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A launch, checked, with whatever shared memory it asks for.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "backends/cuda/check.hpp"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda {

/// Nothing where there are no blocks. \throws araia::Error (resource_limit, device)
template <class... Parameters, class... Arguments>
void launch(char const* label, void (*kernel)(Parameters...), std::int64_t blocks, int threads_of_block,
            std::size_t shared_bytes, cudaStream_t stream, Arguments const&... arguments) {
  if (blocks == 0) return;
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking) allow_shared_memory(kernel, shared_bytes, label);
  kernel<<<grid_blocks(blocks, 1, label), static_cast<unsigned>(threads_of_block), shared_bytes, stream>>>(
      static_cast<Parameters>(arguments)...);
  check_launch(label);
}

}  // namespace araia::cuda
