// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_pool.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <araia/error.hpp>

namespace araia::perf {

char const* keep_freed_memory([[maybe_unused]] Exec const& exec) {
#if defined(KOKKOS_ENABLE_CUDA) && defined(KOKKOS_ENABLE_IMPL_CUDA_MALLOC_ASYNC)
  cudaMemPool_t pool = nullptr;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  auto status = cudaDeviceGetDefaultMemPool(&pool, exec.cuda_device());
  if (status == cudaSuccess) status = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
  if (status != cudaSuccess)
    throw Error(ErrorKind::device, std::string("the device's memory pool: ") + cudaGetErrorString(status));
  return "a pool that keeps what is freed";
#elif defined(KOKKOS_ENABLE_CUDA)
  return "cudaMalloc";
#else
  return "the heap";
#endif
}

}  // namespace araia::perf
