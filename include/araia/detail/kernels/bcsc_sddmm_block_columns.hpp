// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X Y') + beta D on the pattern of a BCSC of any form; a thread owns columns of a block.
// Mapping  league: blocks x teams_per_block | threads: equal runs of the block's columns | lanes: elements of X's and
//          Y's rows, stride vector_length (coalesced)
//
//            block b   columns  c0 c1 c2 | c3 c4 c5 | ...      a thread each: y(c0, :) meets the block's rows of X that
//            rows r..  entries  .. .. .. | .. .. .. |          c0 stores, then y(c1, :), ...
//
// Traffic  a block column: its row of Y once from memory, from cache for its second entry on; the block's rows of X
//          stay in cache; int32 8 B a block column and 4 B an entry of indices (compact: 3 and 1), and the value.
//          Scratch, barriers, atomics: none; every entry is one thread's, so the same bits in every run.
// Suits    blocks whose rows share columns: Y is read nnzc times rather than nnz.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/kernels/sddmm_dot.hpp>

namespace araia::detail {

/// First entry of block column j of block b, by all lanes of the thread.
template <class Team, class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t column_first_entry(Team const&, BcscPointers<S, O, F> const& a, std::int64_t,
                                                       std::int64_t j) {
  return static_cast<std::int64_t>(a.col_offsets[j]);
}
template <class Team, class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t column_first_entry(Team const& team, BcscCompactPointers<S, O, F, R> const& a,
                                                       std::int64_t b, std::int64_t j) {
  auto const first = static_cast<std::int64_t>(a.block_offsets[b]);
  std::int64_t before = 0;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, j - first),
      [&](std::int64_t i, std::int64_t& part) { part += column_count(a, first + i); }, before);
  return static_cast<std::int64_t>(a.entry_offsets[b]) + before;
}

template <class Exec, class Pointers, class Product>
static void bcsc_sddmm_block_columns(Exec const& exec, std::int64_t teams_per_block, int team_size, int vector_length,
                                     Pointers const& a, Product const& product) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  require_fits<std::int32_t>("araia::sddmm::bcsc: teams", a.blocks * teams_per_block);
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const block = team.league_rank() / teams_per_block;
    std::int64_t const parts = teams_per_block * team.team_size();
    std::int64_t const first_part = team.league_rank() % teams_per_block * team.team_size();
    std::int64_t const first_column = a.block_offsets[block];
    std::int64_t const columns = a.block_offsets[block + 1] - first_column;
    std::int64_t const first_row = block_first_row(a, block);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, first_part, first_part + team.team_size()), [&](std::int64_t part) {
          std::int64_t const last = first_column + columns * (part + 1) / parts;
          std::int64_t column = first_column + columns * part / parts;
          if (column >= last) return;
          std::int64_t entry = column_first_entry(team, a, block, column);
          for (; column < last; ++column) {
            std::int64_t const col = block_column(a, block, column);
            std::int64_t const end = entry + column_count(a, column);
            for (; entry < end; ++entry)
              sample_entry(team, a, product,
                           matrix_row(a, first_row + static_cast<std::int64_t>(a.row_in_block[entry])), col, entry);
          }
        });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::sddmm::bcsc::block_columns",
                Policy(exec, static_cast<int>(a.blocks * teams_per_block), team_size, vector_length), body);
}

}  // namespace araia::detail
