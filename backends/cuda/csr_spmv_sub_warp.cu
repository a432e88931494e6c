// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR; L lanes of a warp own a row, a lane reads V consecutive entries at a time.
// Mapping  grid: ceil(rows L / 256) | block: 256 threads | L lanes: V entries each, stride L V
//          lane          0       1       2       3       0  ...      L = 4, V = 2
//          entry   (. 1) (2 3) (4 5) (6 7) | (8 9) ...               row 1..9: its start is rounded down to V, and
//          what a lane reads outside the row is not multiplied, and gathers nothing
//          Rows that need more than four passes are left by their lanes and summed by the whole warp, one after the
//          other. Rows beyond csr_long_row are left by the warp too: their block sums them behind a barrier, which
//          only blocks of so many entries meet. Where atomics are allowed and the matrix is wide enough to have rows
//          that a block alone is slow at, the kernel stores beta y for them instead, and a second launch adds their
//          products in chunks: spmv/csr_long_rows.
// Traffic  double, int32: 12 B an entry; 4 B of offset and 8 B of y a row (16 B if beta != 0); x as gathered.
//          Shared memory and barriers: for the rows of a block alone.
// Suits    rows of like length near L V or a multiple of it; others cost some of the time, and none breaks it.
//          In double, rows of several passes begin them where lines of values do, at a multiple of 16 entries.
//          Measured: docs/kernels/cuda_spmv.md.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_spmv_sub_warp.cuh"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/fused_rows.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/ones.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/spmv/csr_long_rows/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int resident_blocks = 8;            // a multiprocessor, which bounds registers to 32
constexpr std::int64_t chunks_from = 131072;  // entries that a row may have: from there on it may be summed in chunks
constexpr char const* kernel_label = "araia::spmv::csr::sub_warp";
constexpr char const* fused_label = "araia::fused::csr::sub_warp";

/// Which rows a launch sums by more than a warp.
enum class LongRows {
  of_block,  // those of more than `most` entries, by their block
  of_chunks  // none: the launch that follows has them, and finds beta y
};

/// \param most  entries of a row that a warp sums
template <int L, int V, int R, LongRows long_rows, class A, class X, class Y, class Offset>
__device__ __forceinline__ void sub_warp_rows(CsrPointers<A, std::int32_t, Offset> const& a,
                                              std::make_unsigned_t<Offset> most, Y alpha, X const* x, Y beta, Y* y) {
  using Index = std::make_unsigned_t<Offset>;
  std::int64_t const row = (std::int64_t{blockIdx.x} * block_threads + threadIdx.x) / L;
  constexpr int W = V < 2 ? V : 2;  // more would take registers
  ScaledRows<Y> const rows{alpha, y, beta};
  // Known from the start, as its loads would be waited for alone at the end, and the same for all threads.
  bool block_may_have = false;
  if constexpr (long_rows == LongRows::of_block) {
    constexpr std::int64_t height = block_threads / L;
    std::int64_t const block_row = blockIdx.x * height;
    std::int64_t const block_end = min(block_row + height, static_cast<std::int64_t>(a.rows));
    block_may_have = static_cast<Index>(a.row_offsets[block_end]) - static_cast<Index>(a.row_offsets[block_row]) > most;
  }
  bool const left = sub_warp_row<L, V, R, W, A, X, Y>(a, x, row, static_cast<int>(threadIdx.x) % L, most, rows);
  if constexpr (long_rows == LongRows::of_chunks) {
    if (left) rows.leave(a.row_permutation ? a.row_permutation[row] : row);
  } else {
    if (block_may_have) long_rows_of_block<L, W, block_threads, A, X, Y>(a, x, row, left, rows);
  }
}

template <int L, int V, LongRows long_rows, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    sub_warp_kernel(CsrPointers<A, std::int32_t, Offset> a, std::make_unsigned_t<Offset> most, Y alpha, X const* x,
                    Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  sub_warp_rows<L, V, V, long_rows, A, X, Y>(a, most, alpha, x, beta, y);
}

