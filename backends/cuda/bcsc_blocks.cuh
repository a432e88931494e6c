// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the kernels over BCSC share: its arguments, entries that a warp reads side by side with their columns, sums made
// again from stored entries alone, stores of C.

#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/error.hpp>
#include <cstdint>
#include <string>

namespace araia::cuda::bcsc {

constexpr int warp_size = 32;
constexpr unsigned whole_warp = ~0u;

/// How a BCSC's indices lie: 32 bits each, or as BcscCompactPointers has them.
enum class Form { wide, compact };

/// Sums of counts, which are offsets in a block, are of 32 bits.
/// \throws araia::Error resource_limit where the compact form has more entries
template <Form FORM>
void require_short_sums(char const* kernel, std::int64_t nnz) {
  if (FORM == Form::compact && nnz >> 32 != 0)
    throw Error(ErrorKind::resource_limit, std::string("araia: ") + kernel + ": compact, " + std::to_string(nnz) +
                                               " entries, the limit is 2^32 - 1");
}

/// BCSC and operands. One type for both widths of offsets, which are read once for every 32 block columns, and for both
/// forms: kernels are compiled for each, and look at the arrays of theirs.
template <class T>
struct Arguments {
  std::int64_t rows;
  std::int64_t nnz;
  std::int64_t blocks;
  std::int64_t block_height;
  std::int32_t const* block_rows;
  void const* block_offsets;
  std::int32_t const* block_cols;  // compact: or null, first_cols and col_steps then
  void const* col_offsets;         // wide
  void const* row_in_block;        // wide: 32 bits; compact: 8, or 16 where wide_rows
  void const* entry_offsets;       // compact, as the next three
  std::int32_t const* first_cols;
  std::uint16_t const* col_steps;
  std::uint8_t const* col_counts;
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
  bool wide_rows;
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
        entry_offsets(nullptr),
        first_cols(nullptr),
        col_steps(nullptr),
        col_counts(nullptr),
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
        wide_rows(false),
        wide_c(reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0 &&
               to.row_stride * static_cast<std::int64_t>(sizeof(T)) % 16 == 0) {}
  template <class Offset, class RowIndex>
  Arguments(BcscCompactPointers<T, std::int32_t, Offset, RowIndex> const& a, T scale, DenseMatrix<T const> const& from,
            T keep, DenseMatrix<T> const& to)
      : Arguments(BcscPointers<T, std::int32_t, Offset>{.rows = a.rows,
                                                        .cols = a.cols,
                                                        .nnz = a.nnz,
                                                        .blocks = a.blocks,
                                                        .block_columns = a.block_columns,
                                                        .block_height = a.block_height,
                                                        .block_rows = a.block_rows,
                                                        .block_offsets = a.block_offsets,
                                                        .block_cols = a.block_cols,
                                                        .values = a.values,
                                                        .split = a.split,
                                                        .row_permutation = a.row_permutation},
                  scale, from, keep, to) {
    static_assert(sizeof(RowIndex) <= 2);
    row_in_block = a.row_in_block;
    entry_offsets = a.entry_offsets;
    first_cols = a.first_cols;
    col_steps = a.col_steps;
    col_counts = a.col_counts;
    wide_rows = sizeof(RowIndex) == 2;
  }

  __device__ __forceinline__ std::int64_t offset(void const* array, std::int64_t i) const {
    return wide_offsets ? static_cast<std::int64_t const*>(array)[i] : static_cast<std::int32_t const*>(array)[i];
  }
  __device__ __forceinline__ std::int64_t first_column(std::int64_t block) const {
    return offset(block_offsets, block);
  }
  template <Form FORM>
  __device__ __forceinline__ int row_of_entry(std::int64_t k) const {
    if constexpr (FORM == Form::wide) return static_cast<std::int32_t const*>(row_in_block)[k];
    return wide_rows ? static_cast<std::uint16_t const*>(row_in_block)[k]
                     : static_cast<std::uint8_t const*>(row_in_block)[k];
  }
  /// \param first_col  of the block, 0 where columns are not counted from it
  template <Form FORM>
  __device__ __forceinline__ std::int32_t column_of(std::int64_t j, std::int32_t first_col) const {
    if constexpr (FORM == Form::wide) return block_cols[j];
    return block_cols ? block_cols[j] : first_col + col_steps[j];
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
  std::int64_t offset;  // its first entry; beyond the span the end. Before finish(), compact: see Walk
  std::int64_t begin;   // entries of the span
  std::int64_t end;
  int count;
};

/// Entries less one of block columns [from, to): what this lane has of their sum.
__device__ __forceinline__ unsigned sum_of_counts(std::uint8_t const* counts, std::int64_t from, std::int64_t to,
                                                  int lane) {
  constexpr std::int64_t word = 16;
  unsigned sum = 0;
  // A walk's next span is some columns on, one that begins in the middle of a block thousands: whole words then.
  if (to - from >= 2 * word * warp_size) {
    std::int64_t const ahead = -static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(counts + from)) & (word - 1);
    if (lane < ahead) sum += counts[from + lane];
    from += ahead;
    std::int64_t const words = (to - from) / word;
#pragma unroll 4
    for (std::int64_t w = lane; w < words; w += warp_size) {
      uint4 const four = *reinterpret_cast<uint4 const*>(counts + from + w * word);
      constexpr unsigned ones = 0x01010101;
      sum = __dp4a(four.x, ones, __dp4a(four.y, ones, __dp4a(four.z, ones, __dp4a(four.w, ones, sum))));
    }
    from += words * word;
  }
#pragma unroll 4
  for (std::int64_t j = from + lane; j < to; j += warp_size) sum += counts[j];
  return sum;
}

/// A warp's way along the columns of a block, span after span. Where a span's entries begin the wide form says; in the
/// compact one it is the counts of all columns before, so a walk keeps what it has passed, and sums what it skips.
template <Form FORM, class T>
class Walk {
 public:
  __device__ __forceinline__ Walk(Arguments<T> const& args, std::int64_t block, std::int64_t first_column) {
    if constexpr (FORM == Form::compact) {
      at_ = first_column;
      entry_ = args.offset(args.entry_offsets, block);
      first_col_ = args.first_cols ? args.first_cols[block] : 0;
    }
  }

