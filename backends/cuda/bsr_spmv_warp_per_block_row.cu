// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in BSR with blocks of R x R; a warp owns a block row and reads its values as they lie.
// Mapping  grid: ceil(block rows / 8) | block: 8 warps | warp: G = 32 / R^2 blocks a pass, one element a lane, U passes
//          in flight; every lane keeps its place (i, j) in the block from pass to pass, so it has one sum
//          lane    0  1  2  3  4  5  6  7  8 |  9 10 ..   R = 3: 27 lanes hold three blocks, 5 lanes idle
//          (i, j) 00 01 02 10 11 12 20 21 22 | 00 01 ..
// Traffic  double, int32: 8 + 4 / R^2 B an element; 4 B of offset a block row; x as gathered, R neighbours a block; 8 B
//          a row of y (16 B if beta != 0). Shared memory, barriers, atomics: none.
// Suits    block rows of 3 G blocks or more, filled blocks.
// Fill     counts as stored. What lies beyond the last row or column is not read from x and not written to y.

#include <string>

#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr char const* kernel_label = "araia::spmv::bsr::warp_per_block_row";

template <int R, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads)
    warp_per_block_row_kernel(BsrPointers<A, std::int32_t, Offset> a, std::int64_t block_rows, Y alpha,
                              X const* __restrict__ x, Y beta, Y* y) {
  constexpr int size = R * R;
  constexpr int G = 32 / size;  // blocks a pass
  constexpr int U = 4;          // passes in flight
  std::int64_t const block_row = (std::int64_t{blockIdx.x} * block_threads + threadIdx.x) / 32;
  if (block_row >= block_rows) return;  // whole warps
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const element = lane % size;
  int const i = element / R;
  int const j = element % R;
  Offset const last = a.block_offsets[block_row + 1];
  Offset k = a.block_offsets[block_row] + lane / size;
  if (lane >= G * size) k = last;  // idle
  A const* value_at = a.values + static_cast<std::int64_t>(k) * size + element;
  auto const cols = static_cast<std::int32_t>(a.cols);
  Y sum{};
  auto const add = [&](auto const& is_pass) {
    A value[U];
    std::int32_t column[U];
    X factor[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (is_pass(u)) {
        column[u] = load_once(a.block_col_indices + k + u * G) * R + j;
        value[u] = load_once(value_at + u * G * size);
      }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (is_pass(u)) factor[u] = column[u] < cols ? __ldg(x + column[u]) : X{};
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (is_pass(u) && column[u] < cols) sum += static_cast<Y>(value[u]) * static_cast<Y>(factor[u]);
  };
  for (; k + (U - 1) * G < last; k += U * G, value_at += U * G * size) add([](int) { return true; });
  if (k < last) add([&](int u) { return k + u * G < last; });

  __syncwarp();
  // Over j, then over the blocks of a pass:  00 01 02 -> 00;  lane 0 <- 9, 18
  Y row_sum = sum;
#pragma unroll
  for (int other = 1; other < R; ++other) row_sum += __shfl_down_sync(0xffffffffu, sum, other);
  Y total = row_sum;
#pragma unroll
  for (int other = 1; other < G; ++other) total += __shfl_down_sync(0xffffffffu, row_sum, other * size);
  std::int64_t const row = block_row * R + i;
  if (lane < size && j == 0 && row < a.rows) store_scaled(y + row, alpha, total, beta);
}

}  // namespace

template <class A, class Offset>
bool bsr_warp_per_block_row_supports(BsrPointers<A, std::int32_t, Offset> const& a) {
  return a.values && a.block_rows == a.block_cols && a.block_rows >= 2 && a.block_rows <= 4;
}

template <class A, class X, class Y, class Offset>
void bsr_spmv_warp_per_block_row(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, X const* x, Y beta, Y* y,
                                 cudaStream_t stream) {
  if (a.rows == 0) return;
  if (!bsr_warp_per_block_row_supports(a))
    throw Error(ErrorKind::unsupported, std::string(kernel_label) + ": blocks of " + std::to_string(a.block_rows) +
                                            " x " + std::to_string(a.block_cols) +
                                            ", expected 2 x 2, 3 x 3 or 4 x 4 with values");
  std::int64_t const block_rows = (a.rows - 1) / a.block_rows + 1;
  unsigned const blocks = grid_blocks(block_rows, block_threads / 32, kernel_label);
  auto const launch = [&]<int R>() {
    warp_per_block_row_kernel<R><<<blocks, block_threads, 0, stream>>>(a, block_rows, alpha, x, beta, y);
  };
  if (a.block_rows == 2)
    launch.template operator()<2>();
  else if (a.block_rows == 3)
    launch.template operator()<3>();
  else
    launch.template operator()<4>();
  check_launch(kernel_label);
}

#define ARAIA_INSTANTIATE(A, X, Y, Offset)                                                                   \
  template void bsr_spmv_warp_per_block_row(BsrPointers<A, std::int32_t, Offset> const&, Y, X const*, Y, Y*, \
                                            cudaStream_t);
#define ARAIA_INSTANTIATE_OFFSETS(A, X, Y) \
  ARAIA_INSTANTIATE(A, X, Y, std::int32_t) \
  ARAIA_INSTANTIATE(A, X, Y, std::int64_t)
ARAIA_INSTANTIATE_OFFSETS(double, double, double)
ARAIA_INSTANTIATE_OFFSETS(float, float, float)
ARAIA_INSTANTIATE_OFFSETS(float, double, double)
template bool bsr_warp_per_block_row_supports(BsrPointers<double, std::int32_t, std::int32_t> const&);
template bool bsr_warp_per_block_row_supports(BsrPointers<double, std::int32_t, std::int64_t> const&);
template bool bsr_warp_per_block_row_supports(BsrPointers<float, std::int32_t, std::int32_t> const&);
template bool bsr_warp_per_block_row_supports(BsrPointers<float, std::int32_t, std::int64_t> const&);

}  // namespace araia::cuda
