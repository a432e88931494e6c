// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where the entries of a block column begin, for threads that take some of a block's columns: an offset of the wide
// form, of the compact one the sum of the counts before it.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_access.hpp>

namespace araia::detail {

/// First entry of block column j, where that of block column `from`, not after it and of the same block, is known.
template <class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t column_first_entry(BcscPointers<S, O, F> const& a, std::int64_t, std::int64_t,
                                                       std::int64_t j) {
  return static_cast<std::int64_t>(a.col_offsets[j]);
}
template <class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t column_first_entry(BcscCompactPointers<S, O, F, R> const& a, std::int64_t from,
                                                       std::int64_t known, std::int64_t j) {
  for (; from < j; ++from) known += column_count(a, from);
  return known;
}

/// First entry of block column j of block b. Every thread of the team must call it.
template <class Team, class S, class O, class F>
KOKKOS_INLINE_FUNCTION std::int64_t first_entry_of_team(Team const&, BcscPointers<S, O, F> const& a, std::int64_t,
                                                        std::int64_t j) {
  return static_cast<std::int64_t>(a.col_offsets[j]);
}
template <class Team, class S, class O, class F, class R>
KOKKOS_INLINE_FUNCTION std::int64_t first_entry_of_team(Team const& team, BcscCompactPointers<S, O, F, R> const& a,
                                                        std::int64_t b, std::int64_t j) {
  std::int64_t before = 0;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(a.block_offsets[b]), j),
      [&](std::int64_t i, std::int64_t& count) { count += column_count(a, i); }, before);
  return block_first_entry(a, b) + before;
}

}  // namespace araia::detail
