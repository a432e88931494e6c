// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lanes of csr_spmm_short_rows: what one adds up and stores of a row of C, by words, packs or shifted packs.

#include <climits>
#include <cstdint>

#include "backends/cuda/csr_spmm_store.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_pieces.cuh"
#include "backends/cuda/shifted_packs.cuh"

namespace araia::cuda {

template <class T>
struct ShortArguments {
  std::int32_t const* row_offsets;  // or 64 bits each
  std::int32_t const* col_indices;
  T const* values;  // or null: ones
  std::int32_t const* row_permutation;
  T const* b;
  T* c;
  unsigned rows;
  std::int64_t c_stride;  // elements
  std::int64_t b_batch;   // elements from one item's B to the next's
  std::int64_t c_batch;
  int columns;
  int first_tile;          // of gridDim.z
  int tile_pieces;         // packs of a row from one tile of shifted packs to the next
  std::uint32_t b_pitch;   // bytes
  unsigned inner_columns;  // of A, around whose rows of B whole packs are B's; 0: none, as rows overlap or are few
  int longest;             // entries of a row that its own lanes multiply
  bool wide_offsets;       // of 64 bits
  int hub;                 // entries of a group of rows: long rows of those of more are crowds'
  unsigned front_blocks;   // of a tile, before those of rows: for groups_a_block groups of group_rows rows each, one of
  unsigned group_rows;     // `slices` and of `shares`
  unsigned groups_a_block;
  unsigned slices;  // of columns of a tile
  unsigned shares;
  bool plain;  // C = alpha A B
  T alpha;
  T beta;
  StoreEpilogue<T> epilogue;

  [[nodiscard]] __device__ __forceinline__ std::int64_t row_of_c(std::int64_t stored) const {
    return row_permutation ? row_permutation[stored] : stored;
  }
  /// Where the entries of so many rows begin and end. A branch that all take alike is shorter than what suits both.
  __device__ __forceinline__ void find_entries(std::int64_t stored, std::int64_t count, std::int64_t& start,
                                               std::int64_t& end) const {
    if (wide_offsets) {
      auto const* const wide = reinterpret_cast<std::int64_t const*>(row_offsets);
      start = wide[stored], end = wide[stored + count];
    } else {
      start = row_offsets[stored], end = row_offsets[stored + count];
    }
  }
  /// A row's: where they begin, and how many, or the most of int.
  __device__ __forceinline__ void find_entries_of_row(std::int64_t stored, std::int64_t& start, int& count) const {
    if (wide_offsets) {
      auto const* const wide = reinterpret_cast<std::int64_t const*>(row_offsets);
      start = wide[stored];
      count = static_cast<int>(min(wide[stored + 1] - start, std::int64_t{INT_MAX}));
    } else {
      int const first = row_offsets[stored];
      start = first, count = row_offsets[stored + 1] - first;
    }
  }
  /// The address in this row of B whose like in row 0 is `base`.
  [[nodiscard]] __device__ __forceinline__ std::uint64_t row_of_b(std::uint64_t base, std::int32_t column) const {
    return base + static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) * b_pitch;
  }
  /// A row of this item's C.
  [[nodiscard]] __device__ __forceinline__ T* start_of_row(std::int64_t row) const {
    return c + blockIdx.y * c_batch + row * c_stride;
  }
  [[nodiscard]] __device__ __forceinline__ int tile() const { return first_tile + static_cast<int>(blockIdx.z); }
};

// Loads are not volatile, so that the compiler may move them: only of what the kernel does not write, at addresses that
// depend on what was read after wait_for_predecessor.

/// 16 bytes at a global address where `condition`, or zeros: a predicate, as by a branch each has an address of its
/// own.
__device__ __forceinline__ uint4 load_if(bool condition, std::uint64_t address) {
  uint4 value;
  asm("{ .reg .pred p; setp.ne.s32 p, %4, 0; mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;"
      "  @p ld.global.v4.b32 {%0, %1, %2, %3}, [%5]; }"
      : "=&r"(value.x), "=&r"(value.y), "=&r"(value.z), "=&r"(value.w)
      : "r"(static_cast<int>(condition)), "l"(address));
  return value;
}

