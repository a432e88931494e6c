// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in BCSC of any form; a team owns a block and sums its part of y in scratch.
// Mapping  league: blocks x row windows (one window, unless a block is taller than scratch) | threads: block columns
// Traffic  double, int32: 12 B per nonzero and 8 B per block column, 8 B of x once per block column; per row 8 B of y
//          (16 B if beta != 0). Compact: 9 B per nonzero and 3 B per block column (5 B with wide columns).
//          Scratch: block_height sums. Barriers: two. Atomics: in scratch alone, none on a team of one thread.
// Suits    blocks whose rows share columns; device sums meet in scratch in no fixed order. alpha == 0 never comes here.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/kernels/operands.hpp>

namespace araia::detail {

/// sum += part in a team's scratch; the parts of a complex number meet one by one, as nothing reads them meanwhile.
template <class Sum>
KOKKOS_INLINE_FUNCTION void add_in_scratch(Sum& sum, Sum const& part, bool atomic) {
  if (!atomic) {
    sum += part;
  } else if constexpr (is_complex_v<Sum>) {
    Kokkos::atomic_add(&sum.real(), part.real());
    Kokkos::atomic_add(&sum.imag(), part.imag());
  } else {
    Kokkos::atomic_add(&sum, part);
  }
}

template <class Exec, class Pointers, class X, class Y, class Sum>
static void bcsc_spmv_block_per_team(Exec const& exec, int team_size, Sum alpha, Pointers const& a, X const& x,
                                     Sum beta, Y const& y) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  RowWindow const window = row_window(tallest_block(a), sizeof(Sum));
  std::size_t const scratch = static_cast<std::size_t>(window.rows) * sizeof(Sum);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const block = team.league_rank() / window.windows;
    std::int64_t const first_row = block_first_row(a, block);
    std::int64_t const low = team.league_rank() % window.windows * window.rows;
    std::int64_t const high = Kokkos::min<std::int64_t>(low + window.rows, block_first_row(a, block + 1) - first_row);
    Sum* const sums = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(scratch, alignof(Sum)));
    bool const atomic = team.team_size() > 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, low, high), [&](std::int64_t row) { sums[row - low] = Sum{}; });
    team.team_barrier();  // all sums are zero before any is added to
    for_each_block_column(team, a, block, [&](std::int64_t col, std::int64_t first, std::int64_t last) {
      Sum const factor = static_cast<Sum>(x(col));
      for (std::int64_t k = first; k < last; ++k) {
        auto const row = static_cast<std::int64_t>(a.row_in_block[k]);
        if (row >= low && row < high) add_in_scratch(sums[row - low], entry_value<Sum>(a, k) * factor, atomic);
      }
    });
    team.team_barrier();  // all sums are complete before any is stored
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, low, high), [&](std::int64_t row) {
      store_scaled(y(matrix_row(a, first_row + row)), alpha, sums[row - low], beta);
    });
  };
  check_functor_size<decltype(body)>();
  Policy policy(exec, one_per_team(a.blocks * window.windows), team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(Sum)));
  for_each_team("araia::spmv::bcsc::block_per_team", policy, body);
}

}  // namespace araia::detail
