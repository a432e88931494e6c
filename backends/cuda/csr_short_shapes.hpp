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

// Shapes, and what a full tile of columns took, in us on an H100, by rows of up to 8, 32 and 100 entries in the mean:
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
    packs(1, 1, 5.7, 8.2, 29.1), packs(2, 1, 8.2, 9.9, 31.1), packs(2, 2, 16.7, 23, 40.8),
    packs(2, 3, 25.7, 23, 48.5), packs(4, 2, 31.1, 22.5, 52.8), packs(4, 3, 43.1, 30.1, 66.2),
    packs(8, 2, 49.8, 37, 72.5), packs(8, 3, 78.4, 50.3, 94.6), packs(8, 4, 92, 64, 121.4),
    packs(16, 2, 90.2, 56.6, 120.3), packs(32, 2, 174, 111, 238.7),
    shifted(4, 4, 67.7, 54.2, 142), shifted(8, 4, 125, 84.6, 236), shifted(8, 5, 162, 112, 317),
    shifted(16, 3, 199, 130, 320), shifted(32, 3, 359, 214, 530),
    words(2, 1, 6.4, 8, 25.1), words(2, 3, 9.2, 10.8, 32.3), words(4, 2, 12.1, 13, 34.9),
    words(4, 3, 17.3, 14.5, 41), words(4, 4, 23.9, 21.5, 45.1), words(8, 2, 25.7, 20.9, 49.2),
    words(4, 5, 30.2, 25, 49.2), words(8, 3, 35.2, 23.9, 58.2), words(8, 4, 47.5, 32.5, 67.2),
    words(8, 5, 52.5, 36.8, 75.9), words(8, 6, 55.9, 41.8, 81.7), words(16, 4, 80, 57, 115.8),
    words(16, 5, 95.9, 63.8, 134.2), words(16, 6, 103, 69.7, 143.4),
    // clang-format on
});
template <>
inline constexpr auto shapes<double> = std::to_array<Shape>({
    // clang-format off
    packs(1, 1, 6.7, 10, 37), packs(2, 1, 9.1, 11.6, 37.3), packs(4, 1, 21.7, 15.4, 43.1),
    packs(4, 2, 32.8, 25.7, 58.2), packs(4, 3, 41.1, 32.3, 70.4), packs(8, 2, 51.2, 40.6, 80.8),
    packs(8, 3, 71, 53, 103.7), packs(16, 2, 91.8, 61.8, 132.4), packs(16, 3, 123.2, 84, 178.3),
    packs(32, 2, 175.5, 112.6, 248.3),
    shifted(2, 2, 17.3, 16, 49.9), shifted(2, 3, 27.4, 28.4, 59), shifted(4, 2, 32.5, 27.1, 67.2),
    shifted(4, 3, 44.4, 41.8, 82.7), shifted(8, 2, 54.3, 44.1, 98.3), shifted(8, 3, 76.4, 58.1, 130.6),
    shifted(16, 2, 102, 72.4, 160.9), shifted(8, 5, 126, 89.1, 219.8), shifted(16, 3, 144, 98.1, 222.5),
    shifted(32, 2, 196, 129, 297.5), shifted(16, 5, 232, 154, 381.6),
    words(2, 1, 7, 9.4, 32.4),
    // clang-format on
});

}  // namespace araia::cuda::short_rows_shapes
