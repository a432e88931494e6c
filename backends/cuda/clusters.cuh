// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Thread blocks that run side by side and read one another's shared memory, as the PTX manual defines them. Compute
// capability 9.0; before, a cluster is one block and nothing of this file is called.

#include <cstdint>

#include "backends/cuda/mbarriers.cuh"

namespace araia::cuda {

__device__ __forceinline__ void cluster_sync() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// Of this block in its cluster.
__device__ __forceinline__ unsigned cluster_rank() {
  unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
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
/// Stores to another block's shared memory without waiting; the barrier, which lies in that block too, counts 8 bytes
/// once the value is there, and releases it to the cluster.
__device__ __forceinline__ void store_behind(unsigned to, double value, unsigned barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
               "l"(__double_as_longlong(value)), "r"(barrier)
               : "memory");
#endif
}
/// barrier_wait for what other blocks of the cluster have stored: acquires at the cluster's scope, as the memory model
/// asks. The fence covers shared memory alone and costs nothing; `.acquire.cluster` would empty the L1 cache.
__device__ __forceinline__ void barrier_wait_cluster(unsigned barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "fence.acquire.sync_restrict::shared::cluster.cluster;\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
#else
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
#endif
#endif
}

}  // namespace araia::cuda
