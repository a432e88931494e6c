// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in BSR with blocks of R x R packed in slices; a lane owns a block row.
// Mapping  grid: ceil(slices / 4) | block: 4 warps, a slice each | lane: a block row, U blocks of it in flight, R sums
//          lane      0       1       2                 R^2 planes of values a step, 32 side by side; neighbouring lanes
//          plane 0   b00     b00     b00   ...         gather neighbouring x wherever neighbouring nodes couple alike
//          plane 1   b01     b01     b01   ...
//          columns   base of the step and 1, 2 or 4 bytes a lane, as the slice's widest step needs
// Traffic  double, int32: 8 B an element and 1 to 4 B a block, padding included; 4 B a step, 8 B of place a block row;
//          x as gathered; 8 B a row of y (16 B if beta != 0). Shared memory, barriers, atomics: none.
// Suits    filled blocks, block rows of like length within 512. From BSR as it lies, lanes load parts of lines, see
//          bsr_spmv_warp_per_block_row.cu.
// Measured docs/kernels/cuda_spmv.md.
// Fill     counts as stored. Padding is zero and added like blocks; only where a sum is not finite is the block row
//          summed again, within its length.

#include <cuda_runtime.h>

#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/block_scan.cuh"
#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/spmv/bsr_slices/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 128;
constexpr int window = static_cast<int>(bsr_sort_window);
constexpr int height = static_cast<int>(bsr_slice_height);
constexpr unsigned every_lane = 0xffffffffu;
constexpr char const* kernel_label = "araia::spmv::bsr::slices";

/// A thread block a window: every block row finds its place among the others by counting.
template <class A, class Offset>
__global__ void __launch_bounds__(window)
    sort_windows_kernel(BsrPointers<A, std::int32_t, Offset> a, std::int64_t block_row_count, BsrSlices<A> slices) {
  __shared__ std::int32_t lengths[window];
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const first = std::int64_t{blockIdx.x} * window;
  std::int64_t const block_row = first + thread;
  bool const exists = block_row < block_row_count;
  std::int32_t const length =
      exists ? static_cast<std::int32_t>(a.block_offsets[block_row + 1] - a.block_offsets[block_row]) : -1;
  lengths[thread] = length;
  __syncthreads();  // all lengths of the window are read
  int place = 0;
  for (int other = 0; other < window; ++other)
    place += lengths[other] > length || (lengths[other] == length && other < thread);
  slices.block_rows[first + place] = exists ? static_cast<std::int32_t>(block_row) : -1;
  slices.lengths[first + place] = length < 0 ? 0 : length;
}

/// The least and the largest of a warp's numbers, to all of its lanes.
__device__ __forceinline__ unsigned least_of_warp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(every_lane, value);
#else
  for (int d = 1; d < height; d *= 2) value = min(value, __shfl_xor_sync(every_lane, value, d));
  return value;
#endif
}

__device__ __forceinline__ unsigned largest_of_warp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(every_lane, value);
#else
  return ~least_of_warp(~value);
#endif
}

/// Bytes of the slices' columns in units of 32, a warp a slice: by the widest span of a step. To column_offsets[s].
template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    measure_columns_kernel(BsrPointers<A, std::int32_t, Offset> a, BsrSlices<A> slices) {
  std::int64_t const place = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::int64_t const s = place / height;
  if (s >= slices.slices) return;
  std::int32_t const block_row = slices.block_rows[place];
  std::int32_t const length = slices.lengths[place];
  std::int64_t const first = block_row < 0 ? 0 : static_cast<std::int64_t>(a.block_offsets[block_row]);
  std::int32_t const steps = slices.lengths[s * height];
  unsigned widest = 0;
  for (std::int32_t t = 0; t < steps; ++t) {
    bool const exists = t < length;
    unsigned const column = exists ? static_cast<unsigned>(a.block_col_indices[first + t]) : 0;
    unsigned const least = least_of_warp(exists ? column : ~0u);
    widest = max(widest, largest_of_warp(exists ? column - least : 0u));
  }
  int const bytes = widest < 0x100u ? 1 : widest < 0x10000u ? 2 : 4;
  if (place % height == 0) slices.column_offsets[s] = std::int64_t{steps} * bytes;
}

