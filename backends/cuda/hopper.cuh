// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hopper's building blocks as the PTX manual defines them: warpgroup MMAs and what they need.
// Compiles for sm_90a alone.

#include <araia/precision.hpp>
#include <cstdint>

#include "backends/cuda/clusters.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/rounding.cuh"

namespace araia::cuda {

/// What this thread wrote to shared memory becomes visible to the tensor cores and the copy engine.
__device__ __forceinline__ void fence_async_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ float4 load_cluster(unsigned address) {
  float4 v;
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(address));
  return v;
}

// ---- registers by role, warpgroup MMA ----

template <int registers>
__device__ __forceinline__ void fewer_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void more_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ __forceinline__ void mma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void mma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int pending>
__device__ __forceinline__ void mma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

/// Reads of the sums stay behind the wait before this.
template <int count>
__device__ __forceinline__ void mma_results(float (&sums)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

/// Descriptor of a K-major operand of rows of 128 or 64 bytes, swizzled by as many; base aligned to 1024 bytes.
template <int row_bytes>
__device__ __forceinline__ std::uint64_t operand_descriptor(unsigned base) {
  static_assert(row_bytes == 128 || row_bytes == 64);
  return static_cast<std::uint64_t>((base & 0x3ffffu) >> 4) | (std::uint64_t{1} << 16) |
         (std::uint64_t{8 * row_bytes >> 4} << 32) | (std::uint64_t{row_bytes == 128 ? 1 : 2} << 62);
}

// The instruction takes its types by name and its registers by number: a macro for each size.
#define ARAIA_MMA_64(instruction, tail)                                                                             \
  asm volatile(                                                                                                     \
      "{\n"                                                                                                         \
      ".reg .pred keep;\n"                                                                                          \
      "setp.ne.b32 keep, %37, 0;\n"                                                                                 \
      "wgmma.mma_async.sync.aligned.m64n64" instruction                                                             \
      " {"                                                                                                          \
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                      \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"                              \
      "}, {%32, %33, %34, %35}, %36, keep, 1, 1" tail                                                               \
      ";\n"                                                                                                         \
      "}\n"                                                                                                         \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),      \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),     \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])                   \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)))
#define ARAIA_MMA_128(instruction, tail)                                                                            \
  asm volatile(                                                                                                     \
      "{\n"                                                                                                         \
      ".reg .pred keep;\n"                                                                                          \
      "setp.ne.b32 keep, %69, 0;\n"                                                                                 \
      "wgmma.mma_async.sync.aligned.m64n128" instruction                                                            \
      " {"                                                                                                          \
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                      \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                            \
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                            \
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"                              \
      "}, {%64, %65, %66, %67}, %68, keep, 1, 1" tail                                                               \
      ";\n"                                                                                                         \
      "}\n"                                                                                                         \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),      \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),     \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]),     \
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),     \
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),     \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),     \
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])                   \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)))

/// sum (64, N) = a (64, K; registers) b (K, N; shared memory) + (keep ? sum : 0), asynchronously, by a warpgroup. K is
/// 8 of TF32, 16 of 16 bits.
template <Precision P, int N>
__device__ __forceinline__ void mma(float (&d)[N / 2], unsigned const (&a)[4], std::uint64_t b, bool keep) {
  static_assert(N == 64 || N == 128);
  if constexpr (P == Precision::fp16 && N == 64)
    ARAIA_MMA_64("k16.f32.f16.f16", ", 0");
  else if constexpr (P == Precision::fp16)
    ARAIA_MMA_128("k16.f32.f16.f16", ", 0");
  else if constexpr (P == Precision::bf16 && N == 64)
    ARAIA_MMA_64("k16.f32.bf16.bf16", ", 0");
  else if constexpr (P == Precision::bf16)
    ARAIA_MMA_128("k16.f32.bf16.bf16", ", 0");
  else if constexpr (N == 64)
    ARAIA_MMA_64("k8.f32.tf32.tf32", "");
  else
    ARAIA_MMA_128("k8.f32.tf32.tf32", "");
}

#undef ARAIA_MMA_64
#undef ARAIA_MMA_128

}  // namespace araia::cuda
