// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Barriers in shared memory by which producers hand stages to consumers and get them back, as the PTX manual defines
// them, and copies that such a barrier counts. From sm_80 on; before, nothing of this file is called.

#include <cstdint>

namespace araia::cuda {

__device__ __forceinline__ unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, int arrivals) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
#endif
}
/// Barriers that this thread has made are there for the cluster and for copies that count.
__device__ __forceinline__ void fence_barrier_init() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
/// Arrives and adds bytes that copies or stores of others will bring. From sm_90 on.
__device__ __forceinline__ void barrier_expect(unsigned barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
#endif
}
__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif __CUDA_ARCH__ >= 800
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}\n" ::"r"(barrier) : "memory");
#endif
}
/// Arrives once what this thread has asked `copy_behind` for so far has come; counted like any arrival.
__device__ __forceinline__ void barrier_arrive_behind_copies(unsigned barrier) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
#endif
}
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
#elif __CUDA_ARCH__ >= 800
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
#endif
}

/// `bytes` bytes to shared memory, of which the first `given` are read and the rest are zero. 16 go by the L2 alone.
template <int bytes>
__device__ __forceinline__ void copy_behind(unsigned to, void const* from, int given) {
#if __CUDA_ARCH__ >= 800
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(given) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes), "r"(given)
                 : "memory");
#endif
}

/// Waits for all that this thread has asked `copy_behind` for so far.
__device__ __forceinline__ void wait_for_copies_behind() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace araia::cuda