/// Rows of several passes of 32 doubles: passes that begin where lines do, and the registers for all gathers of a pass
/// at once, which cost threads that shorter rows would miss. Bounds that ask for one block allow them, no bound does
/// not.
template <LongRows long_rows, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, 1)
    whole_lines_kernel(CsrPointers<double, std::int32_t, Offset> a, std::make_unsigned_t<Offset> most, Y alpha,
                       X const* x, Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  constexpr int lanes = 8;
  constexpr int entries = 4;
  constexpr int line = 16;  // of doubles
  sub_warp_rows<lanes, entries, line, long_rows, double, X, Y>(a, most, alpha, x, beta, y);
}

/// Rows in groups of what a block takes at a time.
template <int L, int V, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads)
    sub_warp_fused_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int64_t groups, X const* x, FusedRows<Y> fused) {
  wait_for_predecessor();
  let_successor_start();
  SummedRows<Y> rows(fused);
  constexpr auto every_row = ~std::make_unsigned_t<Offset>{};
  constexpr int W = V < 2 ? V : 2;
#pragma unroll 1
  for (std::int64_t group = blockIdx.x; group < groups; group += gridDim.x)
    sub_warp_row<L, V, V, W, A, X, Y>(a, x, (group * block_threads + threadIdx.x) / L,
                                      static_cast<int>(threadIdx.x) % L, every_row, rows);
  add_up_blocks(fused, rows.sum);
}

void require(bool holds, char const* field, int got, char const* expected) {
  if (!holds)
    throw Error(ErrorKind::invalid_argument,
                std::string(kernel_label) + ": " + field + " is " + std::to_string(got) + ", expected " + expected);
}

template <class A, class Offset>
int widest_load(CsrPointers<A, std::int32_t, Offset> const& a) {
  for (int v = 4; v > 1; v /= 2)
    if ((is_one<A> || is_aligned(a.values, std::min<std::size_t>(16, v * sizeof(A)))) &&
        is_aligned(a.col_indices, v * 4))
      return v;
  return 1;
}

}  // namespace

template <class A, class Offset>
CsrSubWarpTuning csr_sub_warp_tuning(CsrPointers<A, std::int32_t, Offset> const& a) {
  // One pass a row for short and middling rows, a few for longer ones, and a whole warp for the longest, by entries a
  // row in the mean.
  std::int64_t const mean = a.rows == 0 ? 0 : a.nnz / a.rows;
  CsrSubWarpTuning tuning{.lanes = 2, .entries_per_lane = std::min(mean < 12 ? 2 : 4, widest_load(a))};
  auto const pass = [&] { return std::int64_t{tuning.lanes} * tuning.entries_per_lane; };
  while (tuning.lanes < 32 && 5 * pass() < 4 * mean && (tuning.lanes < 8 || 3 * pass() < mean)) tuning.lanes *= 2;
  return tuning;
}

/// launch<lanes, entries a lane>() for the tuning, completed; not at all without rows.
template <class A, class Offset, class Launch>
void with_lanes(CsrPointers<A, std::int32_t, Offset> const& a, CsrSubWarpTuning const& asked, Launch const& launch) {
  CsrSubWarpTuning tuning = csr_sub_warp_tuning(a);
  if (asked.lanes != 0) tuning.lanes = asked.lanes;
  // Arrays that are not aligned for the asked loads are read by narrower ones.
  if (asked.entries_per_lane != 0) tuning.entries_per_lane = std::min(asked.entries_per_lane, widest_load(a));
  int const V = asked.entries_per_lane;
  require(V == 0 || V == 1 || V == 2 || V == 4, "entries_per_lane", V, "0, 1, 2 or 4");
  if (a.rows == 0) return;
  auto const with_entries = [&]<int L>() {
    if (tuning.entries_per_lane == 4) return launch.template operator()<L, 4>();
    if (tuning.entries_per_lane == 2) return launch.template operator()<L, 2>();
    launch.template operator()<L, 1>();
  };
  switch (tuning.lanes) {
    case 2: return with_entries.template operator()<2>();
    case 4: return with_entries.template operator()<4>();
    case 8: return with_entries.template operator()<8>();
    case 16: return with_entries.template operator()<16>();
    case 32: return with_entries.template operator()<32>();
    default: require(false, "lanes", tuning.lanes, "0, 2, 4, 8, 16 or 32");
  }
}

