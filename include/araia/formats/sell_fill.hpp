// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The slots of a Sell from the entries of a Csr: values, and the mask that tells entries from fill.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/formats/sell_access.hpp>
#include <araia/formats/sell_structure.hpp>

namespace araia::detail {

/// The mask, all fill yet; empty where the options need none.
template <class Device, class Exec>
Kokkos::View<std::uint32_t*, Device> new_mask(Exec const& exec, std::int64_t fill, std::int64_t slots,
                                              SellOptions const& options, bool values) {
  if (!sell_needs_mask(fill, options, values)) return {};
  return Kokkos::View<std::uint32_t*, Device>(Kokkos::view_alloc(exec, "araia::sell::stored_mask"),
                                              static_cast<std::size_t>((slots + 31) / 32));
}

/// Where the slots of one row go.
template <class Target, class Source>
struct SlotWriter {
  Target* values;  // or null
  Source const* source;
  std::uint32_t* mask;  // or null
  bool zeroed;          // slots without an entry are zero already

  KOKKOS_INLINE_FUNCTION void entry(std::int64_t k, std::int64_t from) const {
    if (values) values[k] = static_cast<Target>(source[from]);
    if (mask) Kokkos::atomic_or(&mask[k >> 5], std::uint32_t{1} << (k & 31));  // rows share words
  }
  KOKKOS_INLINE_FUNCTION void zero(std::int64_t k) const {
    if (values && !zeroed) values[k] = Target{};
  }
};

/// Hosts: all slots of a stored row with blocks or diagonals: its entries ascend, and so do the slice's diagonals.
template <class B, class A, class Writer>
inline void fill_row(B const& b, A const& a, SellSlice const& slice, std::int64_t l, std::int64_t matrix_row,
                     RowSpan const& span, Writer const& writer) {
  std::int64_t const h = slice.height;
  int const width = b.block_width;
  std::int64_t const first = slice.first_value + l;
  std::int64_t const first_step = first + slice.diagonals * h;
  std::int64_t diagonal = 0;
  std::int64_t t = -1;  // step of the group begun last
  std::int64_t group = -1;
  for (std::int64_t k = span.first; k < span.first + span.count; ++k) {
    std::int64_t const column = a.col_indices[k];
    for (; diagonal < slice.diagonals && b.diagonals[slice.first_diagonal + diagonal] < column - matrix_row; ++diagonal)
      writer.zero(first + diagonal * h);
    if (diagonal < slice.diagonals && b.diagonals[slice.first_diagonal + diagonal] == column - matrix_row) {
      writer.entry(first + diagonal++ * h, k);
      continue;
    }
    if (column / width != group) {
      group = column / width;
      ++t;
      for (int w = 0; w < width; ++w) writer.zero(first_step + (t * width + w) * h);
    }
    writer.entry(first_step + (t * width + column - group * width) * h, k);
  }
  for (; diagonal < slice.diagonals; ++diagonal) writer.zero(first + diagonal * h);
  for (std::int64_t k = (t + 1) * width; k < slice.steps * width; ++k) writer.zero(first_step + k * h);
}

/// Does the slice keep the diagonal?
template <class B>
KOKKOS_INLINE_FUNCTION bool keeps_diagonal(B const& b, SellSlice const& slice, std::int64_t diagonal) {
  using Ordinal = typename B::ordinal_type;
  auto const* const diagonals = b.diagonals + slice.first_diagonal;
  auto const wanted = static_cast<Ordinal>(diagonal);
  std::int64_t const n = first_not_below(diagonals, slice.diagonals, wanted);
  return n < slice.diagonals && diagonals[n] == wanted;
}

/// Slots [first_line, last_line) of a stored row with blocks or diagonals, the diagonals ahead of the blocks: each
/// looks for its column among the row's entries, which ascend as columns do along either. \param span  of the row's
/// entries
template <class B, class A, class Writer>
KOKKOS_INLINE_FUNCTION void gather_lines(B const& b, A const& a, SellSlice const& slice, std::int64_t row,
                                         std::int64_t matrix_row, RowSpan const& span, std::int64_t first_line,
                                         std::int64_t last_line, Writer const& writer) {
  using Ordinal = typename B::ordinal_type;
  constexpr int few = 4;  // entries from one line's to the next that are walked
  auto const* const columns = a.col_indices + span.first;
  std::int64_t const l = row - slice.first_row;
  std::int64_t const length = slice.steps > 0 && row < b.rows ? static_cast<std::int64_t>(b.row_lengths[row]) : 0;
  std::int64_t j = -1;  // entry of the line before, negative where none was looked for
  for (std::int64_t line = first_line; line < last_line; ++line) {
    std::int64_t const slot = slice.first_value + line * slice.height + l;
    std::int64_t column = -1;
    if (line < slice.diagonals) {
      column = matrix_row + b.diagonals[slice.first_diagonal + line];
    } else {
      if (line == slice.diagonals) j = -1;
      std::int64_t const t = (line - slice.diagonals) / b.block_width;
      if (t < length) column = sell_group(b, slice, t, l) * b.block_width + line - slice.diagonals - t * b.block_width;
    }
    bool stored = span.count > 0 && column >= 0 && column < a.cols;
    if (stored) {
      std::int64_t const walked = j < 0 ? 0 : Kokkos::min(span.count, j + few);
      j = Kokkos::max<std::int64_t>(j, 0);
      while (j < walked && static_cast<std::int64_t>(columns[j]) < column) ++j;
      if (j < span.count && static_cast<std::int64_t>(columns[j]) < column)
        j += first_not_below(columns + j, span.count - j, static_cast<Ordinal>(column));
      stored = j < span.count && static_cast<std::int64_t>(columns[j]) == column;
      // What lies on a diagonal leaves fill in a block that others of the row share.
      if (line >= slice.diagonals && slice.diagonals > 0 && b.block_width > 1)
        stored = stored && !keeps_diagonal(b, slice, column - matrix_row);
    }
    if (stored)
      writer.entry(slot, span.first + j);
    else
      writer.zero(slot);
  }
}

/// Devices: fill_slots of blocks or diagonals, slot by slot, so that none is written twice and no row delays another.
template <class Exec, class B, class A, class Ordinal, class Writer>
static void gather_slots(Exec const& exec, B const& b, A const& a, SellSlices<Ordinal> const& slices,
                         SellOrder<Ordinal> const& order, std::int64_t slots, Writer const& writer) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  for_each_piece_of_slots(
      exec, "araia::update_values::sell_gather", slices, b.slices, b.slice_offsets, slots,
      KOKKOS_LAMBDA(std::int64_t s, PaddedPiece const& piece, Team const& team) {
        auto const slice = sell_slice(b, b.block_width, s);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, piece.rows), [&](std::int64_t i) {
          std::int64_t const row = piece.first_row + i;
          gather_lines(b, a, slice, row, row < a.rows ? order.matrix_row(row) : 0, padded_span(a, order, row),
                       piece.first_line, piece.last_line, writer);
        });
      });
}

