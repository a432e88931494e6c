// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which diagonals a slice of a Sell keeps.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_diagonals_host.hpp>
#include <araia/detail/formats/sell_steps.hpp>
#include <araia/detail/formats/sell_structure.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// Ascending places i of [0, count) where holds(i), and `count` after them. Fences exec.
/// \param before  (count + 1) workspace
template <class Device, class Exec, class Holds>
static Kokkos::View<std::int64_t*, Device> places_where(Exec const& exec, char const* label, std::int64_t count,
                                                        Holds const& holds, std::int64_t* before) {
  for_each_index(
      label, IndexRange<Exec>(exec, 0, count + 1),
      KOKKOS_LAMBDA(std::int64_t i) { before[i] = i < count && holds(i) ? 1 : 0; });
  sum_before(exec, before, count + 1);
  std::int64_t const found = value_at(exec, label, before + count);
  auto const places = new_array<std::int64_t, Device>(exec, label, found + 1);
  for_each_index(
      label, IndexRange<Exec>(exec, 0, count + 1), KOKKOS_LAMBDA(std::int64_t i) {
        if (i == count || before[i + 1] != before[i]) places(before[i]) = i;
      });
  return places;
}

/// first (slices + 1): the first of `count` items, whose keys ascend, that belongs to each slice or to one after it.
template <class Device, class Exec, class Key>
static void first_of_slices(Exec const& exec, std::int64_t slices, int diagonal_bits, std::int64_t count,
                            Key const& key, Kokkos::View<std::int64_t*, Device> const& first) {
  for_each_index(
      "araia::csr_to_sell::first_of_slices", IndexRange<Exec>(exec, 0, slices + 1), KOKKOS_LAMBDA(std::int64_t s) {
        std::uint64_t const lowest = static_cast<std::uint64_t>(s) << diagonal_bits;
        std::int64_t low = 0;
        std::int64_t high = count;
        while (low < high) {
          std::int64_t const middle = low + (high - low) / 2;
          if (key(middle) < lowest)
            low = middle + 1;
          else
            high = middle;
        }
        first(s) = low;
      });
}

