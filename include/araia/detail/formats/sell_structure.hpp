// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The symbolic half of Csr -> Sell: which rows make a slice, how long each is, how many slots and columns that takes.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/row_order.hpp>
#include <araia/detail/formats/sell_options.hpp>
#include <araia/detail/formats/sell_slices.hpp>
#include <araia/formats/sell.hpp>

namespace araia::detail {

/// Arrays of slices + 1 numbers, some by one allocation, as devices take long for each.
template <class Device>
class SliceArrays {
 public:
  /// \param together  arrays of one allocation
  explicit SliceArrays(int together) : together_(together) {}

  template <class Exec>
  Kokkos::View<std::int64_t*, Device> next(Exec const& exec, std::int64_t slices) {
    if (left_ == 0) {
      room_ = new_array<std::int64_t, Device>(exec, "araia::csr_to_sell::of_slices", together_ * (slices + 1));
      left_ = together_;
    }
    auto const size = static_cast<std::size_t>(slices + 1);
    std::size_t const first = static_cast<std::size_t>(--left_) * size;
    return Kokkos::subview(room_, Kokkos::make_pair(first, first + size));
  }

 private:
  Kokkos::View<std::int64_t*, Device> room_{};
  std::int64_t together_;
  std::int64_t left_ = 0;
};

/// How many of those a conversion takes at most.
template <class Exec>
int slice_arrays(SellOptions const& options) {
  bool const device = is_device_space<Exec>;
  int arrays = 2;  // steps, slots
  if (options.diagonals)
    arrays += device ? 7 : 6;
  else if (options.block_width > 1)
    arrays += 1;
  if (options.columns != SellColumns::full) arrays += device ? 3 : 2;
  return arrays;
}

template <class Ordinal, class Device>
struct SellStructure {
  SliceArrays<Device> arrays;  // of those below that have 64-bit elements
  Kokkos::View<Ordinal const*, Device> row_permutation{};
  bool reordered = false;
  std::int64_t slice_height = 1;
  std::int64_t slices = 0;
  Kokkos::View<Ordinal*, Device> slice_rows{};           // (slices + 1), or empty
  Kokkos::View<Ordinal*, Device> row_lengths{};          // (rows) column steps
  Kokkos::View<std::int64_t*, Device> steps{};           // (slices) column steps, and one element more
  Kokkos::View<std::int64_t*, Device> diagonals_of{};    // the same, or empty
  Kokkos::View<std::int64_t*, Device> first_found{};     // (slices + 1) with diagonals
  Kokkos::View<Ordinal*, Device> diagonals_found{};      // those of slice s from first_found(s) on
  Kokkos::View<std::int64_t*, Device> diagonals_seen{};  // (slices) of all entries; devices
  // Room for entry_steps, in the space of the keys that it may have held, which need not be Device's.
  Kokkos::View<std::uint64_t*, Kokkos::AnonymousSpace> entry_steps{};
  Kokkos::View<std::int64_t*, Device> slice_offsets{};     // (slices + 1)
  Kokkos::View<std::int64_t*, Device> diagonal_offsets{};  // (slices + 1), or empty
  Kokkos::View<std::int64_t*, Device> column_offsets{};    // (slices + 1), those of slots where slots are columns
  std::int64_t slots = 0;
  std::int64_t diagonals = 0;
  std::int64_t columns = 0;
  std::int64_t fill = 0;

  [[nodiscard]] SellOrder<Ordinal> order() const {
    return {row_permutation.extent(0) != 0 ? row_permutation.data() : nullptr, reordered};
  }
  [[nodiscard]] SellSlices<Ordinal> slice_shapes() const {
    return {slice_rows.extent(0) != 0 ? slice_rows.data() : nullptr, slice_height};
  }
  /// Do the places of a slice's columns not follow from those of its values and diagonals?
  [[nodiscard]] bool columns_need_offsets() const { return slice_rows.extent(0) != 0 && diagonals > 0; }
};

/// Column groups of `width` columns that an ascending row touches.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t count_groups(Pointers const& a, std::int64_t row, int width) {
  auto const last = static_cast<std::int64_t>(a.row_offsets[row + 1]);
  std::int64_t groups = 0;
  std::int64_t before = -1;
  for (std::int64_t k = a.row_offsets[row]; k < last; ++k) {
    std::int64_t const group = a.col_indices[k] / width;
    groups += group != before;
    before = group;
  }
  return groups;
}

/// Throws unsupported unless the columns of every row ascend strictly.
template <class Exec, class Pointers>
static void require_ascending_columns(Exec const& exec, Pointers const& a) {
  auto const found = row_order(exec, a);
  if (found.order != ColumnOrder::strict)
    throw Error(ErrorKind::unsupported,
                "araia::csr_to_sell: blocks and diagonals need strictly ascending columns, those of stored row " +
                    std::to_string(found.first) + " are not");
}

