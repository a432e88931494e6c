// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha A x, A in COO sorted by row; a thread sums runs of equal rows among its consecutive entries.
// Mapping  league: teams of team_size * entries_per_thread entries | threads: entries_per_thread consecutive entries
// Traffic  double, int32: 16 B per nonzero, plus x as gathered, plus y once per run.
//          Atomics: two per thread, for the runs that may go on in a neighbour; scratch and barriers: none.
// Suits    sorted entries with rows of any length: the work of a thread does not depend on row lengths.
// Source   [BellGarland2009], "COO flat"; differs: runs are summed serially in a thread, not by a warp's scan.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void coo_spmv_segmented(Exec const& exec, std::int64_t entries_per_thread, int team_size, Sum alpha,
                               Pointers const& a, X const& x, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  bool const atomic = exec.concurrency() > 1;
  std::int64_t const threads = (a.nnz + entries_per_thread - 1) / entries_per_thread;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first_thread = static_cast<std::int64_t>(team.league_rank()) * team_size;
    std::int64_t const last_thread = Kokkos::min<std::int64_t>(first_thread + team_size, threads);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_thread, last_thread), [&](std::int64_t thread) {
      std::int64_t const first = thread * entries_per_thread;
      std::int64_t const last = Kokkos::min<std::int64_t>(first + entries_per_thread, a.nnz);
      auto const first_row = a.row_indices[first];
      auto row = first_row;
      Sum sum{};
      for (std::int64_t k = first; k < last; ++k) {
        if (a.row_indices[k] != row) {
          // Only the first run may be shared with the thread before; later ones begin here and have ended here.
          add_into(y(row), alpha * sum, atomic && row == first_row);
          row = a.row_indices[k];
          sum = Sum{};
        }
        sum += entry_value<Sum>(a, k) * static_cast<Sum>(x(a.col_indices[k]));
      }
      add_into(y(row), alpha * sum, atomic);  // may go on in the next thread
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::coo::segmented", Policy(exec, league_size(threads, team_size), team_size), body);
}

}  // namespace araia::detail
