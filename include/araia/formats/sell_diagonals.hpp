// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which diagonals a slice of a Sell keeps: all rows of the slice are walked at once by ascending column - row.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <araia/formats/sell_diagonals_host.hpp>
#include <araia/formats/sell_structure.hpp>

namespace araia::detail {

/// Rows of a slice side by side, each at its next entry: the diagonal that the entry lies on, and its place.
template <class Ordinal, class Offset>
struct DiagonalCursors {
  using Diagonal = std::conditional_t<sizeof(Ordinal) <= 4, std::int32_t, std::int64_t>;
  static constexpr Diagonal none = std::numeric_limits<Diagonal>::max();  // cols - 1 at most occurs
  Diagonal* diagonal;
  Offset* place;
  Ordinal* length;  // column steps outside the diagonals taken
  Ordinal* group;   // last column group among them, -1 before the first

  /// Arrays of `height` in memory of bytes(height), aligned to 8.
  KOKKOS_INLINE_FUNCTION DiagonalCursors(char* memory, std::int64_t height) {
    place = reinterpret_cast<Offset*>(memory);
    diagonal = reinterpret_cast<Diagonal*>(memory += padded(height * std::int64_t{sizeof(Offset)}));
    length = reinterpret_cast<Ordinal*>(memory += padded(height * std::int64_t{sizeof(Diagonal)}));
    group = reinterpret_cast<Ordinal*>(memory + padded(height * std::int64_t{sizeof(Ordinal)}));
  }

  static std::size_t bytes(std::int64_t height) {
    return static_cast<std::size_t>(padded(height * std::int64_t{sizeof(Offset)}) +
                                    padded(height * std::int64_t{sizeof(Diagonal)}) +
                                    2 * padded(height * std::int64_t{sizeof(Ordinal)}));
  }

  KOKKOS_INLINE_FUNCTION static std::int64_t padded(std::int64_t bytes) { return (bytes + 7) / 8 * 8; }
};

/// find_diagonals for devices: a cursor a row, all in step.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals_by_cursors(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                                      int width, SellCosts const& costs,
                                      Kokkos::View<Ordinal*, Device> const& diagonals) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Cursors = DiagonalCursors<Ordinal, typename Pointers::size_type>;
  using Diagonal = typename Cursors::Diagonal;
  bool const writes = diagonals.extent(0) != 0;
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  auto const lengths = b.row_lengths;
  auto const steps = b.steps;
  auto const counts = b.diagonals_of;
  auto const offsets = b.diagonal_offsets;
  auto const cost = costs;
  std::int64_t const tallest = b.slice_height;
  for_each_slice(
      exec, "araia::csr_to_sell::diagonals", b.slices, b.slice_height, Cursors::bytes(b.slice_height),
      KOKKOS_LAMBDA(std::int64_t s, Team const& team, char* own) {
        std::int64_t const first_row = slices.first(s);
        int const height = static_cast<int>(slices.height(s));
        int const count = static_cast<int>(Kokkos::min<std::int64_t>(height, a.rows - first_row));
        if (writes && counts(s) == 0) return;
        Cursors const cursors(own, tallest);
        Diagonal next = Cursors::none;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count),
            [&](int i, Diagonal& least) {
              std::int64_t const from = order.source_row(first_row + i);
              cursors.place[i] = a.row_offsets[from];
              cursors.length[i] = 0;
              cursors.group[i] = -1;
              cursors.diagonal[i] =
                  a.row_offsets[from] < a.row_offsets[from + 1]
                      ? static_cast<Diagonal>(a.col_indices[a.row_offsets[from]] - order.matrix_row(first_row + i))
                      : Cursors::none;
              least = Kokkos::min(least, cursors.diagonal[i]);
            },
            Kokkos::Min<Diagonal>(next));
        bool const takes_all = writes && steps(s) == 0;
        std::int64_t seen = 0;
        std::int64_t taken = 0;
        while (next != Cursors::none) {
          Diagonal const current = next;
          int entries = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, count), [&](int i, int& sum) { sum += cursors.diagonal[i] == current; },
              entries);
          bool const takes = takes_all || entries * (cost.value + cost.column) > height * cost.value + cost.diagonal;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, count),
              [&](int i, Diagonal& least) {
                if (cursors.diagonal[i] == current) {
                  std::int64_t const row = order.matrix_row(first_row + i);
                  if (!takes) {
                    auto const group = static_cast<Ordinal>((current + row) / width);
                    if (width == 1 || group != cursors.group[i]) cursors.length[i] += 1;
                    cursors.group[i] = group;
                  }
                  auto const place = ++cursors.place[i];
                  std::int64_t const from = order.source_row(first_row + i);
                  cursors.diagonal[i] = place < a.row_offsets[from + 1]
                                            ? static_cast<Diagonal>(a.col_indices[place] - row)
                                            : Cursors::none;
                }
                least = Kokkos::min(least, cursors.diagonal[i]);
              },
              Kokkos::Min<Diagonal>(next));
          if (writes && takes)
            Kokkos::single(Kokkos::PerThread(team),
                           [&] { diagonals(offsets(s) + taken) = static_cast<Ordinal>(current); });
          ++seen;
          taken += takes;
        }
        if (writes) return;
        std::int64_t longest = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count),
            [&](int i, std::int64_t& most) { most = Kokkos::max<std::int64_t>(most, cursors.length[i]); },
            Kokkos::Max<std::int64_t>(longest));
        std::int64_t const of_step = height * (width * cost.value + cost.column);
        std::int64_t const of_diagonal = height * cost.value + cost.diagonal;
        std::int64_t const without = steps(s) * of_step;
        std::int64_t const some = longest * of_step + taken * of_diagonal;
        std::int64_t const all = seen * of_diagonal;
        bool const takes_every = all < without && all < some;
        bool const takes_some = !takes_every && some < without;
        if (takes_every || takes_some)
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count),
                               [&](int i) { lengths(first_row + i) = takes_every ? Ordinal{0} : cursors.length[i]; });
        Kokkos::single(Kokkos::PerThread(team), [&] {
          if (takes_every || takes_some) steps(s) = takes_every ? 0 : longest;
          counts(s) = takes_every ? seen : takes_some ? taken : 0;
        });
      });
}

/// Counts the diagonals of every slice and shortens rows by what lies on them, where that takes the fewest bytes of:
/// no diagonals, those that are fuller than their cost, all of them. With `diagonals` given, writes them instead.
///
/// A diagonal is fuller than its cost if its entries, as columns, would take more bits than it does. A lone entry may
/// still be dearer as a column, which widens the whole slice: then all diagonals win.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b, int width,
                           SellCosts const& costs, Kokkos::View<Ordinal*, Device> const& diagonals) {
  if constexpr (is_device_space<Exec>)
    find_diagonals_by_cursors(exec, a, b, width, costs, diagonals);
  else
    find_diagonals_on_host(exec, a, b, width, costs, diagonals);
}

}  // namespace araia::detail