/// offsets(s) of counts(s), and their sum. Fences exec.
template <class Exec, class Device, class Counts>
static std::int64_t scan_slices(Exec const& exec, std::int64_t slices,
                                Kokkos::View<std::int64_t*, Device> const& offsets, Counts const& counts) {
  std::int64_t total = 0;
  scan_indices(
      "araia::csr_to_sell::scan", IndexRange<Exec>(exec, 0, slices + 1),
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum, bool final) {
        if (final) offsets(s) = sum;
        if (s < slices) sum += counts(s);
      },
      total);
  exec.fence("araia::csr_to_sell::scan");
  return total;
}

/// Is fill told from entries by a mask? A pattern has no values that could be zero.
inline bool sell_needs_mask(std::int64_t fill, SellOptions const& options, bool values) {
  return fill > 0 && (options.stored_mask || !values);
}

/// The diagonals that a slice keeps.
enum class SellDiagonals { none, fullest, every };

/// Bits that decide between diagonals and columns.
struct SellCosts {
  std::int64_t value;     // of a slot; a pattern's slot is a bit of the mask
  std::int64_t column;    // of a row's index in a column step
  std::int64_t diagonal;  // of a diagonal's own number
  bool every = false;     // all slices keep all their diagonals, whatever that costs

  [[nodiscard]] SellCosts with_every() const { return {value, column, diagonal, true}; }

  /// Rows from which a diagonal takes fewer bits than its entries as columns: it is among the fullest.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t least_rows(std::int64_t height) const {
    return (height * value + diagonal) / (value + column) + 1;
  }

  /// Of a slice.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t bits(std::int64_t height, int width, std::int64_t steps,
                                                  std::int64_t diagonals) const {
    return steps * height * (width * value + column) + diagonals * (height * value + diagonal);
  }

  /// What takes the fewest bits of a slice. A lone entry may be dearer as a column, which widens the whole slice, than
  /// on a diagonal: then all diagonals win.
  /// \param width      columns of a block
  /// \param steps      column steps without diagonals
  /// \param left       column steps beside the fullest diagonals
  /// \param fullest    how many those are
  /// \param diagonals  how many there are
  [[nodiscard]] KOKKOS_FUNCTION SellDiagonals choose(std::int64_t height, int width, std::int64_t steps,
                                                     std::int64_t left, std::int64_t fullest,
                                                     std::int64_t diagonals) const {
    std::int64_t const without = bits(height, width, steps, 0);
    std::int64_t const some = bits(height, width, left, fullest);
    std::int64_t const all = bits(height, width, 0, diagonals);
    if (every) return SellDiagonals::every;
    if (all < without && all < some) return SellDiagonals::every;
    return some < without ? SellDiagonals::fullest : SellDiagonals::none;
  }
};
template <class Scalar, class Ordinal, class Offset, class Device>
SellCosts sell_costs(Csr<Scalar, Ordinal, Offset, Device> const& A, SellOptions const& options) {
  auto const bits = [](std::size_t bytes) { return static_cast<std::int64_t>(8 * bytes); };
  return {.value = A.has_values() ? bits(sizeof(Scalar)) : 1,
          .column = bits(options.columns == SellColumns::full ? sizeof(Ordinal) : sizeof(std::uint16_t)),
          .diagonal = bits(sizeof(Ordinal))};
}

/// What diagonals alone may take more, as a share of the least: one part in so many. Devices have a kernel for them,
/// which one slice with columns puts out of reach.
inline constexpr std::int64_t sell_share_for_every = 32;

/// Would a matrix of diagonals alone take little more than what is the least slice by slice? Fences exec.
/// \param diagonals  (slices) all of a slice
template <class Exec, class Ordinal, class Device>
static bool every_diagonal_is_near(Exec const& exec, SellStructure<Ordinal, Device> const& b,
                                   Kokkos::View<std::int64_t*, Device> const& diagonals, int width,
                                   SellCosts const& costs) {
  std::int64_t least = 0;
  std::int64_t every = 0;
  std::int64_t columns = 0;
  auto const slices = b.slice_shapes();
  auto const steps = b.steps;
  auto const counts = b.diagonals_of;
  auto const cost = costs;
  Kokkos::parallel_reduce(
      "araia::csr_to_sell::every_diagonal", IndexRange<Exec>(exec, 0, b.slices),
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t & chosen, std::int64_t & all, std::int64_t & left) {
        chosen += cost.bits(slices.height(s), width, steps(s), counts(s));
        all += cost.bits(slices.height(s), width, 0, diagonals(s));
        left += steps(s);
      },
      least, every, columns);
  return columns > 0 && every - least <= least / sell_share_for_every;
}

