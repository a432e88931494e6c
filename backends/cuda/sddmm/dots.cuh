// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dot products of a row of X with rows of Y at 32 entries of a CSR, by the lanes of a warp.

#include <cstdint>

#include "backends/cuda/sddmm/arguments.hpp"

namespace araia::cuda {

inline constexpr int warp_size = 32;
inline constexpr int batch = warp_size;  // entries of a step

template <class T>
struct Sixteen {
  T of[vector_of<T>];
};

// Sixteen bytes of a row from element `at` on, zeros past its end.
template <bool VECTOR, int LANES, class T>
__device__ __forceinline__ Sixteen<T> load_sixteen(T const* row, std::int64_t stride, std::int64_t at, std::int64_t k) {
  Sixteen<T> v{};
  if constexpr (VECTOR) {
    if (at < k) {
      auto const bits = *reinterpret_cast<uint4 const*>(row + at);
      v = *reinterpret_cast<Sixteen<T> const*>(&bits);
    }
  } else {
#pragma unroll
    for (int i = 0; i < vector_of<T>; ++i)
      if (at + i * LANES < k) v.of[i] = row[(at + i * LANES) * stride];
  }
  return v;
}

template <class T, class Offset, int LANES, int CHUNKS, int FLIGHT, bool VECTOR, bool TILED>
struct Dots {
  static constexpr int groups = warp_size / LANES;
  static constexpr int tile = LANES * CHUNKS * vector_of<T>;
  static constexpr int entries_at_once = FLIGHT / CHUNKS > LANES ? LANES
                                         : FLIGHT / CHUNKS > 1   ? FLIGHT / CHUNKS
                                                                 : 1;  // entries of a group at once

  SddmmArguments<T, Offset> const& args;
  int lane;
  Sixteen<T> x[CHUNKS];

  __device__ __forceinline__ std::int64_t first_k(int chunk) const {
    int const own = lane % LANES;
    return VECTOR ? (chunk * LANES + own) * vector_of<T> : chunk * LANES * vector_of<T> + own;
  }

  __device__ __forceinline__ void load_x(std::int64_t stored_row, std::int64_t k_first) {
    std::int64_t const row = args.a.row_permutation ? args.a.row_permutation[stored_row] : stored_row;
    T const* const from = args.x + row * args.x_row_stride;
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c)
      x[c] = load_sixteen<VECTOR, LANES>(from, args.x_k_stride, k_first + first_k(c), args.k);
  }

  // One batch of a row, `count` entries from `at` on; `column` is that of entry at + lane. Entry e of group g is entry
  // e * groups + g of the batch, and in the end that of lane e of the group.
  // SHARED: `column` counts the rows of `panel`, which are k elements apart, and past the count it is any of them, as
  // its sum is dropped; else it is -1 there, as loads from memory cost more than what skips them.
  template <bool SHARED>
  __device__ __forceinline__ void step(std::int64_t stored_row, std::int32_t column, Offset at, int count,
                                       T const* panel = nullptr) {
    int const group = lane / LANES;
    T result{};
#pragma unroll 1
    for (int e = 0; e < LANES; e += entries_at_once) {
      if (e * groups >= count) break;
      T sum[entries_at_once] = {};
      std::int64_t k_first = 0;
      do {
        if constexpr (TILED) load_x(stored_row, k_first);
        Sixteen<T> y[entries_at_once][CHUNKS];
#pragma unroll
        for (int j = 0; j < entries_at_once; ++j) {
          std::int32_t const col = __shfl_sync(~0u, column, (e + j) * groups + group);
          T const* const from = SHARED ? panel + col * static_cast<int>(args.k)
                                       : args.y + static_cast<std::int64_t>(col) * args.y_row_stride;
#pragma unroll
          for (int c = 0; c < CHUNKS; ++c)
            y[j][c] = SHARED || col >= 0
                          ? load_sixteen<VECTOR, LANES>(from, args.y_k_stride, k_first + first_k(c), args.k)
                          : Sixteen<T>{};
        }
#pragma unroll
        for (int j = 0; j < entries_at_once; ++j)
#pragma unroll
          for (int c = 0; c < CHUNKS; ++c)
#pragma unroll
            for (int v = 0; v < vector_of<T>; ++v) sum[j] += x[c].of[v] * y[j][c].of[v];
        k_first += tile;
      } while (TILED && k_first < args.k);
      // Lanes exchange halves of the sums until lane l has its share of entry e + l % entries_at_once, then add the
      // shares up:
      //   lane     0       1       2       3      ...       (entries_at_once = 2)
      //   has      s0 s1   s0 s1   s0 s1   s0 s1
      //   width 1  s0+s0'  s1+s1'  s0+s0'  s1+s1'           then widths 2, 4, ... of one sum
#pragma unroll
      for (int width = entries_at_once / 2; width > 0; width /= 2) {
        bool const upper = (lane & width) != 0;
#pragma unroll
        for (int i = 0; i < width; ++i) {
          T const give = upper ? sum[i] : sum[i + width];
          T const keep = upper ? sum[i + width] : sum[i];
          sum[i] = keep + __shfl_xor_sync(~0u, give, width);
        }
      }
#pragma unroll
      for (int width = entries_at_once; width < LANES; width *= 2) sum[0] += __shfl_xor_sync(~0u, sum[0], width);
      if (lane % LANES / entries_at_once * entries_at_once == e) result = sum[0];
    }
    int const own = lane % LANES * groups + lane / LANES;
    if (own >= count) return;
    Offset const entry = at + static_cast<Offset>(own);
    if (args.a.values) result *= args.a.values[entry];
    result *= args.alpha;
    args.d[entry] = args.beta == T{} ? result : result + args.beta * args.d[entry];
  }
};

}  // namespace araia::cuda
