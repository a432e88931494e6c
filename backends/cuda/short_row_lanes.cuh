// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lanes of csr_spmm_short_rows: what one adds up and stores of a row of C, by words or packs.

#include <climits>
#include <cstdint>
#include <type_traits>

#include "backends/cuda/csr_spmm_store.cuh"
#include "backends/cuda/packs_fit.hpp"
#include "backends/cuda/row_pieces.cuh"

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
  int first_tile;         // of gridDim.z
  std::uint32_t b_pitch;  // bytes
  int longest;            // entries of a row that its own lanes multiply
  int apart;              // rows of a warp are 1 << apart apart
  bool wide_offsets;      // of 64 bits
  int hub;                // entries of a group of rows: long rows of those of more are crowds'
  unsigned front_blocks;  // of a tile, before those of rows: for groups_a_block groups of group_rows rows each, one of
  unsigned group_rows;    // `slices` and of `shares`
  unsigned groups_a_block;
  unsigned slices;  // of columns of a tile
  unsigned shares;
  bool plain;  // C = alpha A B
  T alpha;
  T beta;
  StoreEpilogue<T> epilogue;

  /// The stored row of the grid's group of LANES lanes number `group`.
  template <int LANES>
  [[nodiscard]] __device__ __forceinline__ unsigned row_of_lanes(unsigned group) const {
    constexpr unsigned of_warp = 32 / LANES;
    unsigned const warp = group / of_warp;
    unsigned const first = (warp >> apart) * (of_warp << apart) + (warp & ((1u << apart) - 1));
    return first + (group % of_warp << apart);
  }
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

/// A word, or `otherwise`, which is there before: what would be chosen after the load would wait for it.
__device__ __forceinline__ std::int32_t load_word_if(bool condition, std::uint64_t address, std::int32_t otherwise) {
  std::int32_t value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.b32 %0, %3; @p ld.global.b32 %0, [%2]; }"
      : "=&r"(value)
      : "r"(static_cast<int>(condition)), "l"(address), "r"(otherwise));
  return value;
}
__device__ __forceinline__ float load_word_if(bool condition, std::uint64_t address, float otherwise) {
  float value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.f32 %0, %3; @p ld.global.f32 %0, [%2]; }"
      : "=&f"(value)
      : "r"(static_cast<int>(condition)), "l"(address), "f"(otherwise));
  return value;
}
__device__ __forceinline__ double load_word_if(bool condition, std::uint64_t address, double otherwise) {
  double value;
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; mov.f64 %0, %3; @p ld.global.f64 %0, [%2]; }"
      : "=&d"(value)
      : "r"(static_cast<int>(condition)), "l"(address), "d"(otherwise));
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

/// Some entries of a row that its LANES lanes hold, read by all of them at once: as every lane's own loads they would
/// be as many requests as those of B. Entries that are not there have column -1 and value 0.
template <class T, int LANES>
struct HeldEntries {
  static constexpr int each = LANES == 1 ? 4 : LANES < 8 ? 8 / LANES : 1;  // of a lane
  static constexpr int count = LANES * each;
  std::int32_t column[each];
  T value[each];

  HeldEntries() = default;
  /// Those from `at` on, of which `there` are the row's.
  __device__ __forceinline__ HeldEntries(ShortArguments<T> const& args, std::int64_t at, int there, int place) {
    auto const columns = reinterpret_cast<std::uint64_t>(args.col_indices + at + place);
    auto const values = reinterpret_cast<std::uint64_t>(args.values + at + place);
    bool const ones = args.values == nullptr;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      bool const here = i * LANES + place < there;
      column[i] = load_word_if(here, columns + i * LANES * sizeof(std::int32_t), -1);
      value[i] = load_word_if(here && !ones, values + i * LANES * sizeof(T), here && ones ? T{1} : T{});
    }
  }
};

/// Entries handed around by shuffles: two or three an entry, for lanes that are few. By shared memory, whose address is
/// a register more, they took 1.0 to 1.1 times as long.
template <class T, int LANES>
class ShuffledEntries {
 public:
  struct Shared {};

  __device__ __forceinline__ explicit ShuffledEntries(Shared& /*unused*/) {}
  __device__ __forceinline__ void take(HeldEntries<T, LANES> const& held) { held_ = held; }

  /// f(columns, values) of FEW entries at once, of the first `n`. All lanes of the warp call it, with the same n.
  template <int FEW, class F>
  __device__ __forceinline__ void hand_out(int n, F const& f) const {
    constexpr int count = HeldEntries<T, LANES>::count;
    static_assert(count % FEW == 0);
#pragma unroll
    for (int k = 0; k < count; k += FEW) {
      if (k >= n) break;
      std::int32_t columns[FEW];
      T values[FEW];
#pragma unroll
      for (int i = 0; i < FEW; ++i) {
        columns[i] = __shfl_sync(~0u, held_.column[(k + i) / LANES], (k + i) % LANES, LANES);
        values[i] = __shfl_sync(~0u, held_.value[(k + i) / LANES], (k + i) % LANES, LANES);
      }
      f(columns, values);
    }
  }

