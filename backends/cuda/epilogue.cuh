// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Epilogues where kernels of SpMM store C. Most kernels ask once a store whether there is one, in a branch that all
// threads of the grid take alike, and are not compiled twice; those that it costs registers have a second form.

#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

/// As kernels take it.
template <class T>
struct StoreEpilogue {
  EpiloguePointers<T> at{};
  bool any = false;
  bool wide = false;  // neighbours of R by one access, wherever those of C come so

  StoreEpilogue() = default;
  /// \param width  neighbours that an access holds
  StoreEpilogue(EpiloguePointers<T> const& e, std::int64_t width)
      : at(e),
        any(e.any()),
        wide(e.residual_column_stride == 1 && is_aligned(e.residual, static_cast<std::size_t>(width) * sizeof(T)) &&
             e.residual_row_stride % width == 0 && e.residual_batch_stride % width == 0) {}
};

/// bias + R of V neighbours of C, at most 16 bytes, from a column that is a multiple of V where e.wide. Plain loads:
/// work ahead in the stream may have written the operands. Loads of several places go before the first store to C,
/// which they must not pass.
template <int V, class T>
__device__ __forceinline__ void load_terms(StoreEpilogue<T> const& e, std::int64_t row, std::int64_t column,
                                           T (&terms)[V], std::int64_t item = 0) {
  T const bias = e.at.row_bias ? e.at.row_bias[row * e.at.row_bias_stride] : T{};
#pragma unroll
  for (int v = 0; v < V; ++v) terms[v] = bias;
  if (e.at.column_bias)
#pragma unroll
    for (int v = 0; v < V; ++v) terms[v] += e.at.column_bias[(column + v) * e.at.column_bias_stride];
  if (e.at.residual) {
    T const* const from = e.at.residual + item * e.at.residual_batch_stride + row * e.at.residual_row_stride +
                          column * e.at.residual_column_stride;
    struct alignas(sizeof(T) * V) Neighbours {
      T of[V];
    };
    if (e.wide) {
      Neighbours const r = *reinterpret_cast<Neighbours const*>(from);
#pragma unroll
      for (int v = 0; v < V; ++v) terms[v] += r.of[v];
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) terms[v] += from[v * e.at.residual_column_stride];
    }
  }
}

/// Asks for what load_terms will read of V columns that are `step` apart, of which `left` are there. Only after the
/// wait for work ahead.
template <int V, class T>
__device__ __forceinline__ void prefetch_terms(StoreEpilogue<T> const& e, std::int64_t row, std::int64_t column,
                                               std::int64_t left, int step, std::int64_t item = 0) {
  auto const ask = [](T const* address) { asm volatile("prefetch.global.L1 [%0];" ::"l"(address)); };
  if (e.at.row_bias) ask(e.at.row_bias + row * e.at.row_bias_stride);
  if (e.at.residual)
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v * step < left)
        ask(e.at.residual + item * e.at.residual_batch_stride + row * e.at.residual_row_stride +
            (column + v * step) * e.at.residual_column_stride);
}

/// act(value + terms).
template <class T>
__device__ __forceinline__ T finished(StoreEpilogue<T> const& e, T value, T terms) {
  value += terms;
  return e.at.relu && value < T{} ? T{} : value;  // NaN stays
}

/// One element of C.
template <class T>
__device__ __forceinline__ T finished(StoreEpilogue<T> const& e, std::int64_t row, std::int64_t column, T value,
                                      std::int64_t item = 0) {
  T terms[1];
  load_terms(e, row, column, terms, item);
  return finished(e, value, terms[0]);
}

/// V neighbours of C.
template <int V, class T>
__device__ __forceinline__ void finish_neighbours(StoreEpilogue<T> const& e, std::int64_t row, std::int64_t column,
                                                  T (&value)[V], std::int64_t item = 0) {
  T terms[V];
  load_terms(e, row, column, terms, item);
#pragma unroll
  for (int v = 0; v < V; ++v) value[v] = finished(e, value[v], terms[v]);
}

}  // namespace araia::cuda
