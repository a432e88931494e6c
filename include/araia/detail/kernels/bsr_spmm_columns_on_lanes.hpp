// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in BSR; a thread owns a row, its lanes own columns of C, four each.
// Mapping  league: row chunks x column tiles (tile fastest, so that neighbours share A) | threads: rows, those of one
//          block row adjacent | lanes: columns tile + t * lanes + lane, t < 4 (coalesced where B is row-major)
// Traffic  double, int32: 8 B a slot and column tile, fill included; B: 8 B a slot and column from cache, and the rows
//          of one block row read the same rows of B; C: 8 B (16 B if beta != 0). Scratch, barriers, atomics: none.
// Suits    any number of columns; B and C of any strides, row-major fastest. alpha == 0 never comes here.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void bsr_spmm_columns_on_lanes(Exec const& exec, TeamShape const& shape, std::int64_t columns, Sum alpha,
                                      Pointers const& a, B const& b, Sum beta, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  constexpr int per_lane = 4;
  int const lanes = shape.vector_length;
  std::int64_t const tile_columns = static_cast<std::int64_t>(lanes) * per_lane;
  std::int64_t const tiles = (columns + tile_columns - 1) / tile_columns;
  std::int64_t const rows_per_team = at_least_per_team(a.rows * tiles, shape.rows_per_team);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const tile = team.league_rank() % tiles * tile_columns;
    std::int64_t const first = team.league_rank() / tiles * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    int const width = a.block_cols;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      std::int64_t const block_row = row / a.block_rows;
      std::int64_t const in_block = row % a.block_rows;
      auto const first_block = static_cast<std::int64_t>(a.block_offsets[block_row]);
      auto const last_block = static_cast<std::int64_t>(a.block_offsets[block_row + 1]);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
        Sum sums[per_lane] = {};
        for (std::int64_t block = first_block; block < last_block; ++block) {
          std::int64_t const b_first = static_cast<std::int64_t>(a.block_col_indices[block]) * width;
          std::int64_t const slot = (block * a.block_rows + in_block) * width;
          auto const end = static_cast<int>(Kokkos::min<std::int64_t>(width, a.cols - b_first));
          for (int j = 0; j < end; ++j) {
            Sum const value = slot_value<Sum>(a, slot + j);
            // A column beyond the end reads the last one instead and is not stored.
            for (int t = 0; t < per_lane; ++t)
              sums[t] += value * static_cast<Sum>(
                                     b(b_first + j, Kokkos::min<std::int64_t>(tile + lane + t * lanes, columns - 1)));
          }
        }
        for (int t = 0; t < per_lane; ++t)
          if (tile + lane + t * lanes < columns) store_scaled(c(row, tile + lane + t * lanes), alpha, sums[t], beta);
      });
    });
  };
  check_functor_size<decltype(body)>();
  std::int64_t const chunks = (a.rows + rows_per_team - 1) / rows_per_team;
  for_each_team("araia::spmm::bsr::columns_on_lanes",
                Policy(exec, static_cast<int>(chunks * tiles), shape.team_size, lanes), body);
}

}  // namespace araia::detail
