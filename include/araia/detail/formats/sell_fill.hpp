// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The slots of a Sell from the entries of a Csr: values, and the mask that tells entries from fill.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/sell_structure.hpp>

namespace araia::detail {

/// The mask, all fill yet; empty where the options need none.
template <class Device, class Exec>
Kokkos::View<std::uint32_t*, Device> new_mask(Exec const& exec, std::int64_t fill, std::int64_t slots,
                                              SellOptions const& options, bool values) {
  if (!sell_needs_mask(fill, options, values)) return {};
  return zeroed_view<Kokkos::View<std::uint32_t*, Device>>(exec, "araia::sell::stored_mask", (slots + 31) / 32);
}

/// Where the slots of one row go.
template <class Target, class Source>
struct SlotWriter {
  using value_type = Target;
  Target* values;  // or null
  Source const* source;
  std::uint32_t* mask;  // or null
  bool zeroed;          // slots without an entry are zero already

  KOKKOS_INLINE_FUNCTION void entry(std::int64_t k, std::int64_t from) const {
    if (values) values[k] = static_cast<Target>(source[from]);
    mark(k);
  }
  KOKKOS_INLINE_FUNCTION void mark(std::int64_t k) const {
    if (mask) Kokkos::atomic_or(&mask[k >> 5], std::uint32_t{1} << (k & 31));  // rows share words
  }
  KOKKOS_INLINE_FUNCTION void zero(std::int64_t k) const {
    if (values && !zeroed) values[k] = Target{};
  }
  /// \param j  entry of the row whose entries lie there, or -1
  KOKKOS_INLINE_FUNCTION void put(std::int64_t k, RowSpan const& row, std::int64_t j) const {
    if (j >= 0)
      entry(k, row.first + j);
    else
      zero(k);
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

/// Entries of a row by columns that ascend. The column of the entry that comes next stays in a register: most lines
/// that are asked for lie before it, and cost one comparison.
template <class A>
struct EntryWalk {
  using Ordinal = typename A::ordinal_type;
  static constexpr std::int64_t none_left = std::numeric_limits<std::int64_t>::max();
  Ordinal const* columns;
  std::int64_t count;
  std::int64_t near;    // entry that comes next: none before it lies in a column that will be asked for
  std::int64_t column;  // its column

  /// \param span  of the row's entries, which ascend
  KOKKOS_INLINE_FUNCTION EntryWalk(A const& a, RowSpan const& span, std::int64_t near_)
      : columns(a.col_indices + span.first), count(span.count), near(near_), column(column_of(near_)) {}

  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t column_of(std::int64_t entry) const {
    return entry < count ? static_cast<std::int64_t>(columns[entry]) : none_left;
  }

  /// Entry in a column, counted from the row's first, or -1. \param wanted  of any row's: not below those before
  KOKKOS_INLINE_FUNCTION std::int64_t in(std::int64_t wanted) {
    constexpr int few = 4;  // entries that are walked before a search
    if (column < wanted) {
      for (int step = 0; step < few && column < wanted; ++step) column = column_of(++near);
      if (column < wanted) {
        std::int64_t const left = count - near;
        // Columns of a row fit its type, so beyond the largest lies none.
        near += wanted > static_cast<std::int64_t>(columns[count - 1])
                    ? left
                    : first_not_below(columns + near, left, static_cast<Ordinal>(wanted));
        column = column_of(near);
      }
    }
    return column == wanted ? near : -1;
  }
};

/// A stored row with blocks or diagonals, line by line: the diagonals ahead of the blocks.
template <class B, class A>
struct SellRowLines {
  B const& b;
  A const& a;
  SellSlice const& slice;
  std::int64_t row;  // stored
  std::int64_t matrix_row;
  RowSpan span;         // of its entries, which ascend
  std::int64_t length;  // its groups of columns

  KOKKOS_INLINE_FUNCTION SellRowLines(B const& b_, A const& a_, SellSlice const& slice_,
                                      SellOrder<typename B::ordinal_type> const& order, std::int64_t row_)
      : b(b_),
        a(a_),
        slice(slice_),
        row(row_),
        matrix_row(row_ < a_.rows ? order.matrix_row(row_) : 0),
        span(padded_span(a_, order, row_)),
        length(slice_.steps > 0 && row_ < b_.rows ? static_cast<std::int64_t>(b_.row_lengths[row_]) : 0) {}

  /// Lines from the slice's first that may hold entries.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t lines() const {
    return row < b.rows ? slice.diagonals + length * b.block_width : 0;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t step_of(std::int64_t line) const {
    return short_quotient(line - slice.diagonals, b.block_width);
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t group(std::int64_t t) const {
    return t < length ? sell_group(b, slice, t, row - slice.first_row) : -1;
  }
  /// Entry on the diagonal of a line, counted from the row's first, or -1.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t on_diagonal(std::int64_t line, EntryWalk<A>& walk) const {
    return walk.in(matrix_row + b.diagonals[slice.first_diagonal + line]);
  }
  /// The row's entries from one on.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION EntryWalk<A> walk_from(std::int64_t entry) const { return {a, span, entry}; }
  /// Entry in column `w` of a group, or -1. What lies on a diagonal leaves fill in a block that others of the row
  /// share.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t in_group(std::int64_t group, std::int64_t w,
                                                             EntryWalk<A>& walk) const {
    if (group < 0) return -1;
    std::int64_t const column = group * b.block_width + w;
    std::int64_t const j = walk.in(column);
    if (slice.diagonals > 0 && b.block_width > 1 && j >= 0 && keeps_diagonal(b, slice, column - matrix_row)) return -1;
    return j;
  }
  /// Entry of any line.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t at(std::int64_t line) const {
    bool const diagonal = line < slice.diagonals;
    std::int64_t const t = diagonal ? 0 : step_of(line);
    auto walk = walk_from(t);  // each group before has an entry at least
    return diagonal ? on_diagonal(line, walk) : in_group(group(t), line - slice.diagonals - t * b.block_width, walk);
  }
};

/// Devices: lines [first_line, last_line) of a row.
template <class Row, class Writer>
KOKKOS_INLINE_FUNCTION void gather_lines(Row const& row, std::int64_t first_line, std::int64_t last_line,
                                         Writer const& writer) {
  std::int64_t const height = row.slice.height;
  std::int64_t slot = row.slice.first_value + first_line * height + row.row - row.slice.first_row;
  std::int64_t line = first_line;
  std::int64_t const diagonals = Kokkos::min(last_line, row.slice.diagonals);
  if (line < diagonals)
    for (auto walk = row.walk_from(0); line < diagonals; ++line, slot += height)
      writer.put(slot, row.span, row.on_diagonal(line, walk));
  if (line >= last_line) return;
  int const width = row.b.block_width;
  std::int64_t t = row.step_of(line);
  auto walk = row.walk_from(t);  // each group before has an entry at least
  int w = static_cast<int>(line - row.slice.diagonals - t * width);
  std::int64_t group = row.group(t);
  for (; line < last_line; ++line, slot += height) {
    writer.put(slot, row.span, row.in_group(group, w, walk));
    if (++w == width) {
      w = 0;
      group = row.group(++t);
    }
  }
}

/// Devices: fill_slots of blocks or diagonals, slot by slot, so that none is written twice and no row delays another.
/// Where a row is left alone, lanes look for its entries side by side.
template <class Exec, class B, class A, class Ordinal, class Writer>
static void gather_slots(Exec const& exec, B const& b, A const& a, SellSlices<Ordinal> const& slices,
                         SellOrder<Ordinal> const& order, std::int64_t slots, Writer const& writer) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Target = typename Writer::value_type;
  using Row = SellRowLines<B, A>;
  int const lanes = lanes_of_slice(slices.slice_height);
  for_each_padded_tile(
      exec, "araia::update_values::sell_gather", slices, b.slices, b.slice_offsets, slots,
      KOKKOS_LAMBDA(std::int64_t s, PaddedTile const& tile, Team const& team, void* room) {
        auto const slice = sell_slice(b, b.block_width, s);
        if (slice.diagonals == 0 && b.block_width == 1 && !writer.mask) {
          if (writer.values)
            write_lines(
                team, tile, [&](std::int64_t row) { return padded_span(a, order, row); }, lanes, room, writer.values,
                writer.source, writer.zeroed);
          return;
        }
        auto const row_of = [&](std::int64_t i) { return Row(b, a, slice, order, tile.first_row + i); };
        auto const lone = lone_lines(team, tile, lanes, [&](std::int64_t i) { return row_of(i).lines(); });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile.rows),
                             [&](std::int64_t i) { gather_lines(row_of(i), tile.first_line, lone.from, writer); });
        Row const row = row_of(lone.row);
        write_lone_lines(team, tile, lone, lanes, room, writer.values, writer.zeroed, [&](std::int64_t line) {
          std::int64_t const j = row.at(line);
          if (j < 0) return Target{};
          writer.mark(tile.first_slot + line * tile.stride + lone.row);
          return writer.values ? static_cast<Target>(writer.source[row.span.first + j]) : Target{};
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
  for_each_index(
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
  return static_cast<std::int64_t>(value_at(exec, "araia::to_csr::counts", offsets.data() + a.rows));
}

}  // namespace araia::detail
