// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lanes of csr_spmm_short_rows: what one adds up and stores of a row of C, by words or packs.

#include <cstdint>

#include "backends/cuda/csr_spmm_store.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_packs.cuh"
#include "backends/cuda/short_row_arguments.cuh"
#include "backends/cuda/short_row_entries.cuh"

namespace araia::cuda {

/// Columns of a row as words, LANES apart.
template <class T, int ACCESSES, int LANES>
struct WordLane {
  static constexpr int lanes = LANES;
  static constexpr int columns = ACCESSES;
  static constexpr bool packs = false;  // of rows that hold whole ones
  static constexpr bool single = sizeof(T) == sizeof(float);
  static constexpr bool many = LANES <= 8 && ACCESSES > 7;
  // Entries whose rows of B are in flight. Where a lane has many words, fewer: their registers are better spent on
  // warps.
  static constexpr int at_once = many || (!single && ACCESSES > 5) ? 2 : 4;
  static constexpr int at_once_by_block = ACCESSES <= 3 ? 8 : at_once;  // of long rows
  // So many at least, by the registers that the kernel takes without its calls for long rows and long groups.
  static constexpr int blocks_of_floats = many            ? (ACCESSES <= 10 ? 9 : 8)
                                          : ACCESSES <= 5 ? 10
                                          : ACCESSES == 6 ? 9
                                          : ACCESSES == 7 ? 8
                                                          : 7;
  static constexpr int blocks_of_doubles = ACCESSES == 1                    ? 10
                                           : ACCESSES == 2                  ? 9
                                           : ACCESSES == 5 && LANES == 2    ? 6
                                           : ACCESSES == 5 || ACCESSES == 7 ? 7
                                           : ACCESSES <= 6                  ? 8
                                                                            : 6;
  static constexpr int blocks = single ? blocks_of_floats : blocks_of_doubles;

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  T sum[columns] = {};

  __device__ __forceinline__ WordLane(ShortArguments<T> const& arguments, int tile, int place)
      : args(arguments),
        first(tile * LANES * ACCESSES + place),
        base(reinterpret_cast<std::uint64_t>(args.b + blockIdx.y * args.b_batch + first)) {
    asm volatile("" : "+l"(base));  // as of packs
  }

  /// Adds the first `n` entries. All lanes of the warp call it, with the same n.
  __device__ __forceinline__ void add(HandedEntries<T, LANES> const& entries, int n) {
    hand_out<at_once, T, LANES>(entries, n,
                                [&](auto const& column, auto const& value) { add_few<false>(column, value); });
  }

  /// Adds some entries, whose rows of B are in flight together. Those of column -1 are not there, unless ALL are.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_few(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    int const row_left = args.columns - first;
    T b[FEW][ACCESSES];
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      int const left = ALL || column[i] >= 0 ? row_left : 0;
      std::uint64_t const from = args.row_of_b(base, column[i]);
#pragma unroll
      for (int v = 0; v < ACCESSES; ++v) b[i][v] = load_word_if(left > v * LANES, from + v * LANES * sizeof(T), T{});
    }
#pragma unroll
    for (int i = 0; i < FEW; ++i)
#pragma unroll
      for (int v = 0; v < ACCESSES; ++v) sum[v] += value[i] * b[i][v];
  }

  __device__ __forceinline__ void store(std::int64_t row) const {
    if (first >= args.columns) return;
    if (!args.plain) return store_columns<false>(args, row, first, args.columns - first, LANES, sum);
    T* const c = args.start_of_row(row) + first;
#pragma unroll
    for (int p = 0; p < ACCESSES; ++p)
      if (first + p * LANES < args.columns) c[p * LANES] = args.alpha * sum[p];
  }
};

/// Columns of a row as packs of 16 bytes, LANES apart; TILE packs, the first that the lanes have, are a tile's.
template <class T, int ACCESSES, int LANES, int TILE = LANES* ACCESSES>
struct PackLane {
  static constexpr int words = pack_words<T>;
  static constexpr int lanes = LANES;
  static constexpr int columns = ACCESSES * words;
  static constexpr bool packs = true;
  static constexpr bool single = sizeof(T) == sizeof(float);
  // Entries whose rows of B are in flight. Few where a lane has many sums: registers for warps.
  static constexpr int at_once = ACCESSES > 2 ? 2 : 4;
  static constexpr int at_once_by_block = ACCESSES == 1 ? 8 : ACCESSES <= 3 ? 4 : 2;
  static constexpr int blocks = ACCESSES == 1   ? (single ? 10 : 9)
                                : ACCESSES == 2 ? 7
                                : ACCESSES == 3 ? (single || LANES >= 8 ? 8 : 7)
                                                : (single ? 7 : 6);

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  T sum[columns] = {};

  __device__ __forceinline__ PackLane(ShortArguments<T> const& arguments, int tile, int place)
      : args(arguments),
        first((tile * TILE + place) * words),
        base(reinterpret_cast<std::uint64_t>(args.b + blockIdx.y * args.b_batch + first)) {
    // Opaque from here on: the compiler would find it again from the arguments for each load.
    asm volatile("" : "+l"(base));
  }

  /// Of the tile's columns.
  [[nodiscard]] __device__ __forceinline__ int end() const {
    if constexpr (TILE == LANES * ACCESSES) return args.columns;
    return min(args.columns, (args.tile() + 1) * TILE * words);
  }

  /// As of words.
  __device__ __forceinline__ void add(HandedEntries<T, LANES> const& entries, int n) {
    hand_out<at_once, T, LANES>(entries, n,
                                [&](auto const& column, auto const& value) { add_few<false>(column, value); });
  }

  /// As of words.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_few(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    int const row_left = min(end() - first, (ACCESSES * LANES + 1) * words) * bytes;
    RowPack<T, words> b[FEW][ACCESSES];
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      int const left = ALL || column[i] >= 0 ? row_left : 0;
      std::uint64_t const from = args.row_of_b(base, column[i]);
#pragma unroll
      for (int p = 0; p < ACCESSES; ++p) {
        auto const bits = load_if(left > p * LANES * 16, from + p * LANES * 16);
        b[i][p] = *reinterpret_cast<RowPack<T, words> const*>(&bits);
      }
    }
#pragma unroll
    for (int i = 0; i < FEW; ++i)
#pragma unroll
      for (int p = 0; p < ACCESSES; ++p)
#pragma unroll
        for (int v = 0; v < words; ++v) sum[p * words + v] += value[i] * b[i][p].value[v];
  }

  __device__ __forceinline__ void store(std::int64_t row) const {
    T* const c = args.start_of_row(row) + first;
    if (args.plain) {
#pragma unroll
      for (int p = 0; p < ACCESSES; ++p) {
        RowPack<T, words> out;
#pragma unroll
        for (int v = 0; v < words; ++v) out.value[v] = args.alpha * sum[p * words + v];
        store_if(first + p * LANES * words < end(), reinterpret_cast<uint4*>(c + p * LANES * words),
                 *reinterpret_cast<uint4 const*>(&out));
      }
      return;
    }
#pragma unroll
    for (int p = 0; p < ACCESSES; ++p) {
      int const of_lane = p * LANES * words;
      if (first + of_lane >= end()) break;
      T of_pack[words];
#pragma unroll
      for (int v = 0; v < words; ++v) of_pack[v] = sum[p * words + v];
      store_at<true>(args, c + of_lane, row, first + of_lane, words, 1, of_pack);
    }
  }
};

}  // namespace araia::cuda