__device__ __forceinline__ std::int32_t load_word_if(bool condition, std::uint64_t address, std::int32_t /*like*/) {
  std::int32_t value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.b32 %0, 0; @p ld.global.b32 %0, [%2]; }"
      : "=&r"(value)
      : "r"(static_cast<int>(condition)), "l"(address));
  return value;
}
__device__ __forceinline__ float load_word_if(bool condition, std::uint64_t address, float /*like*/) {
  float value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.b32 %0, 0; @p ld.global.f32 %0, [%2]; }"
      : "=&f"(value)
      : "r"(static_cast<int>(condition)), "l"(address));
  return value;
}
__device__ __forceinline__ double load_word_if(bool condition, std::uint64_t address, double /*like*/) {
  double value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.b64 %0, 0; @p ld.global.f64 %0, [%2]; }"
      : "=&d"(value)
      : "r"(static_cast<int>(condition)), "l"(address));
  return value;
}

/// *to = value where `condition`: a predicate, no branch. A warp has ends of rows among its lanes, and each way of a
/// branch would be gone by all of them.
__device__ __forceinline__ void store_if(bool condition, uint4* to, uint4 value) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.v4.b32 [%1], {%2, %3, %4, %5}; }" ::"r"(
                   static_cast<int>(condition)),
               "l"(__cvta_generic_to_global(to)), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
               : "memory");
}
__device__ __forceinline__ void store_if(bool condition, float* to, float value) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.f32 [%1], %2; }" ::"r"(static_cast<int>(condition)),
               "l"(__cvta_generic_to_global(to)), "f"(value)
               : "memory");
}
__device__ __forceinline__ void store_if(bool condition, double* to, double value) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.f64 [%1], %2; }" ::"r"(static_cast<int>(condition)),
               "l"(__cvta_generic_to_global(to)), "d"(value)
               : "memory");
}

/// Some entries of a row that its LANES lanes hold, read by all of them at once and handed around by shuffles: as every
/// lane's own loads they would be as many requests as those of B. Entries that are not there have column -1 and value
/// 0.
template <class T, int LANES>
struct HeldEntries {
  static constexpr int each = LANES == 1 ? 4 : LANES < 8 ? 8 / LANES : 1;  // of a lane
  static constexpr int count = LANES * each;
  std::int32_t column[each];
  T value[each];

  /// Those from `at` on, of which `there` are the row's.
  __device__ __forceinline__ HeldEntries(ShortArguments<T> const& args, std::int64_t at, int there, int place) {
    auto const columns = reinterpret_cast<std::uint64_t>(args.col_indices + at + place);
    auto const values = reinterpret_cast<std::uint64_t>(args.values + at + place);
    bool const ones = args.values == nullptr;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      bool const here = i * LANES + place < there;
      std::int32_t const loaded = load_word_if(here, columns + i * LANES * sizeof(std::int32_t), std::int32_t{});
      column[i] = here ? loaded : -1;
      T const given = load_word_if(here && !ones, values + i * LANES * sizeof(T), T{});
      value[i] = here && ones ? T{1} : given;
    }
  }

  /// f(columns, values) of FEW entries at once, of the first `n`. All lanes of the warp call it, with the same n.
  template <int FEW, class F>
  __device__ __forceinline__ void hand_out(int n, F const& f) const {
    static_assert(count % FEW == 0);
    std::int32_t columns[FEW];
    T values[FEW];
    if constexpr (each == 1) {
#pragma unroll 1
      for (int k = 0; k < n; k += FEW) {
#pragma unroll
        for (int i = 0; i < FEW; ++i) {
          columns[i] = __shfl_sync(~0u, column[0], k + i, LANES);
          values[i] = __shfl_sync(~0u, value[0], k + i, LANES);
        }
        f(columns, values);
      }
    } else {
#pragma unroll
      for (int k = 0; k < count; k += FEW) {
        if (k >= n) break;
#pragma unroll
        for (int i = 0; i < FEW; ++i) {
          columns[i] = __shfl_sync(~0u, column[(k + i) / LANES], (k + i) % LANES, LANES);
          values[i] = __shfl_sync(~0u, value[(k + i) / LANES], (k + i) % LANES, LANES);
        }
        f(columns, values);
      }
    }
  }

  /// f(column, value) of the first `n`, by code that is there once. All lanes of the warp call it, with the same n.
  template <class F>
  __device__ __forceinline__ void hand_out_singly(int n, F const& f) const {
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      std::int32_t own = column[0];
      T its = value[0];
#pragma unroll
      for (int i = 1; i < each; ++i)
        if (k / LANES == i) own = column[i], its = value[i];
      own = __shfl_sync(~0u, own, k % LANES, LANES);
      its = __shfl_sync(~0u, its, k % LANES, LANES);
      if (own >= 0) f(own, its);
    }
  }
};

