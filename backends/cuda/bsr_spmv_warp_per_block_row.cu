// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in BSR with blocks of R x R; a warp owns a block row and reads its values as they lie.
// Mapping  grid: what the device holds at once | block: 8 warps | warp: a block row, then the next that no warp has;
//          G = 32 / R^2 blocks a pass, one element a lane, U passes in flight; every lane keeps its place (i, j) in the
//          block from pass to pass, so it has one sum
//          lane    0  1  2  3  4  5  6  7  8 |  9 10 ..   R = 3: 27 lanes hold three blocks, 5 lanes idle
//          (i, j) 00 01 02 10 11 12 20 21 22 | 00 01 ..
//          The columns of up to U G blocks come by one load, a block a lane, and go round by shuffles. Those of the
//          next block row, and the offsets of the one after, are loaded before the products of this one, so that a
//          block row waits for memory once.
// Traffic  double, int32: 8 + 4 / R^2 B an element; 4 B of offset a block row; x as gathered, R neighbours a block; 8 B
//          a row of y (16 B if beta != 0). Shared memory, barriers, atomics: none.
// Tried    docs/lab/cuda_kernels.md.
// Suits    block rows of 3 G blocks or more, filled blocks.
// Fill     counts as stored. What lies beyond the last row or column is not read from x and not written to y.

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr char const* kernel_label = "araia::spmv::bsr::warp_per_block_row";

constexpr unsigned whole_warp = 0xffffffffu;

template <int R>
struct Shape {
  static constexpr int size = R * R;
  static constexpr int blocks = 32 / size;              // G, of a pass
  static constexpr int passes = R == 3 ? 5 : 4;         // U, in flight: 10 spill
  static constexpr int batch = blocks * (32 / blocks);  // whose columns are loaded at once
};

/// Blocks [first, last) of a block row, and the columns of its first batch: lane k holds that of block first + k.
template <class Offset>
struct BlockRow {
  Offset first;
  Offset last;
  std::int32_t column;
};

template <int R, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, sizeof(A) == 8 ? 5 : 6)
    warp_per_block_row_kernel(BsrPointers<A, std::int32_t, Offset> a, std::int64_t block_rows, Y alpha, X const* x,
                              Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  constexpr int size = Shape<R>::size;
  constexpr int G = Shape<R>::blocks;
  constexpr int U = Shape<R>::passes;
  constexpr int batch = Shape<R>::batch;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const element = lane % size;
  int const place = lane / size;  // of the block in its pass
  int const i = element / R;
  int const j = element % R;
  bool const active = lane < G * size;
  auto const cols = static_cast<std::int32_t>(a.cols);
  std::int64_t const stride = std::int64_t{gridDim.x} * (block_threads / 32);
  std::int64_t block_row = std::int64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  if (block_row >= block_rows) return;  // whole warps

  auto const load_offsets = [&](std::int64_t row, BlockRow<Offset>& to) {
    to.first = row < block_rows ? load_operand(a.block_offsets + row) : 0;
    to.last = row < block_rows ? load_operand(a.block_offsets + row + 1) : 0;
  };
  auto const load_column = [&](Offset k, Offset last) {
    return lane < batch && k + lane < last ? load_once(a.block_col_indices + k + lane) : 0;
  };
  BlockRow<Offset> now;
  load_offsets(block_row, now);
  BlockRow<Offset> next;
  load_offsets(block_row + stride, next);
  now.column = load_column(now.first, now.last);

  for (; block_row < block_rows; block_row += stride) {
    BlockRow<Offset> after;
    load_offsets(block_row + 2 * stride, after);
    next.column = load_column(next.first, next.last);
    Y sum{};
    for (Offset first = now.first; first < now.last; first += batch) {
      std::int32_t const column_of_lane = first == now.first ? now.column : load_column(first, now.last);
      A const* const value_at = a.values + static_cast<std::int64_t>(first) * size + lane;
      int const blocks = static_cast<int>(min(now.last - first, static_cast<Offset>(batch)));
#pragma unroll 1
      for (int done = 0; done < blocks; done += U * G) {
        A value[U];
        X factor[U];
#pragma unroll
        for (int u = 0; u < U; ++u)
          if (active && done + u * G + place < blocks) value[u] = load_once(value_at + (done + u * G) * size);
#pragma unroll
        for (int u = 0; u < U; ++u) {
          int const block = done + u * G + place;
          std::int32_t const column = __shfl_sync(whole_warp, column_of_lane, block) * R + j;
          bool const inside = active && block < blocks && column < cols;
          factor[u] = inside ? load_operand(x + column) : X{};
          if (!inside) value[u] = A{};
        }
#pragma unroll
        for (int u = 0; u < U; ++u) sum += static_cast<Y>(value[u]) * static_cast<Y>(factor[u]);
      }
    }
    // Over j, then over the blocks of a pass:  00 01 02 -> 00;  lane 0 <- 9, 18
    Y row_sum = sum;
#pragma unroll
    for (int other = 1; other < R; ++other) row_sum += __shfl_down_sync(whole_warp, sum, other);
    Y total = row_sum;
#pragma unroll
    for (int other = 1; other < G; ++other) total += __shfl_down_sync(whole_warp, row_sum, other * size);
    std::int64_t const row = block_row * R + i;
    if (lane < size && j == 0 && row < a.rows) store_scaled(y + row, alpha, total, beta);
    now = next;
    next.first = after.first;
    next.last = after.last;
  }
}

