// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Filling padded arrays (Ell on devices, plain slices of Sell), where rows lie side by side: line t holds entry t of
// each of them.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <numeric>

#include <araia/formats/row_access.hpp>

namespace araia::detail {

/// Host: rows that lie side by side in a padded array: out[t * stride + i] gets entry t of row i, zero beyond its
/// length. Every slot is written in order; where lines are mostly padding, some of them are zeroed at a time, and their
/// entries follow while they are in the cache.
/// \param begin, length  (rows) where the entries of each row start in `source`, and how many there are: `steps` or
/// less
template <class Target, class Source>
void write_side_by_side(Target* out, std::int64_t stride, std::int64_t steps, std::int64_t rows, Source const* source,
                        std::int64_t const* begin, std::int64_t const* length) {
  constexpr std::int64_t block_bytes = 65536;  // zeroed at a time
  if (rows == 0) return;
  auto const [shortest, longest] = std::minmax_element(length, length + rows);
  std::int64_t t = 0;
  for (; t < *shortest; ++t, out += stride)
    for (std::int64_t i = 0; i < rows; ++i) out[i] = static_cast<Target>(source[begin[i] + t]);
  if (2 * (std::reduce(length, length + rows) - rows * t) > rows * (*longest - t))
    for (; t < *longest; ++t, out += stride)
      for (std::int64_t i = 0; i < rows; ++i)
        out[i] = t < length[i] ? static_cast<Target>(source[begin[i] + t]) : Target{};
  std::int64_t const at_once =
      std::max<std::int64_t>(1, block_bytes / (rows * static_cast<std::int64_t>(sizeof(Target))));
  while (t < steps) {
    std::int64_t const lines = std::min(at_once, steps - t);
    if (stride == rows)
      std::fill(out, out + lines * rows, Target{});
    else
      for (std::int64_t line = 0; line < lines; ++line)
        std::fill(out + line * stride, out + line * stride + rows, Target{});
    if (t < *longest)
      for (std::int64_t i = 0; i < rows; ++i) {
        std::int64_t const last = std::min(length[i], t + lines) - t;
        for (std::int64_t line = 0; line < last; ++line)
          out[line * stride + i] = static_cast<Target>(source[begin[i] + t + line]);
      }
    t += lines;
    out += lines * stride;
  }
}

/// Rows that write_side_by_side takes at once: their lines fill pages, and the places of their entries the first cache.
inline constexpr std::int64_t rows_side_by_side = 256;

/// Some lines of rows side by side: slot t of row i is at first_slot + t * stride + i.
struct PaddedPiece {
  std::int64_t first_row;  // stored row
  std::int64_t rows;
  std::int64_t first_slot;  // line 0 of the first row
  std::int64_t stride;
  std::int64_t first_line;
  std::int64_t last_line;  // exclusive
};

/// Devices: the piece's slots of `out`, by a thread with its lanes. A lane has a row, so that a line is written in
/// whole sectors, where rows fill one, however few of its slots hold entries, and each sector once.
/// \param span_of  row -> where its entries lie in `source`, side by side
/// \param zeroed   padding is zero already
template <class Team, class SpanOf, class Target, class Source>
KOKKOS_INLINE_FUNCTION void write_lines(Team const& team, PaddedPiece const& piece, SpanOf const& span_of, Target* out,
                                        Source const* source, bool zeroed) {
  constexpr int at_once = 8;  // loads in flight
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, piece.rows), [&](std::int64_t i) {
    RowSpan const span = span_of(piece.first_row + i);
    Source const* const from = source + span.first;
    std::int64_t const last = zeroed ? Kokkos::min(piece.last_line, span.count) : piece.last_line;
    Target* to = out + piece.first_slot + piece.first_line * piece.stride + i;
    for (std::int64_t t = piece.first_line; t < last; t += at_once, to += at_once * piece.stride) {
      Target lines[at_once];
      for (int k = 0; k < at_once; ++k) lines[k] = t + k < span.count ? static_cast<Target>(from[t + k]) : Target{};
      for (int k = 0; k < at_once; ++k)
        if (t + k < last) to[k * piece.stride] = lines[k];
    }
  });
}

}  // namespace araia::detail
