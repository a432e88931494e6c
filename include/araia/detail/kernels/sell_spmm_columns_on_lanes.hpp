// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in SELL of any storage; a thread owns a stored row, its lanes own columns of C, several
// each. Mapping  league: row chunks x column tiles (tile fastest, so that neighbours share A) | threads: rows |
//          lanes: columns j = tile + t * vector_length + lane, t < columns_per_lane (coalesced where B is row-major)
// Traffic  the slots of A once a column tile, by a broadcast load a lane row; B: 8 B per entry and column from cache,
//          C: 8 B (16 B if beta != 0) in double. Scratch, barriers, atomics: none.
// Suits    any number of columns; B and C of any strides, row-major fastest. alpha == 0 never comes here.
// Fill     as in sell_spmv_thread_per_row.hpp, column by column: a lane sums its columns again where one is not finite.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <int columns_per_lane, class Exec, class Pointers, class B, class C, class Sum>
static void sell_spmm_columns_on_lanes(Exec const& exec, TeamShape const& shape, std::int64_t columns, Sum alpha,
                                       Pointers const& a, B const& b, Sum beta, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  int const lanes = shape.vector_length;
  std::int64_t const tile_columns = static_cast<std::int64_t>(lanes) * columns_per_lane;
  std::int64_t const tiles = (columns + tile_columns - 1) / tile_columns;
  std::int64_t const rows_per_team = at_least_per_team(a.rows * tiles, shape.rows_per_team);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const tile = team.league_rank() % tiles * tile_columns;
    std::int64_t const first = team.league_rank() / tiles * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    std::int64_t s = sell_slice_of(a, first);  // each thread's own, moves up with its rows
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      s = sell_slice_from(a, s, row);
      SellSlice const slice = sell_slice(a, a.block_width, s);
      std::int64_t const c_row = matrix_row(a, row);
      bool const only_stored = a.fill != 0 && !a.values;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
        Sum sums[columns_per_lane] = {};
        bool finite = true;
        // A column beyond the end reads the last one instead and is not stored.
        if (!only_stored) {
          sell_for_each_slot(a, a.block_width, slice, row, c_row, 0, 1, [&](std::int64_t k, std::int64_t b_row) {
            Sum const value = entry_value<Sum>(a, k);
            for (int t = 0; t < columns_per_lane; ++t)
              sums[t] +=
                  value * static_cast<Sum>(b(b_row, Kokkos::min<std::int64_t>(tile + lane + t * lanes, columns - 1)));
          });
          for (int t = 0; t < columns_per_lane; ++t) finite = finite && all_finite(sums[t]);
        }
        if (a.fill != 0 && (only_stored || !finite)) {
          for (int t = 0; t < columns_per_lane; ++t) sums[t] = Sum{};
          sell_for_each_slot(a, a.block_width, slice, row, c_row, 0, 1, [&](std::int64_t k, std::int64_t b_row) {
            if (!sell_is_stored(a, k)) return;
            Sum const value = entry_value<Sum>(a, k);
            for (int t = 0; t < columns_per_lane; ++t)
              sums[t] +=
                  value * static_cast<Sum>(b(b_row, Kokkos::min<std::int64_t>(tile + lane + t * lanes, columns - 1)));
          });
        }
        for (int t = 0; t < columns_per_lane; ++t)
          if (tile + lane + t * lanes < columns) store_scaled(c(c_row, tile + lane + t * lanes), alpha, sums[t], beta);
      });
    });
  };
  check_functor_size<decltype(body)>();
  std::int64_t const chunks = (a.rows + rows_per_team - 1) / rows_per_team;
  for_each_team("araia::spmm::sell::columns_on_lanes",
                Policy(exec, static_cast<int>(chunks * tiles), shape.team_size, lanes), body);
}

}  // namespace araia::detail
