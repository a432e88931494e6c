// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C += alpha op(A) B for op in {T, H}, A in BSR; a thread owns a row and scatters it into rows of C.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: columns, stride vector_length
// Traffic  as the plain product, but C is read and written once per slot and column.
//          One atomic per slot and column, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales C by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/formats/bsr.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void bsr_spmm_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, std::int64_t columns,
                                Sum alpha, Pointers const& a, B const& b, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      std::int64_t const block_row = row / a.block_rows;
      std::int64_t const in_block = row % a.block_rows;
      auto const last_block = static_cast<std::int64_t>(a.block_offsets[block_row + 1]);
      for (auto block = static_cast<std::int64_t>(a.block_offsets[block_row]); block < last_block; ++block) {
        std::int64_t const c_first = static_cast<std::int64_t>(a.block_col_indices[block]) * a.block_cols;
        std::int64_t const slot = (block * a.block_rows + in_block) * a.block_cols;
        auto const end = static_cast<int>(Kokkos::min<std::int64_t>(a.block_cols, a.cols - c_first));
        for (int j = 0; j < end; ++j) {
          Sum const value = conjugate_if(conjugate, slot_value<Sum>(a, slot + j));
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](std::int64_t column) {
            add_into(c(c_first + j, column), alpha * (value * static_cast<Sum>(b(row, column))), atomic);
          });
        }
      }
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmm::bsr::transposed",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
