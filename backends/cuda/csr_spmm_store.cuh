// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where kernels of SpMM over a Csr as it is leave a lane's columns of a row of C.

#include <cstdint>

#include "backends/cuda/epilogue.cuh"
#include "backends/cuda/row_packs.cuh"

namespace araia::cuda {

/// C = act(alpha sum + beta C + bias + R) at row `row` and this lane's V columns, the first of them at `c`: neighbours
/// (VECTOR), or every `step`-th from `first_column` on of the `columns_left`. blockIdx.y is the item of the batch.
/// \param args  alpha, beta, epilogue
template <bool VECTOR, class Arguments, class T, int V>
__device__ __forceinline__ void store_at(Arguments const& args, T* c, std::int64_t row, std::int64_t first_column,
                                         std::int64_t columns_left, int step, T const (&sum)[V]) {
  if constexpr (VECTOR) {
    alignas(16) RowPack<T, V> out;
    if (args.beta != T{})
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v] + args.beta * c[v];
    else
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v];
    if (args.epilogue.any) finish_neighbours(args.epilogue, row, first_column, out.value, blockIdx.y);
    if constexpr (sizeof(T) * V == 16)
      *reinterpret_cast<uint4*>(c) = *reinterpret_cast<uint4 const*>(&out);
    else if constexpr (sizeof(T) * V == 8)
      *reinterpret_cast<uint2*>(c) = *reinterpret_cast<uint2 const*>(&out);
    else
      c[0] = out.value[0];
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v * step < columns_left) {
        T out = args.beta != T{} ? args.alpha * sum[v] + args.beta * c[v * step] : args.alpha * sum[v];
        if (args.epilogue.any) out = finished(args.epilogue, row, first_column + v * step, out, blockIdx.y);
        c[v * step] = out;
      }
  }
}

/// The same at its place in C. \param args  c, c_batch, c_stride too
template <bool VECTOR, class Arguments, class T, int V>
__device__ __forceinline__ void store_columns(Arguments const& args, std::int64_t row, std::int64_t first_column,
                                              std::int64_t columns_left, int step, T const (&sum)[V]) {
  T* const c = args.c + blockIdx.y * args.c_batch + row * args.c_stride + first_column;
  store_at<VECTOR>(args, c, row, first_column, columns_left, step, sum);
}

}  // namespace araia::cuda
