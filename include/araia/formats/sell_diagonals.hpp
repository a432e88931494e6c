// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which diagonals a slice of a Sell keeps.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include <araia/assembly/checked.hpp>
#include <araia/assembly/sort_keys.hpp>
#include <araia/error.hpp>
#include <araia/formats/sell_diagonals_host.hpp>
#include <araia/formats/sell_structure.hpp>

namespace araia::detail {

/// Of every slice, by its sorted keys; `seen_of` takes how many diagonals each has.
template <class Exec, class Pointers, class Ordinal, class Device, class Keys>
static void keep_diagonals(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                           Keys const& keys, Kokkos::View<std::int64_t*, Device> const& seen_of, int width,
                           SellCosts const& costs) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  auto const lengths = b.row_lengths;
  auto const steps = b.steps;
  auto const counts = b.diagonals_of;
  auto const cost = costs;
  std::int64_t const rows = a.rows;
  std::uint64_t const span = static_cast<std::uint64_t>(rows + a.cols);
  auto const kept = b.diagonals_found;
  auto const firsts = b.first_entries;
  for_each_slice(
      exec, "araia::csr_to_sell::diagonals", b.slices, b.slice_height, KOKKOS_LAMBDA(std::int64_t s, Team const& team) {
        std::int64_t const first_row = slices.first(s);
        std::int64_t const height = slices.height(s);
        std::int64_t const count = Kokkos::min<std::int64_t>(height, rows - first_row);
        std::int64_t const first = firsts(s);
        std::int64_t const entries = firsts(s + 1) - first;
        std::uint64_t const lowest = static_cast<std::uint64_t>(s) * span;
        std::int64_t const least = cost.least_rows(height);
        auto const begins = [&](std::int64_t i) { return i == 0 || keys(first + i - 1) != keys(first + i); };
        auto const is_full = [&](std::int64_t i) {
          return i + least <= entries && keys(first + i + least - 1) == keys(first + i);
        };
        auto const diagonal_at = [&](std::int64_t i) {
          return static_cast<std::int64_t>(keys(first + i) - lowest) - (rows - 1);
        };
        // The diagonals from the place of the slice's first entry on, ascending.
        auto const keep = [&](bool all) {
          std::int64_t total = 0;
          Kokkos::parallel_scan(
              Kokkos::ThreadVectorRange(team, entries),
              [&](std::int64_t i, std::int64_t& before, bool final) {
                bool const keeps = begins(i) && (all || is_full(i));
                if (final && keeps) kept(first + before) = static_cast<Ordinal>(diagonal_at(i));
                before += keeps ? 1 : 0;
              },
              total);
          Kokkos::memory_fence();  // other lanes read them
          return total;
        };
        std::int64_t const taken = keep(false);
        std::int64_t seen = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, entries),
            [&](std::int64_t i, std::int64_t& sum) { sum += begins(i) ? 1 : 0; }, seen);
        // Column steps of a row without the diagonals taken: both ascend.
        auto const rest_of = [&](std::int64_t i) {
          RowSpan const of_row = row_span(a, order.source_row(first_row + i));
          std::int64_t const row = order.matrix_row(first_row + i);
          std::int64_t length = 0;
          std::int64_t before = -1;
          std::int64_t next = 0;
          for (std::int64_t j = 0; j < of_row.count; ++j) {
            auto const column = static_cast<std::int64_t>(a.col_indices[of_row.first + j]);
            while (next < taken && static_cast<std::int64_t>(kept(first + next)) < column - row) ++next;
            if (next < taken && static_cast<std::int64_t>(kept(first + next)) == column - row) continue;
            std::int64_t const group = width == 1 ? column : column / width;
            length += group != before ? 1 : 0;
            before = group;
          }
          return length;
        };
        std::int64_t longest = steps(s);
        if (taken > 0 && !cost.every)
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, count),
              [&](std::int64_t i, std::int64_t& most) { most = Kokkos::max(most, rest_of(i)); },
              Kokkos::Max<std::int64_t>(longest));
        auto const choice = cost.choose(height, width, steps(s), longest, taken, seen);
        if (choice == SellDiagonals::every) keep(true);
        if (choice != SellDiagonals::none)
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, count), [&](std::int64_t i) {
            lengths(first_row + i) = choice == SellDiagonals::every ? Ordinal{0} : static_cast<Ordinal>(rest_of(i));
          });
        Kokkos::single(Kokkos::PerThread(team), [&] {
          if (choice != SellDiagonals::none) steps(s) = choice == SellDiagonals::every ? 0 : longest;
          seen_of(s) = seen;
          counts(s) = choice == SellDiagonals::every ? seen : choice == SellDiagonals::fullest ? taken : 0;
        });
      });
}

