// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in SELL of any storage: diagonals, blocks, full and 16-bit columns; a thread owns a stored
// row, or its lanes share the row's steps.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows, neighbours read neighbouring slots | lanes: steps
// Traffic  double, int32: 12 B a slot of plain slices, 8 + 4 / W with blocks, 10 with 16-bit columns, 8 on diagonals;
//          4 B a row of length where the slice has columns; some 12 B a slice; x as gathered; 8 B a row of y (16 B if
//          beta != 0). Scratch, barriers, atomics: none.
// Suits    rows of like length on devices. alpha == 0 never comes here (dispatch scales y).
// Fill     is zero, so it adds nothing unless x holds a NaN or an infinity there; then the row's sum is not finite, and
//          the row is summed again from the slots that the mask (or, without one, a value other than zero) calls
//          entries. A pattern with fill is always summed so. Padding and columns outside the matrix are never read.
// Source   [Kreutzer2014]; differs: lanes may share a row, columns may be diagonals or blocks.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <int block_width, class Exec, class Pointers, class X, class Y, class Sum>
static void sell_spmv_thread_per_row(Exec const& exec, TeamShape const& shape, Sum alpha, Pointers const& a, X const& x,
                                     Sum beta, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  int const lanes = shape.vector_length;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    std::int64_t s = sell_slice_of(a, first);  // each thread's own, moves up with its rows
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      s = sell_slice_from(a, s, row);
      SellSlice const slice = sell_slice(a, block_width, s);
      std::int64_t const y_row = matrix_row(a, row);
      bool const only_stored = a.fill != 0 && !a.values;
      Sum sum{};
      if (!only_stored)
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, lanes),
            [&](int lane, Sum& part) {
              sell_for_each_slot(a, block_width, slice, row, y_row, lane, lanes, [&](std::int64_t k, std::int64_t c) {
                part += entry_value<Sum>(a, k) * static_cast<Sum>(x(c));
              });
            },
            sum);
      if (a.fill != 0 && (only_stored || !all_finite(sum))) {
        sum = Sum{};
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, lanes),
            [&](int lane, Sum& part) {
              sell_for_each_slot(a, block_width, slice, row, y_row, lane, lanes, [&](std::int64_t k, std::int64_t c) {
                if (sell_is_stored(a, k)) part += entry_value<Sum>(a, k) * static_cast<Sum>(x(c));
              });
            },
            sum);
      }
      Kokkos::single(Kokkos::PerThread(team), [&] { store_scaled(y(y_row), alpha, sum, beta); });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::sell::thread_per_row",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, lanes), body);
}

}  // namespace araia::detail
