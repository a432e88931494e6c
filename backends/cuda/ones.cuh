// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix without values has ones: kernels are built for a value type of which nothing is loaded.

#include <cuda_runtime.h>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
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
template <class A, class Ordinal, class Offset>
CsrPointers<One, Ordinal, Offset> pattern_of(CsrPointers<A, Ordinal, Offset> const& a) {
  return {a.rows, a.cols, a.nnz, a.row_offsets, a.col_indices, nullptr, a.row_permutation};
}
template <class A, class Ordinal, class Offset>
SellPointers<One, Ordinal, Offset> pattern_of(SellPointers<A, Ordinal, Offset> const& a) {
  return {a.rows,
          a.cols,
          a.nnz,
          a.slices,
          a.slice_height,
          a.fill,
          a.block_width,
          a.slice_rows,
          a.slice_offsets,
          a.diagonal_offsets,
          a.column_offsets,
          a.diagonals,
          a.row_lengths,
          a.col_indices,
          a.column_words,
          nullptr,
          a.stored_mask,
          a.row_permutation};
}

}  // namespace araia::cuda