 private:
  HeldEntries<T, LANES> held_;
};

/// Entries handed around in shared memory: a lane reads 16 bytes of its row's at once, four columns or values of float
/// by an access, where shuffles take L1's data path as long for each. 16 bytes of a row follow those of the row before,
/// so that the rows of a warp meet on no bank.
template <class T, int LANES>
class SharedEntries {
  static constexpr int rows = 32 / LANES;
  static constexpr int count = HeldEntries<T, LANES>::count;

 public:
  struct Shared {
    alignas(16) std::int32_t column[count * rows];
    alignas(16) T value[count * rows];
  };

  /// `shared` is the warp's.
  __device__ __forceinline__ explicit SharedEntries(Shared& shared) : shared_(shared) {}

  /// All lanes of the warp call it.
  __device__ __forceinline__ void take(HeldEntries<T, LANES> const& held) {
    __syncwarp();  // all have read those before
#pragma unroll
    for (int i = 0; i < HeldEntries<T, LANES>::each; ++i) {
      shared_.column[at<std::int32_t>(i * LANES + place())] = held.column[i];
      shared_.value[at<T>(i * LANES + place())] = held.value[i];
    }
    __syncwarp();
  }

  /// As of shuffled ones.
  template <int FEW, class F>
  __device__ __forceinline__ void hand_out(int n, F const& f) const {
    static_assert(count % FEW == 0);
#pragma unroll
    for (int k = 0; k < count; k += FEW) {
      if (k >= n) break;
      std::int32_t columns[FEW];
      T values[FEW];
      read(shared_.column, k, columns);
      read(shared_.value, k, values);
      f(columns, values);
    }
  }

 private:
  [[nodiscard]] __device__ __forceinline__ static int place() { return static_cast<int>(threadIdx.x) % LANES; }

  /// Entry k of the lane's row.
  template <class U>
  [[nodiscard]] __device__ __forceinline__ static int at(int k) {
    constexpr int together = 16 / static_cast<int>(sizeof(U));
    int const row = static_cast<int>(threadIdx.x) % 32 / LANES;
    return (k / together * rows + row) * together + k % together;
  }
  /// Entries of the lane's row from k on, a multiple of FEW.
  template <int FEW, class U>
  __device__ __forceinline__ static void read(U const* from, int k, U (&to)[FEW]) {
    using Bytes = std::conditional_t<FEW * sizeof(U) == 8, uint2, uint4>;
    constexpr int together = static_cast<int>(sizeof(Bytes) / sizeof(U));
    static_assert(FEW % together == 0);
#pragma unroll
    for (int i = 0; i < FEW; i += together) {
      Bytes const bytes = *reinterpret_cast<Bytes const*>(from + at<U>(k + i));
#pragma unroll
      for (int j = 0; j < together; ++j) to[i + j] = reinterpret_cast<U const*>(&bytes)[j];
    }
  }

  Shared& shared_;
};

template <class T, int LANES>
using HandedEntries = std::conditional_t<(LANES < 8), ShuffledEntries<T, LANES>, SharedEntries<T, LANES>>;

/// Columns of a row as words, LANES apart.
template <class T, int PIECES, int LANES>
struct WordLane {
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES;
  static constexpr bool packs = false;  // of rows that hold whole ones
  static constexpr bool single = sizeof(T) == sizeof(float);
  static constexpr bool many = LANES <= 8 && PIECES > 7;
  // Entries whose rows of B are in flight. Many words: registers for warps, doubles by 16 lanes 0.86 to 1.05 of the
  // time.
  static constexpr int at_once = many || (!single && PIECES > 5) ? 2 : 4;
  static constexpr int at_once_by_block = PIECES <= 3 ? 8 : at_once;  // of long rows
  // So many at least, by the registers that the kernel takes without its calls for long rows and crowds.
  static constexpr int blocks_of_floats = many          ? (PIECES <= 10 ? 9 : 8)
                                          : PIECES <= 5 ? 10
                                          : PIECES == 6 ? 9
                                          : PIECES == 7 ? 8
                                                        : 7;
  static constexpr int blocks_of_doubles = PIECES == 1                  ? 10
                                           : PIECES == 2                ? 9
                                           : PIECES == 5 && LANES == 2  ? 6
                                           : PIECES == 5 || PIECES == 7 ? 7
                                           : PIECES <= 6                ? 8
                                                                        : 6;
  static constexpr int blocks = single ? blocks_of_floats : blocks_of_doubles;

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  T sum[columns] = {};

