// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  a block a row: bits ORed into a window in shared memory, its words numbered, C's values added up where they
//          are in C, which the caches hold. Products are dealt to threads whatever row of B they come from; where rows
//          of B are long or sums are to be in order, one row of B after the other, without atomics.
// Shared   symbolic 4 B a word, numeric 8 B.

#include "backends/cuda/spgemm/csr_block_window/kernel.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/block_products.cuh"
#include "backends/cuda/spgemm/csr_bit_window/window.cuh"
#include "backends/cuda/spgemm/dynamic_shared.cuh"

namespace araia::cuda::spgemm::block_window {
namespace {

constexpr int long_b_rows = 64;  // entries of C's row for each of A's: as many products for each barrier
constexpr char const* symbolic_label = "araia::spgemm::block_window::symbolic";
constexpr char const* numeric_label = "araia::spgemm::block_window::numeric";

__device__ void or_row_by_block(Operands const& p, std::int64_t row, std::int32_t base, std::uint32_t* window,
                                int stride) {
  for_each_product_of_block(p, p.a.row_offsets[row], p.a.row_offsets[row + 1], 0, 1, [&](int t, int) {
    std::int32_t const column = p.b.col_indices[t];
    std::uint32_t* const word = window + (tile_of(column) - base) * stride;
    std::uint32_t const bit = bit_of(column);
    if ((*static_cast<std::uint32_t volatile*>(word) & bit) == 0) atomicOr(word, bit);
  });
}

__global__ void __launch_bounds__(product_threads)
    symbolic_kernel(Operands p, bit_window::Rows rows, std::int32_t* lengths, Counters* counters) {
  __shared__ int warps[product_threads / 32];
  auto* const window = reinterpret_cast<std::uint32_t*>(dynamic_shared());
  std::int64_t const row = item_at(rows.items, blockIdx.x);
  for (int w = static_cast<int>(threadIdx.x); w < rows.words; w += product_threads) window[w] = 0;
  __syncthreads();  // the window is empty
  or_row_by_block(p, row, rows.first_tile[row], window, 1);
  int count = 0;
  for (int w = static_cast<int>(threadIdx.x); w < rows.words; w += product_threads) count += __popc(window[w]);
  count = block_sum_up_to(count, warps);
  if (threadIdx.x == product_threads - 1) {
    lengths[row] = count;
    note_longest(&counters->pass.longest_c[static_cast<int>(rows.bin)], static_cast<std::uint32_t>(count));
  }
}

template <bool known>
__global__ void __launch_bounds__(product_threads)
    numeric_kernel(Operands p, bit_window::Rows rows, std::int32_t above, Result c) {
  __shared__ int warps[product_threads / 32];
  __shared__ int chunk;
  auto* const window = reinterpret_cast<NumberedWord*>(dynamic_shared());
  std::int64_t const item = item_at(rows.items, static_cast<std::int64_t>(blockIdx.x) / rows.group);
  std::int64_t const row = item * rows.group + static_cast<std::int64_t>(blockIdx.x) % rows.group;
  std::int64_t const begin = offset_at(c.row_offsets, row);
  auto const count = static_cast<int>(offset_at(c.row_offsets, row + 1) - begin);
  if (count <= above) return;
  std::int32_t const base = rows.first_tile[item];
  auto const thread = static_cast<int>(threadIdx.x);
  std::int32_t* const columns = c.col_indices + begin;
  double* const values = c.values + begin;
  for (int i = thread; i < count; i += product_threads) values[i] = 0;
  if constexpr (known) {
    for (int i = thread; i < count; i += product_threads) {
      std::int32_t const tile = tile_of(columns[i]);
      if (i == 0 || tile_of(columns[i - 1]) != tile) window[tile - base] = {0, static_cast<std::uint32_t>(i)};
    }
    __syncthreads();  // the words that count are empty and numbered
    for (int i = thread; i < count; i += product_threads)
      atomicOr(&window[tile_of(columns[i]) - base].mask, bit_of(columns[i]));
  } else {
    for (int w = thread; w < rows.words; w += product_threads) window[w].mask = 0;
    __syncthreads();  // the window is empty
    or_row_by_block(p, row, base, &window->mask, 2);
    int before = 0;
    for (int first = 0; first < rows.words; first += product_threads) {
      int const w = first + thread;
      std::uint32_t const mask = w < rows.words ? window[w].mask : 0;
      int const up_to = block_sum_up_to(__popc(mask), warps);
      int const slot = before + up_to - __popc(mask);
      if (mask != 0) {
        window[w].before = static_cast<std::uint32_t>(slot);
        bit_window::write_columns(columns, slot, base + w, mask);
      }
      if (thread == product_threads - 1) chunk = up_to;
      __syncthreads();  // the chunk's sum is there
      before += chunk;
    }
  }
  __syncthreads();  // window and zeroes are there
  auto const slot = [&](std::int32_t column) { return slot_of(window[tile_of(column) - base], column); };
  int const a_begin = p.a.row_offsets[row];
  int const a_end = p.a.row_offsets[row + 1];
  if (p.in_order || (p.b_ascending && count / long_b_rows >= a_end - a_begin))
    for_each_product_in_order(p, a_begin, a_end,
                              [&](int t, int k) { values[slot(p.b.col_indices[t])] += p.a.values[k] * p.b.values[t]; });
  else
    for_each_product_of_block(p, a_begin, a_end, 0, 1, [&](int t, int k) {
      atomicAdd(&values[slot(p.b.col_indices[t])], p.a.values[k] * p.b.values[t]);
    });
}

}  // namespace

void symbolic(Operands const& p, bit_window::Rows const& rows, std::int32_t* lengths, Counters* counters,
              cudaStream_t stream) {
  launch(symbolic_label, symbolic_kernel, rows.items.count, product_threads,
         sizeof(std::uint32_t) * static_cast<std::size_t>(rows.words), stream, p, rows, lengths, counters);
}

void numeric(Operands const& p, bit_window::Rows const& rows, std::int32_t above, Result const& c, bool known,
             cudaStream_t stream) {
  launch(numeric_label, known ? numeric_kernel<true> : numeric_kernel<false>, rows.items.count * rows.group,
         product_threads, sizeof(NumberedWord) * static_cast<std::size_t>(rows.words), stream, p, rows, above, c);
}

}  // namespace araia::cuda::spgemm::block_window
