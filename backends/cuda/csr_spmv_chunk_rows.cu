// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR; a block owns the rows that begin in a chunk of 1024 entries, or a share of them,
// and all they hold.
// Mapping  grid: chunks, or shares of them until the device is full | block: 512 threads | thread: up to two entries,
//          512 apart, of the 1024 from the first row's begin on; products go to shared memory, and 1 to 32 lanes sum
//          each row, all threads one of more than 256 entries. What the last row holds beyond them the block goes along
//          together, 512 entries a step.
// Traffic  that of csr_spmv_equal_chunks without carries. Atomics: one in shared memory, which lists rows that are then
//          summed each by itself, so the same bits on every run.
// Suits    small matrices: one launch in place of two, and all that depends on the structure alone is loaded before the
//          work ahead of it in the stream ends. A very long row keeps a block busy alone.
// Source   [GreathouseDaga2014], CSR-Stream; differs: rows are cut by where they begin, so that the places follow by a
//          search each.
// Tried    docs/lab/cuda_kernels.md.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_chunk_sums.cuh"
#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/fused_rows.cuh"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/ones.cuh"
#include "backends/cuda/overlap.cuh"

namespace araia::cuda {
namespace {

constexpr int block_threads = 512;
constexpr int resident_blocks = 4;  // a multiprocessor, which bounds registers to 32
constexpr int warps = block_threads / 32;
constexpr int chunk = static_cast<int>(csr_chunk_entries);
constexpr int entries_per_thread = chunk / block_threads;
constexpr int long_row = 32;         // entries from which a warp sums a row: one lane's time would be the block's
constexpr int block_row = 256;       // entries beyond which the block sums a row
constexpr int most_shares = 4;       // of a chunk
constexpr int filling_blocks = 264;  // two for each multiprocessor of a large device
constexpr char const* kernel_label = "araia::spmv::csr::chunk_rows";
constexpr char const* fused_label = "araia::fused::csr::chunk_rows";

/// out.store(row of y, sum) for the rows of one share of a chunk. All threads of the block call it; it waits for the
/// work ahead in the stream.
template <class A, class X, class Y, class Offset, class Rows>
__device__ __forceinline__ void rows_of_share(CsrPointers<A, std::int32_t, Offset> const& a,
                                              std::int32_t const* first_rows, int shares, X const* x, Rows& out) {
  __shared__ Y products[padded(chunk)];
  __shared__ Y beyond[warps];                      // a warp's sum of what lies beyond the chunk
  __shared__ Y parts[warps];                       // and of a row that the block sums
  __shared__ int deferred[chunk / block_row + 1];  // those rows
  __shared__ int deferred_rows;
  int const thread = static_cast<int>(threadIdx.x);
  unsigned const of_chunk = blockIdx.x / static_cast<unsigned>(shares);
  unsigned const share = blockIdx.x % static_cast<unsigned>(shares);
  std::int32_t const begins = first_rows[of_chunk];
  auto const rows = static_cast<unsigned>(first_rows[of_chunk + 1] - begins);
  auto const row_of_share = [&](unsigned s) {
    return static_cast<int>(static_cast<std::uint64_t>(rows) * s / static_cast<unsigned>(shares));
  };
  std::int32_t const first_row = begins + row_of_share(share);
  int const owned = row_of_share(share + 1) - row_of_share(share);
  Offset const first = a.row_offsets[first_row];
  Offset const end = a.row_offsets[first_row + owned];
  int const entries = end - first < chunk ? static_cast<int>(end - first) : chunk;

  A value[entries_per_thread];
  std::int32_t column[entries_per_thread];
#pragma unroll
  for (int v = 0; v < entries_per_thread; ++v) {
    int const k = v * block_threads + thread;
    column[v] = k < entries ? load_once(a.col_indices + first + k) : 0;
  }
  wait_for_predecessor();  // what is above is structure
  let_successor_start();
  if (owned == 0) return;
#pragma unroll
  for (int v = 0; v < entries_per_thread; ++v) {
    int const k = v * block_threads + thread;
    if constexpr (!is_one<A>) value[v] = k < entries ? load_once(a.values + first + k) : A{};
  }
  auto const bound = [&](int segment) {  // where row first_row + segment begins, from `first` on
    auto const begin = static_cast<std::int64_t>(a.row_offsets[first_row + segment]) - static_cast<std::int64_t>(first);
    return static_cast<int>(min(begin, std::int64_t{entries}));
  };
  auto const lanes = SegmentLanes::spread<block_threads>(owned, bound);
  if (thread == 0) deferred_rows = 0;
#pragma unroll
  for (int v = 0; v < entries_per_thread; ++v) {
    int const k = v * block_threads + thread;
    if (k < entries) products[padded(k)] = static_cast<Y>(value[v]) * static_cast<Y>(load_operand(x + column[v]));
  }
  bool const goes_on = end - first > chunk;  // the same for all threads
  if (goes_on) {
    Y sum{};
#pragma unroll 4
    for (std::int64_t k = std::int64_t{first} + chunk + thread; k < end; k += block_threads)
      sum += static_cast<Y>(value_once(a.values, k)) * static_cast<Y>(load_operand(x + load_once(a.col_indices + k)));
    sum = warp_sum(sum);
    if (thread % 32 == 0) beyond[thread / 32] = sum;
  }
  __syncthreads();  // products and sums are read by other threads

  auto const emit = [&](int segment, Y sum) {
    if (goes_on && segment == owned - 1)
#pragma unroll
      for (int warp = 0; warp < warps; ++warp) sum += beyond[warp];
    std::int32_t const row = first_row + segment;
    out.store(a.row_permutation ? a.row_permutation[row] : row, sum);
  };
  sum_segments<block_threads, long_row, block_row>(products, owned, lanes, bound, emit, [&](int segment) {
    deferred[atomicAdd(&deferred_rows, 1)] = segment;  // in any order, of which the loop below makes its own
  });
  __syncthreads();  // all deferred rows are known
  int segment = -1;
  for (int i = 0; i < deferred_rows; ++i) {
    int next = owned;  // ascending, so that what is summed over rows has one order
    for (int j = 0; j < deferred_rows; ++j)
      if (deferred[j] > segment) next = min(next, deferred[j]);
    segment = next;
    int const row_end = bound(segment + 1);
    Y sum{};
    for (int k = bound(segment) + thread; k < row_end; k += block_threads) sum += products[padded(k)];
    sum = warp_sum(sum);
    if (thread % 32 == 0) parts[thread / 32] = sum;
    __syncthreads();  // thread 0 reads the parts
    if (thread == 0) {
      Y total{};
#pragma unroll
      for (int warp = 0; warp < warps; ++warp) total += parts[warp];
      emit(segment, total);
    }
    __syncthreads();  // and has read them
  }
}

template <class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    chunk_rows_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int32_t const* first_rows, int shares, Y alpha,
                      X const* x, Y beta, Y* y) {
  ScaledRows<Y> const rows{alpha, y, beta};
  rows_of_share<A, X, Y>(a, first_rows, shares, x, rows);
}

template <class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    chunk_rows_fused_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int32_t const* first_rows, int shares,
                            X const* x, FusedRows<Y> fused) {
  SummedRows<Y> rows(fused);
  rows_of_share<A, X, Y>(a, first_rows, shares, x, rows);
  add_up_blocks(fused, rows.sum);
}