/// Slots of a slice, and columns.
template <class Ordinal>
struct SellSlotCounts {
  SellSlices<Ordinal> slices;
  std::int64_t const* steps;
  std::int64_t const* diagonals;  // or null
  std::int64_t block_width;
  KOKKOS_INLINE_FUNCTION std::int64_t operator()(std::int64_t s) const {
    return (steps[s] * block_width + (diagonals ? diagonals[s] : 0)) * slices.height(s);
  }
};
template <class Ordinal>
struct SellColumnCounts {
  SellSlices<Ordinal> slices;
  std::int64_t const* steps;
  KOKKOS_INLINE_FUNCTION std::int64_t operator()(std::int64_t s) const { return steps[s] * slices.height(s); }
};

/// Column steps of every slice: its longest row.
template <class Exec, class Ordinal, class Device>
static void find_steps(Exec const& exec, SellStructure<Ordinal, Device>& b, std::int64_t rows) {
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  b.steps = b.arrays.next(exec, b.slices);
  auto const slices = b.slice_shapes();
  auto const lengths = b.row_lengths;
  auto const steps = b.steps;
  for_each_slice(
      exec, "araia::csr_to_sell::steps", b.slices, b.slice_height, KOKKOS_LAMBDA(std::int64_t s, Team const& team) {
        std::int64_t const first = slices.first(s);
        std::int64_t const count = Kokkos::min<std::int64_t>(slices.height(s), rows - first);
        std::int64_t longest = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count),
            [&](std::int64_t i, std::int64_t& most) { most = Kokkos::max<std::int64_t>(most, lengths(first + i)); },
            Kokkos::Max<std::int64_t>(longest));
        Kokkos::single(Kokkos::PerThread(team), [&] { steps(s) = longest; });
      });
}

/// Offsets and totals from the counts of every slice. Fences exec.
template <class Exec, class Ordinal, class Device>
static void scan_structure(Exec const& exec, SellStructure<Ordinal, Device>& b, int width) {
  auto const slices = b.slice_shapes();
  bool const diagonals = b.diagonals_of.extent(0) != 0;
  b.slice_offsets = b.arrays.next(exec, b.slices);
  b.slots =
      scan_slices(exec, b.slices, b.slice_offsets,
                  SellSlotCounts<Ordinal>{slices, b.steps.data(), diagonals ? b.diagonals_of.data() : nullptr, width});
  if (diagonals) {
    b.diagonal_offsets = b.arrays.next(exec, b.slices);
    b.diagonals = scan_slices(exec, b.slices, b.diagonal_offsets, b.diagonals_of);
  }
  if (!diagonals && width == 1) {
    b.column_offsets = b.slice_offsets;
    b.columns = b.slots;
    return;
  }
  b.column_offsets = b.arrays.next(exec, b.slices);
  b.columns = scan_slices(exec, b.slices, b.column_offsets, SellColumnCounts<Ordinal>{slices, b.steps.data()});
}

/// Slots within the lengths of rows and on their diagonals: entries and fill.
template <class Exec, class Ordinal, class Device>
static std::int64_t count_slots_of_rows(Exec const& exec, SellStructure<Ordinal, Device> const& b, std::int64_t rows,
                                        int width) {
  std::int64_t columns = 0;
  std::int64_t diagonals = 0;
  auto const lengths = b.row_lengths;
  auto const slices = b.slice_shapes();
  auto const counts = b.diagonals_of;
  reduce_indices(
      "araia::csr_to_sell::column_slots", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) { sum += static_cast<std::int64_t>(lengths(row)) * width; },
      columns);
  if (counts.extent(0) != 0)
    reduce_indices(
        "araia::csr_to_sell::diagonal_slots", IndexRange<Exec>(exec, 0, b.slices),
        KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum) {
          sum += counts(s) * Kokkos::min<std::int64_t>(slices.height(s), rows - slices.first(s));
        },
        diagonals);
  return columns + diagonals;
}

/// The offsets in the type of the format, which holds the last of them.
template <class Offset, class Exec, class Device>
static Kokkos::View<Offset const*, Device> as_offsets(Exec const& exec, char const* label,
                                                      Kokkos::View<std::int64_t*, Device> const& from) {
  auto const to = new_array<Offset, Device>(exec, label, static_cast<std::int64_t>(from.extent(0)));
  for_each_index(
      label, IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(from.extent(0))),
      KOKKOS_LAMBDA(std::int64_t s) { to(s) = static_cast<Offset>(from(s)); });
  return to;
}

}  // namespace araia::detail
