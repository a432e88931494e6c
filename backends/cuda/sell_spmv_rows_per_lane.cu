// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in SELL of diagonals, 16-bit and full columns; a lane owns H consecutive stored rows.
// Mapping  grid: ceil(rows / (256 H)) | block: 256 threads | lane: H rows, all their steps, U of them loaded and
//          gathered before the first is added. Neighbouring lanes read neighbouring packs of H slots:
//          lane       0        1        2          H = 2: one 16-byte load of f64 values a step and lane
//          slots   | 0 1 |  | 2 3 |  | 4 5 | ...   of step t, at slice_offsets[s] + t C + l
// Traffic  double, int32: 12 B a slot with full columns, 10 with 16-bit ones, 8 on diagonals; some 12 B a slice; x as
//          gathered; 8 B a row of y (16 B if beta != 0). Shared memory, barriers, atomics: none.
// Suits    rows of like length inside a slice. Matrix loads leave the caches to x. Measured: docs/kernels/cuda_spmv.md.
// Padding  and fill are zero, so they are read and added like entries. Only where a sum is not finite is the row summed
//          again, from what lies within its length and what the mask calls an entry: that is how a NaN or infinity in x
//          reaches exactly the rows that store its column.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/fused_rows.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/ones.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int small_block_threads = 64;  // of matrices of fewer than few_blocks blocks
constexpr int few_blocks = 256;
constexpr char const* kernel_label = "araia::spmv::sell::rows_per_lane";
constexpr char const* fused_label = "araia::fused::sell::rows_per_lane";

/// What a matrix's slices may hold: kernels are built for each, so that none carries registers of another.
enum class Storage { diagonals, full, words, mixed };

template <Storage storage>
constexpr bool has_diagonals = storage == Storage::diagonals || storage == Storage::mixed;

/// Steps in flight and blocks of threads a multiprocessor at least, which bounds registers: as measured on an H200
/// (docs/lab/cuda_kernels.md).
struct Limits {
  int diagonals;
  int columns;
  int blocks;
};
template <Storage storage, int H, class A, class X>
constexpr Limits limits = [] {
  constexpr bool f32 = sizeof(X) == 4;
  constexpr bool f64 = sizeof(A) == 8;
  if (storage == Storage::diagonals) {
    if (H == 1) return f32 ? Limits{3, 0, 7} : Limits{7, 0, 5};
    if (H == 2) return f32 ? Limits{3, 0, 7} : f64 ? Limits{7, 0, 3} : Limits{2, 0, 6};
    return f32 ? Limits{2, 0, 6} : Limits{2, 0, 4};
  }
  if (storage == Storage::mixed) {
    if (H == 1) return Limits{4, 4, 6};
    if (H == 2) return Limits{4, 4, f64 ? 4 : 5};
    return Limits{2, 2, 3};
  }
  if (storage == Storage::words) {
    if (H == 1) return Limits{0, 8, 4};
    if (H == 2) return Limits{0, 4, f32 ? 5 : 4};
    return f64 ? Limits{0, 2, 3} : Limits{0, 4, f32 ? 4 : 3};
  }
  if (H == 1) return f64 ? Limits{0, 8, 4} : f32 ? Limits{0, 4, 8} : Limits{0, 4, 6};
  if (H == 2) return Limits{0, 4, f32 ? 5 : 4};
  return Limits{0, 2, 4};
}();

/// Rows of a slice: a warp's. As a constant it makes the slots of later steps immediate offsets.
template <int H>
constexpr int slice_rows = 32 * H;

/// x[c] by a 32-bit offset in bytes: an address takes one register, not two, and several gathers are in flight.
template <class X>
__device__ __forceinline__ X gather(X const* x, std::uint32_t c) {
  return load_operand(
      reinterpret_cast<X const*>(reinterpret_cast<char const*>(x) + c * static_cast<std::uint32_t>(sizeof(X))));
}

__device__ constexpr std::int32_t base_words(std::int32_t steps) { return (2 * steps + 7) / 8 * 8; }

/// A slice as the rows of one lane see it.
template <class Offset>
struct Slice {
  Offset first_value;
  Offset first_diagonal;
  Offset first_column;  // of col_indices, or word
  std::int32_t diagonals;
  std::int32_t steps;  // of columns
  bool narrow;
};

