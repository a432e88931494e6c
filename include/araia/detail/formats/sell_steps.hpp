// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Devices: the column step of every entry of a Csr that becomes a Sell with blocks or diagonals. Flags and one sum over
// all entries, so that a long row delays no lane.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/assembly/sum_before.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/sell_structure.hpp>

namespace araia::detail {

/// Counts of steps, no more than entries, in a type that sum_before takes.
template <class Pointers>
using StepCount =
    std::conditional_t<sizeof(typename Pointers::size_type) <= 4 && std::is_signed_v<typename Pointers::size_type>,
                       std::int32_t, std::int64_t>;

/// Devices: column steps that begin before each entry of A, (nnz + 1): without diagonals, where b may have some beside
/// the fullest of every slice, and beside those it keeps once blocks are written.
template <class Pointers, class Ordinal, class Device>
Kokkos::View<StepCount<Pointers>*, Device> entry_steps(Pointers const& a, SellStructure<Ordinal, Device> const& b) {
  return {reinterpret_cast<StepCount<Pointers>*>(b.entry_steps.data()), static_cast<std::size_t>(a.nnz + 1)};
}

/// Where the rows of the source lie in a Sell.
template <class Ordinal, class Device>
struct SellPlaces {
  SellOrder<Ordinal> order;
  SellSlices<Ordinal> slices;
  std::int64_t slice_count;
  Kokkos::View<Ordinal*, Device> stored{};  // (rows) where the order sorts them, else empty

  KOKKOS_INLINE_FUNCTION std::int64_t stored_row(std::int64_t row) const {
    return order.reordered ? static_cast<std::int64_t>(stored(row)) : row;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t slice_of(std::int64_t stored_row) const {
    return slices.slice_rows ? segment_of(slices.slice_rows, slice_count, stored_row)
                             : short_quotient(stored_row, slices.slice_height);
  }
  KOKKOS_INLINE_FUNCTION std::int64_t matrix_row(std::int64_t row) const {
    return order.reordered ? row : order.matrix_row(row);
  }
};

template <class Exec, class Ordinal, class Device>
static SellPlaces<Ordinal, Device> sell_places(Exec const& exec, SellStructure<Ordinal, Device> const& b,
                                               std::int64_t rows) {
  SellPlaces<Ordinal, Device> places{b.order(), b.slice_shapes(), b.slices};
  if (!b.reordered) return places;
  auto const stored = new_array<Ordinal, Device>(exec, "araia::csr_to_sell::stored_rows", rows);
  auto const order = places.order;
  for_each_index(
      "araia::csr_to_sell::stored_rows", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t row) { stored(order.source_row(row)) = static_cast<Ordinal>(row); });
  places.stored = stored;
  return places;
}

/// Is a column of a row on one of the diagonals that its slice keeps? Those of slice s ascend from
/// diagonals[offsets[s]] on.
template <class Ordinal, class Device>
struct OnDiagonal {
  SellPlaces<Ordinal, Device> places;
  Ordinal const* diagonals = nullptr;
  std::int64_t const* offsets = nullptr;  // null: no slice keeps any

  KOKKOS_INLINE_FUNCTION bool operator()(std::int64_t row, std::int64_t column) const {
    if (!offsets) return false;
    std::int64_t const s = places.slice_of(places.stored_row(row));
    std::int64_t const first = offsets[s];
    std::int64_t const count = offsets[s + 1] - first;
    if (count == 0) return false;
    auto const wanted = static_cast<Ordinal>(column - places.matrix_row(row));
    std::int64_t const n = first_not_below(diagonals + first, count, wanted);
    return n < count && diagonals[first + n] == wanted;
  }
};

/// steps(k), (nnz + 1): column steps that begin before each entry of A. An entry off the diagonals begins one where no
/// other of its row and group of `width` columns does before it. Rows ascend.
template <class Exec, class Pointers, class Ordinal, class Device, class Steps>
static void find_steps_before(Exec const& exec, Pointers const& a, int width,
                              OnDiagonal<Ordinal, Device> const& on_diagonal, Steps const& steps) {
  using Offset = typename Steps::non_const_value_type;
  for_each_row_entry(
      exec, "araia::csr_to_sell::steps_begin", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        std::int64_t const column = a.col_indices[k];
        bool begins = !on_diagonal(row, column);
        for (std::int64_t i = 1; begins && i < width && i <= j; ++i) {
          std::int64_t const before = a.col_indices[k - i];
          if (before / width != column / width) break;
          begins = on_diagonal(row, before);
        }
        steps(k) = begins ? Offset{1} : Offset{0};
      });
  fill_array(exec, steps.data() + a.nnz, 1, 0);
  sum_before(exec, steps.data(), a.nnz + 1);
}

/// row_lengths of b, rows in the order of the Sell, from the steps before every entry.
template <class Exec, class Pointers, class Ordinal, class Device, class Steps>
static void row_lengths_from(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                             Steps const& steps) {
  auto const order = b.order();
  auto const lengths = b.row_lengths;
  for_each_index(
      "araia::csr_to_sell::row_lengths", IndexRange<Exec>(exec, 0, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        std::int64_t const from = order.source_row(row);
        lengths(row) = static_cast<Ordinal>(steps(a.row_offsets[from + 1]) - steps(a.row_offsets[from]));
      });
}

}  // namespace araia::detail