/// Offsets of slices from their steps, which are those of their first, longest block row, and from their bytes; one
/// thread block, once a plan.
template <class A>
__global__ void __launch_bounds__(scan_threads) scan_slices_kernel(BsrSlices<A> slices) {
  __shared__ TwoSums partial[scan_threads];
  auto const of_slice = [&](std::int64_t s) { return TwoSums{slices.lengths[s * height], slices.column_offsets[s]}; };
  scan_by_block(slices.slices, partial, of_slice, [&](std::int64_t s, TwoSums const& before) {
    slices.step_offsets[s] = before.first;
    slices.column_offsets[s] = before.second;
  });
}

/// Where a slice's columns are, and how wide.
struct ColumnsOf {
  std::int64_t first_byte;
  int bytes;  // an offset; 0 without steps
};
template <class A>
__device__ __forceinline__ ColumnsOf columns_of(BsrSlices<A> const& a, std::int64_t s, int steps) {
  std::int64_t const first = a.column_offsets[s];
  auto const all = static_cast<int>(a.column_offsets[s + 1] - first);
  return {first * height, all == 0 ? 0 : all == steps ? 1 : all == 2 * steps ? 2 : 4};
}

template <class A, class Offset>
__global__ void __launch_bounds__(block_threads)
    fill_kernel(BsrPointers<A, std::int32_t, Offset> a, BsrSlices<A> slices) {
  std::int64_t const place = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::int64_t const s = place / height;
  if (s >= slices.slices) return;
  std::int64_t const lane = place % height;
  int const R = slices.block_size;
  std::int32_t const block_row = slices.block_rows[place];
  std::int32_t const length = slices.lengths[place];
  std::int64_t const first = block_row < 0 ? 0 : static_cast<std::int64_t>(a.block_offsets[block_row]);
  std::int64_t const first_step = slices.step_offsets[s];
  auto const steps = static_cast<int>(slices.step_offsets[s + 1] - first_step);
  auto const columns = columns_of(slices, s, steps);
  for (int t = 0; t < steps; ++t) {
    bool const exists = t < length;
    std::int32_t const column = exists ? a.block_col_indices[first + t] : 0;
    unsigned const least = least_of_warp(exists ? static_cast<unsigned>(column) : ~0u);
    unsigned const offset = exists ? static_cast<unsigned>(column) - least : 0u;
    if (lane == 0) slices.bases[first_step + t] = static_cast<std::int32_t>(least);
    std::uint8_t* const at = slices.columns + columns.first_byte + (std::int64_t{t} * height + lane) * columns.bytes;
    if (columns.bytes == 1)
      *at = static_cast<std::uint8_t>(offset);
    else if (columns.bytes == 2)
      *reinterpret_cast<std::uint16_t*>(at) = static_cast<std::uint16_t>(offset);
    else
      *reinterpret_cast<std::uint32_t*>(at) = offset;
    for (int e = 0; e < R * R; ++e) {
      // What lies beyond the matrix is not read: it need not be zero.
      bool const inside =
          exists && std::int64_t{block_row} * R + e / R < a.rows && std::int64_t{column} * R + e % R < a.cols;
      slices.values[((first_step + t) * R * R + e) * height + lane] = inside ? a.values[(first + t) * R * R + e] : A{};
    }
  }
}

/// x[c] where c is a column, by a 32-bit offset in bytes.
template <class X>
__device__ __forceinline__ X gather(X const* x, std::uint32_t c, std::uint32_t cols) {
  auto const* const bytes = reinterpret_cast<char const*>(x) + c * static_cast<std::uint32_t>(sizeof(X));
  return c < cols ? load_operand(reinterpret_cast<X const*>(bytes)) : X{};
}

