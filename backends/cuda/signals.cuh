// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How blocks that are at work at the same time tell one another of their progress, how warps of a block do, and copies
// to shared memory that a lane makes for itself.

#include <cstdint>

namespace araia::cuda {

// ---- between blocks: counters in memory ----
// They are read relaxed: what they announce is read behind them from the L2, where a release put it, so that no L1
// is wiped.

__device__ __forceinline__ void wait_for(std::uint32_t const* counter, std::uint32_t target) {
  for (;;) {
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
    if (value >= target) return;
    __nanosleep(20);
  }
}
__device__ __forceinline__ void add_release(std::uint32_t* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
__device__ __forceinline__ void add_relaxed(std::uint32_t* counter) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}

// ---- between warps of a block ----

/// A barrier of some of the block's warps.
__device__ __forceinline__ void barrier(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
/// The same without waiting.
__device__ __forceinline__ void arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// ---- copies that a lane makes for itself: from sm_80 on, before which csr_panel_device() refuses ----

/// Of what is read once: the matrix leaves the L2 to x and to products.
__device__ __forceinline__ std::uint64_t read_once() {
  std::uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
#endif
  return policy;
}
__device__ __forceinline__ void copy_16(void* shared, void const* global, std::uint64_t policy) {
#if __CUDA_ARCH__ >= 800
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "l"(policy)
               : "memory");
#endif
}
__device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int left>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
#endif
}

}  // namespace araia::cuda
