// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  a warp a group of three rows of C. Three entries of A's row meet three rows of B of the same columns: a slot
//          is looked up once for nine products, which go to three sums.
// Shared   8 B a word of the window and 24 B an entry of C's row.

#include "backends/cuda/spgemm/csr_row_groups/kernel.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/csr_bit_window/window.cuh"
#include "backends/cuda/spgemm/dynamic_shared.cuh"

namespace araia::cuda::spgemm::row_groups {
namespace {

using bit_window::Rows;
using bit_window::window_from_columns;
using bit_window::window_from_list;
using bit_window::window_from_rows;

constexpr char const* label = "araia::spgemm::row_groups::numeric";
constexpr int ahead = 3;  // entries of a lane that are on their way

template <bool known>
__global__ void __launch_bounds__(128) numeric_kernel(Operands p, Rows rows, std::int32_t entries, Result c) {
  auto const warp = Team<32>::of_thread();
  int const warps = static_cast<int>(blockDim.x) / 32;
  int const own = static_cast<int>(threadIdx.x) / 32;
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * warps + own;
  if (k >= rows.items.count) return;
  auto* const windows = reinterpret_cast<NumberedWord*>(dynamic_shared());
  NumberedWord* const window = windows + own * rows.words;
  double* const sums = reinterpret_cast<double*>(windows + warps * rows.words) + own * 3 * entries;
  std::int64_t const item = item_at(rows.items, k);
  std::int32_t const base = rows.first_tile[item];
  std::int64_t const row = item * group_rows;
  std::int64_t const begin = offset_at(c.row_offsets, row);
  std::int64_t const length = offset_at(c.row_offsets, row + 1) - begin;
  if (length > entries) return;
  int const count = static_cast<int>(length);
  for (int i = warp.lane; i < 3 * count; i += 32) sums[i] = 0;  // (3, count)
  if constexpr (known) {
    window_from_columns(c.col_indices + begin, count, base, warp, window);
  } else {
    std::int64_t const begins[3] = {begin, begin + count, begin + 2 * length};
    std::uint32_t const position = rows.lists.tiles != nullptr ? rows.lists.positions[item] : no_tiles;
    if (position != no_tiles)
      window_from_list(rows.lists, position, base, count, warp, window, c.col_indices, begins);
    else
      window_from_rows(p, rows.tiled, row, group_rows, base, rows.words, warp, window, c.col_indices, begins);
  }
  warp.sync();  // window and zeroes are there

  int const a_begin = p.a.row_offsets[row];
  int const a_length = p.a.row_offsets[row + 1] - a_begin;
  int const column_groups = a_length / group_rows;
  for (int first = 0; first < column_groups; first += 32) {
    int start = 0;
    int b_length = 0;
    if (first + warp.lane < column_groups) {
      int const j = p.a.col_indices[a_begin + (first + warp.lane) * group_rows];
      start = p.b.row_offsets[j];
      b_length = p.b.row_offsets[j + 1] - start;
    }
    int const here = min(32, column_groups - first);
    for (int e = 0; e < here; ++e) {
      int const s = warp.from(start, e);
      int const n = warp.from(b_length, e);
      double const* const a_values = p.a.values + a_begin + (first + e) * group_rows;
      double a[3][3];
#pragma unroll
      for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int q = 0; q < 3; ++q) a[r][q] = a_values[r * a_length + q];
      for (int t0 = warp.lane; t0 < n; t0 += 32 * ahead) {
        int column[ahead];
        double b[ahead][3];
#pragma unroll
        for (int u = 0; u < ahead; ++u) {
          int const t = t0 + 32 * u;
          column[u] = -1;
          if (t < n) {
            column[u] = p.b.col_indices[s + t];
#pragma unroll
            for (int q = 0; q < 3; ++q) b[u][q] = p.b.values[s + q * n + t];
          }
        }
#pragma unroll
        for (int u = 0; u < ahead; ++u)
          if (column[u] >= 0) {
            auto const slot = static_cast<int>(slot_of(window[tile_of(column[u]) - base], column[u]));
#pragma unroll
            for (int r = 0; r < 3; ++r)
              sums[r * count + slot] += a[r][0] * b[u][0] + a[r][1] * b[u][1] + a[r][2] * b[u][2];
          }
      }
      warp.sync();  // these rows of B are added before the next
    }
  }
  for (int i = warp.lane; i < 3 * count; i += 32) c.values[begin + i] = sums[i];
}

}  // namespace

void numeric(Operands const& p, Rows const& rows, std::int32_t entries, Result const& c, bool known,
             cudaStream_t stream) {
  std::size_t const bytes_of_warp = 8 * static_cast<std::size_t>(rows.words + 3 * entries);
  constexpr std::size_t much = 64 * 1024;
  int threads = 128;
  while (threads > 32 && bytes_of_warp * static_cast<std::size_t>(threads / 32) > much) threads /= 2;
  int const warps = threads / 32;
  launch(label, known ? numeric_kernel<true> : numeric_kernel<false>, (rows.items.count + warps - 1) / warps, threads,
         bytes_of_warp * static_cast<std::size_t>(warps), stream, p, rows, entries, c);
}

}  // namespace araia::cuda::spgemm::row_groups