template <class A, class X, class Y, class Offset>
void csr_spmv_sub_warp(CsrPointers<A, std::int32_t, Offset> const& a, CsrSubWarpTuning const& asked, Y alpha,
                       X const* x, Y beta, Y* y, cudaStream_t stream) {
  if constexpr (!is_one<A>)
    if (!a.values) return csr_spmv_sub_warp<One, Y, Y, Offset>(pattern_of(a), asked, alpha, x, beta, y, stream);
  bool const in_chunks = asked.atomics && std::min(a.cols, a.nnz) >= chunks_from;
  std::int64_t const most = csr_long_row(a.rows, a.nnz);
  auto const limit =
      static_cast<std::make_unsigned_t<Offset>>(std::min<std::int64_t>(most, std::numeric_limits<Offset>::max()));
  with_lanes(a, asked, [&]<int L, int V>() {
    unsigned const blocks = grid_blocks(a.rows, block_threads / L, kernel_label);
    auto const launch = [&](auto kernel) {
      launch_overlapped(kernel, blocks, block_threads, 0, stream, kernel_label, a, limit, alpha, x, beta, y);
    };
    // Rows of several passes begin them where lines of values do: for rows so long that this saves lines, and no
    // shorter ones.
    if constexpr (L == 8 && V == 4 && std::is_same_v<A, double>)
      if (a.nnz >= 48 * a.rows)
        return launch(in_chunks ? whole_lines_kernel<LongRows::of_chunks, X, Y, Offset>
                                : whole_lines_kernel<LongRows::of_block, X, Y, Offset>);
    launch(in_chunks ? sub_warp_kernel<L, V, LongRows::of_chunks, A, X, Y, Offset>
                     : sub_warp_kernel<L, V, LongRows::of_block, A, X, Y, Offset>);
  });
  if (in_chunks) csr_add_long_rows(a, most, alpha, x, y, stream);
}

template <class A, class X, class Y, class Offset>
void csr_spmv_sub_warp_fused(CsrPointers<A, std::int32_t, Offset> const& a, CsrSubWarpTuning const& asked, X const* x,
                             FusedRows<Y> const& fused, cudaStream_t stream) {
  if (a.nnz != 0 && !a.values)
    throw Error(ErrorKind::unsupported, std::string(fused_label) + ": a matrix without values");
  with_lanes(a, asked, [&]<int L, int V>() {
    auto const kernel = sub_warp_fused_kernel<L, V, A, X, Y, Offset>;
    std::int64_t const groups = grid_blocks(a.rows, block_threads / L, fused_label);
    launch_overlapped(kernel, fused_blocks(kernel, block_threads, a.rows, groups, fused_label), block_threads, 0,
                      stream, fused_label, a, groups, x, fused);
  });
}

[[gnu::used]] static void write_out_csr_spmv_sub_warp() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    write_out(csr_spmv_sub_warp<A, X, Y, F>);
    write_out(csr_spmv_sub_warp_fused<A, X, Y, F>);
  });
  for_types<AllReals, AllOffsets>([&]<class A, class F>() { write_out(csr_sub_warp_tuning<A, F>); });
  for_types<ListOf<__half, __nv_bfloat16>, AllOffsets>([&]<class A, class F>() {
    write_out(csr_spmv_sub_warp<A, float, float, F>);
    write_out(csr_sub_warp_tuning<A, F>);
  });
}

}  // namespace araia::cuda
