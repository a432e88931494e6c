// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A row of CSR times x by L lanes, V consecutive entries a lane at a time, and the long rows of a block by all its
// threads: csr_spmv_sub_warp.cu has the mapping.

#include <cuda_runtime.h>

#include <araia/formats/pointers.hpp>
#include <cstdint>
#include <type_traits>

#include "backends/cuda/csr_long_rows.hpp"
#include "backends/cuda/memory.cuh"

namespace araia::cuda {

/// rows.store(row of y, sum) by one lane of each row. All lanes of a warp call it, those of rows beyond the last too.
/// The first pass of a row begins at a multiple of R entries, itself one of V.
/// \return  by the first lane of a row: whether it has more entries than `longest`, and is left to add_left_rows
template <int L, int V, int R, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ bool sub_warp_row(CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
                                             std::int64_t row, int lane, std::int64_t longest, Rows& rows) {
  bool const mine = row < a.rows;              // the rest takes part in the shuffles
  using Index = std::make_unsigned_t<Offset>;  // does not overflow behind the last entry
  Index const first = mine ? static_cast<Index>(a.row_offsets[row]) : 0;
  Index last = mine ? static_cast<Index>(a.row_offsets[row + 1]) : 0;
  Index const nnz = static_cast<Index>(a.nnz);
  bool const left = last - first > static_cast<Index>(longest);
  if (left) last = first;
  Y sum{};
  for (Index k = first / R * R + static_cast<unsigned>(lane) * V; k < last; k += L * V) {
    Pack<A, V> value;
    Pack<std::int32_t, V> column;
    if (V == 1 || k + V <= nnz) {
      value = load_once<V>(a.values + k);
      column = load_once<V>(a.col_indices + k);
    } else {  // the matrix ends inside the pack
#pragma unroll
      for (int v = 0; v < V; ++v) {
        value.at[v] = k + v < nnz ? a.values[k + v] : A{};
        column.at[v] = k + v < nnz ? a.col_indices[k + v] : 0;
      }
    }
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (R == 1 || (k + v >= first && k + v < last))
        sum += static_cast<Y>(value.at[v]) * static_cast<Y>(load_operand(x + column.at[v]));
  }
  // Sums of L lanes:  0 1 2 3 4 5 6 7 -> 0+4 1+5 2+6 3+7 -> ... -> lane 0 of each row
#pragma unroll
  for (int offset = L / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, L);
  if (mine && !left && lane == 0) rows.store(a.row_permutation ? a.row_permutation[row] : row, sum);
  return left && lane == 0;
}

/// Entries first .. last - 1, at least two packs, by all threads of the block: what this one has.
template <int V, class Y, class A, class X, class Offset, class Index>
__device__ __forceinline__ Y sum_by_block(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, Index first,
                                          Index last) {
  auto const product = [&](A value, std::int32_t column) {
    return static_cast<Y>(value) * static_cast<Y>(load_operand(x + column));
  };
  Index const begin = (first + V - 1) / V * V;
  Index const end = last / V * V;
  Y sum{};
  if (first + threadIdx.x < begin) sum += product(a.values[first + threadIdx.x], a.col_indices[first + threadIdx.x]);
  if (end + threadIdx.x < last) sum += product(a.values[end + threadIdx.x], a.col_indices[end + threadIdx.x]);
#pragma unroll(sizeof(Offset) == 8 ? 2 : 4)  // what leaves the kernel its registers
  for (Index k = begin + threadIdx.x * V; k < end; k += csr_sub_warp_threads * V) {
    Pack<A, V> const value = load_once<V>(a.values + k);
    Pack<std::int32_t, V> const column = load_once<V>(a.col_indices + k);
#pragma unroll
    for (int v = 0; v < V; ++v) sum += product(value.at[v], column.at[v]);
  }
  return sum;
}

/// rows.store for the rows that sub_warp_row left, one after the other by all threads of the block. All call it.
/// \param row      of this thread, of which 2^shift share one; `left` is what sub_warp_row returned
template <int V, class Y, class A, class X, class Offset, class Rows>
__device__ __noinline__ void add_left_rows(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, std::int64_t row,
                                           int shift, bool left, Rows rows) {
  using Index = std::make_unsigned_t<Offset>;
  constexpr int warps = csr_sub_warp_threads / 32;
  __shared__ unsigned left_of_warp[warps];
  __shared__ Y part_of_warp[warps];
  int const warp = static_cast<int>(threadIdx.x) / 32;
  bool const leads = threadIdx.x % 32 == 0;
  unsigned const ballot = __ballot_sync(0xffffffffu, left);
  if (leads) left_of_warp[warp] = ballot;
  __syncthreads();  // all warps have told
  std::int64_t const first_row = row - (threadIdx.x >> shift);
  for (int w = 0; w < warps; ++w)
    for (unsigned mask = left_of_warp[w]; mask != 0; mask &= mask - 1) {
      std::int64_t const long_row = first_row + ((32 * w + __ffs(static_cast<int>(mask)) - 1) >> shift);
      Y sum = sum_by_block<V, Y>(a, x, static_cast<Index>(a.row_offsets[long_row]),
                                 static_cast<Index>(a.row_offsets[long_row + 1]));
#pragma unroll
      for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
      if (leads) part_of_warp[warp] = sum;
      __syncthreads();  // all parts are there
      if (threadIdx.x == 0) {
        sum = Y{};
        for (int part = 0; part < warps; ++part) sum += part_of_warp[part];
        rows.store(a.row_permutation ? a.row_permutation[long_row] : long_row, sum);
      }
      __syncthreads();  // they are read
    }
}

}  // namespace araia::cuda