template <Storage storage, int H, class A, class Offset>
__device__ __forceinline__ Slice<Offset> slice_of(SellPointers<A, std::int32_t, Offset> const& a, std::int64_t s) {
  Slice<Offset> slice{};
  slice.first_value = a.slice_offsets[s];
  auto const all = static_cast<std::int32_t>((a.slice_offsets[s + 1] - slice.first_value) / slice_rows<H>);
  if constexpr (has_diagonals<storage>) {
    slice.first_diagonal = a.diagonal_offsets[s];
    slice.diagonals = storage == Storage::diagonals
                          ? all
                          : static_cast<std::int32_t>(a.diagonal_offsets[s + 1] - slice.first_diagonal);
  }
  slice.steps = all - slice.diagonals;
  if constexpr (storage == Storage::full) slice.first_column = slice.first_value;
  if constexpr (storage == Storage::words || storage == Storage::mixed) {
    if (a.column_offsets) {
      slice.first_column = a.column_offsets[s];
      auto const words = static_cast<std::int64_t>(a.column_offsets[s + 1] - slice.first_column);
      slice.narrow = a.column_words && words < std::int64_t{slice.steps} * slice_rows<H> * 2;
    } else {
      slice.first_column = slice.first_value - slice.first_diagonal * slice_rows<H>;
    }
  }
  return slice;
}

/// How the column indices of a slice are kept.
enum class Columns { full, narrow, wide };

/// The columns of steps t .. t + U - 1 of H rows. Steps from `last` on are not read, bases apart: those are filled up.
template <Columns kind, bool whole, int height, int H, int U, class A, class Offset>
__device__ __forceinline__ void load_columns(SellPointers<A, std::int32_t, Offset> const& a, Slice<Offset> const& slice,
                                             int l, int t, int last, Pack<std::int32_t, H> (&column)[U]) {
  if constexpr (kind == Columns::full) {
    std::int32_t const* const first = a.col_indices + slice.first_column + l;
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < last) column[u] = load_once<H>(first + (t + u) * height);
  } else if constexpr (kind == Columns::narrow) {
    std::uint16_t const* const words = a.column_words + slice.first_column;
    std::uint16_t const* const first = words + base_words(slice.steps) + l;
    constexpr int at_once = U < 4 ? U : 4;
    Pack<std::uint16_t, H> offset[U];
    Pack<std::int32_t, at_once> base[U / at_once];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < last) offset[u] = load_once<H>(first + (t + u) * height);
#pragma unroll
    for (int u = 0; u < U; u += at_once)
      if (whole || t + u < last)
        base[u / at_once] = *reinterpret_cast<Pack<std::int32_t, at_once> const*>(words + 2 * (t + u));
#pragma unroll
    for (int u = 0; u < U; ++u)
#pragma unroll
      for (int h = 0; h < H; ++h) column[u].at[h] = base[u / at_once].at[u % at_once] + offset[u].at[h];
  } else {
    std::uint16_t const* const first = a.column_words + slice.first_column + l;
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < last) {
        auto const low = load_once<H>(first + 2 * (t + u) * height);
        auto const high = load_once<H>(first + (2 * (t + u) + 1) * height);
#pragma unroll
        for (int h = 0; h < H; ++h) column[u].at[h] = low.at[h] | (high.at[h] << 16);
      }
  }
}

/// Adds the products of U steps of H rows, whose first values lie at value_at. Without values, padding is known by the
/// rows' lengths.
template <Columns kind, int H, int U, class A, class X, class Y, class Offset>
__device__ __forceinline__ void add_columns(SellPointers<A, std::int32_t, Offset> const& a, Slice<Offset> const& slice,
                                            int l, int steps, int const (&length)[H], A const* value_at, X const* x,
                                            Y (&sum)[H]) {
  auto const add = [&]<bool whole>(int t) {  // all U steps, or those before the last one
    Pack<A, H> value[U];
    Pack<std::int32_t, H> column[U];
    X factor[U][H];
    if constexpr (!is_one<A>) {
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (whole || t + u < steps) value[u] = load_once<H>(value_at + (t + u) * slice_rows<H>);
    }
    load_columns<kind, whole, slice_rows<H>, H>(a, slice, l, t, steps, column);
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
#pragma unroll
        for (int h = 0; h < H; ++h) factor[u][h] = gather(x, static_cast<std::uint32_t>(column[u].at[h]));
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
#pragma unroll
        for (int h = 0; h < H; ++h)
          if (!is_one<A> || t + u < length[h]) sum[h] += static_cast<Y>(value[u].at[h]) * static_cast<Y>(factor[u][h]);
      }
  };
  int t = 0;