/// Steps in flight, and thread blocks a multiprocessor at least, which bounds registers: as measured on an H200
/// (docs/lab/cuda_kernels.md).
struct Limits {
  int steps;
  int blocks;
};
template <int R, class A, class X>
constexpr Limits limits = R == 2                   ? Limits{4, 1}
                          : R == 4                 ? Limits{1, 1}
                          : sizeof(A) == sizeof(X) ? Limits{4, 4}
                                                   : Limits{3, 1};

/// Adds a block row's steps, U in flight. \tparam Word  of the offset of a column
template <int R, class Word, class A, class X, class Y>
__device__ __forceinline__ void add_steps(BsrSlices<A> const& a, std::int64_t first, int steps, std::int64_t first_byte,
                                          int lane, X const* x, Y (&sum)[R]) {
  constexpr int size = R * R;
  constexpr int U = limits<R, A, X>.steps;
  Word const* column_at = reinterpret_cast<Word const*>(a.columns + first_byte) + lane;
  std::int32_t const* base_at = a.bases + first;
  A const* value_at = a.values + first * size * height + lane;
  auto const cols = static_cast<std::uint32_t>(a.cols);
  auto const add = [&]<bool whole>(int t) {  // U steps, or those before the last one
    std::uint32_t column[U];
    A value[U][size];
    X factor[U][R];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
        auto const base = static_cast<std::uint32_t>(load_operand(base_at + u));
        column[u] = (base + load_once(column_at + u * height)) * R;
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
#pragma unroll
        for (int e = 0; e < size; ++e) value[u][e] = load_once(value_at + (u * size + e) * height);
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
#pragma unroll
        for (int j = 0; j < R; ++j) factor[u][j] = gather(x, column[u] + static_cast<unsigned>(j), cols);
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || t + u < steps) {
#pragma unroll
        for (int i = 0; i < R; ++i)
#pragma unroll
          for (int j = 0; j < R; ++j) sum[i] += static_cast<Y>(value[u][i * R + j]) * static_cast<Y>(factor[u][j]);
      }
    column_at += U * height;
    base_at += U;
    value_at += U * size * height;
  };
  int t = 0;
#pragma unroll 1
  for (; t + U <= steps; t += U) add.template operator()<true>(t);
  if (t < steps) add.template operator()<false>(t);
}

/// Row i of a block row within its length alone; slow, and small in registers.
template <int R, class Y, class A, class X>
__device__ __noinline__ Y sum_of_stored(BsrSlices<A> const& a, std::int64_t place, int i, X const* x) {
  std::int64_t const s = place / height;
  auto const lane = static_cast<int>(place % height);
  std::int64_t const first = a.step_offsets[s];
  auto const columns = columns_of(a, s, static_cast<int>(a.step_offsets[s + 1] - first));
  Y sum{};
#pragma unroll 1
  for (int t = 0; t < a.lengths[place]; ++t) {
    std::uint8_t const* const at = a.columns + columns.first_byte + (std::int64_t{t} * height + lane) * columns.bytes;
    std::int64_t const offset = columns.bytes == 1   ? *at
                                : columns.bytes == 2 ? *reinterpret_cast<std::uint16_t const*>(at)
                                                     : *reinterpret_cast<std::uint32_t const*>(at);
#pragma unroll 1
    for (int j = 0; j < R; ++j) {
      std::int64_t const c = (a.bases[first + t] + offset) * R + j;
      if (c < a.cols)
        sum += static_cast<Y>(a.values[((first + t) * R * R + i * R + j) * height + lane]) * static_cast<Y>(x[c]);
    }
  }
  return sum;
}

