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
  bool zeroed = false;  // values are zero already

  KOKKOS_INLINE_FUNCTION void entry(std::int64_t k, std::int64_t from) const {
    if (values) values[k] = static_cast<Target>(source[from]);
    if (mask) Kokkos::atomic_or(&mask[k >> 5], std::uint32_t{1} << (k & 31));  // rows share words
  }
  KOKKOS_INLINE_FUNCTION void zero(std::int64_t k) const {
    if (values && !zeroed) values[k] = Target{};
  }
};

/// All slots of a stored row with blocks or diagonals: its entries ascend, and so do the slice's diagonals.
template <class B, class A, class Writer>
KOKKOS_INLINE_FUNCTION void fill_row(B const& b, A const& a, SellSlice const& slice, std::int64_t l,
                                     std::int64_t matrix_row, std::int64_t begin, std::int64_t end,
                                     Writer const& writer) {
  std::int64_t const h = slice.height;
  int const width = b.block_width;
  std::int64_t const first = slice.first_value + l;
  std::int64_t const first_step = first + slice.diagonals * h;
  std::int64_t diagonal = 0;
  std::int64_t t = -1;  // step of the group begun last
  std::int64_t group = -1;
  for (std::int64_t k = begin; k < end; ++k) {
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
  if (writer.zeroed) return;
  for (; diagonal < slice.diagonals; ++diagonal) writer.zero(first + diagonal * h);
  for (std::int64_t k = (t + 1) * width; k < slice.steps * width; ++k) writer.zero(first_step + k * h);
}

/// The slot of entry j of a stored row with blocks or diagonals: by bisection among the slice's diagonals, then among
/// the groups that can be the row's j entries before it, which are few where the slice keeps few diagonals.
template <class B>
KOKKOS_INLINE_FUNCTION std::int64_t sell_slot_of(B const& b, SellSlice const& slice, std::int64_t row,
                                                 std::int64_t matrix_row, std::int64_t j, std::int64_t column) {
  using Ordinal = typename B::ordinal_type;
  std::int64_t const l = row - slice.first_row;
  if (slice.diagonals > 0) {
    auto const wanted = static_cast<Ordinal>(column - matrix_row);
    auto const* const diagonals = b.diagonals + slice.first_diagonal;
    std::int64_t const n = first_not_below(diagonals, slice.diagonals, wanted);
    if (n < slice.diagonals && diagonals[n] == wanted) return slice.first_value + n * slice.height + l;
  }
  std::int64_t const group = column / b.block_width;
  std::int64_t const off_diagonals = Kokkos::max<std::int64_t>(0, j - slice.diagonals);  // entries, at least
  std::int64_t first = off_diagonals / b.block_width;
  std::int64_t last = Kokkos::min(j, static_cast<std::int64_t>(b.row_lengths[row]) - 1);
  while (first < last) {
    std::int64_t const middle = first + (last - first) / 2;
    if (sell_group(b, slice, middle, l) < group)
      first = middle + 1;
    else
      last = middle;
  }
  return slice.first_value + (slice.diagonals + first * b.block_width + column - group * b.block_width) * slice.height +
         l;
}

/// Writes every slot of b from the entries of a; fill and padding become 0.
/// \param values, mask  what to write, either may be empty; the mask must be zero
template <class Exec, class B, class A, class Values, class Device>
static void fill_slots(Exec const& exec, B const& b, A const& a, bool reordered, Values const& values,
                       Kokkos::View<std::uint32_t*, Device> const& mask) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Writer = SlotWriter<typename Values::value_type, typename A::value_type>;
  using Ordinal = typename B::ordinal_type;
  if (values.extent(0) == 0 && mask.extent(0) == 0) return;
  SellOrder<Ordinal> const order{b.row_permutation, reordered};
  Writer const writer{values.extent(0) != 0 ? values.data() : nullptr, a.values,
                      mask.extent(0) != 0 ? mask.data() : nullptr};
  bool const plain = b.block_width == 1 && !b.diagonals;
  SellSlices<Ordinal> const slices{b.slice_rows, b.slice_height};
  if (plain) {
    if constexpr (!is_device_space<Exec>)
      write_slices(
          exec, "araia::update_values::sell", slices, b.slices, order, a,
          [=](std::int64_t s) {
            auto const slice = sell_slice(b, 1, s);
            return SlicePlace{slice.first_value, slice.steps};
          },
          values.data(), a.values);
    else
      for_each_padded_row(
          exec, "araia::update_values::sell", slices, b.slices, vector_length_for(a.nnz, b.rows), b.rows,
          KOKKOS_LAMBDA(std::int64_t s, std::int64_t row, Team const& team) {
            auto const slice = sell_slice(b, 1, s);
            std::int64_t const from = row < a.rows ? order.source_row(row) : 0;
            std::int64_t const begin = row < a.rows ? static_cast<std::int64_t>(a.row_offsets[from]) : 0;
            std::int64_t const length = row < a.rows ? static_cast<std::int64_t>(a.row_offsets[from + 1]) - begin : 0;
            std::int64_t const to = slice.first_value + row - slice.first_row;
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, slice.steps), [&](std::int64_t t) {
              if (t < length)
                writer.entry(to + t * slice.height, begin + t);
              else
                writer.zero(to + t * slice.height);
            });
          });
    return;
  }
  // Devices: fill goes ahead of the entries, as one lane would write that of a slice with a long row; and where a lane
  // would walk far along a row or diagonals, a warp's lanes look entries up.
  Writer entries = writer;
  entries.zeroed = is_device_space<Exec>;
  if (entries.zeroed && values.extent(0) != 0) Kokkos::deep_copy(exec, values, typename Values::value_type{});
  auto const walks = KOKKOS_LAMBDA(SellSlice const& slice, std::int64_t count) {
    return !is_device_space<Exec> || count + slice.diagonals <= lane_row_entries;
  };
  for_each_padded_row(
      exec, "araia::update_values::sell_merge", slices, b.slices, 1, b.rows,
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t row, Team const&) {
        auto const slice = sell_slice(b, b.block_width, s);
        bool const there = row < a.rows;
        std::int64_t const from = there ? order.source_row(row) : 0;
        auto const begin = there ? static_cast<std::int64_t>(a.row_offsets[from]) : 0;
        auto const end = there ? static_cast<std::int64_t>(a.row_offsets[from + 1]) : 0;
        if (walks(slice, end - begin))
          fill_row(b, a, slice, row - slice.first_row, there ? order.matrix_row(row) : 0, begin, end, entries);
      });
  if constexpr (is_device_space<Exec>)
    for_each_padded_row(
        exec, "araia::update_values::sell_long_rows", slices, b.slices, device_warp, b.rows,
        KOKKOS_LAMBDA(std::int64_t s, std::int64_t row, Team const& team) {
          if (row >= a.rows) return;
          RowSpan const span = row_span(a, order.source_row(row));
          auto const slice = sell_slice(b, b.block_width, s);
          if (walks(slice, span.count)) return;
          std::int64_t const of_matrix = order.matrix_row(row);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, span.count), [&](std::int64_t j) {
            std::int64_t const k = span.first + j;
            entries.entry(sell_slot_of(b, slice, row, of_matrix, j, a.col_indices[k]), k);
          });
        });
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
