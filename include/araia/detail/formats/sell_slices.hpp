// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Loops over the slices of a Sell, their rows and their slots.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/side_by_side.hpp>
#include <araia/detail/formats/team_shape.hpp>

namespace araia::detail {

/// Which row of the source and of the matrix a stored row is.
template <class Ordinal>
struct SellOrder {
  Ordinal const* permutation;  // null: stored rows are rows
  bool reordered;              // the permutation names rows of the source too
  KOKKOS_INLINE_FUNCTION std::int64_t source_row(std::int64_t row) const {
    return reordered ? static_cast<std::int64_t>(permutation[row]) : row;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t matrix_row(std::int64_t row) const {
    return permutation ? static_cast<std::int64_t>(permutation[row]) : row;
  }
};

/// Rows of a slice.
template <class Ordinal>
struct SellSlices {
  Ordinal const* slice_rows;  // null: all of one height
  std::int64_t slice_height;
  KOKKOS_INLINE_FUNCTION std::int64_t first(std::int64_t s) const {
    return slice_rows ? static_cast<std::int64_t>(slice_rows[s]) : s * slice_height;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t height(std::int64_t s) const { return first(s + 1) - first(s); }
};

/// Lanes over a slice's rows: a power of two, a warp's at most.
inline int lanes_of_slice(std::int64_t slice_height) {
  int lanes = 1;
  while (lanes < device_warp && lanes < slice_height) lanes *= 2;
  return lanes;
}

/// Teams for work a slice: a thread a slice, its lanes over the slice's rows.
template <class Exec>
TeamShape slice_team_shape(Exec const& exec, std::int64_t slices, std::int64_t slice_height) {
  constexpr int threads = 128;  // of a block: several slices
  int const lanes = lanes_of_slice(slice_height);
  return row_team_shape(exec, slices, 0, slice_height > 128 ? 1 : threads / lanes, lanes);
}

/// body(s, team) once a slice, by a thread with its lanes.
template <class Exec, class Body>
static void for_each_slice(Exec const& exec, char const* label, std::int64_t slices, std::int64_t slice_height,
                           Body const& body) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (slices == 0) return;
  auto const shape = slice_team_shape(exec, slices, slice_height);
  std::int64_t const slices_per_team = shape.rows_per_team;
  for_each_team(
      label, Policy(exec, league_size(slices, slices_per_team), shape.team_size, shape.vector_length),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first = team.league_rank() * slices_per_team;
        std::int64_t const last = Kokkos::min<std::int64_t>(first + slices_per_team, slices);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t s) { body(s, team); });
      });
}

/// Host: body(s, first, last) for tiles of every slice: stored rows [first, last), at most rows_side_by_side of them.
/// The last tile of a slice takes its rows past the matrix's end too.
template <class Exec, class Ordinal, class Body>
static void for_each_tile_of_rows(Exec const& exec, char const* label, SellSlices<Ordinal> const& slices,
                                  std::int64_t slice_count, std::int64_t rows, Body const& body) {
  if (slice_count == 0) return;
  std::int64_t const tallest = std::max<std::int64_t>(1, std::min(slices.slice_height, rows));
  std::int64_t const tiles = (tallest + rows_side_by_side - 1) / rows_side_by_side;  // of a slice, at most
  std::int64_t const items = slice_count * tiles;
  for_each_index(label, DynamicRange<Exec>(exec, 0, items, host_chunk(exec, items)), [=](std::int64_t item) {
    std::int64_t const s = item / tiles;
    std::int64_t const tile = item - s * tiles;
    std::int64_t const end = slices.first(s + 1);
    std::int64_t row = slices.first(s) + tile * rows_side_by_side;
    std::int64_t const stop = tile == tiles - 1 ? end : std::min(end, row + rows_side_by_side);
    for (; row < stop; row += rows_side_by_side) body(s, row, std::min(row + rows_side_by_side, stop));
  });
}