/// Columns of a row as words, LANES apart.
template <class T, int PIECES, int LANES>
struct WordLane {
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES;
  static constexpr bool packs = false;                          // of rows that hold whole ones
  static constexpr bool shifted_by_row = false;                 // of C, which begins anywhere in a pack
  static constexpr int at_once = 4;                             // entries whose rows of B are in flight
  static constexpr int at_once_by_block = PIECES <= 3 ? 8 : 4;  // of long rows
  // So many at least, by the registers that the kernel takes without its calls for long rows and crowds.
  static constexpr int blocks = sizeof(T) == sizeof(float) ? (PIECES <= 5 ? 10 : 9)
                                : PIECES == 1              ? 10
                                : PIECES == 2              ? 9
                                                           : 8;

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  T sum[columns] = {};

  __device__ __forceinline__ WordLane(ShortArguments<T> const& arguments, int tile, int place, std::int64_t /*row*/)
      : args(arguments),
        first(tile * LANES * PIECES + place),
        base(reinterpret_cast<std::uint64_t>(args.b + blockIdx.y * args.b_batch + first)) {
    asm volatile("" : "+l"(base));  // as of packs
  }

  /// Adds the first `n` entries. All lanes of the warp call it, with the same n.
  __device__ __forceinline__ void add(HeldEntries<T, LANES> const& held, int n) {
    held.template hand_out<at_once>(n, [&](auto const& column, auto const& value) { add_few<false>(column, value); });
  }

  /// Adds some entries, whose rows of B are in flight together. Those of column -1 are not there, unless ALL are.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_few(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    int const row_left = args.columns - first;
    T b[FEW][PIECES];
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      int const left = ALL || column[i] >= 0 ? row_left : 0;
      std::uint64_t const from = args.row_of_b(base, column[i]);
#pragma unroll
      for (int v = 0; v < PIECES; ++v) b[i][v] = load_word_if(left > v * LANES, from + v * LANES * sizeof(T), T{});
    }
#pragma unroll
    for (int i = 0; i < FEW; ++i)
#pragma unroll
      for (int v = 0; v < PIECES; ++v) sum[v] += value[i] * b[i][v];
  }

  __device__ __forceinline__ void finish_sums(int /*place*/) {}

  __device__ __forceinline__ void store(std::int64_t row, int /*place*/) const {
    if (first >= args.columns) return;
    if (!args.plain) return store_columns<false>(args, row, first, args.columns - first, LANES, sum);
    T* const c = args.start_of_row(row) + first;
#pragma unroll
    for (int p = 0; p < PIECES; ++p)
      if (first + p * LANES < args.columns) c[p * LANES] = args.alpha * sum[p];
  }
};

/// Columns of a row as packs of 16 bytes, LANES apart. SHIFTED: rows of B and C begin anywhere, and packs of C are
/// those that its row lies in, so that the first begins up to a pack before it.
template <class T, int PIECES, int LANES, bool SHIFTED>
struct PackLane {
  static constexpr int words = pack_words<T>;
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES * words;
  static constexpr bool packs = !SHIFTED;
  static constexpr bool shifted_by_row = SHIFTED;
  static constexpr bool single = sizeof(T) == sizeof(float);
  // Entries whose rows of B are in flight. Few where a lane has many sums: registers for warps.
  static constexpr int at_once = SHIFTED || PIECES > 2 ? 2 : 4;
  static constexpr int at_once_by_block = PIECES == 1 ? (SHIFTED ? 4 : 8) : PIECES <= 3 && (single || !SHIFTED) ? 4 : 2;
  static constexpr int blocks_of_packs = PIECES == 1   ? (single ? 10 : 9)
                                         : PIECES == 2 ? 7
                                         : PIECES == 3 ? (single || LANES >= 8 ? 8 : 7)
                                                       : (single ? 7 : 6);
  static constexpr int blocks_of_shifted = PIECES == 2 ? 8 : PIECES == 3 ? 6 : PIECES == 4 ? 5 : 4;
  static constexpr int blocks = SHIFTED ? blocks_of_shifted : blocks_of_packs;

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  ShiftedSums<T, PIECES> shifted;
  T sum[columns] = {};

