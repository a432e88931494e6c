// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR; a block owns 1024 consecutive entries, whatever rows they belong to.
// Mapping  grid: chunks | block: 256 threads | thread: four entries are loaded and gathered, products go to shared
//          memory; then 1 to 32 lanes sum each row that begins in the chunk, as many as leave no thread idle. A row of
//          more than 128 entries there is summed by its whole warp. Entries of a row that began in an earlier chunk are
//          summed to the chunk's carry; a second launch adds runs of carries to their rows.
//          A warp's gather is for 32 consecutive entries: neighbours in a row share lines of x, and a request. In
//          matrices of short rows a thread takes four consecutive entries by one load instead, fewer instructions.
// Traffic  double, int32: 12 B an entry; 4 B of offset and 8 B of y a row (16 B if beta != 0); 20 B a chunk; x as
//          gathered. Shared memory 8.7 KB of f64 products. Atomics: none, so the same bits on every run.
// Suits    rows of very unlike length. On rows of like length it trails sub-warps, as products go through shared
//          memory; where no row is long, csr_spmv_chunk_rows needs no second launch.
// Source   [MerrillGarland2016], the merge path's balance; differs: entries alone are balanced, and the rows where
//          chunks begin are kept by the plan. A chunk with many empty rows is walked 256 rows at a time.
// Tried    docs/lab/cuda_kernels.md.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_chunk_sums.cuh"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/ones.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int resident_blocks = 8;  // a multiprocessor, which bounds registers to 32
constexpr int chunk = static_cast<int>(csr_chunk_entries);
constexpr int per_thread = chunk / block_threads;  // entries
constexpr int long_row = 128;                      // entries from which a warp sums a row
constexpr int short_rows = 8;                      // entries a row up to which a thread's four are consecutive
constexpr int carry_threads = 128;
constexpr int short_run = 8;  // chunks of a row that one thread adds
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

