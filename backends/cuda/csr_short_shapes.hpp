// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of csr_spmm_short_rows: those that there are kernels of, what each took, and how it tiles columns.

#include <array>
#include <cstdint>
#include <limits>

#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/packs_fit.hpp"

namespace araia::cuda::short_rows_shapes {

inline constexpr int threads = 128;     ///< of a block
inline constexpr int slice_bytes = 32;  ///< of a row of C: what a block at the front takes of it

/// Columns that one tile of a shape holds.
template <class T>
constexpr std::int64_t tile_columns(CsrSpmmShortTuning const& t) {
  return std::int64_t{t.lanes} * t.accesses * (t.access == ShortRowAccess::packs ? pack_words<T> : 1);
}

template <class T>
constexpr std::int64_t tiles_of(CsrSpmmShortTuning const& t, std::int64_t columns) {
  std::int64_t const one = tile_columns<T>(t);
  return (columns + one - 1) / one;
}

// Shapes, and what a tile of columns took, in us on an H200, by rows of up to 8, 32 and 100 entries in the mean: of 7
// points (185193 rows), of 27 points (64000 rows), and the geometric mean of three-unknown FEM, a 4-D lattice and
// orbitals (52728, 120000 and 74308 rows), cold. Packs fill it; words take the mean of a last access of one column, of
// half and of all but one. Kept are those without which some number of columns would take a fifth longer, or all
// together a hundredth: what others gave is in docs/lab/cuda_kernels.md.
struct Shape {
  CsrSpmmShortTuning tuning;
  double of_8;
  double of_32;
  double of_100;
};
constexpr Shape packs(int lanes, int accesses, double of_8, double of_32, double of_100) {
  return {{lanes, accesses, ShortRowAccess::packs}, of_8, of_32, of_100};
}
constexpr Shape words(int lanes, int accesses, double of_8, double of_32, double of_100) {
  return {{lanes, accesses, ShortRowAccess::words}, of_8, of_32, of_100};
}
// Not for such rows: other shapes gain on few classes and lose on more (docs/lab/cuda_kernels.md); of_8 of more than
// seven words of 8 lanes has the mean of what stencils and power grids take.
constexpr double none = std::numeric_limits<double>::infinity();
template <class T>
inline constexpr auto shapes = std::to_array<Shape>({
    // clang-format off
    packs(1, 1, 4.8, 7.4, 31.4), packs(2, 1, 6.5, 7.3, 27.5), packs(4, 1, 10.7, 11, 31.4),
    packs(2, 3, 18.2, 15.2, 48.5), packs(8, 1, 25.9, 14.9, 42.7), packs(4, 3, 30.6, 23.1, 61.2),
    packs(8, 2, 41.8, 26.8, 66.3), packs(8, 3, 53.7, 40.1, 92.1), packs(8, 4, 70.5, 52.1, 119),
    packs(16, 2, 77.6, 46.4, 112), packs(16, 4, 127, 88.3, 217), words(1, 1, 4.3, 6.8, 26.4),
    words(2, 1, 5.4, 5.9, 19.7), words(2, 3, 6.6, 8, 26.7), words(4, 2, 8.9, 9.5, 25.9), words(4, 3, 10.8, 13.1, 32.2),
    words(4, 4, 12.7, 15.8, 36.2), words(4, 5, 16, 18.6, 41.7), words(8, 3, 22.5, 16.9, 42.6),
    words(8, 4, 29.2, 26.1, 50.9), words(8, 5, 33.4, 31.6, 59.5), words(16, 3, 46.1, 27.2, 67.4),
    words(8, 7, 43, 35.3, 73.6), words(16, 4, 50.7, 36.2, 81.8), words(16, 5, 55.9, 43.1, 96.4),
    words(16, 6, 64.9, 51, 111), words(16, 7, 75.1, 58.1, 121), words(16, 8, 84.3, 64.7, 136),
    words(32, 4, 93.9, 56.5, 146), words(16, 9, 90.7, 71.6, 155), words(8, 10, 50.5, none, none),
    packs(4, 4, 35.8, none, none), packs(10, 1, none, 17.5, 54), packs(10, 2, none, 39, 80),
    // clang-format on
});
template <>
inline constexpr auto shapes<double> = std::to_array<Shape>({
    // clang-format off
    packs(2, 1, 7.2, 9.6, 32.4), packs(4, 1, 13.4, 12.5, 36.6), packs(2, 3, 19.3, 17.5, 52.2),
    packs(4, 2, 24.7, 20.2, 50), packs(8, 1, 28.3, 16.8, 47.5), packs(4, 3, 32, 24.4, 65),
    packs(8, 2, 42.3, 30.8, 73.8), packs(8, 3, 55.3, 45.1, 105), packs(16, 2, 78.3, 49.8, 123),
    packs(8, 5, 90.8, 64.9, 154), packs(16, 3, 101, 71.2, 176), packs(16, 4, 134, 88, 215), packs(16, 5, 159, 111, 280),
    words(4, 1, 8.8, 9.3, 29.6), words(8, 1, 16.3, 12.7, 36.2), words(4, 3, 19.4, 20.4, 46.4),
    words(8, 2, 27.4, 20.3, 48.8), words(8, 3, 35.2, 29.1, 63.4), words(8, 4, 41.7, 38.2, 77.5),
    words(16, 2, 50.9, 30.1, 77.1), words(8, 5, 50.6, 44.1, 89.8), words(16, 3, 62.9, 40.4, 89.2),
    words(16, 4, 72.4, 48.7, 116), words(16, 5, 86.9, 58.3, 146), words(16, 6, 98.6, 70, 172),
    words(16, 7, 114, 78.4, 194), words(16, 8, 134, 87.4, 218), words(16, 9, 145, 98.7, 255),
    words(1, 3, 6, none, none), words(2, 5, 12.4, none, none), packs(10, 1, none, 20, 57), packs(10, 2, none, 43, 90),
    // clang-format on
});

}  // namespace araia::cuda::short_rows_shapes
