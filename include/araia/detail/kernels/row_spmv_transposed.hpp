// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha op(A) x for op in {T, H}, A in CSR or ELL; a thread's lanes share a stored row and scatter into y.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: entries
// Traffic  as the plain product, but y is read and written once per nonzero (32 B sectors on a device).
//          One atomic per nonzero, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales y by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void row_spmv_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, Sum alpha, Pointers const& a,
                                X const& x, Y const& y, char const* label) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      RowSpan const span = row_span(a, row);
      auto const x_value = static_cast<Sum>(x(matrix_row(a, row)));
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, span.count), [&](std::int64_t j) {
        std::int64_t const k = span.first + j * span.step;
        add_into(y(a.col_indices[k]), alpha * (conjugate_if(conjugate, entry_value<Sum>(a, k)) * x_value), atomic);
      });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team(label, Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
