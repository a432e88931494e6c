// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in BCSC of any form; a team owns a block's rows of a tile of C's columns, in scratch.
// Mapping  league: blocks x row windows x column tiles (tile fastest, so that neighbours share A) |
//          threads: columns of the tile, columns_per_thread each: interleaved on a device (coalesced), together on a
//          host (SIMD)
// Traffic  double, int32: 12 B per nonzero and 8 B per block column (compact: 9 and 3) and column tile; a row of B once
//          per block column; C 8 B (16 B if beta != 0). Scratch: block_height x tile sums; a thread's sums are its own,
//          so there are no barriers and no atomics, and the result is the same in every run.
// Suits    any number of columns and any strides, row-major fastest. alpha == 0 never comes here.
// Source   the thesis's naive kernel; differs: variable heights, compact indices, blocks taller than scratch.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

/// Shape of the naive kernel.
struct BcscTile {
  int team_size;
  int columns_per_thread;
  RowWindow window;
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t columns() const {
    return static_cast<std::int64_t>(team_size) * columns_per_thread;
  }
};

/// own[j * step] += value * b(col, first_column + j * step) for the `count` columns of a thread; step is 1 on hosts.
template <class Exec, class Team, class B, class Sum>
KOKKOS_INLINE_FUNCTION void add_row(Team const& team, Sum* KOKKOS_RESTRICT own, Sum const& value, B const& b,
                                    std::int64_t col, std::int64_t first_column, std::int64_t step,
                                    std::int64_t count) {
  if constexpr (is_device_space<Exec>) {
    (void)team;
    for (std::int64_t j = 0; j < count; ++j) own[j * step] += value * static_cast<Sum>(b(col, first_column + j * step));
  } else {
    (void)step;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count),
                         [&](std::int64_t j) { own[j] += value * static_cast<Sum>(b(col, first_column + j)); });
  }
}

template <class Exec, class Pointers, class B, class C, class Sum>
static void bcsc_spmm_naive(Exec const& exec, BcscTile const& tile, std::int64_t columns, Sum alpha, Pointers const& a,
                            B const& b, Sum beta, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const tile_columns = tile.columns();
  std::int64_t const tiles = (columns + tile_columns - 1) / tile_columns;
  std::size_t const scratch = static_cast<std::size_t>(tile.window.rows * tile_columns) * sizeof(Sum);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const window = team.league_rank() / tiles;
    std::int64_t const block = window / tile.window.windows;
    std::int64_t const first_row = block_first_row(a, block);
    std::int64_t const low = window % tile.window.windows * tile.window.rows;
    std::int64_t const high =
        Kokkos::min<std::int64_t>(low + tile.window.rows, block_first_row(a, block + 1) - first_row);
    Sum* const sums = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(scratch, alignof(Sum)));
    // Column j of the thread is column first_column + j * step of C, and of the tile without first_tile.
    std::int64_t const step = is_device_space<Exec> ? tile.team_size : 1;
    std::int64_t const offset = is_device_space<Exec>
                                    ? team.team_rank()
                                    : static_cast<std::int64_t>(team.team_rank()) * tile.columns_per_thread;
    std::int64_t const first_column = team.league_rank() % tiles * tile_columns + offset;
    std::int64_t const left = first_column < columns ? (columns - first_column + step - 1) / step : 0;
    std::int64_t const count = Kokkos::min<std::int64_t>(tile.columns_per_thread, left);
    for (std::int64_t row = 0; row < high - low; ++row)
      for (std::int64_t j = 0; j < count; ++j) sums[row * tile_columns + offset + j * step] = Sum{};
    if (count > 0)
      walk_block_columns(a, block, [&](std::int64_t col, std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) {
          auto const row = static_cast<std::int64_t>(a.row_in_block[k]);
          if (row < low || row >= high) continue;
          Sum const value = entry_value<Sum>(a, k);
          add_row<Exec>(team, sums + (row - low) * tile_columns + offset, value, b, col, first_column, step, count);
        }
      });
    for (std::int64_t row = low; row < high; ++row) {
      std::int64_t const c_row = matrix_row(a, first_row + row);
      for (std::int64_t j = 0; j < count; ++j)
        store_scaled(c(c_row, first_column + j * step), alpha, sums[(row - low) * tile_columns + offset + j * step],
                     beta);
    }
  };
  check_functor_size<decltype(body)>();
  Policy policy(exec, one_per_team(a.blocks * tile.window.windows * tiles), tile.team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(Sum)));
  for_each_team("araia::spmm::bcsc::naive", policy, body);
}

}  // namespace araia::detail
