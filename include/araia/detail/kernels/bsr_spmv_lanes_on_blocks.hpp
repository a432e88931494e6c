// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in BSR; a thread owns a row, its lanes the columns of several blocks at once.
// Mapping  league: block rows, rows_per_team rows in all | threads: rows of the team, those of one block row adjacent |
//          lanes: (block, column in it), floor(lanes / block_cols) blocks at a time; a lane steps over columns where
//          a block is wider than the lanes (one lane on hosts)
// Traffic  double, int32: 8 B a slot, fill included, plus 4 B of index a block and row of it, from cache after the
//          first; x: 8 B per column when cached. Scratch, barriers, atomics: none.
// Suits    blocks of 2 to 8 that the matrix has by itself: indices shrink by block_rows * block_cols.
//          alpha == 0 never comes here (dispatch scales y).

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void bsr_spmv_lanes_on_blocks(Exec const& exec, TeamShape const& shape, Sum alpha, Pointers const& a, X const& x,
                                     Sum beta, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  int const lanes = shape.vector_length;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    int const width = a.block_cols;
    int const at_once = lanes < width ? 1 : lanes / width;  // blocks
    int const columns = lanes < width ? lanes : width;      // lanes a block
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      std::int64_t const block_row = row / a.block_rows;
      std::int64_t const in_block = row % a.block_rows;
      auto const first_block = static_cast<std::int64_t>(a.block_offsets[block_row]);
      auto const last_block = static_cast<std::int64_t>(a.block_offsets[block_row + 1]);
      Sum sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, at_once * columns),
          [&](int lane, Sum& part) {
            int const first_col = lane % columns;
            for (std::int64_t block = first_block + lane / columns; block < last_block; block += at_once) {
              std::int64_t const x_first = static_cast<std::int64_t>(a.block_col_indices[block]) * width;
              std::int64_t const slot = (block * a.block_rows + in_block) * width;
              // The last block column may reach beyond the matrix.
              auto const end = static_cast<int>(Kokkos::min<std::int64_t>(width, a.cols - x_first));
              for (int j = first_col; j < end; j += columns)
                part += slot_value<Sum>(a, slot + j) * static_cast<Sum>(x(x_first + j));
            }
          },
          sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { store_scaled(y(row), alpha, sum, beta); });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::bsr::lanes_on_blocks",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
