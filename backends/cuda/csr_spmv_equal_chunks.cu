// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR; a block owns 1024 consecutive entries, whatever rows they belong to.
// Mapping  grid: chunks | block: 128 threads | thread: two runs of four entries are loaded and gathered, products go to
//          shared memory; then 1 to 32 lanes sum each row that begins in the chunk, as many as leave no thread idle.
//          A row of more than 128 entries there is summed by its whole warp. Entries of a row that began in an earlier
//          chunk are summed to the chunk's carry; a second launch adds runs of carries to their rows.
// Traffic  double, int32: 12 B an entry; 4 B of offset and 8 B of y a row (16 B if beta != 0); 20 B a chunk; x as
//          gathered. Shared memory 8.7 KB of f64 products. Atomics: none, so the same bits on every run.
// Suits    rows of very unlike length. On rows of like length it trails sub-warps, as products go through shared
// memory;
//          where no row is long, csr_spmv_chunk_rows needs no second launch.
// Source   [MerrillGarland2016], the merge path's balance; differs: entries alone are balanced, and the rows where
//          chunks begin are kept by the plan. A chunk with many empty rows is walked in strips of 128.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_chunk_sums.cuh"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int block_threads = 128;
constexpr int resident_blocks = 12;  // a multiprocessor, which bounds registers to 40
constexpr int chunk = static_cast<int>(csr_chunk_entries);
constexpr int run = 4;         // entries of one load
constexpr int long_row = 128;  // entries from which a warp sums a row
constexpr int short_run = 8;   // chunks of a row that one thread adds
constexpr char const* kernel_label = "araia::spmv::csr::equal_chunks";

template <class A, class Offset>
__global__ void find_chunks_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int64_t chunks,
                                   std::int32_t* first_rows) {
  std::int64_t const c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c > chunks) return;
  std::int64_t low = 0;
  std::int64_t high = c == 0 ? 0 : a.rows;  // the first row that begins at c chunk or later
  if (c == chunks) low = high;
  while (low < high) {
    std::int64_t const middle = (low + high) / 2;
    if (static_cast<std::int64_t>(a.row_offsets[middle]) < c * chunk)
      low = middle + 1;
    else
      high = middle;
  }
  first_rows[c] = static_cast<std::int32_t>(low);
}

template <bool aligned, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    equal_chunks_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrChunks<Y> chunks, Y alpha, X const* x, Y beta,
                        Y* y) {
  __shared__ Y products[padded(chunk)];
  wait_for_predecessor();
  let_successor_start();
  int const thread = static_cast<int>(threadIdx.x);
  Offset const first = static_cast<Offset>(blockIdx.x) * chunk;
  int const entries = static_cast<int>(std::int64_t{a.nnz} - first < chunk ? std::int64_t{a.nnz} - first : chunk);
  std::int32_t const first_row = chunks.first_rows[blockIdx.x];
  int const owned = chunks.first_rows[blockIdx.x + 1] - first_row;

  Pack<A, run> value[2];
  Pack<std::int32_t, run> column[2];
  if (aligned && entries == chunk) {
#pragma unroll
    for (int u = 0; u < 2; ++u) {
      Offset const k = first + (u * block_threads + thread) * run;
      column[u] = load_once<run>(a.col_indices + k);
      value[u] = load_once<run>(a.values + k);
    }
  } else {
#pragma unroll
    for (int u = 0; u < 2; ++u)
#pragma unroll
      for (int v = 0; v < run; ++v) {
        int const k = (u * block_threads + thread) * run + v;
        column[u].at[v] = k < entries ? load_once(a.col_indices + first + k) : 0;
        value[u].at[v] = k < entries ? load_once(a.values + first + k) : A{};
      }
  }

  // Segment 0 is what belongs to an earlier row, segment s > 0 is row first_row + s - 1.
  auto const bound = [&](int segment) {  // where it begins, within the chunk
    if (segment <= 0) return 0;
    if (segment > owned) return entries;
    return static_cast<int>(
        min(static_cast<std::int64_t>(a.row_offsets[first_row + segment - 1]) - first, std::int64_t{entries}));
  };
  auto const lanes = SegmentLanes::spread<block_threads>(owned + 1, bound);

#pragma unroll
  for (int u = 0; u < 2; ++u) {
    X factor[run];
#pragma unroll
    for (int v = 0; v < run; ++v) {
      bool const inside = entries == chunk || (u * block_threads + thread) * run + v < entries;
      factor[v] = inside ? load_operand(x + column[u].at[v]) : X{};
    }
#pragma unroll
    for (int v = 0; v < run; ++v)
      products[padded((u * block_threads + thread) * run + v)] =
          static_cast<Y>(value[u].at[v]) * static_cast<Y>(factor[v]);
  }
  __syncthreads();  // products are read by other threads

  sum_segments<block_threads, long_row>(products, owned + 1, lanes, bound, [&](int segment, Y sum) {
    if (segment == 0) {
      chunks.carries[blockIdx.x] = sum;
    } else {
      std::int32_t const row = first_row + segment - 1;
      store_scaled(y + (a.row_permutation ? a.row_permutation[row] : row), alpha, sum, beta);
    }
  });
}