/// Writes the slots of b from the entries of a; fill and padding are 0.
/// \param values, mask  what to write, either may be empty; the mask must be zero
/// \param zeroed        fill and padding of the values are zero already
template <class Exec, class B, class A, class Values, class Device>
static void fill_slots(Exec const& exec, B const& b, A const& a, bool reordered, std::int64_t slots,
                       Values const& values, Kokkos::View<std::uint32_t*, Device> const& mask, bool zeroed) {
  using Writer = SlotWriter<typename Values::value_type, typename A::value_type>;
  using Ordinal = typename B::ordinal_type;
  if (values.extent(0) == 0 && mask.extent(0) == 0) return;
  SellOrder<Ordinal> const order{b.row_permutation, reordered};
  SellSlices<Ordinal> const slices{b.slice_rows, b.slice_height};
  if (b.block_width == 1 && !b.diagonals) {
    write_slices(exec, "araia::update_values::sell", slices, b.slices, b.slice_offsets, slots, order, a, values.data(),
                 a.values, zeroed);
    return;
  }
  // Hosts write zeros again: that costs less than to ask slot by slot.
  Writer const writer{values.extent(0) != 0 ? values.data() : nullptr, a.values,
                      mask.extent(0) != 0 ? mask.data() : nullptr, is_device_space<Exec> && zeroed};
  if constexpr (is_device_space<Exec>) {
    gather_slots(exec, b, a, slices, order, slots, writer);
  } else {
    auto const write_rows = [=](std::int64_t s, std::int64_t first, std::int64_t last) {
      auto const slice = sell_slice(b, b.block_width, s);
      for (std::int64_t row = first; row < last; ++row)
        fill_row(b, a, slice, row - slice.first_row, row < a.rows ? order.matrix_row(row) : 0,
                 padded_span(a, order, row), writer);
    };
    for_each_tile_of_rows(exec, "araia::update_values::sell_merge", slices, b.slices, b.rows, write_rows);
  }
}

/// Row offsets of the entries in matrix order, and their number. Fences exec.
template <class Exec, class Pointers, class Offsets>
static std::int64_t count_entries(Exec const& exec, Pointers const& a, Offsets const& offsets) {
  using Offset = typename Offsets::non_const_value_type;
  Kokkos::parallel_for(
      "araia::to_csr::counts", IndexRange<Exec>(exec, -1, a.rows), KOKKOS_LAMBDA(std::int64_t row) {
        if (row < 0) {
          offsets(0) = 0;
          return;
        }
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        std::int64_t const to = matrix_row(a, row);
        std::int64_t count = 0;
        if (a.fill == 0 && slice.diagonals == 0 && a.block_width == 1)
          count = a.row_lengths[row];
        else
          sell_for_each_entry(a, slice, row, to, [&](std::int64_t, std::int64_t) { ++count; });
        offsets(to + 1) = static_cast<Offset>(count);
      });
  counts_to_offsets(exec, offsets, a.rows);
  Offset total{};
  Kokkos::deep_copy(exec, total, Kokkos::subview(offsets, static_cast<std::size_t>(a.rows)));
  exec.fence("araia::to_csr::counts");
  return static_cast<std::int64_t>(total);
}

}  // namespace araia::detail