template <int R, class A, class X, class Y>
__global__ void __launch_bounds__(block_threads, limits<R, A, X>.blocks)
    slices_kernel(__grid_constant__ BsrSlices<A> const a, Y alpha, X const* x, Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  std::int64_t const place = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::int64_t const s = place / height;
  if (s >= a.slices) return;
  int const lane = static_cast<int>(place % height);
  std::int64_t const first = a.step_offsets[s];
  auto const steps = static_cast<int>(a.step_offsets[s + 1] - first);
  auto const columns = columns_of(a, s, steps);
  Y sum[R]{};
  if (columns.bytes == 1)
    add_steps<R, std::uint8_t>(a, first, steps, columns.first_byte, lane, x, sum);
  else if (columns.bytes == 2)
    add_steps<R, std::uint16_t>(a, first, steps, columns.first_byte, lane, x, sum);
  else
    add_steps<R, std::uint32_t>(a, first, steps, columns.first_byte, lane, x, sum);

  std::int32_t const block_row = a.block_rows[place];
  if (block_row < 0) return;
#pragma unroll
  for (int i = 0; i < R; ++i) {
    std::int64_t const row = std::int64_t{block_row} * R + i;
    if (row >= a.rows) break;
    if (!(sum[i] - sum[i] == Y{})) sum[i] = sum_of_stored<R, Y>(a, place, i, x);
    store_scaled(y + row, alpha, sum[i], beta);
  }
}

}  // namespace

template <class A, class Offset>
void bsr_slices_count(BsrPointers<A, std::int32_t, Offset> const& a, BsrSlices<A> const& slices, cudaStream_t stream) {
  if (!bsr_slices_supports(a))
    throw Error(ErrorKind::unsupported, std::string(kernel_label) + ": blocks of " + std::to_string(a.block_rows) +
                                            " x " + std::to_string(a.block_cols) +
                                            ", expected 2 x 2, 3 x 3 or 4 x 4 with values and fewer than 2^29 columns");
  if (slices.slices != 0) {
    std::int64_t const block_rows = (a.rows - 1) / a.block_rows + 1;
    unsigned const windows = grid_blocks(slices.slices * height, window, kernel_label);
    sort_windows_kernel<<<windows, window, 0, stream>>>(a, block_rows, slices);
    check_launch("araia::bsr_slices_count");
    unsigned const blocks = grid_blocks(slices.slices * height, block_threads, kernel_label);
    measure_columns_kernel<<<blocks, block_threads, 0, stream>>>(a, slices);
    check_launch("araia::bsr_slices_count");
  }
  scan_slices_kernel<<<1, scan_threads, 0, stream>>>(slices);
  check_launch("araia::bsr_slices_count");
}

template <class A, class Offset>
void bsr_slices_fill(BsrPointers<A, std::int32_t, Offset> const& a, BsrSlices<A> const& slices, cudaStream_t stream) {
  if (slices.slices == 0) return;
  unsigned const blocks = grid_blocks(slices.slices * height, block_threads, kernel_label);
  fill_kernel<<<blocks, block_threads, 0, stream>>>(a, slices);
  check_launch("araia::bsr_slices_fill");
}

template <class A, class X, class Y>
void bsr_spmv_slices(BsrSlices<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  if (a.rows == 0) return;
  unsigned const blocks = grid_blocks(a.slices * height, block_threads, kernel_label);
  auto const launch = [&]<int R>() {
    launch_overlapped(slices_kernel<R, A, X, Y>, blocks, block_threads, 0, stream, kernel_label, a, alpha, x, beta, y);
  };
  if (a.block_size == 2)
    launch.template operator()<2>();
  else if (a.block_size == 3)
    launch.template operator()<3>();
  else
    launch.template operator()<4>();
}

[[gnu::used]] static void write_out_bsr_spmv_slices() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class A, class F>() {
    write_out(bsr_slices_count<A, F>);
    write_out(bsr_slices_fill<A, F>);
  });
  for_types<AllRealProducts>([&]<class A, class X, class Y>() { write_out(bsr_spmv_slices<A, X, Y>); });
}

}  // namespace araia::cuda
