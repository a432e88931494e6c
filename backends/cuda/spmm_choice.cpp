// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm_choice.hpp"

#include <algorithm>

namespace araia::cuda {
namespace {

// Jamming pays where a multiprocessor's work is so many times the copying of a slice of 64 columns of B into shared
// memory. Both in cycles: 60 products and 64 bytes each, as measured. At 1.65 padded rows won all of 16 shapes, at 2.5
// jamming three of four.
constexpr double work_to_copy = 2.4;
constexpr double work_to_copy_sparse = 4;  // below density_for_pairs
constexpr double density_to_jam = 0.04;    // below, B's rows come once an entry either way
constexpr double density_for_pairs = 0.08;
constexpr double density_for_four = 0.13;  // groups of four rows from here on, else of two: fewer loops
constexpr std::int64_t columns_to_jam = 96;

// The longest chunk that shared memory holds, evened out over the chunks that A's columns need.
int chunk_for(std::int64_t cols, int vector, std::size_t shared_bytes) {
  int longest = 0;
  for (int k = 64; k <= jam_most_cols && jammed_shared_bytes(k, vector) <= shared_bytes; k += 4) longest = k;
  if (longest == 0) return 0;
  std::int64_t const chunks = std::max<std::int64_t>(1, (cols + longest - 1) / longest);
  return static_cast<int>(std::clamp<std::int64_t>(((cols + chunks - 1) / chunks + 3) / 4 * 4, 4, longest));
}

// Of tile_spmm: the least of a model of its time, in microseconds on an H200.
struct TileEstimate {
  TileSpmmTuning tuning;
  double time = 0;
};
TileEstimate estimate_tiles(SpmmProblem const& p) {
  bool const thrice = p.precision == Precision::fp32_3xtf32;
  TileEstimate best;
  for (int const side : {128, 64}) {
    double const step = side == 128 ? (thrice ? 0.9 : 0.55) : (thrice ? 0.8 : 0.6);  // 32 columns of A
    std::int64_t const resident = side == 128 ? p.multiprocessors : 2 * p.multiprocessors;
    std::int64_t const blocks = (p.rows + side - 1) / side * ((p.columns + side - 1) / side);
    for (int const split : {1, 2, 4, 8}) {
      double const waves = static_cast<double>((blocks * split + resident - 1) / resident);
      double const steps = static_cast<double>(((p.cols + tile_side - 1) / tile_side + split - 1) / split);
      double const time = 2 + waves * (3.0 + split + steps * step);
      if (best.time == 0 || time < best.time) best = {{side, split}, time};
    }
  }
  return best;
}

// Do the tensor cores win? Their time does not depend on the density; that of the others does, in products.
bool tiles_win(SpmmProblem const& p, TileEstimate const& tiles) {
  double const products = static_cast<double>(p.nnz) * static_cast<double>(p.columns);
  double const others = 2.5 + products / 9.5e6;
  return tiles.time < others;
}

}  // namespace

SpmmChoice choose_spmm(SpmmProblem const& p) {
  SpmmChoice choice;
  double const density =
      static_cast<double>(p.nnz) / std::max(1.0, static_cast<double>(p.rows) * static_cast<double>(p.cols));
  if (p.precision != Precision::native && p.scalar_bytes == sizeof(float)) {
    TileEstimate const tiles = estimate_tiles(p);
    choice.tiles = tiles_win(p, tiles);
    choice.tile = tiles.tuning;
  }
  if (!choice.tiles && p.scalar_bytes == sizeof(float) && density >= density_to_jam && p.columns >= columns_to_jam) {
    // Wide slices where the parts that share one have groups for most of their warps.
    std::int64_t const wide_parts = std::max<std::int64_t>(1, p.multiprocessors / ((p.columns + 63) / 64));
    bool const wide = 4 * p.rows >= 3 * wide_parts * jammed_warps * jam_most_rows;
    choice.jam.vector = wide ? 8 : 4;
    choice.shape.group_rows = density >= density_for_four ? 4 : 2;
    choice.shape.chunk_cols = chunk_for(p.cols, choice.jam.vector, p.shared_bytes);
    double const work = static_cast<double>(p.nnz) * static_cast<double>(p.columns) / (60.0 * p.multiprocessors);
    double const copy = static_cast<double>(p.cols) * 64 * sizeof(float) / 64;
    choice.jammed = choice.shape.chunk_cols > 0 &&
                    work >= copy * (density < density_for_pairs ? work_to_copy_sparse : work_to_copy);
  }
  choice.rows = csr_spmm_row_tuning(p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors, padded_warps_resident);
  return choice;
}

}  // namespace araia::cuda
