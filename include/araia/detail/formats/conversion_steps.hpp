// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What conversions between formats share: loops over entries, rows by length, offsets.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/error.hpp>

namespace araia {

namespace detail {

/// Device: body(s, first, k) for every item k of [0, count), cut into segments at offsets[0..segments], whose first
/// item is `first`. A team takes equal numbers of items, so that a long segment delays none; many short ones lie on
/// threads, their items on lanes, and a long one among them on several.
template <class Exec, class Offsets, class Body>
static void for_each_in_segments(Exec const& exec, char const* label, Offsets const& offsets, std::int64_t segments,
                                 std::int64_t count, Body const& body) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (segments == 0 || count == 0) return;
  constexpr std::int64_t least_items = 1024;  // of a team, which pays two searches for its first and last segment
  constexpr std::int64_t most_items = 8192;
  constexpr std::int64_t filling_teams = 4096;  // a few for each place on a large device
  constexpr std::int64_t few_segments = 16;     // that a thread walks to find an item's
  constexpr std::int64_t most_steps = 64;       // of a lane along one segment
  std::int64_t const items = std::clamp(count / filling_teams, least_items, most_items);
  auto const shape = row_team_shape(exec, (count + items - 1) / items, 1, 0, vector_length_for(count, segments));
  std::int64_t const per_team = items * shape.rows_per_team;
  int const team_lanes = shape.vector_length;
  for_each_team(
      label, Policy(exec, league_size(count, per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const begin = team.league_rank() * per_team;
        std::int64_t const end = Kokkos::min<std::int64_t>(begin + per_team, count);
        std::int64_t const first_segment = segment_of(offsets, segments, begin);
        std::int64_t const last_segment = segment_of(offsets, segments, end - 1);
        if (last_segment - first_segment < few_segments) {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, end), [&](std::int64_t k) {
            std::int64_t s = first_segment;
            while (s < last_segment && static_cast<std::int64_t>(offsets[s + 1]) <= k) ++s;
            body(s, static_cast<std::int64_t>(offsets[s]), k);
          });
        } else {
          // A thread takes the beginning of each segment; what is left of longer ones is cut at places of its own.
          std::int64_t const of_thread = most_steps * team_lanes;
          std::int64_t const chunks = (end - begin + of_thread - 1) / of_thread;
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_segment, last_segment + 1), [&](std::int64_t s) {
            auto const first = static_cast<std::int64_t>(offsets[s]);
            std::int64_t const from = Kokkos::max(first, begin);
            std::int64_t const last = Kokkos::min(static_cast<std::int64_t>(offsets[s + 1]), end);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, from, Kokkos::min(last, from + of_thread)),
                                 [&](std::int64_t k) { body(s, first, k); });
          });
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, std::int64_t{1}, chunks), [&](std::int64_t chunk) {
            // An item that far into its segment has the segment of its chunk's first item.
            std::int64_t const start = begin + chunk * of_thread;
            std::int64_t const s = segment_of(offsets, segments, start);
            auto const first = static_cast<std::int64_t>(offsets[s]);
            std::int64_t const from = Kokkos::max(start, Kokkos::max(first, begin) + of_thread);
            std::int64_t const last = Kokkos::min(static_cast<std::int64_t>(offsets[s + 1]), end);
            Kokkos::parallel_for(
                Kokkos::ThreadVectorRange(team, from, Kokkos::max(from, Kokkos::min(last, start + of_thread))),
                [&](std::int64_t k) { body(s, first, k); });
          });
        }
      });
}

