// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Filling padded arrays (Ell, slices of Sell), where rows lie side by side: line t holds entry t of each of them, and
// which rows of a slice are the longest.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <numeric>

#include <araia/detail/formats/row_access.hpp>

namespace araia::detail {

/// Host: rows that lie side by side in a padded array: out[t * stride + i] gets entry t of row i, zero beyond its
/// length. Every slot is written in order; where lines are mostly padding, some of them are zeroed at a time, and their
/// entries follow while they are in the cache.
/// \param begin, length  (rows) where the entries of each row start in `source`, and how many there are: `steps` or
/// less
template <class Target, class Source>
void write_side_by_side(Target* out, std::int64_t stride, std::int64_t steps, std::int64_t rows, Source const* source,
                        std::int64_t const* begin, std::int64_t const* length) {
  constexpr std::int64_t block_bytes = 65536;  // zeroed at a time
  if (rows == 0) return;
  auto const [shortest, longest] = std::minmax_element(length, length + rows);
  std::int64_t t = 0;
  for (; t < *shortest; ++t, out += stride)
    for (std::int64_t i = 0; i < rows; ++i) out[i] = static_cast<Target>(source[begin[i] + t]);
  if (2 * (std::reduce(length, length + rows) - rows * t) > rows * (*longest - t))
    for (; t < *longest; ++t, out += stride)
      for (std::int64_t i = 0; i < rows; ++i)
        out[i] = t < length[i] ? static_cast<Target>(source[begin[i] + t]) : Target{};
  std::int64_t const at_once =
      std::max<std::int64_t>(1, block_bytes / (rows * static_cast<std::int64_t>(sizeof(Target))));
  while (t < steps) {
    std::int64_t const lines = std::min(at_once, steps - t);
    if (stride == rows)
      std::fill(out, out + lines * rows, Target{});
    else
      for (std::int64_t line = 0; line < lines; ++line)
        std::fill(out + line * stride, out + line * stride + rows, Target{});
    if (t < *longest)
      for (std::int64_t i = 0; i < rows; ++i) {
        std::int64_t const last = std::min(length[i], t + lines) - t;
        for (std::int64_t line = 0; line < last; ++line)
          out[line * stride + i] = static_cast<Target>(source[begin[i] + t + line]);
      }
    t += lines;
    out += lines * stride;
  }
}

/// Rows that write_side_by_side takes at once: their lines fill pages, and the places of their entries the first cache.
inline constexpr std::int64_t rows_side_by_side = 256;

/// Some lines of rows side by side: slot t of row i is at first_slot + t * stride + i.
struct PaddedTile {
  std::int64_t first_row;  // stored row
  std::int64_t rows;
  std::int64_t first_slot;  // line 0 of the first row
  std::int64_t stride;
  std::int64_t first_line;
  std::int64_t last_line;  // exclusive
};

/// The longest of some rows, and the length of the second longest.
struct LongestTwo {
  std::int64_t row;
  std::int64_t longest;
  std::int64_t second;
};

/// \param length  i -> of row i, of `rows` > 0
template <class Team, class Length>
KOKKOS_INLINE_FUNCTION LongestTwo longest_two(Team const& team, std::int64_t rows, Length const& length) {
  using Longest = Kokkos::ValLocScalar<std::int64_t, std::int64_t>;
  Longest longest;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, rows),
      [&](std::int64_t i, Longest& most) {
        std::int64_t const own = length(i);
        if (own > most.val) most = {own, i};
      },
      Kokkos::MaxLoc<std::int64_t, std::int64_t>(longest));
  std::int64_t second = 0;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, rows),
      [&](std::int64_t i, std::int64_t& most) {
        if (i != longest.loc) most = Kokkos::max<std::int64_t>(most, length(i));
      },
      Kokkos::Max<std::int64_t>(second));
  return {longest.loc, longest.val, Kokkos::max<std::int64_t>(second, 0)};
}

/// The lines of a tile in which no row but one has entries: from line `from` on, its own before line `end`.
struct LoneLines {
  std::int64_t row;  // of the tile
  std::int64_t from;
  std::int64_t end;
};

