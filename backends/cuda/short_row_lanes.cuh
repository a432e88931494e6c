// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lanes of csr_spmm_short_rows: what one adds up and stores of a row of C, by words, packs or shifted packs.

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
  char const* b_pack;  // the pack that B begins in
  T* c;
  std::int64_t rows;
  std::int64_t c_stride;  // elements
  std::int64_t b_batch;   // elements from one item's B to the next's
  std::int64_t c_batch;
  int columns;
  int first_tile;          // of gridDim.z
  int tile_pieces;         // packs of a row from one tile of shifted packs to the next
  std::uint32_t b_pitch;   // bytes
  unsigned b_beyond_pack;  // bytes
  unsigned inner_columns;  // of A, around whose rows of B whole packs are B's; 0: none, as rows overlap or are few
  int longest;             // entries of a row that its own lanes multiply
  int wide_offsets;        // 1 or 0
  std::int64_t hub;        // entries: longer rows go by slices of columns
  unsigned hub_blocks;     // of a tile, before those of rows: hub_groups groups of hub_group rows and one of `slices`
  int hub_group;
  int hub_groups;
  int slices;  // of columns of a tile
  T alpha;
  T beta;
  StoreEpilogue<T> epilogue;

  [[nodiscard]] __device__ __forceinline__ std::int64_t row_of_c(std::int64_t stored) const {
    return row_permutation ? row_permutation[stored] : stored;
  }
  /// Where the entries of so many rows begin and end. Words of offsets: no branch for the two widths.
  __device__ __forceinline__ void find_entries(std::int64_t stored, std::int64_t count, std::int64_t& start,
                                               std::int64_t& end) const {
    std::int32_t const* const at = row_offsets + (stored << wide_offsets);
    std::int32_t const* const behind = row_offsets + (stored + count << wide_offsets);
    auto const whole = [](std::int32_t low, std::int32_t high) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
                                       static_cast<std::uint32_t>(low));
    };
    end = whole(behind[0], wide_offsets ? behind[1] : 0);
    start = whole(at[0], wide_offsets ? at[1] : 0);
  }
  [[nodiscard]] __device__ __forceinline__ int tile() const { return first_tile + static_cast<int>(blockIdx.z); }
};

/// Columns of a row as words, LANES apart.
template <class T, int PIECES, int LANES>
struct WordLane {
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES;
  static constexpr bool packs = false;  // of rows that hold whole ones
  static constexpr int entries = 8;     // read at once: so many rows of B are in flight
  static constexpr int blocks = PIECES <= 2 ? 10 : PIECES == 3 ? 8 : PIECES == 4 ? 7 : 6;

  ShortArguments<T> const& args;
  int first;
  char const* base;
  T sum[columns] = {};

  __device__ __forceinline__ WordLane(ShortArguments<T> const& arguments, int tile, int place, std::int64_t /*row*/)
      : args(arguments),
        first(tile * LANES * PIECES + place),
        base(reinterpret_cast<char const*>(args.b + blockIdx.y * args.b_batch + first)) {}

  /// Adds entries at, at + 1, ... of a row and those `stride` on, of the `count` from `at` on. Columns that come a step
  /// ahead cost more registers than they save: 1.1 to 1.3 times the time of 7 points.
  /// \tparam MANY  of long rows, of which most steps are whole
  template <bool MANY = false>
  __device__ __forceinline__ void add(std::int64_t at, int count, int stride) {
    if (first >= args.columns) return;
    std::int32_t const* columns_of_a = args.col_indices + at;
    T const* values = args.values ? args.values + at : nullptr;
    if constexpr (MANY)
      for (; count >= entries; count -= stride, columns_of_a += stride, values += stride)
        add_step<true>(columns_of_a, values, entries);
    for (; count > 0; count -= stride, columns_of_a += stride, values += stride)
      add_step<false>(columns_of_a, values, count);
  }

  __device__ __forceinline__ void finish_sums(int /*place*/) {}

  __device__ __forceinline__ void store(std::int64_t row, int /*place*/) const {
    if (first < args.columns) store_columns<false>(args, row, first, args.columns - first, LANES, sum);
  }

