// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reading SELL inside kernels: the shape of a slice, the slots of a row, which slots hold entries.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/row_access.hpp>
#include <araia/detail/formats/sell_pointers.hpp>

namespace araia::detail {

/// a / b for a >= 0, b > 0: by the short division where both are short, as device divisions of 64 bits are long.
KOKKOS_INLINE_FUNCTION std::int64_t short_quotient(std::int64_t a, std::int64_t b) {
  if (static_cast<std::uint64_t>(a | b) >> 32 == 0)
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b));
  return a / b;
}

/// sell_base_words for kernels: nvcc keeps functions without annotation off the device.
KOKKOS_INLINE_FUNCTION constexpr std::int64_t base_words(std::int64_t steps, int words_per_index) {
  return (steps * words_per_index + 7) / 8 * 8;
}

struct SellSlice {
  std::int64_t first_row;       // stored row
  std::int64_t height;          // slots of a step
  std::int64_t first_value;     // slot
  std::int64_t first_diagonal;  // of `diagonals`
  std::int64_t diagonals;       // diagonal steps
  std::int64_t steps;           // column steps
  std::int64_t first_column;    // of col_indices, or word
  bool narrow;                  // 16-bit columns
};

template <class Pointers>
KOKKOS_INLINE_FUNCTION SellSlice sell_slice(Pointers const& a, int block_width, std::int64_t s) {
  SellSlice slice;
  slice.first_row = a.slice_rows ? static_cast<std::int64_t>(a.slice_rows[s]) : s * a.slice_height;
  slice.height = a.slice_rows ? static_cast<std::int64_t>(a.slice_rows[s + 1]) - slice.first_row : a.slice_height;
  slice.first_value = a.slice_offsets[s];
  slice.first_diagonal = a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s]) : 0;
  slice.diagonals =
      a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - slice.first_diagonal : 0;
  std::int64_t const values = static_cast<std::int64_t>(a.slice_offsets[s + 1]) - slice.first_value;
  slice.steps = (short_quotient(values, slice.height) - slice.diagonals) / block_width;
  if (a.column_offsets) {
    slice.first_column = a.column_offsets[s];
    slice.narrow = a.column_words && static_cast<std::int64_t>(a.column_offsets[s + 1]) - slice.first_column <
                                         slice.steps * slice.height * Pointers::words_per_index;
  } else {
    slice.first_column = (slice.first_value - slice.first_diagonal * a.slice_height) / block_width;
    slice.narrow = false;
  }
  return slice;
}

/// Slice that holds stored row `row`.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t sell_slice_of(Pointers const& a, std::int64_t row) {
  if (!a.slice_rows) return short_quotient(row, a.slice_height);
  std::int64_t low = 0;
  std::int64_t high = a.slices;
  while (low + 1 < high) {
    std::int64_t const middle = (low + high) / 2;
    if (static_cast<std::int64_t>(a.slice_rows[middle]) <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// The slice of `row`, where `s` is that of a row not after it. Threads walk rows upwards, so few steps are taken.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t sell_slice_from(Pointers const& a, std::int64_t s, std::int64_t row) {
  if (!a.slice_rows) return short_quotient(row, a.slice_height);
  while (static_cast<std::int64_t>(a.slice_rows[s + 1]) <= row) ++s;
  return s;
}

/// An index of `words_per_index` words, `stride` apart.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t sell_index_of_words(Pointers const& a, std::int64_t first, std::int64_t stride) {
  std::uint64_t index = 0;
  for (int part = 0; part < Pointers::words_per_index; ++part)
    index |= static_cast<std::uint64_t>(a.column_words[first + part * stride]) << (16 * part);
  return static_cast<std::int64_t>(index);
}

