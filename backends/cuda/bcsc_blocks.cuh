// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the kernels over BCSC share: its arguments, entries that a warp reads side by side with their columns, sums made
// again from stored entries alone, stores of C.

#include <araia/formats/bcsc_pointers.hpp>
#include <araia/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda::bcsc {

constexpr int warp_size = 32;
constexpr unsigned whole_warp = ~0u;

/// BCSC and operands. One type for both widths of offsets, which are read once for every 32 block columns.
template <class T>
struct Arguments {
  std::int64_t rows;
  std::int64_t nnz;
  std::int64_t blocks;
  std::int64_t block_height;
  std::int32_t const* block_rows;
  void const* block_offsets;
  std::int32_t const* block_cols;
  void const* col_offsets;
  std::int32_t const* row_in_block;
  T const* values;
  void const* split;
  std::int32_t const* row_permutation;
  T const* b;
  T* c;
  std::int64_t b_stride;
  std::int64_t c_stride;
  std::int64_t columns;
  T alpha;
  T beta;
  bool wide_offsets;
  bool wide_c;  // 16-byte stores fit where a lane's columns are all there

  template <class Offset>
  Arguments(BcscPointers<T, std::int32_t, Offset> const& a, T scale, DenseMatrix<T const> const& from, T keep,
            DenseMatrix<T> const& to)
      : rows(a.rows),
        nnz(a.nnz),
        blocks(a.blocks),
        block_height(a.block_height),
        block_rows(a.block_rows),
        block_offsets(a.block_offsets),
        block_cols(a.block_cols),
        col_offsets(a.col_offsets),
        row_in_block(a.row_in_block),
        values(a.values),
        split(a.split),
        row_permutation(a.row_permutation),
        b(from.data),
        c(to.data),
        b_stride(from.row_stride),
        c_stride(to.row_stride),
        columns(to.columns),
        alpha(scale),
        beta(keep),
        wide_offsets(sizeof(Offset) == 8),
        wide_c(reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0 &&
               to.row_stride * static_cast<std::int64_t>(sizeof(T)) % 16 == 0) {}

  __device__ __forceinline__ std::int64_t offset(void const* array, std::int64_t i) const {
    return wide_offsets ? static_cast<std::int64_t const*>(array)[i] : static_cast<std::int32_t const*>(array)[i];
  }
  __device__ __forceinline__ std::int64_t first_column(std::int64_t block) const {
    return offset(block_offsets, block);
  }
  __device__ __forceinline__ std::int64_t first_row(std::int64_t block) const {
    return block_rows ? block_rows[block] : block * block_height;
  }
  __device__ __forceinline__ int block_height_of(std::int64_t block) const {
    std::int64_t const first = first_row(block);
    std::int64_t const end = block_rows ? block_rows[block + 1] : first + block_height;
    return static_cast<int>((end < rows ? end : rows) - first);
  }
  __device__ __forceinline__ std::int64_t matrix_row(std::int64_t stored_row) const {
    return row_permutation ? row_permutation[stored_row] : stored_row;
  }
};

/// Up to 32 consecutive block columns, one a lane.
struct ColumnSpan {
  std::int32_t col;     // of this lane
  std::int64_t offset;  // its first entry; beyond the span the end
  std::int64_t begin;   // entries of the span
  std::int64_t end;
  int count;
};

/// Block columns [first, first + 32) before `last`.
template <class T>
__device__ __forceinline__ ColumnSpan load_span(Arguments<T> const& args, std::int64_t first, std::int64_t last,
                                                int lane) {
  ColumnSpan s;
  s.count = static_cast<int>(last - first < warp_size ? last - first : warp_size);
  s.col = lane < s.count ? args.block_cols[first + lane] : 0;
  s.offset = args.offset(args.col_offsets, first + (lane < s.count ? lane : s.count));
  s.end = args.offset(args.col_offsets, first + s.count);
  return s;
}
/// Once the loads are due.
__device__ __forceinline__ void finish_span(ColumnSpan& s) { s.begin = __shfl_sync(whole_warp, s.offset, 0); }

/// An entry a lane, of 32 that lie side by side.
template <class T>
struct Entry {
  int row;  // -1 beyond the span
  T value;
};