 private:
  /// `count` entries, `entries` at most, as many if ALL.
  template <bool ALL>
  __device__ __forceinline__ void add_step(std::int32_t const* columns_of_a, T const* values, int count) {
    std::int32_t column[entries];
#pragma unroll
    for (int i = 0; i < entries; ++i) column[i] = ALL || i < count ? columns_of_a[i] : -1;
    T value[entries];
#pragma unroll
    for (int i = 0; i < entries; ++i) value[i] = ALL || i < count ? (args.values ? values[i] : T{1}) : T{};
    RowPiece<T, PIECES> b[entries];
#pragma unroll
    for (int i = 0; i < entries; ++i)
      b[i] = ALL || column[i] >= 0
                 ? load_b<T, PIECES, false>(base, args.b_pitch, column[i], LANES, args.columns - first)
                 : RowPiece<T, PIECES>{};
#pragma unroll
    for (int i = 0; i < entries; ++i)
#pragma unroll
      for (int v = 0; v < PIECES; ++v) sum[v] += value[i] * b[i].value[v];
  }
};

inline constexpr int no_shift = -16;  // of an entry that is not there

/// Columns of a row as packs of 16 bytes, LANES apart. SHIFTED: rows of B and C begin anywhere, and packs of C are
/// those that its row lies in, so that the first begins up to a pack before it.
template <class T, int PIECES, int LANES, bool SHIFTED>
struct PackLane {
  static constexpr int words = pack_words<T>;
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES * words;
  static constexpr bool packs = !SHIFTED;
  static constexpr bool single = sizeof(T) == sizeof(float);
  // Read at once. Few where a lane has many packs: registers for warps.
  static constexpr int entries = PIECES == 1 ? (SHIFTED ? 4 : 8) : (single || !SHIFTED) && PIECES <= 3 ? 4 : 2;
  // So many at least, by the registers that the kernel takes without its calls for long rows and hubs.
  static constexpr int blocks = !SHIFTED                ? (single && PIECES == 4 ? 7 : 8)
                                : PIECES <= 2           ? (single ? 5 : 8)
                                : PIECES == 3           ? (single ? 4 : 6)
                                : single && PIECES == 5 ? 3
                                                        : 4;

  ShortArguments<T> const& args;
  int first;            // column
  std::int64_t offset;  // bytes from B's pack to column `first` of the item's row 0
  ShiftedSums<T, PIECES> shifted;
  T sum[columns] = {};

