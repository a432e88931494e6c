// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of csr_spmm_short_rows: those that there are kernels of, what each took, and how it tiles columns.

#include <array>
#include <cstdint>

#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/packs_fit.hpp"

namespace araia::cuda::short_rows_shapes {

/// Columns that one tile of a shape holds.
template <class T>
constexpr std::int64_t tile_columns(CsrSpmmShortTuning const& t) {
  std::int64_t const pieces = std::int64_t{t.lanes} * t.pieces;
  constexpr int words = pack_words<T>;
  if (t.access == ShortRowAccess::words) return pieces;
  // Rows of B and of C each begin up to words - 1 into a pack.
  return pieces * words - (t.access == ShortRowAccess::shifted ? 2 * (words - 1) : 0);
}

struct Tiles {
  std::int64_t count;
  std::int64_t pieces;  // from one tile to the next
};
template <class T>
constexpr Tiles tiles_of(CsrSpmmShortTuning const& t, std::int64_t columns) {
  std::int64_t const pieces = std::int64_t{t.lanes} * t.pieces;
  std::int64_t const one = tile_columns<T>(t);
  if (t.access != ShortRowAccess::shifted || columns <= one) return {(columns + one - 1) / one, pieces};
  // The last pack of a tile is there for the one before it.
  std::int64_t const packs = (columns + 2 * (pack_words<T> - 1)) / pack_words<T>;
  return {(packs + pieces - 2) / (pieces - 1), pieces - 1};
}

// Shapes, and what a full tile of columns took, in us on an H200, by rows of up to 8, 32 and 100 entries in the mean:
// of 7 points (195112 rows), of 27 points (64000 rows), and the geometric mean of three-unknown FEM, a 4-D lattice and
// orbitals (52728, 120000 and 74308 rows), cold.
struct Shape {
  CsrSpmmShortTuning tuning;
  double of_8;
  double of_32;
  double of_100;
};
constexpr Shape packs(int lanes, int pieces, double of_8, double of_32, double of_100) {
  return {{lanes, pieces, ShortRowAccess::packs}, of_8, of_32, of_100};
}
constexpr Shape shifted(int lanes, int pieces, double of_8, double of_32, double of_100) {
  return {{lanes, pieces, ShortRowAccess::shifted}, of_8, of_32, of_100};
}
constexpr Shape words(int lanes, int pieces, double of_8, double of_32, double of_100) {
  return {{lanes, pieces, ShortRowAccess::words}, of_8, of_32, of_100};
}
template <class T>
inline constexpr auto shapes = std::to_array<Shape>({
    // clang-format off
    packs(1, 1, 6.4, 7.3, 31.8), packs(2, 1, 8.6, 8.1, 28.6), packs(2, 2, 15.3, 13.6, 38.5),
    packs(4, 1, 15, 10.9, 32.7), packs(2, 3, 20.5, 14.1, 49.8), packs(4, 2, 27, 17.7, 46.3),
    packs(8, 1, 29.9, 14.5, 44), packs(4, 3, 34.7, 21.6, 63.4), packs(8, 2, 46.5, 22.7, 67),
    packs(8, 3, 58.5, 33.8, 92.6), packs(8, 4, 79.7, 46.3, 119), packs(16, 2, 86.6, 41.2, 113),
    packs(32, 2, 166, 77.2, 222),
    shifted(4, 2, 28.8, 21, 61.7), shifted(4, 3, 40.6, 26.5, 80.2), shifted(4, 4, 53.2, 36.8, 99),
    shifted(8, 2, 51.1, 29.5, 102), shifted(4, 5, 67.3, 44.1, 123), shifted(8, 3, 71.8, 41.4, 134),
    shifted(8, 4, 91.9, 51.9, 164), shifted(16, 2, 99, 52.7, 167), shifted(8, 5, 118, 65.6, 211),
    shifted(16, 4, 172, 88.5, 285), shifted(32, 2, 185, 94.4, 286),
    words(1, 1, 5.5, 6.9, 28.4), words(2, 1, 6.7, 6.4, 22.3), words(2, 2, 7.3, 7.5, 26), words(2, 3, 8.2, 8.1, 28.9),
    words(4, 2, 11.4, 10.3, 30.1), words(4, 3, 14.1, 12.6, 35.1), words(4, 4, 18.6, 16.7, 40.3),
    words(8, 2, 25.2, 14, 39.4), words(4, 5, 24, 21.1, 48.7), words(4, 6, 28.5, 20.4, 51.2),
    words(8, 3, 31.1, 18, 46.3), words(8, 4, 40.1, 30.9, 58.9), words(8, 6, 51, 31.7, 72.6),
    words(16, 3, 58.6, 27.2, 73.6), words(16, 5, 73.5, 40.3, 101), words(16, 6, 81.2, 49.9, 116),
    words(32, 4, 117, 57.0, 164), words(32, 5, 130, 62.2, 182), words(32, 6, 141, 69.6, 209),
    // clang-format on
});
template <>
inline constexpr auto shapes<double> = std::to_array<Shape>({
    // clang-format off
    packs(1, 1, 7.3, 8.7, 47.8), packs(2, 1, 10.1, 9.8, 39.5), packs(2, 2, 15.6, 15, 51.3),
    packs(4, 1, 17.7, 12.3, 39.2), packs(2, 3, 22.1, 16.5, 62.6), packs(4, 2, 28, 19, 52.2),
    packs(8, 1, 32.3, 15.6, 49.1), packs(4, 3, 35.6, 22.6, 67.2), packs(8, 2, 47.4, 26.2, 72.8),
    packs(8, 3, 59.9, 39, 108), packs(8, 4, 81.3, 45.7, 124), packs(16, 2, 87.9, 43.6, 122),
    packs(16, 3, 111, 63.2, 181), packs(32, 2, 170, 79.5, 235),
    shifted(8, 2, 52, 29.2, 88.9), shifted(8, 3, 71.6, 41.7, 119), shifted(8, 4, 90.8, 51.8, 153),
    shifted(16, 2, 95.2, 49.5, 143), shifted(8, 5, 117, 65.7, 202), shifted(16, 3, 131, 68.2, 199),
    shifted(32, 2, 177, 87.8, 271), shifted(16, 5, 213, 109, 347), shifted(32, 3, 252, 125, 385),
    words(1, 1, 6.9, 8.4, 48.3), words(4, 1, 13.4, 10.9, 34.2), words(4, 3, 26.6, 19.6, 49.4),
    words(8, 2, 37.1, 21.2, 53.4), words(8, 3, 45.3, 26.2, 67.3),
    // clang-format on
});

}  // namespace araia::cuda::short_rows_shapes