template <class T>
__device__ __forceinline__ Entry<T> load_entry(Arguments<T> const& args, ColumnSpan const& s, std::int64_t batch,
                                               int lane) {
  bool const valid = batch + lane < s.end;
  return {valid ? args.row_in_block[batch + lane] : -1, valid && args.values ? args.values[batch + lane] : T{1}};
}

/// Puts a span's entries, 32 at a time in their order, into a dense tile of zeros. No column is empty, so a bit where
/// each one starts tells every lane its column by a count of bits. Duplicates lie side by side: the first writes, the
/// others add, one after the other.
///
///   entry     e0 e1 e2 e3 e4 e5      columns of 2, 1 and 3 entries
///   starts     1  0  1  1  0  0
///   column     0  0  1  2  2  2      bits up to here, less one
class Placement {
 public:
  /// tile[column * pitch + row] for rows of 0 and more. \return whether this lane's entry is the first at its place
  template <class T>
  __device__ __forceinline__ bool put(ColumnSpan const& s, std::int64_t batch, int lane, int row, T value, T* tile,
                                      int pitch, int& column) {
    std::int64_t const ahead = s.offset - batch;
    bool const starts_here = lane < s.count && ahead >= 0 && ahead < warp_size;
    unsigned const mine = starts_here ? 1u << static_cast<int>(ahead) : 0u;
#if __CUDA_ARCH__ >= 800
    unsigned const starts = __reduce_or_sync(whole_warp, mine);
#else
    unsigned starts = mine;
    for (int d = 1; d < warp_size; d *= 2) starts |= __shfl_xor_sync(whole_warp, starts, d);
#endif
    column = columns_before_ + __popc(starts & (whole_warp >> (warp_size - 1 - lane))) - 1;
    columns_before_ += __popc(starts);
    int const place = row >= 0 ? column * pitch + row : -1;
    int place_above = __shfl_up_sync(whole_warp, place, 1);
    if (lane == 0) place_above = last_place_;
    last_place_ = __shfl_sync(whole_warp, place, warp_size - 1);
    bool const again = place >= 0 && place == place_above;
    bool const first = place >= 0 && !again;
    if (first) tile[place] = value;
    unsigned more = __ballot_sync(whole_warp, again);
    while (more != 0) {
      __syncwarp();  // the place is written, or added to, by the lane before
      if (lane == __ffs(static_cast<int>(more)) - 1) tile[place] += value;
      more &= more - 1;
    }
    return first;
  }

 private:
  int columns_before_ = 0;
  int last_place_ = -1;
};

/// One entry of alpha-less A B by stored entries alone, where zeros that A does not own met infinities or NaN.
template <class T>
__device__ __noinline__ T exact_sum(Arguments<T> const* args, std::int64_t block, int row, std::int64_t column) {
  T sum{};
  std::int64_t const last = args->first_column(block + 1);
  for (std::int64_t j = args->first_column(block); j < last; ++j) {
    std::int64_t const end = args->offset(args->col_offsets, j + 1);
    for (std::int64_t k = args->offset(args->col_offsets, j); k < end; ++k)
      if (args->row_in_block[k] == row)
        sum += (args->values ? args->values[k] : T{1}) * args->b[args->block_cols[j] * args->b_stride + column];
  }
  return sum;
}

/// Stores V columns of a row: as they lie together, or every `stride`-th.
template <int V, class T>
__device__ __forceinline__ void store_row(Arguments<T> const& args, std::int64_t stored_row, std::int64_t column,
                                          int stride, T const (&sum)[V]) {
  std::int64_t const left = args.columns - column;
  T* const c = args.c + args.matrix_row(stored_row) * args.c_stride + column;
  constexpr bool packs = sizeof(T) * V == 16;
  if (packs && stride == 1 && args.wide_c && left >= V) {
    union {
      uint4 bits;
      T value[V];
    } out;
    if (args.beta != T{}) {
      out.bits = *reinterpret_cast<uint4 const*>(c);
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v] + args.beta * out.value[v];
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) out.value[v] = args.alpha * sum[v];
    }
    *reinterpret_cast<uint4*>(c) = out.bits;
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v * stride < left)
        c[v * stride] = args.beta != T{} ? args.alpha * sum[v] + args.beta * c[v * stride] : args.alpha * sum[v];
  }
}

}  // namespace araia::cuda::bcsc
