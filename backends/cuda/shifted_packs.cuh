// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of a row-major operand that begin anywhere, read by the aligned packs of 16 bytes that they lie in.
//
// A row of B of odd ld begins at any word, so a lane's pack holds its columns shifted by 0 to W - 1 words (W words a
// pack) against those of its row of C. To shift each row of B takes as many shuffles as loads by words would. But a sum
// may be shifted as well as its terms, once a row of C: a lane keeps W sums of packs, by the shift of what was added,
//
//   row of C at word 1        |  c0 c1 c2 | c3 c4 c5 c6 |          pack of C of lane 1: c3 c4 c5 c6
//   row of B at word 3        |        b0 | b1 b2 b3 b4 | b5 b6    shift 2: lane 1 adds b1 b2 b3 b4 to its sum 2
//   row of B at word 1        |  b0 b1 b2 | b3 b4 b5 b6 |          shift 0: lane 1 adds b3 b4 b5 b6 to its sum 0
//
// and in the end c3 is word 0 of sum 0, word 2 of sum 2, ...: words of its own sums and of the next lane's.

#include <cstdint>

#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_pieces.cuh"

namespace araia::cuda {

/// The bytes by which an address is beyond a pack: whole words, as addresses of T are.
template <class T>
__device__ __forceinline__ int bytes_beyond_pack(std::uint64_t address) {
  return static_cast<int>(address) & static_cast<int>(16 - sizeof(T));
}

/// sum += a b where `shift` is SHIFT words. In predicates, as four ways cost more than what they leave out.
template <int SHIFT>
__device__ __forceinline__ void add_where(int shift, float (&sum)[4], float a, float const (&b)[4]) {
  asm("{ .reg .pred p; setp.eq.s32 p, %9, %10; @p fma.rn.f32 %0, %4, %5, %0; @p fma.rn.f32 %1, %4, %6, %1;"
      "  @p fma.rn.f32 %2, %4, %7, %2; @p fma.rn.f32 %3, %4, %8, %3; }"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "f"(a), "f"(b[0]), "f"(b[1]), "f"(b[2]), "f"(b[3]), "r"(shift), "n"(SHIFT * 4));
}

/// The sums of PACKS packs of a lane, which are `LANES` packs apart.
template <class T, int PACKS>
struct ShiftedSums {
  static constexpr int words = pack_words<T>;
  T of_shift[words][PACKS][words] = {};

  template <int SHIFT>
  __device__ __forceinline__ void add_at(T a, RowPiece<T, words> const (&b)[PACKS]) {
#pragma unroll
    for (int p = 0; p < PACKS; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v) of_shift[SHIFT][p][v] = fma(a, b[p].value[v], of_shift[SHIFT][p][v]);
  }

  /// Adds a b to the sum of this shift, in bytes, or to none where that is negative (not if SURE). Rows of a warp that
  /// have one shift, as those of a stencil, take one way; of one or two packs of float all ways are as short as a
  /// branch.
  template <bool SURE>
  __device__ __forceinline__ void add(int shift, T a, RowPiece<T, words> const (&b)[PACKS]) {
    if constexpr (words == 4 && PACKS <= 2) {
#pragma unroll
      for (int p = 0; p < PACKS; ++p) {
        add_where<0>(shift, of_shift[0][p], a, b[p].value);
        add_where<1>(shift, of_shift[1][p], a, b[p].value);
        add_where<2>(shift, of_shift[2][p], a, b[p].value);
        add_where<3>(shift, of_shift[3][p], a, b[p].value);
      }
    } else if (SURE || shift >= 0) {
      if constexpr (words == 4) {
        if (shift & 8) {
          if (shift & 4)
            add_at<3>(a, b);
          else
            add_at<2>(a, b);
        } else if (shift & 4) {
          add_at<1>(a, b);
        } else {
          add_at<0>(a, b);
        }
      } else if (shift & 8) {
        add_at<1>(a, b);
      } else {
        add_at<0>(a, b);
      }
    }
  }

  /// What belongs to the columns of this lane's packs of C. All lanes of the warp call it. The last lane's last pack
  /// lacks what its next pack holds.
  template <int LANES>
  __device__ __forceinline__ void fold(int place, T (&sum)[PACKS * words]) const {
#pragma unroll
    for (int p = 0; p < PACKS; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v) {
        T total = of_shift[0][p][v];
#pragma unroll
        for (int s = 1; s < words; ++s)
          if (v + s < words) {
            total += of_shift[s][p][v + s];
          } else {
            // The pack after the last lane's is the first lane's next one.
            T const first = of_shift[s][p + 1 < PACKS ? p + 1 : p][v + s - words];
            T const mine = place == 0 ? first : of_shift[s][p][v + s - words];
            total += __shfl_sync(~0u, mine, (place + 1) % LANES, LANES);
          }
        sum[p * words + v] = total;
      }
  }
};

}  // namespace araia::cuda
