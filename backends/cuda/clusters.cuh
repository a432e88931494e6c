// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Thread blocks that run side by side and read one another's shared memory, as the PTX manual defines them. Compute
// capability 9.0; before, a cluster is one block and nothing of this file is called.

#include <cstdint>

namespace araia::cuda {

__device__ __forceinline__ void cluster_sync() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// The address in the shared memory of the block of that rank.
__device__ __forceinline__ unsigned shared_of_rank(unsigned address, int rank) {
  unsigned there = address;
#if __CUDA_ARCH__ >= 900
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
#endif
  return there;
}
__device__ __forceinline__ uint4 load_cluster_bits(unsigned address) {
  uint4 v{};
#if __CUDA_ARCH__ >= 900
  asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
#endif
  return v;
}

}  // namespace araia::cuda
