// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distinct lines of x that samples of a Csr's entries name.
// Mapping  a block a sample; lines go to a table in shared memory, by linear probing; each new one counts.

#include "backends/cuda/check.hpp"
#include "backends/cuda/csr_gathered_lines.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr unsigned table_size = 2 * static_cast<unsigned>(csr_sample_entries);  // half full at most
constexpr std::int32_t none = -1;

__global__ void __launch_bounds__(block_threads)
    count_gathered_lines_kernel(std::int32_t const* col_indices, std::int64_t nnz, std::int32_t* counts) {
  __shared__ std::int32_t table[table_size];
  for (unsigned i = threadIdx.x; i < table_size; i += block_threads) table[i] = none;
  __syncthreads();  // the table is empty
  std::int64_t const step = gridDim.x > 1 ? (nnz - csr_sample_entries) / (gridDim.x - 1) : 0;
  std::int64_t const first = blockIdx.x * step;
  int found = 0;
  for (std::int64_t e = threadIdx.x; e < csr_sample_entries; e += block_threads) {
    std::int32_t const line = col_indices[first + e] / csr_line_columns;
    for (unsigned at = static_cast<unsigned>(line) * 2654435761u;; ++at) {
      std::int32_t const before = atomicCAS(table + at % table_size, none, line);
      if (before == none) ++found;
      if (before == none || before == line) break;
    }
  }
  if (found != 0) atomicAdd(counts + blockIdx.x, found);
}

}  // namespace

void csr_count_gathered_lines(std::int32_t const* col_indices, std::int64_t nnz, int samples, std::int32_t* counts,
                              cudaStream_t stream) {
  check(cudaMemsetAsync(counts, 0, static_cast<std::size_t>(samples) * sizeof(std::int32_t), stream),
        "araia::csr_count_gathered_lines");
  count_gathered_lines_kernel<<<static_cast<unsigned>(samples), block_threads, 0, stream>>>(col_indices, nnz, counts);
  check_launch("araia::csr_count_gathered_lines");
}

}  // namespace araia::cuda