/// Adds the carries of each row that spans chunks: a thread a chunk, the first of a row's carries leads.
template <class A, class Y, class Offset>
__global__ void __launch_bounds__(block_threads)
    add_carries_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrChunks<Y> chunks, std::int64_t count, Y alpha, Y* y) {
  std::int64_t const c = std::int64_t{blockIdx.x} * block_threads + threadIdx.x + 1;  // chunk 0 carries nothing
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int32_t const next = c < count ? chunks.first_rows[c] : 0;  // the row that carries is the one before
  bool const carries = c<count&& static_cast<std::int64_t>(a.row_offsets[next])> c * chunk;
  bool const leads = carries && chunks.first_rows[c - 1] != next;
  wait_for_predecessor();  // what is above depends on the structure alone, complete before the chunks began
  let_successor_start();
  Y sum{};
  std::int64_t k = c;
  if (leads)
    for (; k < c + short_run && k < count && chunks.first_rows[k] == next; ++k) sum += chunks.carries[k];
  bool const is_long = leads && k == c + short_run;
  for (unsigned waiting = __ballot_sync(whole_warp, is_long); waiting != 0; waiting &= waiting - 1) {
    int const leader = __ffs(static_cast<int>(waiting)) - 1;
    std::int32_t const row_after = __shfl_sync(whole_warp, next, leader);
    std::int64_t const from = __shfl_sync(whole_warp, k, leader);
    Y part{};
    for (std::int64_t other = from + lane; other < count && chunks.first_rows[other] == row_after; other += 32)
      part += chunks.carries[other];
    part = warp_sum(part);
    if (lane == leader) sum += part;
  }
  if (leads) {
    std::int32_t const row = next - 1;
    Y& out = y[a.row_permutation ? a.row_permutation[row] : row];
    out += alpha * sum;
  }
}

}  // namespace

template <class A, class Sum, class Offset>
void csr_find_chunks(CsrPointers<A, std::int32_t, Offset> const& a, CsrChunks<Sum> const& chunks, cudaStream_t stream) {
  std::int64_t const count = csr_chunk_count(a.nnz);
  unsigned const blocks = grid_blocks(count + 1, block_threads, "araia::csr_find_chunks");
  find_chunks_kernel<<<blocks, block_threads, 0, stream>>>(a, count, chunks.first_rows);
  check_launch("araia::csr_find_chunks");
}

template <class A, class X, class Y, class Offset>
void csr_spmv_equal_chunks(CsrPointers<A, std::int32_t, Offset> const& a, CsrChunks<Y> const& chunks, Y alpha,
                           X const* x, Y beta, Y* y, cudaStream_t stream) {
  if (a.nnz != 0 && !a.values)
    throw Error(ErrorKind::unsupported, std::string(kernel_label) + ": a matrix without values");
  if (a.rows == 0) return;
  std::int64_t const count = csr_chunk_count(a.nnz);
  unsigned const blocks = grid_blocks(count, 1, kernel_label);
  bool const aligned = is_aligned(a.values, 16) && is_aligned(a.col_indices, 16);
  launch_overlapped(aligned ? equal_chunks_kernel<true, A, X, Y, Offset> : equal_chunks_kernel<false, A, X, Y, Offset>,
                    blocks, block_threads, 0, stream, kernel_label, a, chunks, alpha, x, beta, y);
  if (count == 1) return;
  launch_overlapped(add_carries_kernel<A, Y, Offset>, grid_blocks(count - 1, block_threads, kernel_label),
                    block_threads, 0, stream, kernel_label, a, chunks, count, alpha, y);
}

#define ARAIA_INSTANTIATE(A, X, Y, Offset)                                                                           \
  template void csr_find_chunks(CsrPointers<A, std::int32_t, Offset> const&, CsrChunks<Y> const&, cudaStream_t);     \
  template void csr_spmv_equal_chunks(CsrPointers<A, std::int32_t, Offset> const&, CsrChunks<Y> const&, Y, X const*, \
                                      Y, Y*, cudaStream_t);
#define ARAIA_INSTANTIATE_OFFSETS(A, X, Y) \
  ARAIA_INSTANTIATE(A, X, Y, std::int32_t) \
  ARAIA_INSTANTIATE(A, X, Y, std::int64_t)
ARAIA_INSTANTIATE_OFFSETS(double, double, double)
ARAIA_INSTANTIATE_OFFSETS(float, float, float)
ARAIA_INSTANTIATE_OFFSETS(float, double, double)
#undef ARAIA_INSTANTIATE
#define ARAIA_INSTANTIATE(A, X, Y, Offset)                                                                           \
  template void csr_spmv_equal_chunks(CsrPointers<A, std::int32_t, Offset> const&, CsrChunks<Y> const&, Y, X const*, \
                                      Y, Y*, cudaStream_t);
ARAIA_INSTANTIATE_OFFSETS(__half, float, float)
ARAIA_INSTANTIATE_OFFSETS(__nv_bfloat16, float, float)

}  // namespace araia::cuda
