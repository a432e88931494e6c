// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Bcsc on devices: the order of the entries as one sort of keys that say all of an entry but its value.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>

namespace araia::detail {

/// What a key holds, from its highest bits down: the block, the column, the entry's place in its block of the Csr and,
/// where that leaves bits enough, the row in the block.
struct EntryKeyShape {
  int row_bits = 0;
  int place_bits = 0;
  int col_bits = 0;
  int block_bits = 0;
  bool rows = false;  // are they kept? A block of one row takes no bits for it

  [[nodiscard]] int bits() const { return row_bits + place_bits + col_bits + block_bits; }
  [[nodiscard]] KeyBits deciding() const { return {row_bits + place_bits, bits()}; }

  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t key(std::int64_t block, std::int64_t col, std::int64_t place,
                                                  std::int64_t row) const {
    std::uint64_t const column = shifted(static_cast<std::uint64_t>(block), col_bits) | static_cast<std::uint64_t>(col);
    std::uint64_t const entry = shifted(column, place_bits) | static_cast<std::uint64_t>(place);
    return shifted(entry, row_bits) | (rows ? static_cast<std::uint64_t>(row) : 0);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t row(std::uint64_t key) const { return low(key, row_bits); }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t place(std::uint64_t key) const { return low(key >> row_bits, place_bits); }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t col(std::uint64_t key) const { return low(column(key), col_bits); }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t block(std::uint64_t key) const {
    return block_bits == 0 ? 0 : static_cast<std::int64_t>(column(key) >> col_bits);
  }
  /// Block and column: the same for all entries of a block's column.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t column(std::uint64_t key) const {
    int const below = row_bits + place_bits;
    return below < 64 ? key >> below : 0;
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION static std::uint64_t shifted(std::uint64_t value, int bits) {
    return bits < 64 ? value << bits : 0;
  }
  [[nodiscard]] KOKKOS_FUNCTION static std::int64_t low(std::uint64_t value, int bits) {
    return static_cast<std::int64_t>(bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value);
  }
};

/// Sorted keys of all entries; empty where 64 bits do not hold them.
template <class Exec>
struct EntryKeys {
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> keys{};  // (nnz)
  EntryKeyShape shape{};
};

/// The shape of keys for blocks of at most `most_entries` entries each, rows left out where they do not fit.
template <class Pointers, class Blocks>
EntryKeyShape entry_key_shape(Pointers const& a, Blocks const& blocks, std::int64_t most_entries) {
  EntryKeyShape shape{.row_bits = bits_for(std::min(blocks.block_height, a.rows) - 1),
                      .place_bits = bits_for(most_entries - 1),
                      .col_bits = bits_for(a.cols - 1),
                      .block_bits = bits_for(blocks.blocks - 1),
                      .rows = true};
  if (shape.bits() > 64) {
    shape.row_bits = 0;
    shape.rows = false;
  }
  return shape;
}

/// Entries of the largest block; fences exec.
template <class Exec, class Pointers, class Blocks>
static std::int64_t most_block_entries(Exec const& exec, Pointers const& a, Blocks const& blocks) {
  std::int64_t most = 0;
  if (blocks.blocks == 0) return most;
  reduce_indices(
      "araia::csr_to_bcsc::largest_block", IndexRange<Exec>(exec, 0, blocks.blocks),
      KOKKOS_LAMBDA(std::int64_t b, std::int64_t & largest) {
        largest = Kokkos::max<std::int64_t>(largest,
                                            static_cast<std::int64_t>(a.row_offsets[block_first_row(blocks, b + 1)]) -
                                                a.row_offsets[block_first_row(blocks, b)]);
      },
      Kokkos::Max<std::int64_t>(most));
  exec.fence("araia::csr_to_bcsc::largest_block");
  return most;
}

/// The keys of a's entries in ascending order. Fences exec.
template <class Exec, class Pointers, class Blocks>
static EntryKeys<Exec> sort_entry_keys(Exec const& exec, Pointers const& a, Blocks const& blocks) {
  auto const shape = entry_key_shape(a, blocks, most_block_entries(exec, a, blocks));
  if (shape.bits() > 64) return {};
  auto keys = new_keys(exec, "araia::csr_to_bcsc::keys", a.nnz);
  for_each_row_entry(
      exec, "araia::csr_to_bcsc::keys", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t, std::int64_t k) {
        std::int64_t const block = block_of_row(blocks, row);
        std::int64_t const first_row = block_first_row(blocks, block);
        std::int64_t const place = k - static_cast<std::int64_t>(a.row_offsets[first_row]);
        keys(k) = shape.key(block, static_cast<std::int64_t>(a.col_indices[k]), place, row - first_row);
      });
  sort_keys(exec, keys, shape.deciding());
  return {keys, shape};
}

/// Entry i of the order, from its key, or, where there are none, from its place.
template <class Pointers, class Blocks>
struct OrderedEntries {
  Pointers a;
  Blocks blocks;
  std::uint64_t const* keys;    // or null: order
  std::uint32_t const* order;   // or null: keys
  std::uint32_t const* row_of;  // of the entries of the Csr, or null
  EntryKeyShape shape;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t block(std::int64_t i) const {
    return keys ? shape.block(keys[i]) : segment_of(FirstEntries{*this}, blocks.blocks, i);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t first_entry(std::int64_t block) const {
    return static_cast<std::int64_t>(a.row_offsets[block_first_row(blocks, block)]);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t place(std::int64_t i) const {
    return keys ? shape.place(keys[i]) : static_cast<std::int64_t>(order[i]);
  }
  /// Place of the entry in the Csr.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t source(std::int64_t i, std::int64_t block) const {
    return first_entry(block) + place(i);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t col(std::int64_t i, std::int64_t block) const {
    return keys ? shape.col(keys[i]) : static_cast<std::int64_t>(a.col_indices[source(i, block)]);
  }
  /// Row in the block.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t row(std::int64_t i, std::int64_t block) const {
    if (keys && shape.rows) return shape.row(keys[i]);
    if (row_of) return static_cast<std::int64_t>(row_of[source(i, block)]);
    std::int64_t const first_row = block_first_row(blocks, block);
    return segment_of(a.row_offsets + first_row, block_first_row(blocks, block + 1) - first_row, source(i, block));
  }
  [[nodiscard]] KOKKOS_FUNCTION bool begins_column(std::int64_t i) const {
    if (i == 0) return true;
    if (keys) return shape.column(keys[i]) != shape.column(keys[i - 1]);
    std::int64_t const b = block(i);
    return i == first_entry(b) || col(i, b) != col(i - 1, b);
  }
  /// Place of entry i in its block of the Csr.
  [[nodiscard]] KOKKOS_FUNCTION std::uint32_t operator()(std::int64_t i) const {
    return static_cast<std::uint32_t>(place(i));
  }

 private:
  struct FirstEntries {
    OrderedEntries const& entries;
    KOKKOS_FUNCTION std::int64_t operator[](std::int64_t b) const { return entries.first_entry(b); }
  };
};

}  // namespace araia::detail