/// As many shares of a chunk as fill the device.
int shares_of(std::int64_t chunks) {
  return static_cast<int>(std::clamp<std::int64_t>(filling_blocks / chunks, 1, most_shares));
}

}  // namespace

template <class A, class X, class Y, class Offset>
void csr_spmv_chunk_rows(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t const* first_rows, Y alpha,
                         X const* x, Y beta, Y* y, cudaStream_t stream) {
  if constexpr (!is_one<A>)
    if (!a.values) return csr_spmv_chunk_rows<One, Y, Y, Offset>(pattern_of(a), first_rows, alpha, x, beta, y, stream);
  if (a.rows == 0) return;
  std::int64_t const chunks = csr_chunk_count(a.nnz);
  int const shares = shares_of(chunks);
  unsigned const blocks = grid_blocks(chunks * shares, 1, kernel_label);
  launch_overlapped(chunk_rows_kernel<A, X, Y, Offset>, blocks, block_threads, 0, stream, kernel_label, a, first_rows,
                    shares, alpha, x, beta, y);
}

template <class A, class X, class Y, class Offset>
bool csr_spmv_chunk_rows_fused(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t const* first_rows,
                               X const* x, FusedRows<Y> const& fused, cudaStream_t stream) {
  if (a.nnz != 0 && !a.values)
    throw Error(ErrorKind::unsupported, std::string(fused_label) + ": a matrix without values");
  std::int64_t const chunks = csr_chunk_count(a.nnz);
  std::int64_t const room = most_partial_sums(a.rows);
  if (a.rows == 0 || chunks > room) return false;
  int const shares = std::min(shares_of(chunks), static_cast<int>(room / chunks));
  unsigned const blocks = grid_blocks(chunks * shares, 1, fused_label);
  launch_overlapped(chunk_rows_fused_kernel<A, X, Y, Offset>, blocks, block_threads, 0, stream, fused_label, a,
                    first_rows, shares, x, fused);
  return true;
}

[[gnu::used]] static void write_out_csr_spmv_chunk_rows() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    write_out(csr_spmv_chunk_rows<A, X, Y, F>);
    write_out(csr_spmv_chunk_rows_fused<A, X, Y, F>);
  });
  for_types<ListOf<__half, __nv_bfloat16>, AllOffsets>(
      [&]<class A, class F>() { write_out(csr_spmv_chunk_rows<A, float, float, F>); });
}

}  // namespace araia::cuda
