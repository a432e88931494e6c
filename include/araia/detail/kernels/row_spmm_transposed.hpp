// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C += alpha op(A) B for op in {T, H}, A in CSR or ELL; a thread owns a stored row and scatters it into rows of C.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: columns, stride vector_length
// Traffic  as the plain product, but C is read and written once per nonzero and column.
//          One atomic per nonzero and column, none where the space runs one thread; scratch and barriers: none.
// Suits    occasional transposed products; dispatch scales C by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void row_spmm_transposed(Exec const& exec, TeamShape const& shape, bool conjugate, std::int64_t columns,
                                Sum alpha, Pointers const& a, B const& b, C const& c, char const* label) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      RowSpan const span = row_span(a, row);
      std::int64_t const b_row = matrix_row(a, row);
      for (std::int64_t j = 0; j < span.count; ++j) {
        std::int64_t const k = span.first + j * span.step;
        Sum const value = conjugate_if(conjugate, entry_value<Sum>(a, k));
        std::int64_t const c_row = a.col_indices[k];
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](std::int64_t column) {
          add_into(c(c_row, column), alpha * (value * static_cast<Sum>(b(b_row, column))), atomic);
        });
      }
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team(label, Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
