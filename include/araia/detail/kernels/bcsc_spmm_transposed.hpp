// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C += alpha op(A) B for op in {T, H}, A in BCSC of any form; a thread owns a column of C and walks a block's columns.
// Mapping  league: blocks x column tiles (tile fastest) | threads: columns of the tile (coalesced where B is row-major)
// Traffic  double, int32: 12 B per nonzero and 8 B per block column (compact: 9 and 3) and column tile; a row of B once
//          per entry from cache; C is read and written once per block column.
//          Atomics: one per block column and column, none where the space runs one thread; scratch and barriers: none.
// Suits    every transposed product of the format; dispatch scales C by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void bcsc_spmm_transposed(Exec const& exec, int team_size, bool conjugate, std::int64_t columns, Sum alpha,
                                 Pointers const& a, B const& b, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  bool const atomic = exec.concurrency() > 1;
  // A host's one thread takes all columns of a tile in turn: 64 of them meet the same indices in cache.
  std::int64_t const tile_columns = is_device_space<Exec> ? team_size : 64;
  std::int64_t const tiles = (columns + tile_columns - 1) / tile_columns;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const block = team.league_rank() / tiles;
    std::int64_t const first_row = block_first_row(a, block);
    std::int64_t const tile = team.league_rank() % tiles * tile_columns;
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, tile, Kokkos::min<std::int64_t>(tile + tile_columns, columns)),
        [&](std::int64_t column) {
          walk_block_columns(a, block, [&](std::int64_t col, std::int64_t first, std::int64_t last) {
            Sum sum{};
            for (std::int64_t k = first; k < last; ++k)
              sum +=
                  conjugate_if(conjugate, entry_value<Sum>(a, k)) *
                  static_cast<Sum>(b(matrix_row(a, first_row + static_cast<std::int64_t>(a.row_in_block[k])), column));
            add_into(c(col, column), alpha * sum, atomic);
          });
        });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmm::bcsc::transposed", Policy(exec, one_per_team(a.blocks * tiles), team_size), body);
}

}  // namespace araia::detail
