// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What follows a product, as a pass of its own: y := b - y, and a sum over the rows. For kernels that cannot do it
// while they have the rows, as they add to y in chunks.
// Mapping  league: parts of 1024 rows or more, at most most_partial_sums of them | threads: rows; then one team adds
//          the parts' sums. The same bits on every run and, on hosts, on any number of threads.
// Traffic  double: 8 B of y a row, 16 B more with b, 8 B more where the sum is of w_i y_i. Atomics: none.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/operands.hpp>
#include <araia/detail/kernels/partial_sums.hpp>

namespace araia::detail {

template <class Exec, class Y>
static void finish_rows(Exec const& exec, FusedOperands<Y> const& f) {
  using Sum = accumulator_t<Y>;
  using Part = partial_sum_t<Y>;
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (!f.b.data && !f.has_sum()) return;
  constexpr std::int64_t fewest_rows = 1024;
  int const team_size = is_device_space<Exec> ? device_block : 1;
  std::int64_t const rows = f.y.size;
  std::int64_t const rows_of_part = std::max(fewest_rows, rows / most_partial_sums(rows) + 1);
  std::int64_t const parts = std::max<std::int64_t>(1, (rows + rows_of_part - 1) / rows_of_part);
  auto* const partial_sums = f.has_sum() ? reinterpret_cast<Part*>(f.sums.sums) : nullptr;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first = team.league_rank() * rows_of_part;
    std::int64_t const last = Kokkos::min(first + rows_of_part, rows);
    Part sum{};
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last),
        [&](std::int64_t i, Part& part) {
          Y& y = f.y.data[i * f.y.stride];
          if (f.b.data) y = static_cast<Y>(static_cast<Sum>(f.b.data[i * f.b.stride]) - static_cast<Sum>(y));
          if (partial_sums)
            part += conjugate_if(true, static_cast<Part>(f.dot ? f.w.data[i * f.w.stride] : y)) * static_cast<Part>(y);
        },
        sum);
    if (partial_sums) Kokkos::single(Kokkos::PerTeam(team), [&] { partial_sums[team.league_rank()] = sum; });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::fused::finish_rows", Policy(exec, static_cast<int>(parts), team_size), body);
  if (!partial_sums) return;
  auto const total = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    Part sum{};
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, parts), [&](std::int64_t p, Part& part) { part += partial_sums[p]; }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if (f.dot) *f.dot = static_cast<Sum>(sum);
      if constexpr (is_complex_v<Y>) {
        if (f.norm_squared) *f.norm_squared = static_cast<typename FusedOperands<Y>::Real>(sum.real());
      } else {
        if (f.norm_squared) *f.norm_squared = static_cast<Sum>(sum);
      }
    });
  };
  for_each_team("araia::fused::add_parts", Policy(exec, 1, team_size), total);
}

}  // namespace araia::detail
