// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <araia/detail/assembly/checked.hpp>

namespace araia {

std::uint64_t default_device_memory_limit() {
#ifdef KOKKOS_ENABLE_CUDA
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
    throw Error(ErrorKind::device, "cudaMemGetInfo failed, so the free device memory is not known");
  return free_bytes / 2;
#else
  return default_host_memory_limit();
#endif
}

}  // namespace araia
