// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha op(A) x for op in {T, H}, A in SELL of any storage; a thread owns a stored row and scatters it into y.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows, neighbours read neighbouring slots | lanes: steps
// Traffic  as the plain product, but y is read and written once per entry (32 B sectors on a device).
//          One atomic per entry, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales y by beta first. The order of sums is unspecified.
// Fill     is passed over: by its value of zero where x is finite, by the mask where it is not and for patterns.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void sell_spmv_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, Sum alpha, Pointers const& a,
                                 X const& x, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  int const lanes = shape.vector_length;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    std::int64_t s = sell_slice_of(a, first);  // each thread's own, moves up with its rows
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      s = sell_slice_from(a, s, row);
      SellSlice const slice = sell_slice(a, a.block_width, s);
      std::int64_t const x_row = matrix_row(a, row);
      auto const x_value = static_cast<Sum>(x(x_row));
      bool const masked = a.fill != 0 && (!a.values || !all_finite(alpha * x_value));
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
        sell_for_each_slot(a, a.block_width, slice, row, x_row, lane, lanes, [&](std::int64_t k, std::int64_t c) {
          Sum const value = entry_value<Sum>(a, k);
          if (masked ? !sell_is_stored(a, k) : a.fill != 0 && value == Sum{}) return;
          add_into(y(c), alpha * (conjugate_if(conjugate, value) * x_value), atomic);
        });
      });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::sell::transposed",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, lanes), body);
}

}  // namespace araia::detail
