// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stable order of the elements of many segments at once, by integer keys: columns within rows, entries within
// columns. The result does not depend on threads.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>

namespace araia::detail {

/// Segments up to this length are ordered by counting, for each element, how many come before it: no storage, and a
/// warp's lanes read the same key at once. Beyond, the quadratic work would cost more than a sort.
inline constexpr std::int64_t longest_ranked_segment = 512;

/// Host: a thread sorts a segment; one that is in order already costs one pass.
template <class Exec, class Offset, class Key, class Emit>
static void order_segments_by_sorting(Exec const& exec, char const* label, Offset const* offsets, std::int64_t segments,
                                      Key const& key, Emit const& emit) {
  constexpr std::int64_t on_stack = 64;  // elements
  for_each_index(label, DynamicRange<Exec>(exec, 0, segments, Kokkos::ChunkSize(64)), [=](std::int64_t segment) {
    auto const first = static_cast<std::int64_t>(offsets[segment]);
    auto const count = static_cast<std::int64_t>(offsets[segment + 1]) - first;
    bool ascending = true;
    for (std::int64_t j = 1; j < count && ascending; ++j) ascending = key(first + j - 1) <= key(first + j);
    if (ascending) {
      for (std::int64_t j = 0; j < count; ++j) emit(first + j, first + j);
      return;
    }
    std::int64_t stack[on_stack];
    std::vector<std::int64_t> heap(count > on_stack ? static_cast<std::size_t>(count) : 0);
    std::int64_t* const order = count > on_stack ? heap.data() : stack;
    std::iota(order, order + count, first);
    std::sort(order, order + count, [&](std::int64_t p, std::int64_t q) {
      auto const kp = key(p);
      auto const kq = key(q);
      return kp < kq || (kp == kq && p < q);
    });
    for (std::int64_t j = 0; j < count; ++j) emit(first + j, order[j]);
  });
}

/// Segments beyond longest_ranked_segment: their elements by two sorts of 64-bit keys, first by key, then by segment.
template <class Exec, class Offset, class Key, class Emit>
static void order_long_segments(Exec const& exec, Offset const* offsets, std::int64_t segments, Key const& key,
                                Emit const& emit) {
  using Space = typename Exec::memory_space;
  auto const starts = new_view<Kokkos::View<std::int64_t*, Space>>(exec, "araia::order_segments::starts", segments + 1);
  std::int64_t total = 0;
  scan_indices(
      "araia::order_segments::starts", IndexRange<Exec>(exec, 0, segments + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool final) {
        if (final) starts(i) = sum;
        if (i == segments) return;
        std::int64_t const count = static_cast<std::int64_t>(offsets[i + 1]) - static_cast<std::int64_t>(offsets[i]);
        if (count > longest_ranked_segment) sum += count;
      },
      total);
  exec.fence("araia::order_segments: how many elements lie in long segments");
  if (total == 0) return;
  require_fits<std::uint32_t>("ordering long rows or columns: their entries", total);
  require_fits<std::uint32_t>("ordering long rows or columns: how many", segments);
  auto by_key = new_keys(exec, "araia::order_segments::by_key", total);
  auto by_segment = new_keys(exec, "araia::order_segments::by_segment", total);
  auto const element = new_keys(exec, "araia::order_segments::element", total);
  auto const segment_of = new_keys(exec, "araia::order_segments::segment_of", total);
  using Policy = Kokkos::TeamPolicy<Exec>;
  auto const shape = row_team_shape(exec, segments, 0, 0, device_warp);
  std::int64_t const per_team = shape.rows_per_team;
  for_each_team(
      "araia::order_segments::keys",
      Policy(exec, league_size(segments, per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + per_team, segments);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t s) {
          std::int64_t const length = starts(s + 1) - starts(s);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length), [&](std::int64_t j) {
            std::int64_t const p = starts(s) + j;
            std::int64_t const k = static_cast<std::int64_t>(offsets[s]) + j;
            element(p) = static_cast<std::uint64_t>(k);
            segment_of(p) = static_cast<std::uint64_t>(s);
            by_key(p) = make_key(static_cast<std::int64_t>(key(k)), p);
          });
        });
      });
  sort_keys(exec, by_key);
  for_each_index(
      "araia::order_segments::second_keys", IndexRange<Exec>(exec, 0, total), KOKKOS_LAMBDA(std::int64_t q) {
        by_segment(q) = make_key(static_cast<std::int64_t>(segment_of(key_position(by_key(q)))), q);
      });
  sort_keys(exec, by_segment, key_order_bits(segments - 1));
  for_each_index(
      "araia::order_segments::emit_long", IndexRange<Exec>(exec, 0, total), KOKKOS_LAMBDA(std::int64_t t) {
        std::int64_t const p = key_position(by_key(key_position(by_segment(t))));
        auto const s = static_cast<std::int64_t>(segment_of(p));
        emit(static_cast<std::int64_t>(offsets[s]) + t - starts(s), static_cast<std::int64_t>(element(p)));
      });
}

/// Device: lanes share a segment and rank its elements.
template <class Exec, class Offset, class Key, class Emit>
static void order_segments_by_ranking(Exec const& exec, char const* label, Offset const* offsets, std::int64_t segments,
                                      std::int64_t count, Key const& key, Emit const& emit) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  auto const shape = row_team_shape(exec, segments, 0, 0, vector_length_for(3 * count, segments));
  std::int64_t const per_team = shape.rows_per_team;
  for_each_team(
      label, Policy(exec, league_size(segments, per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first_segment = team.league_rank() * per_team;
        std::int64_t const last_segment = Kokkos::min<std::int64_t>(first_segment + per_team, segments);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first_segment, last_segment), [&](std::int64_t s) {
          auto const first = static_cast<std::int64_t>(offsets[s]);
          std::int64_t const length = static_cast<std::int64_t>(offsets[s + 1]) - first;
          if (length > longest_ranked_segment) return;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length), [&](std::int64_t j) {
            auto const own = key(first + j);
            std::int64_t rank = 0;
            for (std::int64_t i = 0; i < length; ++i) {
              auto const other = key(first + i);
              if (other < own || (other == own && i < j)) ++rank;
            }
            emit(first + rank, first + j);
          });
        });
      });
  order_long_segments(exec, offsets, segments, key, emit);
}

/// Calls emit(to, from) once for every element: within a segment [offsets[s], offsets[s + 1]) the elements `from` are
/// taken by ascending key(from), equal keys by ascending `from`, and `to` counts up. emit must not write what key
/// reads. \throws araia::Error resource_limit where, on a device, segments beyond 512 elements hold 2^32 or more Cost
/// O(count) where all is in order already or segments are short; fences exec
template <class Exec, class Offset, class Key, class Emit>
static void order_segments(Exec const& exec, char const* label, Offset const* offsets, std::int64_t segments,
                           std::int64_t count, Key const& key, Emit const& emit) {
  if (segments == 0 || count == 0) return;
  if constexpr (is_device_space<Exec>)
    order_segments_by_ranking(exec, label, offsets, segments, count, key, emit);
  else
    order_segments_by_sorting(exec, label, offsets, segments, key, emit);
}

}  // namespace araia::detail