/// Devices: body(s, tile, team, room) for tiles of every slice, each by a thread with its lanes and of at most as many
/// rows; `room` has widest_value bytes a lane. Threads have chunks of nearly equal numbers of slots, so that a slice
/// with a long row delays none.
/// \param offsets  (slices + 1) slots before each slice
/// \param slots    of all of them
template <class Exec, class Ordinal, class Offset, class Body>
static void for_each_padded_tile(Exec const& exec, char const* label, SellSlices<Ordinal> const& slices,
                                 std::int64_t slice_count, Offset const* offsets, std::int64_t slots,
                                 Body const& body) {
  constexpr int blocks_at_once = 4;  // on a multiprocessor: five leave too few registers for rows of blocks
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_block, blocks_at_once>>;
  constexpr std::int64_t least_slots = 1024;  // of a chunk, which pays a search for its first slice
  constexpr std::int64_t most_slots = 8192;
  constexpr std::int64_t filling_chunks = 65536;  // several for each place on a large device
  if (slots == 0) return;
  std::int64_t const slots_of_chunk = std::clamp(slots / filling_chunks, least_slots, most_slots);
  int const lanes = lanes_of_slice(slices.slice_height);
  int const threads = device_block / lanes;
  std::int64_t const chunks = (slots + slots_of_chunk - 1) / slots_of_chunk;
  Policy policy(exec, league_size(chunks, threads), threads, lanes);
  int const room_bytes = lanes * widest_value;
  policy.set_scratch_size(0, Kokkos::PerTeam(widest_value), Kokkos::PerThread(room_bytes));
  for_each_team(
      label, policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        void* const room = team.thread_scratch(0).get_shmem_aligned(room_bytes, widest_value);
        std::int64_t const begin =
            (static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank()) * slots_of_chunk;
        std::int64_t const end = Kokkos::min(begin + slots_of_chunk, slots);
        if (begin >= end) return;
        for (std::int64_t s = segment_of(offsets, slice_count, begin); s < slice_count; ++s) {
          auto const first = static_cast<std::int64_t>(offsets[s]);
          if (first >= end) break;
          std::int64_t const height = slices.height(s);
          std::int64_t const lines = short_quotient(static_cast<std::int64_t>(offsets[s + 1]) - first, height);
          if (lines == 0) continue;
          // Slots in the order of blocks of rows, as wide as the lanes, one after the other.
          std::int64_t const of_block = lanes * lines;
          std::int64_t row = begin > first ? short_quotient(begin - first, of_block) * lanes : 0;
          for (; row < height && first + row * lines < end; row += lanes) {
            std::int64_t const rows = Kokkos::min<std::int64_t>(lanes, height - row);
            std::int64_t const from = first + row * lines;
            PaddedTile const tile{.first_row = slices.first(s) + row,
                                  .rows = rows,
                                  .first_slot = first + row,
                                  .stride = height,
                                  .first_line = begin > from ? short_quotient(begin - from + rows - 1, rows) : 0,
                                  .last_line = Kokkos::min(lines, short_quotient(end - from + rows - 1, rows))};
            if (tile.first_line < tile.last_line) body(s, tile, team, room);
          }
        }
      });
}

/// Where the entries of a stored row lie in the source; none past the matrix's end.
template <class Pointers, class Ordinal>
KOKKOS_INLINE_FUNCTION RowSpan padded_span(Pointers const& a, SellOrder<Ordinal> const& order, std::int64_t row) {
  return row < a.rows ? row_span(a, order.source_row(row)) : RowSpan{0, 1, 0};
}

/// write_slices for devices.
template <class Exec, class Ordinal, class Offset, class Pointers, class Target, class Source>
static void write_slices_by_tiles(Exec const& exec, char const* label, SellSlices<Ordinal> const& slices,
                                  std::int64_t slice_count, Offset const* offsets, std::int64_t slots,
                                  SellOrder<Ordinal> const& order, Pointers const& a, Target* out, Source const* source,
                                  bool zeroed) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  int const lanes = lanes_of_slice(slices.slice_height);
  for_each_padded_tile(
      exec, label, slices, slice_count, offsets, slots,
      KOKKOS_LAMBDA(std::int64_t, PaddedTile const& tile, Team const& team, void* room) {
        write_lines(
            team, tile, [&](std::int64_t row) { return padded_span(a, order, row); }, lanes, room, out, source, zeroed);
      });
}

/// Slot t of a stored row becomes entry t of `source`, which lies as a's, or zero where the row has no more.
/// \param offsets  (slices + 1) slots of `out` before each slice
/// \param slots    of all of them, for devices
/// \param zeroed   padding is zero already: devices leave it alone
template <class Exec, class Ordinal, class Offset, class Pointers, class Target, class Source>
static void write_slices(Exec const& exec, char const* label, SellSlices<Ordinal> const& slices,
                         std::int64_t slice_count, Offset const* offsets, std::int64_t slots,
                         SellOrder<Ordinal> const& order, Pointers const& a, Target* out, Source const* source,
                         bool zeroed) {
  if constexpr (is_device_space<Exec>) {
    write_slices_by_tiles(exec, label, slices, slice_count, offsets, slots, order, a, out, source, zeroed);
  } else {
    auto const tile = [=](std::int64_t s, std::int64_t first, std::int64_t last) {
      std::int64_t begin[rows_side_by_side];
      std::int64_t length[rows_side_by_side];
      for (std::int64_t row = first; row < last; ++row) {
        RowSpan const span = padded_span(a, order, row);
        begin[row - first] = span.first;
        length[row - first] = span.count;
      }
      std::int64_t const height = slices.height(s);
      std::int64_t const slot = static_cast<std::int64_t>(offsets[s]) + first - slices.first(s);
      std::int64_t const lines =
          (static_cast<std::int64_t>(offsets[s + 1]) - static_cast<std::int64_t>(offsets[s])) / height;
      write_side_by_side(out + slot, height, lines, last - first, source, begin, length);
    };
    for_each_tile_of_rows(exec, label, slices, slice_count, a.rows, tile);
  }
}

}  // namespace araia::detail