  /// Block columns [first, first + 32) before `last`, behind those of the span before; their loads.
  __device__ __forceinline__ ColumnSpan load(Arguments<T> const& args, std::int64_t first, std::int64_t last,
                                             int lane) {
    ColumnSpan s;
    s.count = static_cast<int>(last - first < warp_size ? last - first : warp_size);
    s.col = lane < s.count ? args.template column_of<FORM>(first + lane, first_col_) : 0;
    if constexpr (FORM == Form::wide) {
      s.offset = args.offset(args.col_offsets, first + (lane < s.count ? lane : s.count));
      s.end = args.offset(args.col_offsets, first + s.count);
    } else {
      s.offset = lane < s.count ? args.col_counts[first + lane] + 1 : 0;  // its entries, and
      s.begin = sum_of_counts(args.col_counts, at_, first, lane);         // part of those before the span
      s.end = first - at_;                                                // but for one a column
      at_ = first + s.count;
    }
    return s;
  }
  /// Once the loads are due; spans in their order.
  __device__ __forceinline__ void finish(ColumnSpan& s, int lane) {
    if constexpr (FORM == Form::wide) {
      s.begin = __shfl_sync(whole_warp, s.offset, 0);
    } else {
      auto skipped = static_cast<unsigned>(s.begin);
#pragma unroll
      for (int d = 1; d < warp_size; d *= 2) skipped += __shfl_xor_sync(whole_warp, skipped, d);
      auto const mine = static_cast<int>(s.offset);
      int upto = mine;
#pragma unroll
      for (int d = 1; d < warp_size; d *= 2) {
        int const before = __shfl_up_sync(whole_warp, upto, d);
        if (lane >= d) upto += before;
      }
      s.begin = entry_ + s.end + skipped;
      s.offset = s.begin + upto - mine;
      s.end = s.begin + __shfl_sync(whole_warp, upto, warp_size - 1);
      entry_ = s.end;
    }
  }

 private:
  std::int64_t at_ = 0;     // columns before are passed
  std::int64_t entry_ = 0;  // their entries, of spans that are finished
  std::int32_t first_col_ = 0;
};

/// An entry a lane, of 32 that lie side by side.
template <class T>
struct Entry {
  int row;  // -1 beyond the span
  T value;
};

template <Form FORM, class T>
__device__ __forceinline__ Entry<T> load_entry(Arguments<T> const& args, ColumnSpan const& s, std::int64_t batch,
                                               int lane) {
  bool const valid = batch + lane < s.end;
  return {valid ? args.template row_of_entry<FORM>(batch + lane) : -1,
          valid && args.values ? args.values[batch + lane] : T{1}};
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
template <Form FORM, class T>
__device__ __noinline__ T exact_sum(Arguments<T> const* args, std::int64_t block, int row, std::int64_t column) {
  T sum{};
  std::int64_t const first = args->first_column(block);
  std::int64_t const last = args->first_column(block + 1);
  std::int32_t first_col = 0;
  if (FORM == Form::compact && args->first_cols) first_col = args->first_cols[block];
  std::int64_t k = 0;
  if (first < last)
    k = FORM == Form::wide ? args->offset(args->col_offsets, first) : args->offset(args->entry_offsets, block);
  for (std::int64_t j = first; j < last; ++j) {
    std::int64_t const end = FORM == Form::wide ? args->offset(args->col_offsets, j + 1) : k + args->col_counts[j] + 1;
    for (; k < end; ++k)
      if (args->template row_of_entry<FORM>(k) == row)
        sum += (args->values ? args->values[k] : T{1}) *
               args->b[args->template column_of<FORM>(j, first_col) * args->b_stride + column];
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
