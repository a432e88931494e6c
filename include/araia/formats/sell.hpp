// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sliced ELL: slices of rows padded to their own longest row, column-major inside; columns may be shared by short
// blocks, shortened to 16 bits, or replaced by diagonals.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/sell_access.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// How the arrays lie is drawn in sell_pointers.hpp. Only what the options of csr_to_sell need is allocated; the other
/// Views are empty. Row i of the arrays is row `row_permutation(i)` of the matrix, or row i where that View is empty.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice>
struct Sell {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = SellPointers<value_type, Ordinal, detail::signed_offset_t<Offset>>;
  static constexpr char const* format_name = "sell";

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t slices = 0;
  std::int64_t slice_height = 1;  // C: rows of every slice, of the tallest where slice_rows is there
  std::int64_t sort_window = 1;   // sigma: rows inside which rows were sorted by length; 1: not sorted
  std::int64_t fill = 0;          // slots within rows' lengths and diagonals that hold no entry
  std::int64_t slots = 0;         // of values, fill and padding included
  int block_width = 1;            // W: columns that share an index, 1, 2 or 4

  Kokkos::View<Ordinal const*, Device> slice_rows{};          // (slices + 1) heights of 1 to C; or empty: all C
  Kokkos::View<Offset const*, Device> slice_offsets{};        // (slices + 1) ascending from 0 to slots
  Kokkos::View<Offset const*, Device> diagonal_offsets{};     // (slices + 1), or empty: no diagonals
  Kokkos::View<Offset const*, Device> column_offsets{};       // (slices + 1), or empty: they follow from the others
  Kokkos::View<Ordinal const*, Device> diagonals{};           // ascending within a slice, -rows < d < cols
  Kokkos::View<Ordinal const*, Device> row_lengths{};         // (rows) 0 <= length <= steps of the slice
  Kokkos::View<Ordinal const*, Device> col_indices{};         // groups 0 <= g W < cols; padding: 0; or empty: words
  Kokkos::View<std::uint16_t const*, Device> column_words{};  // 16-bit columns; or empty
  Kokkos::View<Scalar*, Device> values{};                     // (slots), or empty: all ones; fill and padding: 0
  Kokkos::View<std::uint32_t const*, Device> stored_mask{};   // a bit a slot, 1: an entry; or empty
  Kokkos::View<Ordinal const*, Device> row_permutation{};     // (rows) a permutation, or empty: identity

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }

  /// Slots kept in memory, fill and padding included.
  [[nodiscard]] std::int64_t stored() const { return slots; }

  /// Exact bytes of the arrays as allocated.
  [[nodiscard]] std::uint64_t bytes() const {
    return (slice_rows.size() + diagonals.size() + row_lengths.size() + col_indices.size() + row_permutation.size()) *
               sizeof(Ordinal) +
           (slice_offsets.size() + diagonal_offsets.size() + column_offsets.size()) * sizeof(Offset) +
           column_words.size() * sizeof(std::uint16_t) + stored_mask.size() * sizeof(std::uint32_t) +
           values.size() * sizeof(value_type);
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    using Signed = detail::signed_offset_t<Offset>;
    auto const offsets = [](auto const& view) {
      return view.extent(0) != 0 ? reinterpret_cast<Signed const*>(view.data()) : nullptr;
    };
    auto const data = [](auto const& view) { return view.extent(0) != 0 ? view.data() : nullptr; };
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .slices = slices,
            .slice_height = slice_height,
            .fill = fill,
            .block_width = block_width,
            .slice_rows = data(slice_rows),
            .slice_offsets = offsets(slice_offsets),
            .diagonal_offsets = offsets(diagonal_offsets),
            .column_offsets = offsets(column_offsets),
            .diagonals = data(diagonals),
            .row_lengths = data(row_lengths),
            .col_indices = data(col_indices),
            .column_words = data(column_words),
            .values = data(values),
            .stored_mask = data(stored_mask),
            .row_permutation = data(row_permutation)};
  }
};

/// Bytes of A that a product with finite x reads: all but the mask, which only a pattern needs then, and the row
/// lengths of slices without columns. Cost    O(slices); fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static std::uint64_t product_bytes(Exec const& exec, Sell<Scalar, Ordinal, Offset, Device> const& A) {
  auto const a = A.pointers();
  std::int64_t unread_rows = 0;
  detail::reduce_indices(
      "araia::product_bytes::sell", detail::IndexRange<Exec>(exec, 0, a.slices),
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum) {
        auto const slice = detail::sell_slice(a, a.block_width, s);
        if (slice.steps == 0) sum += Kokkos::min<std::int64_t>(slice.height, a.rows - slice.first_row);
      },
      unread_rows);
  std::uint64_t const mask = A.has_values() ? A.stored_mask.size() * sizeof(std::uint32_t) : 0;
  return A.bytes() - mask - static_cast<std::uint64_t>(unread_rows) * sizeof(Ordinal);
}

}  // namespace araia
