// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A slice of B's columns in shared memory: how it gets there, and how lanes read it without meeting in a bank.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

inline constexpr int warp_size = 32;

__device__ __forceinline__ void copy_async(void* to, void const* from, int bytes) {
  auto const shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy_async_word(void* to, void const* from, int bytes) {
  auto const shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Until all but the last `pending` groups of this thread's copies have arrived.
template <int pending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// B as slices are copied from it.
struct SliceSource {
  float const* b;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t stride;
  bool aligned;  // 16-byte copies fit
};

inline SliceSource slice_source(DenseMatrix<float const> const& b) {
  return {b.data, b.rows, b.columns, b.row_stride, is_aligned(b.data, 16) && b.row_stride % 4 == 0};
}

/// Starts the copies of rows [first_row, first_row + chunk_rows) within B to slice (chunk_rows, COLUMNS) by all threads
/// of the block; columns beyond the last are zeros. They are this thread's last group of copies, maybe of none.
template <int COLUMNS, int THREADS>
__device__ __forceinline__ void copy_slice(char* slice, SliceSource const& from, std::int64_t first_row, int chunk_rows,
                                           std::int64_t first_column) {
  auto const rows =
      static_cast<int>(min(static_cast<long long>(from.rows - first_row), static_cast<long long>(chunk_rows)));
  float const* const b = from.b + first_row * from.stride;
  if (from.aligned) {
    constexpr int per_row = COLUMNS / 4;
    for (int i = static_cast<int>(threadIdx.x); i < rows * per_row; i += THREADS) {
      std::int64_t const column = first_column + (i % per_row) * 4;
      std::int64_t const left = from.columns - column;
      int const bytes = left >= 4 ? 16 : left > 0 ? static_cast<int>(left) * 4 : 0;
      copy_async(slice + i * 16, b + i / per_row * from.stride + (left > 0 ? column : 0), bytes);
    }
  } else {
    for (int i = static_cast<int>(threadIdx.x); i < rows * COLUMNS; i += THREADS) {
      std::int64_t const column = first_column + i % COLUMNS;
      bool const inside = column < from.columns;
      copy_async_word(slice + i * 4, b + i / COLUMNS * from.stride + (inside ? column : 0), inside ? 4 : 0);
    }
  }
  commit_copies();
}

/// Reads rows of a slice of L V columns, each by L lanes. A lane's V columns are packs of four, 4 L columns from each
/// other. Eight lanes are served at a time: of 8 / L rows, each a different pack, so that they meet in no bank.
template <int V, int L>
struct SliceReader {
  static constexpr int orders = 8 / L;  // of packs, by the last bits of the lane's subgroup
  char const* pack[orders];
  int lane;

  __device__ SliceReader(char const* slice, int l) : lane(l) {
#pragma unroll
    for (int p = 0; p < orders; ++p) pack[p] = slice + column(p) * 4;
  }
  /// First column in the slice of the p-th pack that this lane loads.
  __device__ __forceinline__ int column(int p) const {
    return lane % L * 4 + (p % orders ^ lane / L % orders) * (4 * L) + p / orders * orders * (4 * L);
  }
  /// The p-th pack of a row.
  __device__ __forceinline__ void load_pack(unsigned row, int p, float* b) const {
    float4 const x =
        *reinterpret_cast<float4 const*>(pack[p % orders] + row * (V * L * 4) + p / orders * orders * (L * 16));
    b[0] = x.x, b[1] = x.y, b[2] = x.z, b[3] = x.w;
  }
  __device__ __forceinline__ void load(unsigned row, float (&b)[V]) const {
#pragma unroll
    for (int p = 0; p < V / 4; ++p) load_pack(row, p, b + 4 * p);
  }
};

}  // namespace araia::cuda