#pragma unroll 1
  for (; t + U <= steps; t += U) add.template operator()<true>(t);
  if (t < steps) add.template operator()<false>(t);
}

template <int H, int U, class A, class X, class Y, class Offset>
__device__ __forceinline__ void add_diagonals(SellPointers<A, std::int32_t, Offset> const& a,
                                              Slice<Offset> const& slice, std::uint32_t row, A const* value_at,
                                              X const* x, Y (&sum)[H]) {
  std::int32_t const* const diagonals = a.diagonals + slice.first_diagonal;
  auto const cols = static_cast<std::uint32_t>(a.cols);
  auto const add = [&]<bool whole>(int t) {  // all U steps, or those before the last one
    Pack<A, H> value[U];
    X factor[U][H];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < slice.diagonals) {
        auto const c = row + static_cast<std::uint32_t>(load_operand(diagonals + t + u));
        value[u] = load_once<H>(value_at + (t + u) * slice_rows<H>);
#pragma unroll
        for (int h = 0; h < H; ++h) factor[u][h] = c + h < cols ? gather(x, c + h) : X{};
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < slice.diagonals) {
#pragma unroll
        for (int h = 0; h < H; ++h) sum[h] += static_cast<Y>(value[u].at[h]) * static_cast<Y>(factor[u][h]);
      }
  };
  int t = 0;
#pragma unroll 1
  for (; t + U <= slice.diagonals; t += U) add.template operator()<true>(t);
  if (t < slice.diagonals) add.template operator()<false>(t);
}

/// A row's sum over what it stores alone; slow, and small in registers.
template <Storage storage, int H, class Y, class A, class X, class Offset>
__device__ __forceinline__ Y sum_of_stored(SellPointers<A, std::int32_t, Offset> const& a, X const* x,
                                           std::int64_t row) {
  asm volatile("" ::: "memory");  // so that nothing of the slice is kept in registers for this
  auto const slice = slice_of<storage, H>(a, row / slice_rows<H>);
  int const l = static_cast<int>(row % slice_rows<H>);
  int const columns = slice.steps == 0 ? 0 : a.row_lengths[row];
  Y sum{};
#pragma unroll 1
  for (int t = 0; t < slice.diagonals + columns; ++t) {
    std::int64_t const k = slice.first_value + t * slice_rows<H> + l;
    std::int64_t c;
    if (t < slice.diagonals) {
      c = row + a.diagonals[slice.first_diagonal + t];
    } else {
      int const step = t - slice.diagonals;
      Pack<std::int32_t, 1> column[1];
      if (a.col_indices)
        load_columns<Columns::full, true, slice_rows<H>, 1>(a, slice, l, step, step + 1, column);
      else if (slice.narrow)
        load_columns<Columns::narrow, true, slice_rows<H>, 1>(a, slice, l, step, step + 1, column);
      else
        load_columns<Columns::wide, true, slice_rows<H>, 1>(a, slice, l, step, step + 1, column);
      c = column[0].at[0];
    }
    if (c < 0 || c >= a.cols) continue;
    bool const stored =
        a.stored_mask ? (a.stored_mask[k >> 5] >> (k & 31) & 1u) != 0 : a.fill == 0 || a.values[k] != A{};
    if (stored) sum += static_cast<Y>(a.values[k]) * static_cast<Y>(x[c]);
  }
  return sum;
}