/// find_diagonals for devices: the diagonals of all entries sorted, slice by slice, so that entries on one diagonal lie
/// side by side; then every step goes over entries, diagonals or slices, none along a row or a slice.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals_by_sorting(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b, int width,
                                      SellCosts const& costs) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  exec.fence("araia::csr_to_sell: steps without diagonals are released");
  b.entry_steps = {};
  auto const places = sell_places(exec, b, a.rows);
  auto const slices = places.slices;
  std::int64_t const rows = a.rows;
  // A key is (slice, diagonal); diagonals lie between 1 - rows and cols - 1. A division of 64 bits costs a device more
  // than an entry's other steps together, so each part has bits of its own.
  int const diagonal_bits = bits_for(std::max<std::int64_t>(rows + a.cols - 2, 0));
  int const key_bits = diagonal_bits + bits_for(std::max<std::int64_t>(b.slices - 1, 0));
  if (key_bits > 63)  // first_of_slices shifts the number of slices too, which may have a bit more
    throw Error(ErrorKind::resource_limit, "araia::csr_to_sell: diagonals of " + std::to_string(b.slices) +
                                               " slices of a matrix of " + std::to_string(rows) + " x " +
                                               std::to_string(a.cols) + " need keys of " + std::to_string(key_bits) +
                                               " bits, the limit is 63");
  std::uint64_t const diagonal_mask = (std::uint64_t{1} << diagonal_bits) - 1;
  // Two arrays: of the sort, then of the sorted keys and of all else, which needs one element more.
  using Keys = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;
  auto const room_for_keys = [&](char const* label) -> Keys {
    return Kokkos::subview(new_keys(exec, label, a.nnz + 1), Kokkos::pair<std::int64_t, std::int64_t>(0, a.nnz));
  };
  Keys keys = room_for_keys("araia::csr_to_sell::diagonal_keys");
  Keys other = room_for_keys("araia::csr_to_sell::workspace");
  for_each_row_entry(
      exec, "araia::csr_to_sell::diagonal_keys", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        std::int64_t const s = places.slice_of(places.stored_row(row));
        keys(k) = static_cast<std::uint64_t>(s) << diagonal_bits |
                  static_cast<std::uint64_t>(rows - 1 - places.matrix_row(row) + a.col_indices[k]);
      });
  sort_keys(exec, keys, other, {0, key_bits});

  // Runs of equal keys are diagonals; those of enough rows are the fullest.
  auto* const workspace = reinterpret_cast<std::int64_t*>(other.data());
  auto const diagonals = places_where<Device>(
      exec, "araia::csr_to_sell::diagonals", a.nnz,
      KOKKOS_LAMBDA(std::int64_t i) { return i == 0 || keys(i - 1) != keys(i); }, workspace);
  auto const seen = static_cast<std::int64_t>(diagonals.extent(0)) - 1;
  auto const cost = costs;
  auto const fullest = places_where<Device>(
      exec, "araia::csr_to_sell::fullest_diagonals", seen,
      KOKKOS_LAMBDA(std::int64_t d) {
        std::int64_t const height = slices.height(static_cast<std::int64_t>(keys(diagonals(d)) >> diagonal_bits));
        return diagonals(d + 1) - diagonals(d) >= cost.least_rows(height);
      },
      workspace);
  auto const taken = static_cast<std::int64_t>(fullest.extent(0)) - 1;
  auto const first_seen = b.arrays.next(exec, b.slices);
  auto const first_taken = b.arrays.next(exec, b.slices);
  first_of_slices(
      exec, b.slices, diagonal_bits, seen, KOKKOS_LAMBDA(std::int64_t d) { return keys(diagonals(d)); }, first_seen);
  first_of_slices(
      exec, b.slices, diagonal_bits, taken, KOKKOS_LAMBDA(std::int64_t n) { return keys(diagonals(fullest(n))); },
      first_taken);
  auto const number_of = KOKKOS_LAMBDA(std::int64_t d) {
    return static_cast<Ordinal>(static_cast<std::int64_t>(keys(diagonals(d)) & diagonal_mask) - (rows - 1));
  };
  auto const kept = new_array<Ordinal, Device>(exec, "araia::csr_to_sell::kept_diagonals", taken);
  for_each_index(
      "araia::csr_to_sell::kept_diagonals", IndexRange<Exec>(exec, 0, taken),
      KOKKOS_LAMBDA(std::int64_t n) { kept(n) = number_of(fullest(n)); });

  // What the fullest leave of each row, and what that makes of each slice.
  b.entry_steps = other;
  auto const left = entry_steps(a, b);
  find_steps_before(exec, a, width,
                    OnDiagonal<Ordinal, Device>{places, kept.data(), taken > 0 ? first_taken.data() : nullptr}, left);
  auto const lengths = b.row_lengths;
  auto const steps = b.steps;
  auto const counts = b.diagonals_of;
  auto const seen_of = b.diagonals_seen = b.arrays.next(exec, b.slices);
  for_each_slice(
      exec, "araia::csr_to_sell::choose_diagonals", b.slices, b.slice_height,
      KOKKOS_LAMBDA(std::int64_t s, Team const& team) {
        std::int64_t const first_row = slices.first(s);
        std::int64_t const height = slices.height(s);
        std::int64_t const count = Kokkos::min<std::int64_t>(height, rows - first_row);
        auto const length_left = [&](std::int64_t i) {
          std::int64_t const from = places.order.source_row(first_row + i);
          return static_cast<std::int64_t>(left(a.row_offsets[from + 1]) - left(a.row_offsets[from]));
        };
        std::int64_t longest = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count),
            [&](std::int64_t i, std::int64_t& most) { most = Kokkos::max(most, length_left(i)); },
            Kokkos::Max<std::int64_t>(longest));
        std::int64_t const all = first_seen(s + 1) - first_seen(s);
        std::int64_t const some = first_taken(s + 1) - first_taken(s);
        auto const choice = cost.choose(height, width, steps(s), longest, some, all);
        if (choice != SellDiagonals::none)
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count), [&](std::int64_t i) {
            lengths(first_row + i) = choice == SellDiagonals::every ? Ordinal{0} : static_cast<Ordinal>(length_left(i));
          });
        Kokkos::single(Kokkos::PerThread(team), [&] {
          if (choice != SellDiagonals::none) steps(s) = choice == SellDiagonals::every ? 0 : longest;
          seen_of(s) = all;
          counts(s) = choice == SellDiagonals::every ? all : choice == SellDiagonals::fullest ? some : 0;
        });
      });
  if (every_diagonal_is_near(exec, b, seen_of, width, costs)) {
    fill_array(exec, lengths, Ordinal{0});
    fill_array(exec, steps, 0);
    copy_array(exec, counts, seen_of);
  }

  // A slice keeps all of its diagonals, or the fullest, or none.
  b.first_found = b.arrays.next(exec, b.slices);
  std::int64_t const total = scan_slices(exec, b.slices, b.first_found, counts);
  b.diagonals_found = new_array<Ordinal, Device>(exec, "araia::sell::diagonals", total);
  auto const found = b.diagonals_found;
  auto const firsts = b.first_found;
  for_each_index(
      "araia::csr_to_sell::keep_diagonals", IndexRange<Exec>(exec, 0, seen + taken), KOKKOS_LAMBDA(std::int64_t i) {
        bool const of_all = i < seen;
        std::int64_t const d = of_all ? i : fullest(i - seen);
        auto const s = static_cast<std::int64_t>(keys(diagonals(d)) >> diagonal_bits);
        bool const keeps_all = counts(s) == seen_of(s);
        if (counts(s) == 0 || keeps_all != of_all) return;
        std::int64_t const n = of_all ? i - first_seen(s) : i - seen - first_taken(s);
        found(firsts(s) + n) = number_of(d);
      });
  exec.fence("araia::csr_to_sell::diagonals: keys are released");
}