  __device__ __forceinline__ PackLane(ShortArguments<T> const& arguments, int tile, int place, std::int64_t row)
      : args(arguments), first((tile * tile_pieces() + place) * words) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    if constexpr (SHIFTED)
      first -= bytes_beyond_pack<T>(reinterpret_cast<std::uint64_t>(args.start_of_row(row))) / bytes;
    base = reinterpret_cast<std::uint64_t>(args.b) +
           static_cast<std::uint64_t>((blockIdx.y * args.b_batch + first) * bytes);
    // Opaque from here on: the compiler would find it again from the arguments for each load.
    asm volatile("" : "+l"(base));
  }

  /// As of words.
  __device__ __forceinline__ void add(HeldEntries<T, LANES> const& held, int n) {
    if (SHIFTED && __any_sync(~0u, !inside(held.column)))
      held.hand_out_singly(n, [&](std::int32_t column, T value) { add_by_words(column, value); });
    else
      held.template hand_out<at_once>(n,
                                      [&](auto const& column, auto const& value) { add_inside<false>(column, value); });
  }

  /// As of words.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_few(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    if (!SHIFTED || inside(column)) {
      add_inside<ALL>(column, value);
    } else {
#pragma unroll
      for (int i = 0; i < FEW; ++i)
        if (column[i] >= 0) add_by_words(column[i], value[i]);
    }
  }

  __device__ __forceinline__ void finish_sums(int place) {
    if constexpr (SHIFTED) shifted.template fold<LANES>(place, sum);
  }

  __device__ __forceinline__ void store(std::int64_t row, int place) const {
    if (!args.plain) return store_finished(row, place);
    T* const c = args.start_of_row(row);
    int const pieces = pieces_of(place);
#pragma unroll
    for (int p = 0; p < PIECES; ++p) {
      int const column = first + p * LANES * words;
      bool const stored = column < args.columns && p < pieces;
      bool const whole = !SHIFTED || (column >= 0 && column + words <= args.columns);
      RowPiece<T, words> out;
#pragma unroll
      for (int v = 0; v < words; ++v) out.value[v] = args.alpha * sum[p * words + v];
      store_if(stored && whole, reinterpret_cast<uint4*>(c + column), *reinterpret_cast<uint4 const*>(&out));
      if constexpr (SHIFTED) {
        bool const ends = stored && !whole;
#pragma unroll
        for (int v = 0; v < words; ++v)  // a row begins after a pack's first word, and ends before its last
          if (v < words - 1 || p == 0)
            store_if(ends && column + v >= 0 && column + v < args.columns, c + column + v, out.value[v]);
      }
    }
  }

 private:
  [[nodiscard]] __device__ __forceinline__ int tile_pieces() const {
    return SHIFTED ? args.tile_pieces : LANES * PIECES;
  }

  /// Of this lane.
  [[nodiscard]] __device__ __forceinline__ int pieces_of(int place) const {
    return (tile_pieces() - place + LANES - 1) / LANES;
  }

  /// With beta C and the epilogue.
  __device__ __forceinline__ void store_finished(std::int64_t row, int place) const {
    T* const c = args.start_of_row(row);
    int const pieces = pieces_of(place);
    int last = -1;  // column of the pack that the row ends in, if it is this lane's
    T end_of_row[words] = {};
#pragma unroll
    for (int p = 0; p < PIECES; ++p) {
      int const column = first + p * LANES * words;
      if (column >= args.columns || p >= pieces) break;
      T of_pack[words];
#pragma unroll
      for (int v = 0; v < words; ++v) of_pack[v] = sum[p * words + v];
      if (!SHIFTED || (column >= 0 && column + words <= args.columns)) {
        store_at<true>(args, c + column, row, column, words, 1, of_pack);
      } else if (p == 0 && column < 0) {
        store_words(c, row, column, of_pack);
      } else {
        last = column;
#pragma unroll
        for (int v = 0; v < words; ++v) end_of_row[v] = of_pack[v];
      }
    }
    if (SHIFTED && last >= 0) store_words(c, row, last, end_of_row);
  }

  /// The words of a pack of C that are the row's, one by one: few packs are such, and code that is not there is fetched
  /// by none.
  __device__ __forceinline__ void store_words(T* c, std::int64_t row, int column, T const (&of_pack)[words]) const {
#pragma unroll 1
    for (int v = 0; v < words; ++v) {
      T value[1] = {of_pack[0]};
#pragma unroll
      for (int k = 1; k < words; ++k)
        if (v == k) value[0] = of_pack[k];
      int const at = column + v;
      if (at >= 0 && at < args.columns) store_at<false>(args, c + at, row, at, 1, 1, value);
    }
  }

  /// Entries whose rows of B may be read by whole packs.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_inside(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    int const row_left = min(args.columns - first, (PIECES * LANES + 1) * words) * bytes;
    std::uint64_t from[FEW];
    int shift[FEW];
    int left[FEW];  // bytes of the row from the lane's first pack on; 0 of an entry that is not there
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      from[i] = args.row_of_b(base, column[i]);
      shift[i] = SHIFTED ? bytes_beyond_pack<T>(from[i]) : 0;
      left[i] = ALL || column[i] >= 0 ? row_left + shift[i] : 0;
      if constexpr (SHIFTED) from[i] &= ~std::uint64_t{15};
    }
    RowPiece<T, words> b[FEW][PIECES];