/// The sums of H rows from `row` on; rows.store(row of y, sum) for each.
template <Storage storage, int H, class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ void rows_of_lane(SellPointers<A, std::int32_t, Offset> const& a, bool respect_lengths,
                                             X const* x, std::int64_t row, Rows& rows) {
  if (row >= a.rows) return;
  int const l = static_cast<int>(threadIdx.x) % 32 * H;
  auto const slice = slice_of<storage, H>(a, row / slice_rows<H>);
  A const* value_at = nullptr;
  if constexpr (!is_one<A>) value_at = a.values + slice.first_value + l;
  Y sum[H]{};

  if constexpr (has_diagonals<storage>) {
    add_diagonals<H, limits<storage, H, A, X>.diagonals>(a, slice, static_cast<std::uint32_t>(row), value_at, x, sum);
    value_at += slice.diagonals * slice_rows<H>;
  }
  if constexpr (storage != Storage::diagonals) {
    constexpr int U = limits<storage, H, A, X>.columns;
    int steps = slice.steps;
    int length[H]{};
    if ((is_one<A> || respect_lengths) && steps != 0) {
      steps = 0;
#pragma unroll
      for (int h = 0; h < H; ++h) {
        if (row + h < a.rows) length[h] = a.row_lengths[row + h];
        steps = max(steps, length[h]);
      }
    }
    if (storage == Storage::full || (storage == Storage::mixed && a.col_indices))
      add_columns<Columns::full, H, U>(a, slice, l, steps, length, value_at, x, sum);
    else if (slice.narrow)
      add_columns<Columns::narrow, H, U>(a, slice, l, steps, length, value_at, x, sum);
    else
      add_columns<Columns::wide, H, U>(a, slice, l, steps, length, value_at, x, sum);
  }

#pragma unroll
  for (int h = 0; h < H; ++h)
    if (row + h < a.rows) {
      if constexpr (!is_one<A>)  // which adds no padding
        if (!(sum[h] - sum[h] == Y{})) sum[h] = sum_of_stored<storage, H, Y>(a, x, row + h);
      std::int64_t const y_row = !has_diagonals<storage> && a.row_permutation ? a.row_permutation[row + h] : row + h;
      rows.store(y_row, sum[h]);
    }
}

template <Storage storage, int H, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, limits<storage, H, A, X>.blocks)
    rows_per_lane_kernel(__grid_constant__ SellPointers<A, std::int32_t, Offset> const a, bool respect_lengths, Y alpha,
                         X const* x, Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  ScaledRows<Y> const rows{alpha, y, beta};
  rows_of_lane<storage, H, A, X, Y>(a, respect_lengths, x, (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * H,
                                    rows);
}

/// Rows in groups of what a block takes at a time.
template <Storage storage, int H, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, limits<storage, H, A, X>.blocks)
    rows_per_lane_fused_kernel(__grid_constant__ SellPointers<A, std::int32_t, Offset> const a, bool respect_lengths,
                               unsigned groups, X const* x, __grid_constant__ FusedRows<Y> const fused) {
  wait_for_predecessor();
  let_successor_start();
  SummedRows<Y> rows(fused);
#pragma unroll 1
  for (unsigned group = blockIdx.x; group < groups; group += gridDim.x)
    rows_of_lane<storage, H, A, X, Y>(a, respect_lengths, x, (std::int64_t{group} * blockDim.x + threadIdx.x) * H,
                                      rows);
  add_up_blocks(fused, rows.sum);
}

}  // namespace

template <class A, class Offset>
bool sell_rows_per_lane_supports(SellPointers<A, std::int32_t, Offset> const& a) {
  bool const height = a.slice_height == 32 || a.slice_height == 64 || a.slice_height == 128;
  // What is no entry within a row's length has the value 0. Of a matrix without entries there is no telling.
  bool const held = a.values || (a.nnz != 0 && !a.diagonal_offsets && a.fill == 0);
  return held && height && !a.slice_rows && a.block_width == 1 && !(a.diagonal_offsets && a.row_permutation) &&
         a.cols < sell_rows_per_lane_most_cols && is_aligned(a.values, 16) && is_aligned(a.col_indices, 16) &&
         is_aligned(a.column_words, 16);
}

