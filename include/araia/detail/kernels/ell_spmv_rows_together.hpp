// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y, A in ELL: thread_per_row's form for hosts. A thread takes 256 of its rows at a time and goes
// through their slots column by column, as they lie in memory.
// Mapping  league: ceil(rows / rows_per_team) | threads, lanes: one | inside: blocks of 256 rows, their sums in cache
// Traffic  as row_spmv_thread_per_row; slots are read in runs of 2 KB (double) and 1 KB (int32), where a row at a time
//          would take a line of cache for each slot.
// Suits    every host. Each row's entries are summed in their order: the same bits for any number of threads.
//          alpha == 0 never comes here (dispatch scales y).

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia::detail {

inline constexpr std::int64_t ell_rows_together = 256;  // rows: their sums, 2 KB in double, stay in L1

template <class Exec, class Pointers, class X, class Y, class Sum>
static void ell_spmv_rows_together(Exec const& exec, TeamShape const& shape, Sum alpha, Pointers const& a, X const& x,
                                   Sum beta, Y const& y) {
  static_assert(!is_device_space<Exec>, "araia: ell_spmv_rows_together is for hosts");
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const rows_per_team = shape.rows_per_team;
  auto const body = [=](typename Policy::member_type const& team) {
    std::int64_t const end = Kokkos::min<std::int64_t>((team.league_rank() + 1) * rows_per_team, a.rows);
    for (std::int64_t first = team.league_rank() * rows_per_team; first < end; first += ell_rows_together) {
      std::int64_t const rows = Kokkos::min(ell_rows_together, end - first);
      std::int64_t shortest = a.width;
      std::int64_t longest = 0;
      for (std::int64_t i = 0; i < rows; ++i) {
        auto const length = static_cast<std::int64_t>(a.row_lengths[first + i]);
        shortest = Kokkos::min(shortest, length);
        longest = Kokkos::max(longest, length);
      }
      Sum sums[ell_rows_together] = {};  // (rows)
      for (std::int64_t j = 0; j < longest; ++j) {
        std::int64_t const slot = j * a.ld + first;
        if (j < shortest) {
          for (std::int64_t i = 0; i < rows; ++i)
            sums[i] += entry_value<Sum>(a, slot + i) * static_cast<Sum>(x(a.col_indices[slot + i]));
        } else {
          for (std::int64_t i = 0; i < rows; ++i)
            if (j < static_cast<std::int64_t>(a.row_lengths[first + i]))
              sums[i] += entry_value<Sum>(a, slot + i) * static_cast<Sum>(x(a.col_indices[slot + i]));
        }
      }
      for (std::int64_t i = 0; i < rows; ++i) store_scaled(y(matrix_row(a, first + i)), alpha, sums[i], beta);
    }
  };
  for_each_team("araia::spmv::ell::thread_per_row", Policy(exec, league_size(a.rows, rows_per_team), shape.team_size),
                body);
}

}  // namespace araia::detail