/// find_diagonals for devices: the diagonals of all entries sorted, slice by slice, so that entries on one diagonal lie
/// side by side.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals_by_sorting(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b, int width,
                                      SellCosts const& costs) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  std::int64_t const rows = a.rows;
  // A key is (slice, diagonal); diagonals lie between 1 - rows and cols - 1.
  std::uint64_t const span = static_cast<std::uint64_t>(rows + a.cols);
  std::uint64_t const beyond = saturating_product(static_cast<std::uint64_t>(b.slices), span);
  if (beyond >> 63 != 0)
    throw Error(ErrorKind::resource_limit, "araia::csr_to_sell: " + std::to_string(b.slices) +
                                               " slices of a matrix of " + std::to_string(rows) + " x " +
                                               std::to_string(a.cols) + " have 2^63 diagonals or more between them");
  auto keys = new_keys(exec, "araia::csr_to_sell::diagonal_keys", a.nnz);
  for_each_padded_row(
      exec, "araia::csr_to_sell::diagonal_keys", slices, b.slices, a.nnz, rows,
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t row, Team const& team) {
        if (row >= rows) return;
        RowSpan const entries = row_span(a, order.source_row(row));
        std::uint64_t const lowest =
            static_cast<std::uint64_t>(s) * span + static_cast<std::uint64_t>(rows - 1 - order.matrix_row(row));
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, entries.count), [&](std::int64_t j) {
          keys(entries.first + j) = lowest + static_cast<std::uint64_t>(a.col_indices[entries.first + j]);
        });
      });
  sort_keys(exec, keys, {0, bits_for(static_cast<std::int64_t>(beyond))});
  auto const seen_of = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::all_diagonals", b.slices);
  keep_diagonals(exec, a, b, keys, seen_of, width, costs);
  if (every_diagonal_is_near(exec, b, seen_of, width, costs))
    keep_diagonals(exec, a, b, keys, seen_of, width, costs.with_every());
  exec.fence("araia::csr_to_sell::diagonals: keys are released");
}

/// Entries of the slices before each. Fences exec.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_first_entries(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const entries = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::entries", b.slices);
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
  b.first_entries = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::first_entries", b.slices + 1);
  scan_slices(exec, b.slices, b.first_entries, entries);
}

/// Finds and counts the diagonals that every slice keeps and shortens rows by what lies on them, where that takes the
/// fewest bytes of: no diagonals, those that are fuller than their cost, all of them. All slices keep all of theirs
/// where that takes little more. Cost    O(nnz); on devices radix passes over the bits of slices and diagonals, with 16
/// bytes an entry of workspace;
///         fences exec
/// \throws araia::Error resource_limit where, on devices, slices * (rows + cols) is 2^63 or more
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b, int width,
                           SellCosts const& costs) {
  b.diagonals_of = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::diagonals_of", b.slices);
  b.diagonals_found = new_array<Ordinal, Device>(exec, "araia::csr_to_sell::diagonals_found", a.nnz);
  find_first_entries(exec, a, b);
  if constexpr (is_device_space<Exec>)
    find_diagonals_by_sorting(exec, a, b, width, costs);
  else
    find_diagonals_by_counting(exec, a, b, width, costs);
}

/// The diagonals found, one slice after the other.
template <class Exec, class Ordinal, class Device>
static Kokkos::View<Ordinal*, Device> pack_diagonals(Exec const& exec, SellStructure<Ordinal, Device> const& b) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const diagonals = new_array<Ordinal, Device>(exec, "araia::sell::diagonals", b.diagonals);
  auto const found = b.diagonals_found;
  auto const firsts = b.first_entries;
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
