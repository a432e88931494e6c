// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y += alpha A x for the rows of more entries than a chunk has, A in CSR; csr_long_row says how many that are.
// Mapping  grid: four blocks a multiprocessor, fewer in small matrices | block: 256 threads
//          Every entry at a multiple of `chunk_entries` is a mark, which a thread owns: it finds the mark's row in
//          row_offsets. A long row has a mark at least. Each of its marks stands for the entries up to the next one,
//          the first also for those before it:
//
//            marks        |         1         |         2         |         3         |
//            rows      ...r0 | r1  | r2                                 | r3 ...          r2 is long
//            chunks                  [  of 1            )[   of 2       )
//
//          Neighbouring marks belong to different blocks, so a long row is shared by many. A block lists its threads'
//          chunks and sums them one after the other, 256 threads of four entries a pass; each warp adds what it has of
//          a row by an atomic.
// Search   by interpolation, two probes to each side of the guess, by halves where that did not help: four or five
//          loads one after the other where rows are of like length, in place of one for each bit of their number.
// Traffic  double, int32: 12 B an entry of long rows and x as gathered; some 200 B a mark.
// Suits    whatever has such rows; a block or a warp of its own would be busy with one alone. On others it is the
//          search, most of which the kernel before hides, as it runs where that one leaves room.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_spmv_sub_warp.cuh"
#include "backends/cuda/ones.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/spmv/csr_long_rows/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int resident_blocks = 4;           // a multiprocessor
constexpr std::int64_t marks_of_block = 16;  // at least, where there is more than one block a multiprocessor
constexpr char const* kernel_label = "araia::spmv::csr::long_rows";

struct FoundRow {
  std::int64_t row, first, last;
};

/// The row that holds an entry, 0 <= entry < nnz.
template <class A, class Offset>
__device__ __forceinline__ FoundRow row_of(CsrPointers<A, std::int32_t, Offset> const& a, std::int64_t entry) {
  std::int64_t low = 0, high = a.rows;     // the row lies in [low, high)
  std::int64_t first = 0, beyond = a.nnz;  // where these begin: first <= entry < beyond
  bool halve = false;
  while (high - low > 1) {
    std::int64_t const span = high - low;
    std::int64_t left = low + span / 2;
    std::int64_t right = left;
    if (!halve) {
      auto const share = static_cast<float>(entry - first) / static_cast<float>(beyond - first);
      std::int64_t const guess = low + static_cast<std::int64_t>(share * static_cast<float>(span));
      std::int64_t const margin = span / 256 + 1;
      left = max(low + 1, min(guess - margin, high - 1));
      right = max(left, min(guess + margin, high - 1));
    }
    auto const at_left = static_cast<std::int64_t>(a.row_offsets[left]);
    auto const at_right = static_cast<std::int64_t>(a.row_offsets[right]);
    if (at_left > entry) {
      high = left;
      beyond = at_left;
    } else if (at_right > entry) {
      low = left;
      first = at_left;
      high = right;
      beyond = at_right;
    } else {
      low = right;
      first = at_right;
    }
    halve = !halve && high - low > span / 8;
  }
  return {low, first, beyond};
}

template <int V, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    long_rows_kernel(CsrPointers<A, std::int32_t, Offset> a, std::int64_t chunk_entries, Y alpha, X const* x, Y* y) {
  // Blocks come once all of the kernel before are there and have waited, so successors that wait take no place of
  // theirs.
  let_successor_start();
  using Index = std::make_unsigned_t<Offset>;
  __shared__ Index firsts[block_threads];
  __shared__ Index lasts[block_threads];
  __shared__ std::int64_t rows[block_threads];
  __shared__ int chunks;
  unsigned const thread = threadIdx.x;
  std::int64_t const marks = (static_cast<std::int64_t>(a.nnz) - 1) / chunk_entries;  // 1 to `marks`
  std::int64_t const at_once = std::int64_t{gridDim.x} * block_threads;
  bool waited = false;
  auto const add = [&](std::int64_t row, Y sum) {
    sum = sum_of_warp(sum);
    if (!waited) wait_for_predecessor();  // which leaves beta y there
    waited = true;
    if (thread % 32 == 0) atomicAdd(y + (a.row_permutation ? a.row_permutation[row] : row), alpha * sum);
  };
#pragma unroll 1
  for (std::int64_t done = 0; done < marks; done += at_once) {
    if (thread == 0) chunks = 0;
    __syncthreads();  // there is no chunk, and earlier ones were read
    std::int64_t const mark = done + std::int64_t{thread} * gridDim.x + blockIdx.x + 1;
    if (mark <= marks) {
      FoundRow const found = row_of(a, mark * chunk_entries);
      if (found.last - found.first > chunk_entries) {
        bool const is_first = mark == 1 || found.first > (mark - 1) * chunk_entries;
        int const at = atomicAdd(&chunks, 1);
        firsts[at] = static_cast<Index>(is_first ? found.first : mark * chunk_entries);
        lasts[at] = static_cast<Index>(min(found.last, (mark + 1) * chunk_entries));
        rows[at] = found.row;
      }
    }
    __syncthreads();  // all chunks are there
    Y sum{};
#pragma unroll 1
    for (int p = 0; p < chunks; ++p) {
      Index const first = firsts[p];
      Index const last = lasts[p];
#pragma unroll 2
      for (Index k = first / V * V + thread * V; k < last; k += block_threads * V)
        add_entries<V, (V > 1)>(a, x, k, first, last, sum);
      if (p + 1 == chunks || rows[p + 1] != rows[p]) {
        add(rows[p], sum);
        sum = Y{};
      }
    }
    __syncthreads();  // chunks were read
  }
  if (!waited) wait_for_predecessor();
}

}  // namespace

template <class A, class X, class Y, class Offset>
void csr_add_long_rows(CsrPointers<A, std::int32_t, Offset> const& a, std::int64_t longer, Y alpha, X const* x, Y* y,
                       cudaStream_t stream) {
  std::int64_t const marks = (a.nnz - 1) / longer;
  if (a.rows == 0 || marks < 1) return;
  // Blocks take time to come and go even if they find nothing: a matrix of few marks has fewer of them.
  std::int64_t const multiprocessors = multiprocessors_of_device(kernel_label);
  std::int64_t const of_each = std::clamp<std::int64_t>(marks / (multiprocessors * marks_of_block), 1, resident_blocks);
  auto const blocks = static_cast<unsigned>(std::min(marks, multiprocessors * of_each));
  bool const wide =
      (is_one<A> || is_aligned(a.values, std::min<std::size_t>(16, 4 * sizeof(A)))) && is_aligned(a.col_indices, 16);
  launch_overlapped(wide ? long_rows_kernel<4, A, X, Y, Offset> : long_rows_kernel<1, A, X, Y, Offset>, blocks,
                    block_threads, 0, stream, kernel_label, a, longer, alpha, x, y);
}

[[gnu::used]] static void write_out_csr_add_long_rows() {
  using namespace araia::detail;
  for_types<AllRealProducts, AllOffsets>(
      [&]<class A, class X, class Y, class F>() { write_out(csr_add_long_rows<A, X, Y, F>); });
  for_types<ListOf<ListOf<One, double, double>, ListOf<One, float, float>, ListOf<__half, float, float>,
                   ListOf<__nv_bfloat16, float, float>>,
            AllOffsets>([&]<class A, class X, class Y, class F>() { write_out(csr_add_long_rows<A, X, Y, F>); });
}

}  // namespace araia::cuda