/// body(row, j, k) for entry j of every stored row, at place k of the arrays: rows on threads, entries on lanes; rows
/// of a Csr are cut on devices, where one is much longer than others.
template <class Exec, class Pointers, class Body>
static void for_each_row_entry(Exec const& exec, char const* label, Pointers const& a, Body const& body) {
  if (a.rows == 0) return;
  if constexpr (!is_device_space<Exec>) {
    for_each_index(label, IndexRange<Exec>(exec, 0, a.rows), [=](std::int64_t row) {
      RowSpan const span = row_span(a, row);
      for (std::int64_t j = 0; j < span.count; ++j) body(row, j, span.first + j * span.step);
    });
  } else if constexpr (is_csr_pointers<Pointers>) {
    for_each_in_segments(
        exec, label, a.row_offsets, a.rows, a.nnz,
        KOKKOS_LAMBDA(std::int64_t row, std::int64_t first, std::int64_t k) { body(row, k - first, k); });
  } else {
    using Policy = Kokkos::TeamPolicy<Exec>;
    auto const shape = row_team_shape(exec, a.rows, 0, 0, vector_length_for(a.nnz, a.rows));
    std::int64_t const rows_per_team = shape.rows_per_team;
    for_each_team(
        label, Policy(exec, league_size(a.rows, rows_per_team), shape.team_size, shape.vector_length),
        KOKKOS_LAMBDA(typename Policy::member_type const& team) {
          std::int64_t const first = team.league_rank() * rows_per_team;
          std::int64_t const last = Kokkos::min<std::int64_t>(first + rows_per_team, a.rows);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t row) {
            RowSpan const span = row_span(a, row);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, span.count),
                                 [&](std::int64_t j) { body(row, j, span.first + j * span.step); });
          });
        });
  }
}

/// Stored rows ordered by length, equal lengths in their old order: permutation(new) == old.
template <class Exec, class Ordinal, class Pointers>
static Kokkos::View<Ordinal*, typename Exec::device_type> rows_by_length(Exec const& exec, Pointers const& a,
                                                                         bool ascending) {
  require_fits<std::uint32_t>("ordering rows by length: rows", a.rows);
  if (a.rows > 0) require_fits<Ordinal>("ordering rows by length: the last row's index", a.rows - 1);
  auto keys = new_keys(exec, "araia::rows_by_length::keys", a.rows);
  constexpr std::int64_t longest = 0x7fffffff;  // rows beyond sort as one length
  for_each_index(
      "araia::rows_by_length::keys", IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        std::int64_t const length = Kokkos::min<std::int64_t>(row_span(a, row).count, longest);
        keys(row) = make_key(ascending ? length : longest - length, row);
      });
  sort_keys(exec, keys, key_order_bits(longest));
  auto permutation = new_array<Ordinal, typename Exec::device_type>(exec, "araia::row_permutation", a.rows);
  for_each_index(
      "araia::rows_by_length::permutation", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row) { permutation(row) = static_cast<Ordinal>(key_position(keys(row))); });
  return permutation;
}

/// offsets(i + 1) holds a count for every i: makes them offsets. Fences exec.
template <class Exec, class Offsets>
static void counts_to_offsets(Exec const& exec, Offsets const& offsets, std::int64_t count) {
  using Offset = typename Offsets::non_const_value_type;
  scan_indices<Offset>(
      "araia::counts_to_offsets", IndexRange<Exec>(exec, 0, count + 1),
      KOKKOS_LAMBDA(std::int64_t i, Offset & sum, bool final) {
        sum += offsets(i);
        if (final) offsets(i) = sum;
      });
}

/// Whether B may have been made from A, as far as sizes tell. Without entries values say nothing: arrays may be longer
/// than the matrix needs.
template <class Made, class Source>
bool sizes_agree(Made const& B, Source const& A) {
  return B.nnz == A.nnz && B.rows == A.rows && B.cols == A.cols && (A.nnz == 0 || B.has_values() == A.has_values());
}

/// Refuses new values for a matrix that was made from one of another structure.
/// \param made the format of the matrix that takes them, for the message
inline void require_same_structure(bool same, char const* made) {
  if (!same)
    throw Error(ErrorKind::dimension_mismatch,
                std::string("araia::update_values: A is not of the structure that the ") + made + " was made from");
}

template <class Exec, class Matrix>
constexpr void require_same_memory() {
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia: the matrix must be in memory that exec reaches");
}

}  // namespace detail

}  // namespace araia
