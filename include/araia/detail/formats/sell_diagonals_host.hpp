// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which diagonals a slice of a Sell keeps, on hosts: a table counts the rows on each. Walking all rows by ascending
// diagonal, as a device's lanes do, costs a host 22 ns a diagonal of 8 rows; this, 3 ns an entry.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_structure.hpp>

namespace araia::detail {

/// Rows on each diagonal of one slice: a table with open addressing, at most half full.
template <class Ordinal>
class DiagonalTable {
 public:
  using Diagonal = std::conditional_t<sizeof(Ordinal) <= 4, std::int32_t, std::int64_t>;
  struct Slot {
    Diagonal diagonal;
    std::int32_t rows;  // at most sell_most_diagonal_rows; 0: free
  };

  /// Empties the table and makes room for `entries`.
  void reset(std::int64_t entries) {
    bits_ = 4;
    while (std::int64_t{1} << bits_ < 2 * entries) ++bits_;
    slots_.assign(std::size_t{1} << bits_, Slot{});
  }

  /// The slot of the diagonal, or the free one that it may take.
  Slot& at(Diagonal diagonal) {
    std::size_t const mask = (std::size_t{1} << bits_) - 1;
    auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(std::int64_t{diagonal}) * 0x9e3779b97f4a7c15u >>
                                          (64 - bits_));
    while (slots_[place].rows != 0 && slots_[place].diagonal != diagonal) place = (place + 1) & mask;
    return slots_[place];
  }

 private:
  int bits_ = 4;
  std::vector<Slot> slots_;
};

/// Of every slice; `seen_of` takes how many diagonals each has.
template <class Exec, class Pointers, class Ordinal, class Device>
static void count_diagonals(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device> const& b,
                            Kokkos::View<std::int64_t*, Device> const& seen_of, int width, SellCosts const& costs) {
  using Diagonal = typename DiagonalTable<Ordinal>::Diagonal;
  constexpr std::int64_t together = 64;  // slices that share a table's memory
  auto const order = b.order();
  auto const slices = b.slice_shapes();
  auto const lengths = b.row_lengths;
  auto const steps = b.steps;
  auto const counts = b.diagonals_of;
  auto const firsts = b.first_found;
  auto const found = b.diagonals_found;
  std::int64_t const slice_count = b.slices;
  auto const slice = [=](std::int64_t s, DiagonalTable<Ordinal>& table, std::vector<Diagonal>& list,
                         std::vector<std::int64_t>& rest) {
    std::int64_t const first_row = slices.first(s);
    std::int64_t const height = slices.height(s);
    std::int64_t const count = std::min(height, a.rows - first_row);
    auto const for_each_entry = [&](std::int64_t i, auto const& body) {
      std::int64_t const from = order.source_row(first_row + i);
      std::int64_t const row = order.matrix_row(first_row + i);
      auto const last = static_cast<std::int64_t>(a.row_offsets[from + 1]);
      for (auto k = static_cast<std::int64_t>(a.row_offsets[from]); k < last; ++k)
        body(static_cast<std::int64_t>(a.col_indices[k]), row);
    };
    table.reset(firsts(s + 1) - firsts(s));
    list.clear();
    std::int64_t const least = costs.least_rows(height);
    std::int64_t taken = 0;
    for (std::int64_t i = 0; i < count; ++i)
      for_each_entry(i, [&](std::int64_t column, std::int64_t row) {
        auto const diagonal = static_cast<Diagonal>(column - row);
        auto& slot = table.at(diagonal);
        slot.diagonal = diagonal;
        ++slot.rows;
        taken += slot.rows == least ? 1 : 0;
        if (slot.rows == 1) list.push_back(diagonal);
      });
    auto const seen = static_cast<std::int64_t>(list.size());
    // The column steps of each row without the diagonals taken.
    std::int64_t longest = steps(s);
    rest.clear();
    if (taken > 0 && !costs.every) {
      longest = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t length = 0;
        std::int64_t before = -1;
        for_each_entry(i, [&](std::int64_t column, std::int64_t row) {
          if (table.at(static_cast<Diagonal>(column - row)).rows >= least) return;
          std::int64_t const group = width == 1 ? column : column / width;
          length += group != before ? 1 : 0;
          before = group;
        });
        rest.push_back(length);
        longest = std::max(longest, length);
      }
    }
    auto const choice = costs.choose(height, width, steps(s), longest, taken, seen);
    bool const takes_every = choice == SellDiagonals::every;
    seen_of(s) = seen;
    counts(s) = takes_every ? seen : choice == SellDiagonals::fullest ? taken : 0;
    if (choice == SellDiagonals::none) return;
    steps(s) = takes_every ? 0 : longest;
    for (std::int64_t i = 0; i < count; ++i)
      lengths(first_row + i) = takes_every ? Ordinal{0} : static_cast<Ordinal>(rest[static_cast<std::size_t>(i)]);
    if (!takes_every) std::erase_if(list, [&](Diagonal d) { return table.at(d).rows < least; });
    std::sort(list.begin(), list.end());
    std::transform(list.begin(), list.end(), found.data() + firsts(s),
                   [](Diagonal diagonal) { return static_cast<Ordinal>(diagonal); });
  };
  for_each_index("araia::csr_to_sell::diagonals",
                 DynamicRange<Exec>(exec, 0, (slice_count + together - 1) / together, Kokkos::ChunkSize(1)),
                 [=](std::int64_t chunk) {
                   DiagonalTable<Ordinal> table;
                   std::vector<Diagonal> list;
                   std::vector<std::int64_t> rest;
                   std::int64_t const last = std::min((chunk + 1) * together, slice_count);
                   for (std::int64_t s = chunk * together; s < last; ++s) slice(s, table, list, rest);
                 });
}

/// find_diagonals for hosts.
template <class Exec, class Pointers, class Ordinal, class Device>
static void find_diagonals_by_counting(Exec const& exec, Pointers const& a, SellStructure<Ordinal, Device>& b,
                                       int width, SellCosts const& costs) {
  auto const seen_of = b.arrays.next(exec, b.slices);
  count_diagonals(exec, a, b, seen_of, width, costs);
  if (every_diagonal_is_near(exec, b, seen_of, width, costs))
    count_diagonals(exec, a, b, seen_of, width, costs.with_every());
}

}  // namespace araia::detail
