// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C += alpha op(A) B for op in {T, H}, A in SELL of any storage; a thread owns a stored row and scatters it into C.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: columns, stride vector_length
// Traffic  the slots of A once a lane row; a row of C is read and written once per entry.
//          One atomic per entry and column, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales C by beta first. The order of sums is unspecified.
// Fill     is passed over, column by column: by its value of zero where B is finite, else and for patterns by the mask.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void sell_spmm_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, std::int64_t columns,
                                 Sum alpha, Pointers const& a, B const& b, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    std::int64_t s = sell_slice_of(a, first);  // each thread's own, moves up with its rows
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      s = sell_slice_from(a, s, row);
      SellSlice const slice = sell_slice(a, a.block_width, s);
      std::int64_t const b_row = matrix_row(a, row);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](std::int64_t column) {
        auto const b_value = static_cast<Sum>(b(b_row, column));
        bool const masked = a.fill != 0 && (!a.values || !all_finite(alpha * b_value));
        sell_for_each_slot(a, a.block_width, slice, row, b_row, 0, 1, [&](std::int64_t k, std::int64_t c_row) {
          Sum const value = entry_value<Sum>(a, k);
          if (masked ? !sell_is_stored(a, k) : a.fill != 0 && value == Sum{}) return;
          add_into(c(c_row, column), alpha * (conjugate_if(conjugate, value) * b_value), atomic);
        });
      });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmm::sell::transposed",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