#pragma unroll
    for (int i = 0; i < FEW; ++i)
#pragma unroll
      for (int p = 0; p < PIECES; ++p) {
        // A pack that has columns of this row: the first may lie before it.
        bool const reads =
            left[i] > p * LANES * 16 && (!SHIFTED || p > 0 || shift[i] < (min(first, 0) + words) * bytes);
        auto const bits = load_if(reads, from[i] + p * LANES * 16);
        b[i][p] = *reinterpret_cast<RowPiece<T, words> const*>(&bits);
      }
#pragma unroll
    for (int i = 0; i < FEW; ++i)
      if constexpr (SHIFTED) {
        shifted.add(shift[i], value[i], b[i]);
      } else {
#pragma unroll
        for (int p = 0; p < PIECES; ++p)
#pragma unroll
          for (int v = 0; v < words; ++v) sum[p * words + v] += value[i] * b[i][p].value[v];
      }
  }

  /// One entry, whose row of B may be the first or last: no more of B than the row is read.
  __device__ __forceinline__ void add_by_words(std::int32_t column, T value) {
    std::uint64_t const from = args.row_of_b(base, column);
    int const shift = bytes_beyond_pack<T>(from);
    auto const* const packs_of_row = reinterpret_cast<T const*>(from & ~std::uint64_t{15});
    RowPiece<T, words> b[PIECES];
#pragma unroll
    for (int p = 0; p < PIECES; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v) {
        int const of_pack = p * LANES * words + v;
        int const of_row = first + of_pack - shift / static_cast<int>(sizeof(T));
        b[p].value[v] = of_row >= 0 && of_row < args.columns ? packs_of_row[of_pack] : T{};
      }
    shifted.add(shift, value, b);
  }

  /// Whether rows of B lie before and after each of these, so that whole packs around it are in B's memory.
  template <int COUNT>
  __device__ __forceinline__ bool inside(std::int32_t const (&columns_of_b)[COUNT]) const {
    unsigned most = 0;
#pragma unroll
    for (std::int32_t const column : columns_of_b)
      most = max(most, static_cast<unsigned>(column >= 0 ? column : 1) - 1u);
    return most < args.inner_columns;
  }
};

}  // namespace araia::cuda