/// Column group of step t, row l of the slice.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t sell_group(Pointers const& a, SellSlice const& slice, std::int64_t t,
                                               std::int64_t l) {
  constexpr int q = Pointers::words_per_index;
  if (a.col_indices) return a.col_indices[slice.first_column + t * slice.height + l];
  if (slice.narrow)
    return sell_index_of_words(a, slice.first_column + t * q, 1) +
           a.column_words[slice.first_column + base_words(slice.steps, q) + t * slice.height + l];
  return sell_index_of_words(a, slice.first_column + t * q * slice.height + l, slice.height);
}

/// Does slot k, within its row's length and inside the matrix, hold an entry? Without a mask, fill is what is zero.
template <class Pointers>
KOKKOS_INLINE_FUNCTION bool sell_is_stored(Pointers const& a, std::int64_t k) {
  if (a.stored_mask) return (a.stored_mask[k >> 5] >> (k & 31) & 1u) != 0;
  return a.fill == 0 || !a.values || a.values[k] != typename Pointers::value_type{};
}

/// body(k, c) for the slots k of a stored row that lie inside the matrix, fill among them: steps first, first + stride,
/// ... of the diagonals, then of the columns.
/// \param block_width  that of a: a constant where the kernel was built for it
template <class Pointers, class Body>
KOKKOS_INLINE_FUNCTION void sell_for_each_slot(Pointers const& a, int block_width, SellSlice const& slice,
                                               std::int64_t row, std::int64_t matrix_row, int first, int stride,
                                               Body const& body) {
  std::int64_t const l = row - slice.first_row;
  std::int64_t const h = slice.height;
  for (std::int64_t t = first; t < slice.diagonals; t += stride) {
    std::int64_t const c = matrix_row + a.diagonals[slice.first_diagonal + t];
    if (static_cast<std::uint64_t>(c) < static_cast<std::uint64_t>(a.cols)) body(slice.first_value + t * h + l, c);
  }
  if (slice.steps == 0) return;  // the row's length is not read
  std::int64_t const length = a.row_lengths[row];
  std::int64_t const first_slot = slice.first_value + slice.diagonals * h + l;
  for (std::int64_t t = first; t < length; t += stride) {
    std::int64_t const c = sell_group(a, slice, t, l) * block_width;
    for (int w = 0; w < block_width; ++w)
      if (block_width == 1 || c + w < a.cols) body(first_slot + (t * block_width + w) * h, c + w);
  }
}

/// body(k, c) for the entries of a stored row, by ascending column where the matrix has blocks or diagonals, and in the
/// order of the source otherwise.
template <class Pointers, class Body>
KOKKOS_INLINE_FUNCTION void sell_for_each_entry(Pointers const& a, SellSlice const& slice, std::int64_t row,
                                                std::int64_t matrix_row, Body const& body) {
  std::int64_t const l = row - slice.first_row;
  std::int64_t const h = slice.height;
  std::int64_t diagonal = 0;
  auto const diagonals_before = [&](std::int64_t column) {
    for (; diagonal < slice.diagonals; ++diagonal) {
      std::int64_t const c = matrix_row + a.diagonals[slice.first_diagonal + diagonal];
      if (c >= column) break;
      std::int64_t const k = slice.first_value + diagonal * h + l;
      if (c >= 0 && sell_is_stored(a, k)) body(k, c);
    }
  };
  std::int64_t const length = slice.steps == 0 ? 0 : static_cast<std::int64_t>(a.row_lengths[row]);
  for (std::int64_t t = 0; t < length; ++t) {
    std::int64_t const first = sell_group(a, slice, t, l) * a.block_width;
    for (int w = 0; w < a.block_width && first + w < a.cols; ++w) {
      std::int64_t const k = slice.first_value + (slice.diagonals + t * a.block_width + w) * h + l;
      if (!sell_is_stored(a, k)) continue;
      diagonals_before(first + w);
      body(k, first + w);
    }
  }
  diagonals_before(a.cols);
}

/// True for values that are neither NaN nor infinite, parts of complex ones alike.
template <class T>
KOKKOS_INLINE_FUNCTION bool all_finite(T const& value) {
  return value - value == T{};
}

}  // namespace araia::detail
