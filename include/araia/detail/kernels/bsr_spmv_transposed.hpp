// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha op(A) x for op in {T, H}, A in BSR; a thread owns a row and scatters it into y, its lanes over the
// columns. Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: slots of the row's blocks
// Traffic  as the plain product, but y is read and written once per slot (32 B sectors on a device).
//          One atomic per slot, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales y by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void bsr_spmv_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, Sum alpha, Pointers const& a,
                                X const& x, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      std::int64_t const block_row = row / a.block_rows;
      std::int64_t const in_block = row % a.block_rows;
      auto const first_block = static_cast<std::int64_t>(a.block_offsets[block_row]);
      auto const last_block = static_cast<std::int64_t>(a.block_offsets[block_row + 1]);
      auto const x_value = static_cast<Sum>(x(row));
      Kokkos::parallel_for(
          Kokkos::ThreadVectorRange(team, (last_block - first_block) * a.block_cols), [&](std::int64_t j) {
            std::int64_t const block = first_block + j / a.block_cols;
            std::int64_t const in_row = j % a.block_cols;
            std::int64_t const col = static_cast<std::int64_t>(a.block_col_indices[block]) * a.block_cols + in_row;
            if (col >= a.cols) return;  // the last block column may reach beyond the matrix
            std::int64_t const slot = (block * a.block_rows + in_block) * a.block_cols + in_row;
            add_into(y(col), alpha * (conjugate_if(conjugate, slot_value<Sum>(a, slot)) * x_value), atomic);
          });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::bsr::transposed",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
