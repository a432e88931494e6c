// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of a row-major operand that begin anywhere, read by the aligned packs of 16 bytes that they lie in.
//
// A row of B of odd ld begins at any word, so a lane's pack holds its columns shifted by 0 to W - 1 words (W words a
// pack) against those of its row of C. To shift each row of B takes as many shuffles as loads by words would. But sums
// may be shifted as well as their terms, once a row of C: a lane sums what its packs of B hold by any shift, the
// columns of its pack of C and the W - 1 before,
//
//   row of C at word 1        |  c0 c1 c2 | c3 c4 c5 c6 |          lane 1 owns c3 c4 c5 c6, sums c0 .. c6
//   row of B at word 3        |        b0 | b1 b2 b3 b4 | b5 b6    shift 2: its b1 b2 b3 b4 go to c1 .. c4
//   row of B at word 1        |  b0 b1 b2 | b3 b4 b5 b6 |          shift 0: its b3 b4 b5 b6 go to c3 .. c6
//
// and in the end its c0 c1 c2 go to the lane before: W - 1 shuffles a pack.

#include <cstdint>

#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_pieces.cuh"

namespace araia::cuda {

/// The bytes by which an address is beyond a pack: whole words, as addresses of T are.
template <class T>
__device__ __forceinline__ int bytes_beyond_pack(std::uint64_t address) {
  return static_cast<int>(address) & static_cast<int>(16 - sizeof(T));
}

/// The sums of PACKS packs of a lane, which are LANES packs apart.
template <class T, int PACKS>
struct ShiftedSums {
  static constexpr int words = pack_words<T>;
  static constexpr int before = words - 1;  // columns before the pack's own
  T of_column[PACKS][before + words] = {};

  template <int SHIFT>
  __device__ __forceinline__ void add_at(T a, RowPiece<T, words> const (&b)[PACKS]) {
#pragma unroll
    for (int p = 0; p < PACKS; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v)
        of_column[p][before - SHIFT + v] = fma(a, b[p].value[v], of_column[p][before - SHIFT + v]);
  }

  /// Adds a b, shifted by so many bytes. Rows of a warp that have one shift, as those of a stencil, take one way.
  __device__ __forceinline__ void add(int shift, T a, RowPiece<T, words> const (&b)[PACKS]) {
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

  /// What belongs to the columns of this lane's packs of C. All lanes of the warp call it. The last lane's last pack
  /// lacks what its next pack holds.
  template <int LANES>
  __device__ __forceinline__ void fold(int place, T (&sum)[PACKS * words]) const {
#pragma unroll
    for (int p = 0; p < PACKS; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v) {
        T total = of_column[p][before + v];
        if (v > 0) {
          // The pack after the last lane's is the first lane's next one.
          T const first = of_column[p + 1 < PACKS ? p + 1 : p][v - 1];
          T const mine = place == 0 ? first : of_column[p][v - 1];
          total += __shfl_sync(~0u, mine, (place + 1) % LANES, LANES);
        }
        sum[p * words + v] = total;
      }
  }
};

}  // namespace araia::cuda
