// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha op(A) x for op in {T, H}, A in BCSC of any form; a thread sums a block column and adds it to y once.
// Mapping  league: blocks | threads: block columns
// Traffic  double, int32: 12 B per nonzero and 8 B per block column (compact: 9 and 3), x once per entry from cache, y
//          read and written once per block column.
//          Atomics: one per block column, none where the space runs one thread; scratch and barriers: none.
// Suits    every transposed product of the format; dispatch scales y by beta first. The order of sums is unspecified.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

template <class Exec, class Pointers, class X, class Y, class Sum>
static void bcsc_spmv_transposed(Exec const& exec, int team_size, bool conjugate, Sum alpha, Pointers const& a,
                                 X const& x, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  bool const atomic = exec.concurrency() > 1;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first_row = block_first_row(a, team.league_rank());
    for_each_block_column(team, a, team.league_rank(), [&](std::int64_t col, std::int64_t first, std::int64_t last) {
      Sum sum{};
      for (std::int64_t k = first; k < last; ++k)
        sum += conjugate_if(conjugate, entry_value<Sum>(a, k)) *
               static_cast<Sum>(x(matrix_row(a, first_row + static_cast<std::int64_t>(a.row_in_block[k]))));
      add_into(y(col), alpha * sum, atomic);
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::spmv::bcsc::transposed", Policy(exec, league_size(a.blocks, 1), team_size), body);
}

}  // namespace araia::detail
