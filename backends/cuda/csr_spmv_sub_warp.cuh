// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A row of CSR times x by L lanes, V consecutive entries a lane at a time: csr_spmv_sub_warp.cu has the mapping.

#include <cuda_runtime.h>

#include <araia/formats/pointers.hpp>
#include <cstdint>
#include <type_traits>

#include "backends/cuda/memory.cuh"

namespace araia::cuda {

/// rows.store(row of y, sum) by one lane of each row. All lanes of a warp call it, those of rows beyond the last too.
/// The first pass of a row begins at a multiple of R entries, itself one of V.
template <int L, int V, int R, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ void sub_warp_row(CsrPointers<A, std::int32_t, Offset> const& a, X const* x,
                                             std::int64_t row, int lane, Rows& rows) {
  bool const mine = row < a.rows;              // the rest takes part in the shuffles
  using Index = std::make_unsigned_t<Offset>;  // does not overflow behind the last entry
  Index const first = mine ? static_cast<Index>(a.row_offsets[row]) : 0;
  Index const last = mine ? static_cast<Index>(a.row_offsets[row + 1]) : 0;
  Index const nnz = static_cast<Index>(a.nnz);
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
  if (mine && lane == 0) rows.store(a.row_permutation ? a.row_permutation[row] : row, sum);
}

}  // namespace araia::cuda