  __device__ __forceinline__ WordLane(ShortArguments<T> const& arguments, int tile, int place)
      : args(arguments),
        first(tile * LANES * PIECES + place),
        base(reinterpret_cast<std::uint64_t>(args.b + blockIdx.y * args.b_batch + first)) {
    asm volatile("" : "+l"(base));  // as of packs
  }

  /// Adds the first `n` entries. All lanes of the warp call it, with the same n.
  __device__ __forceinline__ void add(HandedEntries<T, LANES> const& entries, int n) {
    entries.template hand_out<at_once>(n,
                                       [&](auto const& column, auto const& value) { add_few<false>(column, value); });
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

  __device__ __forceinline__ void store(std::int64_t row) const {
    if (first >= args.columns) return;
    if (!args.plain) return store_columns<false>(args, row, first, args.columns - first, LANES, sum);
    T* const c = args.start_of_row(row) + first;
#pragma unroll
    for (int p = 0; p < PIECES; ++p)
      if (first + p * LANES < args.columns) c[p * LANES] = args.alpha * sum[p];
  }
};

/// Columns of a row as packs of 16 bytes, LANES apart.
template <class T, int PIECES, int LANES>
struct PackLane {
  static constexpr int words = pack_words<T>;
  static constexpr int lanes = LANES;
  static constexpr int columns = PIECES * words;
  static constexpr bool packs = true;
  static constexpr bool single = sizeof(T) == sizeof(float);
  // Entries whose rows of B are in flight. Few where a lane has many sums: registers for warps.
  static constexpr int at_once = PIECES > 2 ? 2 : 4;
  static constexpr int at_once_by_block = PIECES == 1 ? 8 : PIECES <= 3 ? 4 : 2;
  static constexpr int blocks = PIECES == 1   ? (single ? 10 : 9)
                                : PIECES == 2 ? 7
                                : PIECES == 3 ? (single || LANES >= 8 ? 8 : 7)
                                              : (single ? 7 : 6);

  ShortArguments<T> const& args;
  int first;           // column
  std::uint64_t base;  // address of column `first` of row 0 of the item's B
  T sum[columns] = {};

  __device__ __forceinline__ PackLane(ShortArguments<T> const& arguments, int tile, int place)
      : args(arguments),
        first((tile * LANES * PIECES + place) * words),
        base(reinterpret_cast<std::uint64_t>(args.b + blockIdx.y * args.b_batch + first)) {
    // Opaque from here on: the compiler would find it again from the arguments for each load.
    asm volatile("" : "+l"(base));
  }

  /// As of words.
  __device__ __forceinline__ void add(HandedEntries<T, LANES> const& entries, int n) {
    entries.template hand_out<at_once>(n,
                                       [&](auto const& column, auto const& value) { add_few<false>(column, value); });
  }

  /// As of words.
  template <bool ALL, int FEW>
  __device__ __forceinline__ void add_few(std::int32_t const (&column)[FEW], T const (&value)[FEW]) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    int const row_left = min(args.columns - first, (PIECES * LANES + 1) * words) * bytes;
    RowPiece<T, words> b[FEW][PIECES];
#pragma unroll
    for (int i = 0; i < FEW; ++i) {
      int const left = ALL || column[i] >= 0 ? row_left : 0;
      std::uint64_t const from = args.row_of_b(base, column[i]);
#pragma unroll
      for (int p = 0; p < PIECES; ++p) {
        auto const bits = load_if(left > p * LANES * 16, from + p * LANES * 16);
        b[i][p] = *reinterpret_cast<RowPiece<T, words> const*>(&bits);
      }
    }
#pragma unroll
    for (int i = 0; i < FEW; ++i)
#pragma unroll
      for (int p = 0; p < PIECES; ++p)
#pragma unroll
        for (int v = 0; v < words; ++v) sum[p * words + v] += value[i] * b[i][p].value[v];
  }

  __device__ __forceinline__ void store(std::int64_t row) const {
    T* const c = args.start_of_row(row) + first;
    if (args.plain) {
#pragma unroll
      for (int p = 0; p < PIECES; ++p) {
        RowPiece<T, words> out;
#pragma unroll
        for (int v = 0; v < words; ++v) out.value[v] = args.alpha * sum[p * words + v];
        store_if(first + p * LANES * words < args.columns, reinterpret_cast<uint4*>(c + p * LANES * words),
                 *reinterpret_cast<uint4 const*>(&out));
      }
      return;
    }
#pragma unroll
    for (int p = 0; p < PIECES; ++p) {
      int const of_lane = p * LANES * words;
      if (first + of_lane >= args.columns) break;
      T of_pack[words];
#pragma unroll
      for (int v = 0; v < words; ++v) of_pack[v] = sum[p * words + v];
      store_at<true>(args, c + of_lane, row, first + of_lane, words, 1, of_pack);
    }
  }
};

}  // namespace araia::cuda
