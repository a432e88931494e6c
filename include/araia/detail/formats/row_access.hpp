// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reading formats that keep whole rows (Csr, Ell) entry by entry, inside kernels.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/formats/pointers.hpp>

namespace araia::detail {

template <class Pointers>
inline constexpr bool is_csr_pointers = false;
template <class Scalar, class Ordinal, class Offset>
inline constexpr bool is_csr_pointers<CsrPointers<Scalar, Ordinal, Offset>> = true;

/// Where the entries of one stored row lie: first, first + step, ... (count of them).
struct RowSpan {
  std::int64_t first;
  std::int64_t step;
  std::int64_t count;
};

template <class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION RowSpan row_span(CsrPointers<Scalar, Ordinal, Offset> const& a, std::int64_t row) {
  auto const first = static_cast<std::int64_t>(a.row_offsets[row]);
  return {first, 1, static_cast<std::int64_t>(a.row_offsets[row + 1]) - first};
}

template <class Scalar, class Ordinal>
KOKKOS_INLINE_FUNCTION RowSpan row_span(EllPointers<Scalar, Ordinal> const& a, std::int64_t row) {
  return {row, a.ld, static_cast<std::int64_t>(a.row_lengths[row])};
}

/// Segment that holds item i of an array cut at offsets[0..segments]: the last s with offsets[s] <= i. `offsets` is a
/// pointer, or anything with [].
template <class Offsets>
KOKKOS_INLINE_FUNCTION std::int64_t segment_of(Offsets const& offsets, std::int64_t segments, std::int64_t i) {
  std::int64_t first = 0;
  std::int64_t last = segments;  // offsets[first] <= i < offsets[last]
  while (last - first > 1) {
    std::int64_t const middle = first + (last - first) / 2;
    if (static_cast<std::int64_t>(offsets[middle]) <= i)
      first = middle;
    else
      last = middle;
  }
  return first;
}

/// Matrix row that stored row `row` holds.
template <class Pointers>
KOKKOS_INLINE_FUNCTION std::int64_t matrix_row(Pointers const& a, std::int64_t row) {
  return a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[row]) : row;
}

/// Value of entry k in the accumulator's type; one where the matrix is a pattern.
template <class Sum, class Pointers>
KOKKOS_INLINE_FUNCTION Sum entry_value(Pointers const& a, std::int64_t k) {
  return a.values ? static_cast<Sum>(number_of(a.values[k])) : Sum(1);
}

}  // namespace araia::detail
