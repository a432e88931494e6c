// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X Y') + beta D on the pattern of a CSR; a thread owns equal entries, lanes share a dot product.
// Mapping  league: chunks of entries, team_size a team | threads: entries of a chunk, the row of the first by a search,
//          those of the others by walking on | lanes: elements of X's and Y's rows, stride vector_length (coalesced)
// Traffic  an entry: 4 B of column, 2 k scalars of X and Y (X's row again from cache), the value read (beta != 0, A
//          with values) and written. Scratch, barriers, atomics: none; every entry is one thread's, so the same bits in
//          every run.
// Suits    any types, any strides, rows of any lengths: one long row is cut like all others.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/sddmm_dot.hpp>

namespace araia::detail {

/// \param shape  rows_per_team counts chunks of entries_per_thread entries
template <class Exec, class Pointers, class Product>
static void csr_sddmm_equal_chunks(Exec const& exec, TeamShape const& shape, std::int64_t entries_per_thread,
                                   Pointers const& a, Product const& product) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  std::int64_t const chunks = (a.nnz + entries_per_thread - 1) / entries_per_thread;
  std::int64_t const chunks_per_team = shape.rows_per_team;
  auto const body = KOKKOS_LAMBDA(typename Policy::member_type const& team) {
    std::int64_t const first_chunk = team.league_rank() * chunks_per_team;
    std::int64_t const last_chunk = Kokkos::min<std::int64_t>(first_chunk + chunks_per_team, chunks);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_chunk, last_chunk), [&](std::int64_t chunk) {
      std::int64_t const first = chunk * entries_per_thread;
      std::int64_t const last = Kokkos::min<std::int64_t>(first + entries_per_thread, a.nnz);
      std::int64_t row = segment_of(a.row_offsets, a.rows, first);
      for (std::int64_t entry = first; entry < last; ++entry) {
        while (static_cast<std::int64_t>(a.row_offsets[row + 1]) <= entry) ++row;  // past empty rows too
        sample_entry(team, a, product, matrix_row(a, row), static_cast<std::int64_t>(a.col_indices[entry]), entry);
      }
    });
  };
  check_functor_size<decltype(body)>();
  for_each_team("araia::sddmm::csr::equal_chunks",
                Policy(exec, league_size(chunks, chunks_per_team), shape.team_size, shape.vector_length), body);
}

}  // namespace araia::detail
