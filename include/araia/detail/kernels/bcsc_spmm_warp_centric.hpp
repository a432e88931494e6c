// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in BCSC of any form; a team owns a block's rows of a tile of C's columns, in scratch, and
// its logical warps take the block's columns by turns.
// Mapping  league: blocks x row windows x column tiles (tile fastest, so that neighbours share A) | threads: logical
//          warps, each a block column | lanes: columns of the tile. A lane keeps its elements of B's row in registers
//          for all entries of the block column, which the lanes read together. On a host a team is one thread, and what
//          a device's lanes take side by side is the innermost loop.
// Scratch  (sets, window rows, tile columns) sums: a set for each logical warp, added up in their order, so that bits
//          are the same in every run; or, with atomics, one set for all of them.
// Barriers two: sums are zero before the first addition, and complete before they are stored.
// Traffic  double, int32: 12 B an entry and 8 B a block column (compact: 9 and 1 to 5) for each tile of columns; a row
//          of B a block column; C 8 B (16 B if beta != 0). Scratch: a read and a write an entry and column.
// Suits    tall blocks of very sparse matrices, whose columns have few entries; stored entries alone are multiplied.
//          Any strides, row-major fastest. alpha == 0 never comes here.
// Source   [Thesis2019], section 3.4.2 and algorithm 3.7; differs: sums without atomics, lanes read an entry
//          together in place of a shuffle, blocks taller than scratch, compact indices.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_column_starts.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_team_shapes.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

/// Shape of the warp-centric kernel on its space.
struct BcscWarpShape {
  int lanes;    ///< that Kokkos runs
  int warps;    ///< threads of a team
  int columns;  ///< of a tile
  int sets;     ///< of sums
  RowWindow window;
};

/// \tparam V  columns of a lane: of a device those of the tuning, of a host all lanes of the tuning
template <int V, class Exec, class Pointers, class B, class C, class Sum>
static void bcsc_spmm_warp_centric_of(Exec const& exec, BcscWarpShape const& shape, std::int64_t columns, Sum alpha,
                                      Pointers const& a, B const& b, Sum beta, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const tiles = (columns + shape.columns - 1) / shape.columns;
  std::int64_t const set = shape.window.rows * shape.columns;
  std::size_t const scratch = static_cast<std::size_t>(set * shape.sets) * sizeof(Sum);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const window = team.league_rank() / tiles;
    std::int64_t const block = window / shape.window.windows;
    std::int64_t const first_row = block_first_row(a, block);
    std::int64_t const low = window % shape.window.windows * shape.window.rows;
    std::int64_t const high =
        Kokkos::min<std::int64_t>(low + shape.window.rows, block_first_row(a, block + 1) - first_row);
    std::int64_t const first_column = team.league_rank() % tiles * shape.columns;
    // Column v of a lane: lanes side by side on a device (coalesced), a lane's columns on a host (SIMD).
    std::int64_t const lane_step = is_device_space<Exec> ? 1 : V;
    std::int64_t const step = is_device_space<Exec> ? shape.lanes : 1;
    Sum* const sums = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(scratch, alignof(Sum)));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, set * shape.sets), [&](std::int64_t i) { sums[i] = Sum{}; });
    team.team_barrier();  // no sum is added to before it is zero
    Sum* const own = sums + (shape.sets > 1 ? team.team_rank() * set : 0);
    bool const atomic = is_device_space<Exec> && shape.sets < shape.warps;
    std::int64_t const last_block_column = a.block_offsets[block + 1];
    std::int64_t counted = a.block_offsets[block];
    std::int64_t first = counted < last_block_column ? block_first_entry(a, block) : 0;
    for (std::int64_t j = counted + team.team_rank(); j < last_block_column; j += team.team_size()) {
      first = column_first_entry(a, counted, first, j);
      counted = j;
      std::int64_t const last = first + column_count(a, j);
      std::int64_t const col = block_column(a, block, j);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, shape.lanes), [&](int lane) {
        std::int64_t const offset = lane * lane_step;
        Sum row_of_b[V];
        for (int v = 0; v < V; ++v) {
          std::int64_t const column = first_column + offset + v * step;
          row_of_b[v] = column < columns ? static_cast<Sum>(b(col, column)) : Sum{};
        }
        for (std::int64_t k = first; k < last; ++k) {
          auto const row = static_cast<std::int64_t>(a.row_in_block[k]);
          if (row < low || row >= high) continue;
          Sum const value = entry_value<Sum>(a, k);
          Sum* KOKKOS_RESTRICT const to = own + (row - low) * shape.columns + offset;
          if (atomic)
            for (int v = 0; v < V; ++v) Kokkos::atomic_add(to + v * step, value * row_of_b[v]);
          else
            for (int v = 0; v < V; ++v) to[v * step] += value * row_of_b[v];
        }
      });
    }
    team.team_barrier();  // all sums are complete
    std::int64_t const width = Kokkos::min<std::int64_t>(shape.columns, columns - first_column);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, low, high), [&](std::int64_t row) {
      std::int64_t const c_row = matrix_row(a, first_row + row);
      Sum const* const of_row = sums + (row - low) * shape.columns;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width), [&](std::int64_t j) {
        Sum sum = of_row[j];
        for (int s = 1; s < shape.sets; ++s) sum += of_row[s * set + j];
        store_scaled(c(c_row, first_column + j), alpha, sum, beta);
      });
    });
  };
  check_functor_size<decltype(body)>();
  Policy policy(exec, one_per_team(a.blocks * shape.window.windows * tiles), shape.warps,
                is_device_space<Exec> ? shape.lanes : 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(Sum)));
  for_each_team("araia::spmm::bcsc::warp_centric", policy, body);
}

/// The same with the columns of a lane that the tuning asks for.
/// \throws araia::Error invalid_argument where a field of the tuning is none of those built
template <class Exec, class Pointers, class B, class C, class Sum>
void bcsc_spmm_warp_centric_team(Exec const& exec, BcscWarpCentricTuning const& asked, std::int64_t columns, Sum alpha,
                                 Pointers const& a, B const& b, Sum beta, C const& c) {
  std::int64_t const height = tallest_block(a);
  auto const t = completed<Exec>(asked, height, columns, sizeof(Sum));
  BcscWarpShape shape{t.lanes, t.warps, t.lanes * t.columns_per_lane, t.atomic ? 1 : t.warps, {1, 1}};
  shape.window = row_window(height, std::int64_t{shape.sets} * shape.columns * static_cast<std::int64_t>(sizeof(Sum)));
  if constexpr (is_device_space<Exec>) {
    if (t.columns_per_lane == 4)
      bcsc_spmm_warp_centric_of<4>(exec, shape, columns, alpha, a, b, beta, c);
    else
      bcsc_spmm_warp_centric_of<1>(exec, shape, columns, alpha, a, b, beta, c);
  } else {
    shape.lanes = t.columns_per_lane;
    if (t.lanes == 8)
      bcsc_spmm_warp_centric_of<8>(exec, shape, columns, alpha, a, b, beta, c);
    else if (t.lanes == 16)
      bcsc_spmm_warp_centric_of<16>(exec, shape, columns, alpha, a, b, beta, c);
    else
      bcsc_spmm_warp_centric_of<32>(exec, shape, columns, alpha, a, b, beta, c);
  }
}

}  // namespace araia::detail