/// Blocks of threads that the device holds at once, and no more than there is work for.
template <class Kernel>
unsigned resident_blocks(Kernel kernel, std::int64_t most) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, 0), kernel_label);
  return static_cast<unsigned>(
      std::min<std::int64_t>(std::int64_t{multiprocessors_of_device(kernel_label)} * blocks, most));
}

constexpr std::int64_t most_cols = std::numeric_limits<std::int32_t>::max() - 4;  // columns are counted in 32 bits
// A warp looks a batch of blocks ahead.
template <class Offset>
constexpr std::int64_t most_blocks = std::numeric_limits<Offset>::max() - 32;

}  // namespace

template <class A, class Offset>
bool bsr_warp_per_block_row_supports(BsrPointers<A, std::int32_t, Offset> const& a) {
  return a.values && a.block_rows == a.block_cols && a.block_rows >= 2 && a.block_rows <= 4 && a.cols <= most_cols &&
         a.blocks <= most_blocks<Offset>;
}

template <class A, class X, class Y, class Offset>
void bsr_spmv_warp_per_block_row(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, X const* x, Y beta, Y* y,
                                 cudaStream_t stream) {
  if (a.rows == 0) return;
  if (!bsr_warp_per_block_row_supports(a))
    throw Error(ErrorKind::unsupported,
                std::string(kernel_label) + ": " + std::to_string(a.blocks) + " blocks of " +
                    std::to_string(a.block_rows) + " x " + std::to_string(a.block_cols) + ", " +
                    std::to_string(a.cols) + " columns, expected 2 x 2, 3 x 3 or 4 x 4 with values, at most " +
                    std::to_string(most_blocks<Offset>) + " blocks and " + std::to_string(most_cols) + " columns");
  std::int64_t const block_rows = (a.rows - 1) / a.block_rows + 1;
  std::int64_t const most = (block_rows - 1) / (block_threads / 32) + 1;
  auto const launch = [&]<int R>() {
    unsigned const blocks = resident_blocks(warp_per_block_row_kernel<R, A, X, Y, Offset>, most);
    launch_overlapped(warp_per_block_row_kernel<R, A, X, Y, Offset>, blocks, block_threads, 0, stream, kernel_label, a,
                      block_rows, alpha, x, beta, y);
  };
  if (a.block_rows == 2)
    launch.template operator()<2>();
  else if (a.block_rows == 3)
    launch.template operator()<3>();
  else
    launch.template operator()<4>();
}

[[gnu::used]] static void write_out_bsr_spmv_warp_per_block_row() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>(
      [&]<class A, class X, class Y, class F>() { write_out(bsr_spmv_warp_per_block_row<A, X, Y, F>); });
  for_types<AllReals, AllOffsets>([&]<class A, class F>() { write_out(bsr_warp_per_block_row_supports<A, F>); });
}

}  // namespace araia::cuda
