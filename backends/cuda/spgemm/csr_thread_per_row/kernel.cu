// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  a thread a row: up to eight runs of up to eight columns, padded, merged by bitonic networks of registers.
//          numeric: the block's chunk of C lies in shared memory as it lies in C, so it leaves as one contiguous copy;
//          a thread looks each run's columns up by a lower bound that only moves forward.
// Shared   numeric: 12 B an entry of the block's rows.

#include "backends/cuda/spgemm/csr_thread_per_row/kernel.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/dynamic_shared.cuh"
#include "backends/cuda/spgemm/operands.cuh"

namespace araia::cuda::spgemm::thread_per_row {
namespace {

constexpr int most_threads = 128;
constexpr int keys = merged_entries * merged_entries;
constexpr std::int32_t no_column = 0x7fffffff;
constexpr char const* symbolic_label = "araia::spgemm::thread_per_row::symbolic";
constexpr char const* numeric_label = "araia::spgemm::thread_per_row::numeric";

__device__ __forceinline__ void order(std::int32_t& low, std::int32_t& high) {
  std::int32_t const least = min(low, high);
  high = max(low, high);
  low = least;
}

/// Neighbouring runs of size / 2 ascending keys become runs of `size`.
template <int size>
__device__ __forceinline__ void merge_runs(std::int32_t (&key)[keys]) {
#pragma unroll
  for (int run = 0; run < keys / size; ++run)
#pragma unroll
    for (int i = 0; i < size / 2; ++i) order(key[run * size + i], key[run * size + size - 1 - i]);
#pragma unroll
  for (int step = 4; step <= size; step *= 2)
#pragma unroll
    for (int i = 0; i < keys / 2; ++i) {
      int const d = size / step;
      int const low = i / d * 2 * d + i % d;
      order(key[low], key[low + d]);
    }
}

/// Columns of all products of a row, ascending; places without a product behind them.
__device__ __forceinline__ void merged_columns(Operands const& p, std::int64_t row, std::int32_t (&key)[keys]) {
  int const begin = p.a.row_offsets[row];
  int const count = p.a.row_offsets[row + 1] - begin;
#pragma unroll
  for (int e = 0; e < merged_entries; ++e) {
    int start = 0;
    int length = 0;
    if (e < count) {
      int const j = p.a.col_indices[begin + e];
      start = p.b.row_offsets[j];
      length = p.b.row_offsets[j + 1] - start;
    }
#pragma unroll
    for (int t = 0; t < merged_entries; ++t)
      key[e * merged_entries + t] = t < length ? p.b.col_indices[start + t] : no_column;
  }
  merge_runs<2 * merged_entries>(key);
  merge_runs<4 * merged_entries>(key);
  merge_runs<8 * merged_entries>(key);
}

__global__ void __launch_bounds__(most_threads) symbolic_kernel(Operands p, std::int32_t* lengths, Counters* counters) {
  __shared__ unsigned block_products;
  if (threadIdx.x == 0) block_products = 0;
  __syncthreads();  // the zero is there
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * most_threads + threadIdx.x;
  int count = 0;
  unsigned products = 0;
  if (row < p.rows) {
    std::int32_t key[keys];
    merged_columns(p, row, key);
#pragma unroll
    for (int i = 0; i < keys; ++i) {
      products += key[i] != no_column;
      count += key[i] != no_column && (i == 0 || key[i] != key[i > 0 ? i - 1 : 0]);
    }
    lengths[row] = count;
  }
  int const most = Team<32>::of_thread().most(count);
  products = Team<32>::of_thread().sum(products);
  if (threadIdx.x % 32 == 0) {
    note_longest(&counters->pass.longest_c[0], static_cast<std::uint32_t>(most));  // there are no bins
    atomicAdd(&block_products, products);
  }
  __syncthreads();  // all warps have added
  if (threadIdx.x == 0) atomicAdd(&counters->products, static_cast<unsigned long long>(block_products));
}

template <bool known>
__global__ void __launch_bounds__(most_threads) numeric_kernel(Operands p, std::int32_t entries, Result c) {
  auto const threads = static_cast<int>(blockDim.x);
  double* const values = reinterpret_cast<double*>(dynamic_shared());
  std::int32_t* const columns = reinterpret_cast<std::int32_t*>(values + threads * entries);
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * threads;
  std::int64_t const last = min(first + threads, p.rows);
  std::int64_t const begin = offset_at(c.row_offsets, first);
  auto const chunk = static_cast<int>(offset_at(c.row_offsets, last) - begin);
  std::int64_t const row = first + threadIdx.x;
  for (int i = static_cast<int>(threadIdx.x); i < chunk; i += threads) {
    values[i] = 0;
    if constexpr (known) columns[i] = c.col_indices[begin + i];
  }
  int own_begin = 0;
  int own_end = 0;
  if (row < last) {
    own_begin = static_cast<int>(offset_at(c.row_offsets, row) - begin);
    own_end = static_cast<int>(offset_at(c.row_offsets, row + 1) - begin);
    if constexpr (!known) {
      std::int32_t key[keys];
      merged_columns(p, row, key);
      int at = own_begin;
#pragma unroll
      for (int i = 0; i < keys; ++i)
        if (key[i] != no_column && (i == 0 || key[i] != key[i > 0 ? i - 1 : 0])) columns[at++] = key[i];
    }
  }
  __syncthreads();  // zeroes are there, and known columns
  if (row < last) {
    int const a_begin = p.a.row_offsets[row];
    int const a_end = p.a.row_offsets[row + 1];
    for (int k = a_begin; k < a_end; ++k) {
      int const j = p.a.col_indices[k];
      double const factor = p.a.values[k];
      int const start = p.b.row_offsets[j];
      int const length = p.b.row_offsets[j + 1] - start;
      std::int32_t column[merged_entries];
      double b[merged_entries];
#pragma unroll
      for (int t = 0; t < merged_entries; ++t)
        if (t < length) {
          column[t] = p.b.col_indices[start + t];
          b[t] = p.b.values[start + t];
        }
      int low = own_begin;
#pragma unroll
      for (int t = 0; t < merged_entries; ++t)
        if (t < length) {
          for (int n = own_end - low; n > 1;) {
            int const half = n / 2;
            if (columns[low + half - 1] < column[t]) low += half;
            n -= half;
          }
          values[low] += factor * b[t];
        }
    }
  }
  __syncthreads();  // the block's chunk of C is complete
  for (int i = static_cast<int>(threadIdx.x); i < chunk; i += threads) {
    c.values[begin + i] = values[i];
    if constexpr (!known) c.col_indices[begin + i] = columns[i];
  }
}

}  // namespace

void symbolic(Operands const& p, std::int32_t* lengths, Counters* counters, cudaStream_t stream) {
  launch(symbolic_label, symbolic_kernel, (p.rows + most_threads - 1) / most_threads, most_threads, 0, stream, p,
         lengths, counters);
}

void numeric(Operands const& p, std::int32_t entries, Result const& c, bool known, cudaStream_t stream) {
  constexpr std::size_t much = 48 * 1024;
  std::size_t const bytes_of_thread = 12 * static_cast<std::size_t>(entries);
  int threads = most_threads;
  while (threads > 32 && bytes_of_thread * static_cast<std::size_t>(threads) > much) threads /= 2;
  launch(numeric_label, known ? numeric_kernel<true> : numeric_kernel<false>, (p.rows + threads - 1) / threads, threads,
         bytes_of_thread * static_cast<std::size_t>(threads), stream, p, entries, c);
}

}  // namespace araia::cuda::spgemm::thread_per_row