/// Hosts: entries of the slices before each. Fences exec.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_first_entries(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const entries = b.arrays.next(exec, b.slices);
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  for_each_slice(
      exec, "araia::csr_to_sell::entries", b.slices, b.slice_height, KOKKOS_LAMBDA(std::int64_t s, Team const& team) {
        std::int64_t const first = slices.first(s);
        std::int64_t const count = Kokkos::min<std::int64_t>(slices.height(s), a.rows - first);
        std::int64_t total = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count),
            [&](std::int64_t i, std::int64_t& sum) { sum += row_span(a, order.source_row(first + i)).count; }, total);
        Kokkos::single(Kokkos::PerThread(team), [&] { entries(s) = total; });
      });
  b.first_found = b.arrays.next(exec, b.slices);
  scan_slices(exec, b.slices, b.first_found, entries);
}

/// Finds and counts the diagonals that every slice keeps and shortens rows by what lies on them, where that takes the
/// fewest bytes of: no diagonals, those that are fuller than their cost, all of them. All slices keep all of theirs
/// where that takes little more.
/// Cost    O(nnz); on devices radix passes over the bits of slices and diagonals, with up to 24 bytes an entry of
///         workspace; fences exec
/// \throws araia::Error resource_limit where, on devices, a slice and a diagonal take more than 63 bits together
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b, int width,
                           SellCosts const& costs) {
  b.diagonals_of = b.arrays.next(exec, b.slices);
  if constexpr (is_device_space<Exec>) {
    find_diagonals_by_sorting(exec, a, b, width, costs);
  } else {
    // Each slice has room for as many diagonals as entries.
    b.diagonals_found = new_array<Ordinal, Device>(exec, "araia::csr_to_sell::diagonals_found", a.nnz);
    find_first_entries(exec, a, b);
    find_diagonals_by_counting(exec, a, b, width, costs);
  }
}

/// The diagonals found, one slice after the other.
template <class Exec, class Ordinal, class Device>
static Kokkos::View<Ordinal*, Device> pack_diagonals(Exec const& exec, SellStructure<Ordinal, Device> const& b) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  if (static_cast<std::int64_t>(b.diagonals_found.extent(0)) == b.diagonals) return b.diagonals_found;
  auto const diagonals = new_array<Ordinal, Device>(exec, "araia::sell::diagonals", b.diagonals);
  auto const found = b.diagonals_found;
  auto const firsts = b.first_found;
  auto const offsets = b.diagonal_offsets;
  auto const counts = b.diagonals_of;
  for_each_slice(
      exec, "araia::csr_to_sell::pack_diagonals", b.slices, b.slice_height,
      KOKKOS_LAMBDA(std::int64_t s, Team const& team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, counts(s)),
                             [&](std::int64_t n) { diagonals(offsets(s) + n) = found(firsts(s) + n); });
      });
  return diagonals;
}

}  // namespace araia::detail
