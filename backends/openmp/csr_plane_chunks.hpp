// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An order of rows in which products of several columns find more of B in a cache. On a grid, rows read the rows of B
// of three planes; where planes are too large to stay, each is fetched three times. In chunks of neighbouring rows of a
// plane, plane after plane, what a chunk reads of them stays:
//
//   plane 0  [ c0 | c1 | c2 ]     order: c0 of planes 0, 1, 2, ...; then c1 of planes 0, 1, 2, ...
//   plane 1  [ c0 | c1 | c2 ]
//
// The bits of C do not depend on it.

#include <araia/detail/formats/pointers.hpp>
#include <array>
#include <cstdint>

#include "backends/openmp/caches.hpp"

namespace araia::host {

struct PlaneChunks {
  /// A chunk of so many rows of a plane, sampled.
  struct Width {
    std::int64_t rows = 0;
    std::int64_t touched = 0;  ///< rows of B that it reads
    std::int64_t fresh = 0;    ///< those that the chunks of the two planes before do not
    friend bool operator==(Width const&, Width const&) = default;
  };
  static constexpr std::int64_t least_rows = 128;
  static constexpr int most_widths = 7;

  std::int64_t period = 0;                  ///< rows of a plane; 0: none was found
  std::array<Width, most_widths> widths{};  ///< least_rows, twice as many, ...; rows 0 beyond the period
  friend bool operator==(PlaneChunks const&, PlaneChunks const&) = default;

  /// Rows of a chunk for rows of B of so many bytes; 0: rows in their own order fetch B as seldom, or nearly.
  /// \param threads  that multiply, each its rows
  [[nodiscard]] std::int64_t rows_of_chunk(std::int64_t row_bytes, int threads, Caches const& of = caches()) const;
};

/// Finds the planes: half the distance between the first and the last column of a typical row is taken for the period.
/// Samples some thousand rows.
/// \pre columns ascend within rows, else there may be none
template <class Scalar, class Offset>
PlaneChunks plane_chunks(CsrPointers<Scalar, std::int32_t, Offset> const& a);

/// f(first, last) for the chunks of rows [first, last), each of `width` rows of a plane, plane after plane; once for
/// all rows where width is 0.
template <class F>
void each_plane_chunk(std::int64_t period, std::int64_t width, std::int64_t first, std::int64_t last, F const& f) {
  if (width <= 0) return f(first, last);
  for (std::int64_t at = 0; at < period; at += width)
    for (std::int64_t plane = first; plane < last; plane += period) {
      std::int64_t const end = plane + (at + width < period ? at + width : period);
      if (plane + at < last) f(plane + at, end < last ? end : last);
    }
}

}  // namespace araia::host
