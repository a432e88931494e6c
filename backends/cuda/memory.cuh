// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Loads of kernels that read a matrix once and a vector often: the matrix leaves the caches to the vector. And what
// such kernels ask for ahead of time.

#include <cstdint>

namespace araia::cuda {

/// Several consecutive scalars, loaded by as few instructions as their alignment allows.
template <class T, int count>
struct alignas(sizeof(T) * count <= 16 ? sizeof(T) * count : 16) Pack {
  T at[count];
};

namespace detail {
template <int bytes>
struct Word;
template <>
struct Word<16> {
  using type = uint4;
};
template <>
struct Word<8> {
  using type = uint2;
};
template <>
struct Word<4> {
  using type = unsigned;
};
template <>
struct Word<2> {
  using type = unsigned short;
};
template <>
struct Word<1> {
  using type = unsigned char;
};
}  // namespace detail

/// `count` scalars of the matrix from an address that suits min(16, count sizeof(T)) bytes: evicted first.
template <int count, class T>
__device__ __forceinline__ Pack<T, count> load_once(T const* address) {
  constexpr int bytes = static_cast<int>(sizeof(T)) * count;
  constexpr int step = bytes < 16 ? bytes : 16;
  using Word = typename detail::Word<step>::type;
  Pack<T, count> pack;
  static_assert(sizeof(pack) % step == 0);
#pragma unroll
  for (int k = 0; k < bytes / step; ++k)
    reinterpret_cast<Word*>(&pack)[k] = __ldcs(reinterpret_cast<Word const*>(address) + k);
  return pack;
}

template <class T>
__device__ __forceinline__ T load_once(T const* address) {
  return __ldcs(address);
}

/// The same where index < end, else zero and no access; never as a branch.
__device__ __forceinline__ double load_once_below(int index, int end, double const* address) {
  double value;
  asm volatile(
      "{\n.reg .pred p;\nsetp.lt.s32 p, %2, %3;\nmov.f64 %0, 0d0000000000000000;\n@p ld.global.cs.f64 %0, [%1];\n}"
      : "=d"(value)
      : "l"(address), "r"(index), "r"(end));
  return value;
}
__device__ __forceinline__ float load_once_below(int index, int end, float const* address) {
  float value;
  asm volatile("{\n.reg .pred p;\nsetp.lt.s32 p, %2, %3;\nmov.f32 %0, 0f00000000;\n@p ld.global.cs.f32 %0, [%1];\n}"
               : "=f"(value)
               : "l"(address), "r"(index), "r"(end));
  return value;
}

/// The block asks for bytes that blocks after it will read, into L2, without waiting. \param from, bytes  multiples of
/// 16
__device__ __forceinline__ void bring_to_l2(void const* from, std::uint64_t bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  constexpr std::uint64_t request = 1024;  // bytes
  auto const* const begin = static_cast<char const*>(from);
  for (std::uint64_t at = threadIdx.x * request; at < bytes; at += blockDim.x * request)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin + at),
                 "r"(static_cast<unsigned>(bytes - at < request ? bytes - at : request)));
#else
  static_cast<void>(from);
  static_cast<void>(bytes);
#endif
}

/// An element of x: by the caches, but not by the path of constants, as the kernel before in the stream may write x
/// while blocks of this one wait for it.
template <class T>
__device__ __forceinline__ T load_operand(T const* address) {
  return *address;
}

/// y := alpha sum + beta y, where beta == 0 overwrites (a NaN in y does not survive).
template <class Y>
__device__ __forceinline__ void store_scaled(Y* y, Y alpha, Y sum, Y beta) {
  *y = beta == Y{} ? alpha * sum : alpha * sum + beta * *y;
}

}  // namespace araia::cuda
