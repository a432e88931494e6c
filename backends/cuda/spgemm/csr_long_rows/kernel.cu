// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  several blocks a row take chunks of A's entries in turn; products of a chunk are dealt to threads. Bits by
//          atomic OR, values by atomic additions to C; a block a row numbers the window's words.
// Traffic  8 B a word of the window, emptied, numbered, read: an eighth of 4 B a column three times.

#include "backends/cuda/spgemm/csr_long_rows/kernel.hpp"

#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/block_products.cuh"
#include "backends/cuda/spgemm/csr_bit_window/window.cuh"

namespace araia::cuda::spgemm::long_rows {
namespace {

constexpr int most_chunks = 16;  // blocks a row
constexpr char const* windows_label = "araia::spgemm::long_rows::windows";
constexpr char const* numeric_label = "araia::spgemm::long_rows::numeric";

struct Place {
  std::int64_t number;  // of the row among the long ones
  std::int64_t row;
  int chunk;
};
__device__ __forceinline__ Place place_of_block(Items const& rows, int chunks) {
  std::int64_t const number = static_cast<std::int64_t>(blockIdx.x) / chunks;
  return {number, item_at(rows, number), static_cast<int>(static_cast<std::int64_t>(blockIdx.x) % chunks)};
}

__global__ void __launch_bounds__(product_threads)
    or_kernel(Operands p, Items rows, int chunks, NumberedWord* windows) {
  Place const at = place_of_block(rows, chunks);
  NumberedWord* const window = windows + at.number * p.words;
  for_each_product_of_block(p, p.a.row_offsets[at.row], p.a.row_offsets[at.row + 1], at.chunk, chunks, [&](int t, int) {
    std::int32_t const column = p.b.col_indices[t];
    std::uint32_t* const word = &window[tile_of(column)].mask;
    std::uint32_t const bit = bit_of(column);
    if ((*static_cast<std::uint32_t volatile*>(word) & bit) == 0) atomicOr(word, bit);
  });
}

__global__ void __launch_bounds__(product_threads)
    number_kernel(Operands p, Items rows, NumberedWord* windows, std::int32_t* lengths, Counters* counters) {
  constexpr int each = 8;  // words of a thread at a time
  __shared__ std::uint32_t warps[product_threads / 32];
  __shared__ std::uint32_t sum_of_turn;
  std::int64_t const words = p.words;
  NumberedWord* const window = windows + static_cast<std::int64_t>(blockIdx.x) * words;
  std::uint32_t before = 0;
  for (std::int64_t first = 0; first < words; first += product_threads * each) {
    std::int64_t const own = first + static_cast<std::int64_t>(threadIdx.x) * each;
    std::uint32_t bits[each];
    std::uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      bits[i] = own + i < words ? static_cast<std::uint32_t>(__popc(window[own + i].mask)) : 0;
      sum += bits[i];
    }
    std::uint32_t const up_to = block_sum_up_to(sum, warps);
    std::uint32_t slot = before + up_to - sum;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      if (own + i < words) window[own + i].before = slot;
      slot += bits[i];
    }
    if (threadIdx.x == product_threads - 1) sum_of_turn = up_to;
    __syncthreads();  // the sum is there
    before += sum_of_turn;
  }
  if (threadIdx.x == 0 && lengths != nullptr) {
    lengths[item_at(rows, blockIdx.x)] = static_cast<std::int32_t>(before);
    note_longest(&counters->pass.longest_c[static_cast<int>(Bin::long_row)], before);
  }
}

/// Columns where these are not known, zeroes in place of values.
template <bool known>
__global__ void __launch_bounds__(product_threads)
    columns_kernel(Operands p, Items rows, int chunks, NumberedWord const* windows, Result c) {
  Place const at = place_of_block(rows, chunks);
  std::int64_t const begin = offset_at(c.row_offsets, at.row);
  std::int64_t const end = offset_at(c.row_offsets, at.row + 1);
  int const own = at.chunk * product_threads + static_cast<int>(threadIdx.x);
  int const stride = chunks * product_threads;
  for (std::int64_t i = begin + own; i < end; i += stride) c.values[i] = 0;
  if constexpr (!known) {
    std::int64_t const words = p.words;
    NumberedWord const* const window = windows + at.number * words;
    for (std::int64_t w = own; w < words; w += stride)
      bit_window::write_columns(c.col_indices, begin + window[w].before, static_cast<std::int32_t>(w), window[w].mask);
  }
}

__global__ void __launch_bounds__(product_threads)
    add_kernel(Operands p, Items rows, int chunks, NumberedWord const* windows, Result c) {
  Place const at = place_of_block(rows, chunks);
  NumberedWord const* const window = windows + at.number * p.words;
  double* const values = c.values + offset_at(c.row_offsets, at.row);
  int const begin = p.a.row_offsets[at.row];
  int const end = p.a.row_offsets[at.row + 1];
  auto const slot = [&](std::int32_t column) { return slot_of(window[tile_of(column)], column); };
  if (p.in_order)  // one chunk
    for_each_product_in_order(p, begin, end,
                              [&](int t, int k) { values[slot(p.b.col_indices[t])] += p.a.values[k] * p.b.values[t]; });
  else
    for_each_product_of_block(p, begin, end, at.chunk, chunks, [&](int t, int k) {
      atomicAdd(&values[slot(p.b.col_indices[t])], p.a.values[k] * p.b.values[t]);
    });
}

int chunks_for(std::int64_t longest_a) {
  return static_cast<int>(
      std::clamp<std::int64_t>((longest_a + product_threads - 1) / product_threads, 1, most_chunks));
}

}  // namespace

void make_windows(Operands const& p, Items const& rows, std::int64_t longest_a, void* windows, std::int32_t* lengths,
                  Counters* counters, cudaStream_t stream) {
  if (rows.count == 0) return;
  auto* const words = static_cast<NumberedWord*>(windows);
  int const chunks = chunks_for(longest_a);
  check(cudaMemsetAsync(windows, 0, static_cast<std::size_t>(rows.count * window_bytes(p.words)), stream),
        windows_label);
  launch(windows_label, or_kernel, rows.count * chunks, product_threads, 0, stream, p, rows, chunks, words);
  launch(windows_label, number_kernel, rows.count, product_threads, 0, stream, p, rows, words, lengths, counters);
}

void numeric(Operands const& p, Items const& rows, std::int64_t longest_a, void const* windows, Result const& c,
             bool known, cudaStream_t stream) {
  auto const* const words = static_cast<NumberedWord const*>(windows);
  launch(numeric_label, known ? columns_kernel<true> : columns_kernel<false>, rows.count * most_chunks, product_threads,
         0, stream, p, rows, most_chunks, words, c);
  int const chunks = p.in_order ? 1 : chunks_for(longest_a);
  launch(numeric_label, add_kernel, rows.count * chunks, product_threads, 0, stream, p, rows, chunks, words, c);
}

}  // namespace araia::cuda::spgemm::long_rows