/// Few lines are not worth the search, and few lanes fetch no more at once than the row's own: none counts as lone
/// then. \param length  i -> lines from the first that hold entries of row i of the tile
template <class Team, class Length>
KOKKOS_INLINE_FUNCTION LoneLines lone_lines(Team const& team, PaddedTile const& tile, int lanes, Length const& length) {
  constexpr std::int64_t few = 8;
  constexpr int least_lanes = 16;
  if (tile.last_line - tile.first_line <= few || lanes < least_lanes || tile.rows == 1)
    return {0, tile.last_line, tile.last_line};
  auto const two = longest_two(team, tile.rows, length);
  std::int64_t const from = Kokkos::min(tile.last_line, Kokkos::max(tile.first_line, two.second));
  return {two.row, from, Kokkos::max(from, Kokkos::min(tile.last_line, two.longest))};
}

/// Bytes for a value of any type.
inline constexpr int widest_value = 16;

/// Devices: the lines of a tile from lone.from on: value_of(line) of the lone row, zero elsewhere. Lanes fetch those
/// values side by side and hand them over through `room`, so that every sector is still written whole: two stores that
/// share one cost twice the traffic.
/// \param room    lanes * widest_value bytes of the thread's scratch
/// \param out     or null: value_of is asked and nothing is written
/// \param zeroed  padding is zero already
template <class Team, class Target, class ValueOf>
KOKKOS_INLINE_FUNCTION void write_lone_lines(Team const& team, PaddedTile const& tile, LoneLines const& lone, int lanes,
                                             void* room, Target* out, bool zeroed, ValueOf const& value_of) {
  static_assert(sizeof(Target) <= widest_value);
  auto* const values = static_cast<Target*>(room);
  for (std::int64_t first = lone.from; first < lone.end; first += lanes) {
    int const count = static_cast<int>(Kokkos::min<std::int64_t>(lanes, lone.end - first));
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count), [&](int k) { values[k] = value_of(first + k); });
    // Lanes meet at the end of a vector loop.
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, out ? tile.rows : 0), [&](std::int64_t i) {
      Target* to = out + tile.first_slot + first * tile.stride + i;
      for (int k = 0; k < count; ++k, to += tile.stride)
        if (!zeroed || i == lone.row) *to = i == lone.row ? values[k] : Target{};
    });
  }
  if (zeroed || !out) return;
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile.rows), [&](std::int64_t i) {
    Target* to = out + tile.first_slot + lone.end * tile.stride + i;
    for (std::int64_t t = lone.end; t < tile.last_line; ++t, to += tile.stride) *to = Target{};
  });
}

/// Devices: the tile's slots of `out`, by a thread with its lanes. A lane has a row, so that a line is written in
/// whole sectors, where rows fill one, however few of its slots hold entries, and each sector once.
/// \param span_of      row -> where its entries lie in `source`, side by side
/// \param lanes, room  as write_lone_lines has them
/// \param zeroed       padding is zero already
template <class Team, class SpanOf, class Target, class Source>
KOKKOS_INLINE_FUNCTION void write_lines(Team const& team, PaddedTile const& tile, SpanOf const& span_of, int lanes,
                                        void* room, Target* out, Source const* source, bool zeroed) {
  constexpr int at_once = 8;  // loads in flight
  auto const lone = lone_lines(team, tile, lanes, [&](std::int64_t i) { return span_of(tile.first_row + i).count; });
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile.rows), [&](std::int64_t i) {
    RowSpan const span = span_of(tile.first_row + i);
    Source const* const from = source + span.first;
    std::int64_t const last = zeroed ? Kokkos::min(lone.from, span.count) : lone.from;
    Target* to = out + tile.first_slot + tile.first_line * tile.stride + i;
    for (std::int64_t t = tile.first_line; t < last; t += at_once, to += at_once * tile.stride) {
      Target lines[at_once];
      for (int k = 0; k < at_once; ++k) lines[k] = t + k < span.count ? static_cast<Target>(from[t + k]) : Target{};
      for (int k = 0; k < at_once; ++k)
        if (t + k < last) to[k * tile.stride] = lines[k];
    }
  });
  Source const* const from = source + span_of(tile.first_row + lone.row).first;
  write_lone_lines(team, tile, lone, lanes, room, out, zeroed,
                   [&](std::int64_t line) { return static_cast<Target>(from[line]); });
}

}  // namespace araia::detail