template <bool consecutive, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    equal_chunks_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrChunks<Y> chunks, Y alpha, X const* x, Y beta,
                        Y* y) {
  __shared__ Y products[padded(chunk)];
  int const thread = static_cast<int>(threadIdx.x);
  Offset const first = static_cast<Offset>(blockIdx.x) * chunk;
  int const entries = static_cast<int>(std::int64_t{a.nnz} - first < chunk ? std::int64_t{a.nnz} - first : chunk);
  std::int32_t const first_row = chunks.first_rows[blockIdx.x];
  std::int32_t const next_first_row = chunks.first_rows[blockIdx.x + 1];

  // Consecutive entries are loaded at once where the chunk has all of them.
  bool const at_once = consecutive && entries == chunk;
  auto const place = [&](int v) { return at_once ? thread * per_thread + v : v * block_threads + thread; };
  Pack<A, per_thread> value;
  Pack<std::int32_t, per_thread> column;
  if (at_once) {
    column = load_once<per_thread>(a.col_indices + first + place(0));
  } else {
#pragma unroll
    for (int v = 0; v < per_thread; ++v)
      column.at[v] = place(v) < entries ? load_once(a.col_indices + first + place(v)) : 0;
  }
  wait_for_predecessor();  // what is above is structure
  let_successor_start();
  if constexpr (!is_one<A>) {
    if (at_once) {
      value = load_once<per_thread>(a.values + first + place(0));
    } else {
#pragma unroll
      for (int v = 0; v < per_thread; ++v)
        value.at[v] = place(v) < entries ? load_once(a.values + first + place(v)) : A{};
    }
  }
  int const owned = next_first_row - first_row;

  // Segment 0 is what belongs to an earlier row, segment s > 0 is row first_row + s - 1.
  auto const bound = [&](int segment) {  // where it begins, within the chunk
    if (segment <= 0) return 0;
    if (segment > owned) return entries;
    return static_cast<int>(
        min(static_cast<std::int64_t>(a.row_offsets[first_row + segment - 1]) - first, std::int64_t{entries}));
  };
  auto const lanes = SegmentLanes::spread<block_threads>(owned + 1, bound);

  X factor[per_thread];
#pragma unroll
  for (int v = 0; v < per_thread; ++v) factor[v] = place(v) < entries ? load_operand(x + column.at[v]) : X{};
#pragma unroll
  for (int v = 0; v < per_thread; ++v)
    products[padded(place(v))] = static_cast<Y>(value.at[v]) * static_cast<Y>(factor[v]);
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
__global__ void __launch_bounds__(carry_threads)
    add_carries_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrChunks<Y> chunks, std::int64_t count, Y alpha, Y* y) {
  std::int64_t const c = std::int64_t{blockIdx.x} * carry_threads + threadIdx.x + 1;  // chunk 0 carries nothing
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int32_t const next = c < count ? chunks.first_rows[c] : 0;  // the row that carries is the one before
  std::int64_t const end = c < count ? static_cast<std::int64_t>(a.row_offsets[next]) : 0;  // of that row
  bool const leads = end > c * chunk && chunks.first_rows[c - 1] != next;
  std::int64_t const carries = leads ? (end - 1) / chunk + 1 - c : 0;
  std::int32_t const row = leads && a.row_permutation ? a.row_permutation[next - 1] : next - 1;
  wait_for_predecessor();  // what is above depends on the structure alone
  let_successor_start();
  Y const begun = leads ? y[row] : Y{};
  Y carry[short_run];
#pragma unroll
  for (int k = 0; k < short_run; ++k) carry[k] = k < carries ? chunks.carries[c + k] : Y{};
  Y sum{};
#pragma unroll
  for (int k = 0; k < short_run; ++k) sum += carry[k];
  for (unsigned waiting = __ballot_sync(whole_warp, carries > short_run); waiting != 0; waiting &= waiting - 1) {
    int const leader = __ffs(static_cast<int>(waiting)) - 1;
    std::int64_t const from = __shfl_sync(whole_warp, c, leader);
    std::int64_t const beyond = from + __shfl_sync(whole_warp, carries, leader);
    Y part{};
#pragma unroll 4
    for (std::int64_t other = from + short_run + lane; other < beyond; other += 32) part += chunks.carries[other];
    part = warp_sum(part);
    if (lane == leader) sum += part;
  }
  if (leads) y[row] = begun + alpha * sum;
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
  if constexpr (!is_one<A>)
    if (!a.values) return csr_spmv_equal_chunks<One, Y, Y, Offset>(pattern_of(a), chunks, alpha, x, beta, y, stream);
  if (a.rows == 0) return;
  std::int64_t const count = csr_chunk_count(a.nnz);
  unsigned const blocks = grid_blocks(count, 1, kernel_label);
  bool const consecutive = a.nnz <= short_rows * a.rows && is_aligned(a.values, 16) && is_aligned(a.col_indices, 16);
  launch_overlapped(
      consecutive ? equal_chunks_kernel<true, A, X, Y, Offset> : equal_chunks_kernel<false, A, X, Y, Offset>, blocks,
      block_threads, 0, stream, kernel_label, a, chunks, alpha, x, beta, y);
  if (count == 1) return;
  launch_overlapped(add_carries_kernel<A, Y, Offset>, grid_blocks(count - 1, carry_threads, kernel_label),
                    carry_threads, 0, stream, kernel_label, a, chunks, count, alpha, y);
}

[[gnu::used]] static void write_out_csr_spmv_equal_chunks() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    write_out(csr_find_chunks<A, Y, F>);
    write_out(csr_spmv_equal_chunks<A, X, Y, F>);
  });
  for_types<ListOf<__half, __nv_bfloat16>, AllOffsets>(
      [&]<class A, class F>() { write_out(csr_spmv_equal_chunks<A, float, float, F>); });
}

}  // namespace araia::cuda
