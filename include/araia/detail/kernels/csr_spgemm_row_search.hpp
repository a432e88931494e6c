// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Values of C = alpha A B whose sorted columns are known: each product finds its place by a search in C's row.
// Mapping  threads of teams: rows of C | lanes: the entries of one row of B after the other, whose columns differ, so
//          that sums need no atomics and their order is that of A's entries; where they may not differ, one lane alone
// Traffic  a product: 4 B of column and the value of B, log2(length of C's row) columns of C, read and write of a value
// Suits    any row; no workspace.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/csr_spgemm.hpp>

namespace araia::detail {

/// The place of a column that is there in an ascending row.
template <class Ordinal>
KOKKOS_INLINE_FUNCTION std::int64_t spgemm_place(Ordinal const* cols, std::int64_t length, Ordinal column) {
  std::int64_t first = 0;
  while (length > 1) {
    std::int64_t const half = length / 2;
    if (cols[first + half] <= column) first += half;
    length -= half;
  }
  return first;
}

template <class Exec, class Scalar, class Ordinal, class Offset, class Offsets>
void csr_spgemm_row_search(Exec const& exec, SpgemmOperands<Scalar, Ordinal, Offset> const& of, Scalar alpha, bool add,
                           Offsets const& offsets, Ordinal const* cols, Scalar* values) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (of.a.rows == 0) return;
  auto const a = of.a;
  auto const b = of.b;
  bool const differ = of.ascending;
  auto const shape = row_team_shape(exec, a.rows, 0, 0, vector_length_for(b.nnz, b.rows));
  std::int64_t const per_team = shape.rows_per_team;
  for_each_team(
      "araia::spgemm::row_search", Policy(exec, league_size(a.rows, per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + per_team, a.rows);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
          std::int64_t const begin = offsets.at(row);
          std::int64_t const length = offsets.at(row + 1) - begin;
          Ordinal const* const own = cols + begin;
          Scalar* const sums = values + begin;
          if (!add)
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length), [&](std::int64_t n) { sums[n] = Scalar{}; });
          auto const end = static_cast<std::int64_t>(a.row_offsets[row + 1]);
          for (auto p = static_cast<std::int64_t>(a.row_offsets[row]); p < end; ++p) {
            auto const k = static_cast<std::int64_t>(a.col_indices[p]);
            Scalar const factor = a.values ? alpha * a.values[p] : alpha;
            auto const from = static_cast<std::int64_t>(b.row_offsets[k]);
            auto const to = static_cast<std::int64_t>(b.row_offsets[k + 1]);
            auto const sum_one = [&](std::int64_t q) {
              sums[spgemm_place(own, length, b.col_indices[q])] += b.values ? factor * b.values[q] : factor;
            };
            if (differ)
              Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, from, to), sum_one);
            else
              Kokkos::single(Kokkos::PerThread(team), [&] {
                for (std::int64_t q = from; q < to; ++q) sum_one(q);
              });
          }
        });
      });
}

}  // namespace araia::detail
