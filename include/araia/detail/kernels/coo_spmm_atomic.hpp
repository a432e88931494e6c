// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C += alpha op(A) B, A in COO of any order; a thread owns an entry, its lanes the columns.
// Mapping  league: teams of consecutive entries | threads: entries | lanes: columns, stride vector_length
// Traffic  double, int32: 16 B per nonzero, plus a row of B and a row of C (read and written) per nonzero from cache.
//          One atomic per nonzero and column, none where the space runs one thread; scratch and barriers: none.
// Suits    unsorted entries, matrices of a few products. A transpose is the same kernel with the indices swapped.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmm_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class B, class C, class Sum>
static void coo_spmm_atomic(Exec const& exec, TeamShape const& shape, bool conjugate, std::int64_t columns, Sum alpha,
                            Pointers const& a, B const& b, C const& c) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const entries_per_team = shape.rows_per_team;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * entries_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + entries_per_team, a.nnz);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t k) {
      Sum const value = conjugate_if(conjugate, entry_value<Sum>(a, k));
      std::int64_t const b_row = a.col_indices[k];
      std::int64_t const c_row = a.row_indices[k];
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](std::int64_t column) {
        add_into(c(c_row, column), alpha * (value * static_cast<Sum>(b(b_row, column))), atomic);
      });
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmm::coo::atomic",
                Policy(exec, league_size(a.nnz, entries_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
