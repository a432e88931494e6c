// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping  symbolic: a warp a row of C, 8 lanes a row of B in tiles, four at once; bits ORed into the window, counted,
//          and its words that are not zero left in a list.
//          numeric: a team of 16 or 32 lanes a row. The list puts (mask, entries before) into the window, whose other
//          words are never read, so nothing is emptied or scanned. B's rows one after the other: their columns are
//          distinct, so lanes add to shared memory without atomics.
// Shared   symbolic 4 B a word, numeric 8 B a word and 8 B an entry of C's row.
// Suits    spans of up to long_window words with several products an entry.

#include "backends/cuda/spgemm/csr_bit_window/kernel.hpp"

#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/spgemm/csr_bit_window/window.cuh"
#include "backends/cuda/spgemm/dynamic_shared.cuh"

namespace araia::cuda::spgemm::bit_window {
namespace {

constexpr int symbolic_threads = 128;
constexpr int symbolic_warps = symbolic_threads / 32;
constexpr char const* symbolic_label = "araia::spgemm::bit_window::symbolic";
constexpr char const* numeric_label = "araia::spgemm::bit_window::numeric";

__global__ void __launch_bounds__(symbolic_threads)
    symbolic_kernel(Operands p, Rows rows, int items_of_warp, std::int32_t* lengths, Counters* counters) {
  auto const warp = Team<32>::of_thread();
  auto* const window = reinterpret_cast<std::uint32_t*>(dynamic_shared()) +
                       static_cast<std::size_t>(threadIdx.x / 32) * static_cast<std::size_t>(rows.words);
  std::int64_t const first =
      (static_cast<std::int64_t>(blockIdx.x) * symbolic_warps + threadIdx.x / 32) * items_of_warp;
  std::int64_t const last = min(first + items_of_warp, static_cast<std::int64_t>(rows.items.count));
  std::uint32_t cursor = 0;  // what the warp holds of the list
  std::uint32_t left = 0;
  for (std::int64_t k = first; k < last; ++k) {
    std::int64_t const item = item_at(rows.items, k);
    std::int32_t const base = rows.first_tile[item];
    for (int w = warp.lane; w < rows.words; w += 32) window[w] = 0;
    warp.sync();
    or_row(p, rows.tiled, warp, item * rows.group, rows.group, base, window, 1);
    warp.sync();
    int count = 0;
    int used = 0;
    for (int w = warp.lane; w < rows.words; w += 32) {
      count += __popc(window[w]);
      used += window[w] != 0;
    }
    count = warp.sum(count);
    used = warp.sum(used);
    if (rows.lists.tiles != nullptr) {
      auto const need = static_cast<std::uint32_t>(used);
      if (need > left) {
        std::uint32_t at = no_tiles;
        std::uint32_t const grab = need * static_cast<std::uint32_t>(last - k);
        if (warp.lane == 0 && *static_cast<std::uint32_t volatile*>(&counters->pass.list_used) < rows.lists.capacity)
          at = atomicAdd(&counters->pass.list_used, grab);
        cursor = warp.from(at, 0);
        left = cursor < rows.lists.capacity ? min(grab, rows.lists.capacity - cursor) : 0;
      }
      bool const fits = need <= left;
      if (warp.lane == 0) rows.lists.positions[item] = fits ? cursor : no_tiles;
      if (fits) {
        for (int w0 = 0; w0 < rows.words; w0 += 32) {
          int const w = w0 + warp.lane;
          std::uint32_t const mask = w < rows.words ? window[w] : 0;
          int found;
          int const rank = warp.rank(mask != 0, found);
          if (mask != 0) rows.lists.tiles[cursor + static_cast<std::uint32_t>(rank)] = {base + w, mask};
          cursor += static_cast<std::uint32_t>(found);
        }
        left -= need;
      }
    }
    if (warp.lane < rows.group) lengths[item * rows.group + warp.lane] = count;
    if (warp.lane == 0)
      note_longest(&counters->pass.longest_c[static_cast<int>(rows.bin)], static_cast<std::uint32_t>(count));
    warp.sync();  // the window has been read
  }
}

/// U entries of a lane of F rows of B are on their way before the first is added.
template <int lanes, int F, int U>
__device__ void add_row(Operands const& p, std::int64_t row, std::int32_t base, Team<lanes> team,
                        NumberedWord const* window, double* values) {
  int const begin = p.a.row_offsets[row];
  int const count = p.a.row_offsets[row + 1] - begin;
  for (int first = 0; first < count; first += lanes) {
    int start = 0;
    int length = 0;
    double factor = 0;
    if (first + team.lane < count) {
      int const j = p.a.col_indices[begin + first + team.lane];
      factor = p.a.values[begin + first + team.lane];
      start = p.b.row_offsets[j];
      length = p.b.row_offsets[j + 1] - start;
    }
    int const here = min(lanes, count - first);
    for (int e = 0; e < here; e += F) {
      int s[F];
      int n[F];
      double a[F];
      int c[F][U];
      double b[F][U];
#pragma unroll
      for (int f = 0; f < F; ++f) {
        s[f] = team.from(start, e + f);
        n[f] = team.from(length, e + f);
        a[f] = team.from(factor, e + f);
#pragma unroll
        for (int u = 0; u < U; ++u) {
          int const t = team.lane + u * lanes;
          c[f][u] = 0;
          b[f][u] = 0;
          if (t < n[f]) {
            c[f][u] = p.b.col_indices[s[f] + t];
            b[f][u] = p.b.values[s[f] + t];
          }
        }
      }
#pragma unroll
      for (int f = 0; f < F; ++f) {
#pragma unroll
        for (int u = 0; u < U; ++u)
          if (team.lane + u * lanes < n[f]) values[slot_of(window[tile_of(c[f][u]) - base], c[f][u])] += a[f] * b[f][u];
        for (int t = team.lane + U * lanes; t < n[f]; t += lanes) {
          int const column = p.b.col_indices[s[f] + t];
          values[slot_of(window[tile_of(column) - base], column)] += a[f] * p.b.values[s[f] + t];
        }
        team.sync();  // this row of B is added before the next
      }
    }
  }
}

template <int lanes, int F, int U, bool known>
__global__ void __launch_bounds__(128) numeric_kernel(Operands p, Rows rows, std::int32_t entries, Result c) {
  auto const team = Team<lanes>::of_thread();
  int const teams = static_cast<int>(blockDim.x) / lanes;
  int const own = static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * teams + own;
  if (k >= rows.items.count) return;
  auto* const windows = reinterpret_cast<NumberedWord*>(dynamic_shared());
  NumberedWord* const window = windows + own * rows.words;
  double* const values = reinterpret_cast<double*>(windows + teams * rows.words) + own * entries;
  std::int64_t const row = item_at(rows.items, k);
  std::int32_t const base = rows.first_tile[row];
  std::int64_t const begin = offset_at(c.row_offsets, row);
  std::int64_t const length = offset_at(c.row_offsets, row + 1) - begin;
  if (length > entries) return;
  int const count = static_cast<int>(length);
  for (int i = team.lane; i < count; i += lanes) values[i] = 0;
  if constexpr (known) {
    window_from_columns(c.col_indices + begin, count, base, team, window);
  } else {
    std::uint32_t const position = rows.lists.tiles != nullptr ? rows.lists.positions[row] : no_tiles;
    std::int64_t const begins[1] = {begin};
    if (position != no_tiles)
      window_from_list(rows.lists, position, base, count, team, window, c.col_indices, begins);
    else
      window_from_rows(p, rows.tiled, row, 1, base, rows.words, team, window, c.col_indices, begins);
  }
  team.sync();  // window and zeroes are there
  add_row<lanes, F, U>(p, row, base, team, window, values);
  for (int i = team.lane; i < count; i += lanes) c.values[begin + i] = values[i];
}

template <int lanes, int F, int U, bool known>
void launch_numeric(Operands const& p, Rows const& rows, std::int32_t entries, Result const& c, cudaStream_t stream) {
  std::size_t const bytes_of_team = 8 * static_cast<std::size_t>(rows.words + entries);
  constexpr std::size_t much = 64 * 1024;
  int threads = 128;
  while (threads > 32 && bytes_of_team * static_cast<std::size_t>(threads / lanes) > much) threads /= 2;
  int const teams = threads / lanes;
  launch(numeric_label, numeric_kernel<lanes, F, U, known>, (rows.items.count + teams - 1) / teams, threads,
         bytes_of_team * static_cast<std::size_t>(teams), stream, p, rows, entries, c);
}

}  // namespace

void symbolic(Operands const& p, Rows const& rows, std::int32_t* lengths, Counters* counters, cudaStream_t stream) {
  constexpr std::int64_t enough_warps = 16384;
  int const items_of_warp = static_cast<int>(std::clamp<std::int64_t>(rows.items.count / enough_warps, 1, 8));
  std::int64_t const of_block = static_cast<std::int64_t>(items_of_warp) * symbolic_warps;
  launch(symbolic_label, symbolic_kernel, (rows.items.count + of_block - 1) / of_block, symbolic_threads,
         sizeof(std::uint32_t) * static_cast<std::size_t>(symbolic_warps * rows.words), stream, p, rows, items_of_warp,
         lengths, counters);
}

void numeric(Operands const& p, Rows const& rows, std::int32_t entries, Result const& c, bool known, double mean_b_row,
             cudaStream_t stream) {
  constexpr double many = 40;  // entries of a row of B: worth a whole warp
  if (mean_b_row > many)
    known ? launch_numeric<32, 1, 3, true>(p, rows, entries, c, stream)
          : launch_numeric<32, 1, 3, false>(p, rows, entries, c, stream);
  else
    known ? launch_numeric<16, 2, 2, true>(p, rows, entries, c, stream)
          : launch_numeric<16, 2, 2, false>(p, rows, entries, c, stream);
}

}  // namespace araia::cuda::spgemm::bit_window
