// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in CSR; a thread owns a row, its vector lanes share the row's entries.
// Mapping  league: ceil(rows / rows_per_team) | threads: rows of the team | lanes: entries, stride vector_length
// (coalesced) Traffic  double, int32: 12 B per nonzero, plus x: 8 B per column when cached, a 32 B sector per nonzero
// when not;
//          per row 4 B of offset and 8 B of y (16 B if beta != 0). Scratch, barriers, atomics: none.
// Suits    rows of vector_length entries or more: shorter ones idle lanes. alpha == 0 never comes here (dispatch scales
// y). Source   [BellGarland2009], "CSR vector"; differs: rows_per_team and vector_length are free.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void csr_spmv_vector_per_row(Exec const& exec, TeamShape const& shape, Sum alpha, Pointers const& a, X const& x,
                                    Sum beta, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
      Sum sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, a.row_offsets[row], a.row_offsets[row + 1]),
          [&](auto k, Sum& part) { part += entry_value<Sum>(a, k) * static_cast<Sum>(x(a.col_indices[k])); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { store_scaled(y(matrix_row(a, row)), alpha, sum, beta); });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::csr::vector_per_row",
                Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