/// launch<storage, rows a lane>(threads of a block) for the matrix; not at all without rows.
template <class A, class Offset, class Launch>
void with_storage(SellPointers<A, std::int32_t, Offset> const& a, Launch const& launch) {
  if (a.rows == 0) return;
  if (!sell_rows_per_lane_supports(a))
    throw Error(ErrorKind::unsupported,
                std::string(kernel_label) + ": storage of slices of " + std::to_string(a.slice_height) +
                    " rows, expected 32, 64 or 128 of equal height, without blocks, without diagonals where there "
                    "are no values, not sorted where there are diagonals, and fewer than 2^29 columns");
  auto const with_threads = [&]<Storage storage, int H>() {
    // Small matrices: more blocks, so that more multiprocessors take part.
    launch.template operator()<storage, H>(a.rows < std::int64_t{few_blocks} * block_threads * H ? small_block_threads
                                                                                                 : block_threads);
  };
  auto const with_rows = [&]<Storage storage>() {
    if (a.slice_height == 128) return with_threads.template operator()<storage, 4>();
    if (a.slice_height == 64) return with_threads.template operator()<storage, 2>();
    with_threads.template operator()<storage, 1>();
  };
  if constexpr (!is_one<A>) {
    bool const columns = a.col_indices || a.column_words;
    if (a.diagonal_offsets && !columns) return with_rows.template operator()<Storage::diagonals>();
    if (a.diagonal_offsets) return with_rows.template operator()<Storage::mixed>();
  }
  if (a.column_words) return with_rows.template operator()<Storage::words>();
  with_rows.template operator()<Storage::full>();
}

template <class A, class X, class Y, class Offset>
void sell_spmv_rows_per_lane(SellPointers<A, std::int32_t, Offset> const& a, SellRowsPerLaneTuning const& tuning,
                             Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  if constexpr (!is_one<A>)
    if (!a.values && sell_rows_per_lane_supports(a))
      return sell_spmv_rows_per_lane<One, Y, Y, Offset>(pattern_of(a), tuning, alpha, x, beta, y, stream);
  with_storage(a, [&]<Storage storage, int H>(int threads) {
    launch_overlapped(rows_per_lane_kernel<storage, H, A, X, Y, Offset>, grid_blocks(a.rows, threads * H, kernel_label),
                      static_cast<unsigned>(threads), 0, stream, kernel_label, a, tuning.respect_lengths, alpha, x,
                      beta, y);
  });
}

template <class A, class X, class Y, class Offset>
void sell_spmv_rows_per_lane_fused(SellPointers<A, std::int32_t, Offset> const& a, SellRowsPerLaneTuning const& tuning,
                                   X const* x, FusedRows<Y> const& fused, cudaStream_t stream) {
  if constexpr (!is_one<A>)
    if (!a.values && sell_rows_per_lane_supports(a))
      return sell_spmv_rows_per_lane_fused<One, Y, Y, Offset>(pattern_of(a), tuning, x, fused, stream);
  with_storage(a, [&]<Storage storage, int H>(int threads) {
    auto const kernel = rows_per_lane_fused_kernel<storage, H, A, X, Y, Offset>;
    unsigned const groups = grid_blocks(a.rows, threads * H, fused_label);
    // Without a sum a block a group is as good, or better where few groups leave a last round half empty.
    unsigned const blocks = fused.sum ? fused_blocks(kernel, threads, a.rows, groups, fused_label) : groups;
    launch_overlapped(kernel, blocks, static_cast<unsigned>(threads), 0, stream, fused_label, a, tuning.respect_lengths,
                      groups, x, fused);
  });
}

[[gnu::used]] static void write_out_sell_spmv_rows_per_lane() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    write_out(sell_spmv_rows_per_lane<A, X, Y, F>);
    write_out(sell_spmv_rows_per_lane_fused<A, X, Y, F>);
  });
  for_types<AllReals, AllOffsets>([&]<class A, class F>() { write_out(sell_rows_per_lane_supports<A, F>); });
  for_types<ListOf<__half, __nv_bfloat16>>([&]<class A>() {
    write_out(sell_spmv_rows_per_lane<A, float, float, std::int32_t>);
    write_out(sell_rows_per_lane_supports<A, std::int32_t>);
  });
}

}  // namespace araia::cuda
