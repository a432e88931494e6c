// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which rows come together in the slices of a Sell: sorting inside windows, and variable slice heights.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_structure.hpp>

namespace araia::detail {

/// Host: bytes of a key, and of the half that sort_keys takes beside it where it merges.
inline constexpr std::uint64_t sorted_key_bytes = 3 * sizeof(std::uint64_t) / 2;

/// Rows by descending length inside windows of `window` rows, equal lengths in their old order.
template <class Exec, class Ordinal, class Device, class Pointers>
static Kokkos::View<Ordinal const*, Device> sort_inside_windows(Exec const& exec, Pointers const& a,
                                                                std::int64_t window) {
  require_fits<Ordinal>("araia::csr_to_sell: rows - 1 in a permutation", a.rows - 1);
  auto const order = new_array<Ordinal, Device>(exec, "araia::sell::row_permutation", a.rows);
  std::int64_t const longest = longest_row(exec, a.rows, a.row_offsets);
  // A key is (window, longest - length, place in the window) as one number below (rows + window) (longest + 1).
  std::uint64_t const span = static_cast<std::uint64_t>(longest) + 1;
  std::int64_t const used = Kokkos::min(window, a.rows);
  std::uint64_t const beyond = saturating_product(static_cast<std::uint64_t>(a.rows + used), span);
  if (beyond >> 63 != 0)
    throw Error(ErrorKind::resource_limit, "araia::csr_to_sell: rows times longest row is beyond 2^63 for sort_window");
  auto keys = new_keys(exec, "araia::csr_to_sell::keys", a.rows);
  for_each_index(
      "araia::csr_to_sell::keys", IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        auto const shorter = static_cast<std::uint64_t>(longest - row_span(a, row).count);
        keys(row) = (static_cast<std::uint64_t>(row / used) * span + shorter) * static_cast<std::uint64_t>(used) +
                    static_cast<std::uint64_t>(row % used);
      });
  sort_keys(exec, keys, {0, bits_for(static_cast<std::int64_t>(beyond))});
  for_each_index(
      "araia::csr_to_sell::order", IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        order(row) = static_cast<Ordinal>(row / used * used +
                                          static_cast<std::int64_t>(keys(row) % static_cast<std::uint64_t>(used)));
      });
  exec.fence("araia::csr_to_sell::order: keys are released");
  return order;
}

/// Variable heights: every `slice_height` rows are one slice or halves, each again one or halves, down to `least` rows:
/// whatever takes the fewest bytes, the larger slice where equal.
/// \param slot_bits, slice_bits  cost of a slot with its index, and of a slice
template <class Exec, class Ordinal, class Device>
static void partition_rows(Exec const& exec, SellStructure<Ordinal, Device>& b, std::int64_t rows, std::int64_t least,
                           std::int64_t slot_bits, std::int64_t slice_bits) {
  std::int64_t const height = b.slice_height;
  std::int64_t const chunks = (rows + height - 1) / height;
  require_fits<Ordinal>("araia::csr_to_sell: rows in slice_rows", chunks * height);
  int const units = static_cast<int>(height / least);
  auto const starts = new_array<std::uint64_t, Device>(exec, "araia::csr_to_sell::starts", chunks);
  auto const first_slice = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::first_slice", chunks + 1);
  auto const lengths = b.row_lengths;
  for_each_index(
      "araia::csr_to_sell::halve", IndexRange<Exec>(exec, 0, chunks), KOKKOS_LAMBDA(std::int64_t chunk) {
        std::int64_t longest[sell_most_halves];
        std::int64_t cost[sell_most_halves];
        std::uint64_t start = 0;
        for (int u = 0; u < units; ++u) {
          std::int64_t const first = chunk * height + u * least;
          longest[u] = 0;
          for (std::int64_t row = first; row < first + least && row < rows; ++row)
            longest[u] = Kokkos::max(longest[u], static_cast<std::int64_t>(lengths(row)));
          // A slice without rows is none.
          cost[u] = first < rows ? least * longest[u] * slot_bits + slice_bits : 0;
          if (first < rows) start |= std::uint64_t{1} << u;
        }
        for (int width = 1; width < units; width *= 2)
          for (int u = 0; u < units; u += 2 * width) {
            longest[u] = Kokkos::max(longest[u], longest[u + width]);
            std::int64_t const halves = cost[u] + cost[u + width];
            std::int64_t const whole = 2 * width * least * longest[u] * slot_bits + slice_bits;
            bool const halved = cost[u + width] == 0 || halves < whole;
            cost[u] = halved ? halves : whole;
            if (!halved)
              for (int v = u + 1; v < u + 2 * width; ++v) start &= ~(std::uint64_t{1} << v);
          }
        starts(chunk) = start;
      });
  std::int64_t slices = 0;
  scan_indices(
      "araia::csr_to_sell::count_slices", IndexRange<Exec>(exec, 0, chunks),
      KOKKOS_LAMBDA(std::int64_t chunk, std::int64_t & sum, bool final) {
        if (final) first_slice(chunk) = sum;
        sum += Kokkos::popcount(starts(chunk));
      },
      slices);
  exec.fence("araia::csr_to_sell::count_slices");
  b.slices = slices;
  b.slice_rows = new_array<Ordinal, Device>(exec, "araia::sell::slice_rows", slices + 1);
  auto const slice_rows = b.slice_rows;
  for_each_index(
      "araia::csr_to_sell::slice_rows", IndexRange<Exec>(exec, 0, chunks), KOKKOS_LAMBDA(std::int64_t chunk) {
        std::int64_t s = first_slice(chunk);
        for (int u = 0; u < units; ++u)
          if (starts(chunk) >> u & 1u) slice_rows(s++) = static_cast<Ordinal>(chunk * height + u * least);
        if (chunk != chunks - 1) return;
        // The last slice ends with its unit: the next start at or beyond the rows' end.
        std::int64_t const begun = slice_rows(s - 1);
        std::int64_t end = begun + least;
        while (end < rows) end += least;
        slice_rows(s) = static_cast<Ordinal>(end);
      });
  exec.fence("araia::csr_to_sell::slice_rows: starts are released");
}

}  // namespace araia::detail
