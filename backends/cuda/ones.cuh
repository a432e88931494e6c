// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix without values has ones: kernels are built for a value type of which nothing is loaded.

#include <cuda_runtime.h>

#include <bit>
#include <type_traits>

namespace araia::cuda {

/// The value of every entry of a pattern; what points to it is never read.
struct One {
  template <class Y>
  __host__ __device__ explicit operator Y() const {
    return Y(1);
  }
};

template <class A>
inline constexpr bool is_one = std::is_same_v<A, One>;

/// Value k of an array that is read once.
template <class A, class Index>
__device__ __forceinline__ A value_once(A const* values, Index k) {
  if constexpr (is_one<A>)
    return One{};
  else
    return __ldcs(values + k);
}

/// The same structure, every entry one.
template <template <class...> class Format, class A, class... Rest>
Format<One, Rest...> pattern_of(Format<A, Rest...> const& a) {
  auto ones = std::bit_cast<Format<One, Rest...>>(a);  // pointers to the same memory, all of them
  ones.values = nullptr;
  return ones;
}

}  // namespace araia::cuda
