// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The arguments of csr_spmm_short_rows, and accesses by predicates in place of branches.

#include <climits>
#include <cstdint>

#include "backends/cuda/csr_spmm_store.cuh"

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
  int long_group;         // entries of a group of rows: groups of more are long groups
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

}  // namespace araia::cuda
