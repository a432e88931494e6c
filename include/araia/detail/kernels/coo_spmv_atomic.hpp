// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha op(A) x, A in COO of any order; a thread owns an entry.
// Mapping  league: teams of consecutive entries | threads: entries, stride team_size (coalesced)
// Traffic  double, int32: 16 B per nonzero, plus x and y as gathered: a 32 B sector each when not cached.
//          One atomic per nonzero, none where the space runs one thread; scratch and barriers: none.
// Suits    unsorted entries, matrices of a few products. A transpose is the same kernel with the indices swapped.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void coo_spmv_atomic(Exec const& exec, std::int64_t entries_per_team, int team_size, bool conjugate, Sum alpha,
                            Pointers const& a, X const& x, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * entries_per_team;
    std::int64_t const last = Kokkos::min<std::int64_t>(first + entries_per_team, a.nnz);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t k) {
      Sum const product = conjugate_if(conjugate, entry_value<Sum>(a, k)) * static_cast<Sum>(x(a.col_indices[k]));
      add_into(y(a.row_indices[k]), alpha * product, atomic);
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::coo::atomic", Policy(exec, league_size(a.nnz, entries_per_team), team_size), body);
}

}  // namespace araia::detail
