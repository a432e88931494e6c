// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C, A in CSR or ELL; a thread owns a stored row, its lanes own columns of C, several each.
// Mapping  league: row chunks x column tiles (tile fastest, so that neighbours share A) | threads: rows |
//          lanes: columns j = tile + t * vector_length + lane, t < columns_per_lane (coalesced where B is row-major)
// Traffic  double, int32: 12 B per nonzero and column tile; B: 8 B per nonzero and column from cache, each row of B
//          once from memory at best; C: 8 B (16 B if beta != 0). Scratch, barriers, atomics: none.
// Suits    any number of columns; B and C of any strides, row-major fastest. alpha == 0 never comes here.
// Source   [YangBulucOwens2018], row splitting; differs: several columns a lane, so that one entry feeds several sums.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>

namespace araia::detail {

template <int columns_per_lane, class Exec, class Pointers, class B, class C, class Sum>
static void row_spmm_columns_on_lanes(Exec const& exec, TeamShape const& shape, std::int64_t columns, Sum alpha,
                                      Pointers const& a, B const& b, Sum beta, C const& c, char const* label) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  int const lanes = shape.vector_length;
  std::int64_t const tile_columns = static_cast<std::int64_t>(lanes) * columns_per_lane;
  std::int64_t const tiles = (columns + tile_columns - 1) / tile_columns;
  std::int64_t const rows_per_team = at_least_per_team(a.rows * tiles, shape.rows_per_team);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const tile = team.league_rank() % tiles * tile_columns;
    std::int64_t const first = team.league_rank() / tiles * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      RowSpan const span = row_span(a, row);
      std::int64_t const c_row = matrix_row(a, row);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
        Sum sums[columns_per_lane] = {};
        if (tile + tile_columns <= columns) {
          std::int64_t const column = tile + lane;
          for (std::int64_t j = 0; j < span.count; ++j) {
            std::int64_t const k = span.first + j * span.step;
            Sum const value = entry_value<Sum>(a, k);
            std::int64_t const b_row = a.col_indices[k];
            for (int t = 0; t < columns_per_lane; ++t)
              sums[t] += value * static_cast<Sum>(b(b_row, column + t * lanes));
          }
          for (int t = 0; t < columns_per_lane; ++t) store_scaled(c(c_row, column + t * lanes), alpha, sums[t], beta);
        } else {
          // The last tile: a column beyond the end reads the last one instead and is not stored.
          for (std::int64_t j = 0; j < span.count; ++j) {
            std::int64_t const k = span.first + j * span.step;
            Sum const value = entry_value<Sum>(a, k);
            std::int64_t const b_row = a.col_indices[k];
            for (int t = 0; t < columns_per_lane; ++t)
              sums[t] +=
                  value * static_cast<Sum>(b(b_row, Kokkos::min<std::int64_t>(tile + lane + t * lanes, columns - 1)));
          }
          for (int t = 0; t < columns_per_lane; ++t)
            if (tile + lane + t * lanes < columns)
              store_scaled(c(c_row, tile + lane + t * lanes), alpha, sums[t], beta);
        }
      });
    });
  };
  check_functor_size<decltype(body)>();
  std::int64_t const chunks = (a.rows + rows_per_team - 1) / rows_per_team;
  for_each_team(label, Policy(exec, static_cast<int>(chunks * tiles), shape.team_size, lanes), body);
}

}  // namespace araia::detail
