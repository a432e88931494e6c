// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A step of bsr_spmm_tensor_cores: what a warp holds of A and B, and its products in each precision.

#include <type_traits>

#include "backends/cuda/memory.cuh"
#include "backends/cuda/rounding.cuh"
#include "backends/cuda/warp_mma.cuh"

namespace araia::cuda {

/// What a warp holds. HEIGHT: tiles of 8 rows of a block.
template <class T, Precision P, int HEIGHT, int PACKS, int SLOTS>
struct BsrTensorShape {
  static constexpr bool short_scalars = P == Precision::fp16 || P == Precision::bf16;
  static constexpr int width = 16 / static_cast<int>(sizeof(T));  // columns of a lane and pack
  static constexpr int tiles = width / 2;                         // MMAs of 16 columns a pack
  static constexpr int tile_columns = 8 * width * PACKS;
  static constexpr int slots = SLOTS;  // of a lane, in flight
  static constexpr int words = static_cast<int>(sizeof(T)) / 4;
  // Sums, rows of B, values of this step and the next; halves and their sums.
  static constexpr int registers = (short_scalars ? 52 : 48) + 8 * HEIGHT * PACKS + 4 * slots * PACKS +
                                   2 * slots * HEIGHT * words +
                                   (P == Precision::fp32_3xtf32 ? 4 * HEIGHT + 2 * slots * HEIGHT + 4 * slots : 0) +
                                   (slots == 8 && words == 1 ? 24 : 0);                   // so that nothing spills
  static constexpr int blocks_resident = registers <= 80 ? 3 : registers <= 120 ? 2 : 1;  // of most_warps
  using PackOfColumns = Pack<T, width>;                                                   // of B, and of C
  using PacksOfB = PackOfColumns[slots][PACKS];
  using Values = T[slots][HEIGHT];
  using Sums = T[PACKS][tiles][HEIGHT][4];
};

/// sum += B^T A^T over 4 slots of the depth for each of the lane's.
template <class S, Precision P>
__device__ __forceinline__ void multiply(typename S::PacksOfB const& b, typename S::Values const& value,
                                         typename S::Sums& sum) {
  constexpr int height = std::extent_v<typename S::Values, 1>;
  constexpr int packs = std::extent_v<typename S::PacksOfB, 1>;
  constexpr int depth = S::short_scalars ? 4 : 2;  // slots of an MMA
  auto const each = [&](auto const& body) {
#pragma unroll
    for (int p = 0; p < packs; ++p)
#pragma unroll
      for (int q = 0; q < S::tiles; ++q) body(p, q);
  };
  if constexpr (P == Precision::native) {
#pragma unroll
    for (int u = 0; u < S::slots; u += depth)
      each([&](int p, int q) {
        double const a[4] = {b[u][p].at[0], b[u][p].at[1], b[u + 1][p].at[0], b[u + 1][p].at[1]};
#pragma unroll
        for (int n = 0; n < height; ++n) warp_mma(sum[p][q][n], a, {value[u][n], value[u + 1][n]});
      });
  } else if constexpr (P == Precision::fp32_3xtf32) {
    unsigned upper[S::slots][height], lower[S::slots][height];
    auto const halve = [](float x, unsigned& high, unsigned& low) {
      float const rounded = round_tf32(x);
      high = __float_as_uint(rounded), low = __float_as_uint(x - rounded);
    };
#pragma unroll
    for (int u = 0; u < S::slots; ++u)
#pragma unroll
      for (int n = 0; n < height; ++n) halve(value[u][n], upper[u][n], lower[u][n]);
    each([&](int p, int q) {
      unsigned high[S::slots / depth][4], low[S::slots / depth][4];
#pragma unroll
      for (int u = 0; u < S::slots; ++u)
#pragma unroll
        for (int i = 0; i < 2; ++i) halve(b[u][p].at[2 * q + i], high[u / 2][u % 2 * 2 + i], low[u / 2][u % 2 * 2 + i]);
      // The tensor cores truncate: sums of this step alone, the smallest products first, then rounded additions.
      float fresh[height][4] = {};
      auto const add = [&](unsigned const(&rows)[S::slots / depth][4], unsigned const(&cols)[S::slots][height]) {
#pragma unroll
        for (int u = 0; u < S::slots; u += depth)
#pragma unroll
          for (int n = 0; n < height; ++n)
            warp_mma<Precision::tf32>(fresh[n], rows[u / depth], {cols[u][n], cols[u + 1][n]});
      };
      add(low, upper);
      add(high, lower);
      add(high, upper);
#pragma unroll
      for (int n = 0; n < height; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[p][q][n][i] += fresh[n][i];
    });
  } else {
    // Bits of slots u and, of 16 bits, u + 1.
    auto const bits = [](float first, float second) {
      if constexpr (S::short_scalars)
        return pack_16_bit<P>(first, second);
      else
        return __float_as_uint(round_tf32(first));
    };
    constexpr int half = depth / 2;
#pragma unroll
    for (int u = 0; u < S::slots; u += depth) {
      unsigned cols[height][2];
#pragma unroll
      for (int n = 0; n < height; ++n)
#pragma unroll
        for (int k = 0; k < 2; ++k) cols[n][k] = bits(value[u + k * half][n], value[u + k * half + half - 1][n]);
      each([&](int p, int q) {
        unsigned rows[4];
#pragma unroll
        for (int k = 0; k < 2; ++k)
#pragma unroll
          for (int i = 0; i < 2; ++i)
            rows[2 * k + i] = bits(b[u + k * half][p].at[2 * q + i], b[u + k * half + half - 1][p].at[2 * q + i]);
#pragma unroll
        for (int n = 0; n < height; ++n) warp_mma<P>(sum[p][q][n], rows, cols[n]);
      });
    }
  }
}

}  // namespace araia::cuda
