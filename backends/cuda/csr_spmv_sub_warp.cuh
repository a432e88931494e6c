// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of CSR times x by L lanes, by a warp and by a block, V consecutive entries a lane at a time:
// csr_spmv_sub_warp.cu has the mapping.

#include <cuda_runtime.h>

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <type_traits>

#include "backends/cuda/memory.cuh"
#include "backends/cuda/ones.cuh"

namespace araia::cuda {

/// Rows of more passes of their lanes than this are summed by the whole warp, one after the other.
inline constexpr int most_sub_warp_passes = 4;

/// Adds the products of the V entries from k on that lie in [first, last). k + V - 1 may lie behind the last entry.
template <int V, bool masked, class A, class X, class Y, class Offset, class Index>
__device__ __forceinline__ void add_entries(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, Index k,
                                            Index first, Index last, Y& sum) {
  Index const nnz = static_cast<Index>(a.nnz);
  Pack<A, V> value;
  Pack<std::int32_t, V> column;
  if (V == 1 || k + V <= nnz) {
    if constexpr (!is_one<A>) value = load_once<V>(a.values + k);
    column = load_once<V>(a.col_indices + k);
  } else {  // the matrix ends inside the pack
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if constexpr (!is_one<A>) value.at[v] = k + v < nnz ? a.values[k + v] : A{};
      column.at[v] = k + v < nnz ? a.col_indices[k + v] : 0;
    }
  }
#pragma unroll
  for (int v = 0; v < V; ++v)
    if (!masked || (k + v >= first && k + v < last))
      sum += static_cast<Y>(value.at[v]) * static_cast<Y>(load_operand(x + column.at[v]));
}

/// The sum of one of `lanes` lanes over a row of [first, last).
template <int V, class X, class Y, class A, class Offset, class Index>
__device__ __forceinline__ Y sum_of_lane(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, Index first,
                                         Index last, unsigned lane, unsigned lanes) {
  Y sum{};
#pragma unroll 1
  for (Index k = first / V * V + lane * V; k < last; k += lanes * V) add_entries<V, (V > 1)>(a, x, k, first, last, sum);
  return sum;
}

template <class Y>
__device__ __forceinline__ Y sum_of_warp(Y sum) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

/// The rows of a warp that their lanes left, each summed by the whole warp unless it has more than `most` entries:
/// those are left still, which their first lanes are told by `true`.
template <int V, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ bool long_rows_of_warp(CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
                                                  std::int64_t row, bool leads, std::make_unsigned_t<Offset> most,
                                                  Rows& rows) {
  using Index = std::make_unsigned_t<Offset>;
  bool left = false;
#pragma unroll 1
  for (unsigned waiting = __ballot_sync(0xffffffffu, leads); waiting != 0; waiting &= waiting - 1) {
    int const leader = __ffs(static_cast<int>(waiting)) - 1;
    std::int64_t const at = __shfl_sync(0xffffffffu, row, leader);
    Index const first = static_cast<Index>(a.row_offsets[at]);
    Index const last = static_cast<Index>(a.row_offsets[at + 1]);
    unsigned const lane = threadIdx.x % 32;
    bool const own = lane == static_cast<unsigned>(leader);
    if (last - first > most) {
      left = left || own;
      continue;
    }
    Y const sum = sum_of_warp(sum_of_lane<V, X, Y>(a, x, first, last, lane, 32));
    if (own) rows.store(a.row_permutation ? a.row_permutation[at] : at, sum);
  }
  return left;
}

/// rows.store(row of y, sum) by one lane of each row of no more than `most` entries. Those of more are not summed;
/// their first lane is told so by `true`. All lanes of a warp call it, those of rows beyond the last too. The first
/// pass of a row begins at a multiple of R entries, itself one of V; a whole warp loads W entries a lane.
template <int L, int V, int R, int W, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ bool sub_warp_row(CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
                                             std::int64_t row, int lane, std::make_unsigned_t<Offset> most,
                                             Rows& rows) {
  bool const mine = row < a.rows;              // the rest takes part in the shuffles
  using Index = std::make_unsigned_t<Offset>;  // does not overflow behind the last entry
  Index const first = mine ? static_cast<Index>(a.row_offsets[row]) : 0;
  Index last = mine ? static_cast<Index>(a.row_offsets[row + 1]) : 0;
  bool const is_long = last - first > (L < 32 ? Index{most_sub_warp_passes * L * V} : most);
  bool const any_long = __any_sync(0xffffffffu, is_long);
  if (is_long) last = first;
  Y sum{};
  for (Index k = first / R * R + static_cast<unsigned>(lane) * V; k < last; k += L * V)
    add_entries<V, (R > 1)>(a, x, k, first, last, sum);
    // Sums of L lanes:  0 1 2 3 4 5 6 7 -> 0+4 1+5 2+6 3+7 -> ... -> lane 0 of each row
#pragma unroll
  for (int offset = L / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, L);
  if (mine && lane == 0 && !is_long) rows.store(a.row_permutation ? a.row_permutation[row] : row, sum);
  if (!any_long) return false;
  bool const leads = is_long && lane == 0;
  if constexpr (L == 32)
    return leads;
  else
    return long_rows_of_warp<W, A, X, Y>(a, x, row, leads, most, rows);
}

/// The rows of a block that sub_warp_row left, each summed by all of the block's threads, in ascending order. All
/// threads of the block call it.
/// \param left  whether this thread's row, `row`, waits: true of its first lane alone
template <int L, int V, int threads, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ void long_rows_of_block(CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
                                                   std::int64_t row, bool left, Rows& rows) {
  using Index = std::make_unsigned_t<Offset>;
  constexpr int warps = threads / 32;
  __shared__ unsigned waiting_of[warps];  // a bit for each first lane
  __shared__ Y warp_sums[warps];
  unsigned const thread = threadIdx.x;
  unsigned const own = __ballot_sync(0xffffffffu, left);
  if (thread % 32 == 0) waiting_of[thread / 32] = own;
  __syncthreads();  // all waiting rows are known
#pragma unroll 1
  for (int warp = 0; warp < warps; ++warp)
#pragma unroll 1
    for (unsigned waiting = waiting_of[warp]; waiting != 0; waiting &= waiting - 1) {  // the same for all threads
      int const leader = warp * 32 + __ffs(static_cast<int>(waiting)) - 1;
      std::int64_t const at = row - static_cast<int>(thread) / L + leader / L;
      Index const first = static_cast<Index>(a.row_offsets[at]);
      Index const last = static_cast<Index>(a.row_offsets[at + 1]);
      Y const of_warp = sum_of_warp(sum_of_lane<V, X, Y>(a, x, first, last, thread, threads));
      if (thread % 32 == 0) warp_sums[thread / 32] = of_warp;
      __syncthreads();  // all sums are there
      if (thread == 0) {
        Y total{};
#pragma unroll
        for (int k = 0; k < warps; ++k) total += warp_sums[k];
        rows.store(a.row_permutation ? a.row_permutation[at] : at, total);
      }
      __syncthreads();  // and were read
    }
}

}  // namespace araia::cuda
