// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of csr_spmm_short_rows: those that there are kernels of, what each took, and how it tiles columns.

#include <array>
#include <cstdint>

#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/packs_fit.hpp"

namespace araia::cuda::short_rows_shapes {

inline constexpr int threads = 128;     ///< of a block
inline constexpr int slice_bytes = 32;  ///< of a row of C: what a block at the front takes of it

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
    packs(1, 1, 5.8, 7.5, 33), packs(2, 1, 8.2, 7.7, 28.8), packs(2, 2, 14.3, 13.2, 36.9),
    packs(4, 1, 14.4, 10.6, 32.2), packs(2, 3, 18.2, 14, 48.5), packs(4, 2, 25.6, 17.7, 44.9),
    packs(8, 1, 28.2, 14.3, 42.8), packs(4, 3, 32.8, 21.1, 61.8), packs(8, 2, 44.5, 22.3, 66.3),
    packs(8, 3, 57.2, 33.6, 92.5), packs(8, 4, 75.7, 45.4, 118), packs(16, 2, 82, 40, 112),
    packs(32, 2, 160, 75.7, 220),
    shifted(4, 2, 28.3, 21.1, 61.3), shifted(8, 2, 49.1, 28.8, 99.4), shifted(8, 3, 68.9, 40.9, 131),
    shifted(8, 4, 89.4, 51.5, 167), shifted(16, 4, 168, 87.8, 289), shifted(32, 2, 178, 91.9, 280),
    words(1, 1, 5.2, 6.7, 29.2), words(2, 1, 6.4, 5.9, 21.9), words(2, 2, 7.1, 7.2, 25.4),
    words(2, 3, 7.6, 7.6, 28.1), words(4, 2, 10.5, 10.4, 28.7), words(4, 3, 13, 13.2, 33.5),
    words(4, 4, 17.8, 16.5, 38.3), words(8, 2, 23.4, 13.5, 38), words(4, 6, 27.3, 19.4, 47.5),
    words(8, 3, 29.2, 17.8, 44.1), words(8, 4, 37.8, 30.5, 54.3), words(8, 6, 47.6, 30.5, 70.4),
    words(16, 3, 54.9, 26.7, 70.3), words(16, 4, 59.9, 34.5, 84.1), words(16, 5, 66.9, 39.9, 99.7),
    words(16, 6, 76.6, 48.7, 114), words(32, 3, 95.7, 43.4, 123), words(32, 4, 105, 50.2, 147),
    words(32, 5, 117, 57.9, 177), words(32, 6, 132, 65.7, 200),
    // clang-format on
});
template <>
inline constexpr auto shapes<double> = std::to_array<Shape>({
    // clang-format off
    packs(1, 1, 7.2, 8.9, 44.5), packs(2, 1, 8.6, 9.1, 34.5), packs(2, 2, 15.5, 14.7, 42.7),
    packs(4, 1, 16.1, 11.7, 37.3), packs(2, 3, 19.9, 15.8, 52.9), packs(4, 2, 26.6, 18.9, 50.2),
    packs(8, 1, 30.6, 15.3, 48.2), packs(4, 3, 33.9, 22.1, 65.4), packs(8, 2, 45.2, 26.7, 74.1),
    packs(8, 3, 58.8, 38.2, 105), packs(8, 4, 80.4, 45.1, 123), packs(16, 2, 83, 43, 123),
    packs(16, 3, 107, 61.4, 175), packs(32, 2, 161, 77.2, 237),
    shifted(4, 2, 30.3, 22.6, 65.1), shifted(4, 3, 41.7, 26.4, 78.7), shifted(8, 2, 50.5, 28.7, 88.1),
    shifted(8, 3, 70.2, 41, 118), shifted(8, 4, 88.9, 50.9, 151), shifted(16, 2, 92.3, 48.7, 141),
    shifted(8, 5, 115, 65.1, 200), shifted(16, 3, 129, 67.3, 196), shifted(16, 4, 164, 85.6, 258),
    shifted(32, 2, 173, 86, 268), shifted(16, 5, 210, 108, 344), shifted(32, 3, 247, 124, 381),
    words(1, 1, 6.8, 8.5, 45.4), words(2, 1, 7.9, 8.4, 32.6), words(4, 1, 12.6, 10.7, 33.7),
    words(4, 3, 25.2, 18.8, 46.9), words(8, 2, 35.4, 20.9, 52.2), words(8, 3, 43, 25.7, 66),
    // clang-format on
});

}  // namespace araia::cuda::short_rows_shapes