  __device__ __forceinline__ PackLane(ShortArguments<T> const& arguments, int tile, int place, std::int64_t row)
      : args(arguments), first((tile * tile_pieces() + place) * words) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    if constexpr (SHIFTED) first -= bytes_beyond_pack<T>(reinterpret_cast<std::uint64_t>(start_of_row(row))) / bytes;
    offset = args.b_beyond_pack + (blockIdx.y * args.b_batch + first) * bytes;
    // Opaque from here on: the compiler would find it again from the arguments for each load.
    asm volatile("" : "+l"(offset));
  }

  /// As of words.
  template <bool MANY = false>
  __device__ __forceinline__ void add(std::int64_t at, int count, int stride) {
    if (first - (SHIFTED ? words - 1 : 0) >= args.columns) return;
    std::int32_t const* columns_of_a = args.col_indices + at;
    T const* values = args.values ? args.values + at : nullptr;
    constexpr bool whole_steps = MANY || SHIFTED || PIECES > 1;
    if constexpr (whole_steps)
      for (; count >= entries; count -= stride, columns_of_a += stride, values += stride)
        add_step<entries, true>(columns_of_a, values, entries);
    constexpr int rest = whole_steps ? entries - 1 : entries;  // at most
    for (; count > 0; count -= stride, columns_of_a += stride, values += stride)
      add_step<rest, rest == 1>(columns_of_a, values, count);
  }

  __device__ __forceinline__ void finish_sums(int place) {
    if constexpr (SHIFTED) shifted.template fold<LANES>(place, sum);
  }

  __device__ __forceinline__ void store(std::int64_t row, int place) const {
    T* const c = start_of_row(row);
    int const pieces = (tile_pieces() - place + LANES - 1) / LANES;  // of this lane
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

 private:
  [[nodiscard]] __device__ __forceinline__ int tile_pieces() const {
    return SHIFTED ? args.tile_pieces : LANES * PIECES;
  }

  __device__ __forceinline__ T* start_of_row(std::int64_t row) const {
    return args.c + blockIdx.y * args.c_batch + row * args.c_stride;
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

  /// `count` entries, at most COUNT, as many if ALL.
  template <int COUNT, bool ALL>
  __device__ __forceinline__ void add_step(std::int32_t const* columns_of_a, T const* values, int count) {
    std::int32_t column[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) column[i] = ALL || i < count ? columns_of_a[i] : -1;
    T value[COUNT];
    if (args.values) {
#pragma unroll
      for (int i = 0; i < COUNT; ++i) value[i] = ALL || i < count ? values[i] : T{};
    } else {
#pragma unroll
      for (int i = 0; i < COUNT; ++i) value[i] = T{1};
    }
    if (SHIFTED && !inside<COUNT, ALL>(column)) {
#pragma unroll 1
      for (int i = 0; i < COUNT && i < count; ++i) add_by_words(columns_of_a[i], args.values ? values[i] : T{1});
      return;
    }
    std::int64_t from[COUNT];
    int shift[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      from[i] = row_of_b(column[i]);
      shift[i] = SHIFTED ? bytes_beyond_pack<T>(static_cast<std::uint64_t>(from[i])) : 0;
      if (!ALL && column[i] < 0) shift[i] = no_shift;
      if constexpr (SHIFTED) from[i] &= ~std::int64_t{15};
    }
    constexpr int bytes = static_cast<int>(sizeof(T));
    int const columns_left = args.columns - first;
    RowPiece<T, words> b[COUNT][PIECES];
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
#pragma unroll
      for (int p = 0; p < PIECES; ++p) {
        // A pack whose columns, first + p LANES words - shift and on, are of this row.
        bool const reads = shift[i] > max(p * LANES * words - columns_left, -1) * bytes &&
                           (!SHIFTED || p > 0 || shift[i] < (min(first, 0) + words) * bytes);
        if (reads) {
          auto const bits = *reinterpret_cast<uint4 const*>(args.b_pack + from[i] + p * LANES * 16);
          b[i][p] = *reinterpret_cast<RowPiece<T, words> const*>(&bits);
        } else {
          b[i][p] = RowPiece<T, words>{};
        }
      }
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
      if constexpr (SHIFTED) {
        shifted.template add<ALL>(shift[i], value[i], b[i]);
      } else {
#pragma unroll
        for (int p = 0; p < PIECES; ++p)
#pragma unroll
          for (int v = 0; v < words; ++v) sum[p * words + v] += value[i] * b[i][p].value[v];
      }
  }

  /// One entry, whose row of B may be the first or last: no more of B than the row is read.
  __device__ __forceinline__ void add_by_words(std::int32_t column, T value) {
    std::int64_t from = row_of_b(column);
    int const shift = bytes_beyond_pack<T>(static_cast<std::uint64_t>(from));
    from &= ~std::int64_t{15};
    RowPiece<T, words> b[PIECES];
#pragma unroll
    for (int p = 0; p < PIECES; ++p)
#pragma unroll
      for (int v = 0; v < words; ++v) {
        int const of_row = first + p * LANES * words - shift / static_cast<int>(sizeof(T)) + v;
        bool const reads = of_row >= 0 && of_row < args.columns;
        b[p].value[v] = reads ? reinterpret_cast<T const*>(args.b_pack + from + p * LANES * 16)[v] : T{};
      }
    shifted.template add<true>(shift, value, b);
  }

  /// Bytes from B's pack to column `first` of this row of B.
  __device__ __forceinline__ std::int64_t row_of_b(std::int32_t column) const {
    return offset +
           static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) * args.b_pitch);
  }

  /// Whether rows of B lie before and after each of these, so that whole packs around it are in B's memory.
  template <int COUNT, bool ALL>
  __device__ __forceinline__ bool inside(std::int32_t const (&column)[COUNT]) const {
    unsigned most = 0;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) most = max(most, static_cast<unsigned>(ALL || column[i] >= 0 ? column[i] : 1) - 1u);
    return most < args.inner_columns;
  }
};

}  // namespace araia::cuda
