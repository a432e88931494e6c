// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

// tile_spmm: microseconds of a block on an H200, to start and end and for each 32 columns of A; fitted to 72 cases,
// within 2% of the best shape in the mean.
struct TileShape {
  int rows, columns;
  double start, step;
};
constexpr std::array<TileShape, 3> shapes_3xtf32{{{128, 128, 4.6, 1.21}, {64, 128, 3.9, 0.74}, {64, 64, 4.0, 0.5}}};
constexpr std::array<TileShape, 2> shapes_tf32{{{128, 128, 5.2, 0.62}, {64, 64, 3.7, 0.36}}};
constexpr double tile_split_cost = 0.75;  // for each doubling of a cluster

struct TileEstimate {
  TileSpmmTuning tuning;
  double time = 0;
};

TileEstimate estimate_tiles(SpmmProblem const& p) {
  TileEstimate best;
  std::int64_t const tiles = (p.cols + tile_side - 1) / tile_side;
  auto const consider = [&](TileShape const& shape) {
    std::int64_t const blocks =
        (p.rows + shape.rows - 1) / shape.rows * ((p.columns + shape.columns - 1) / shape.columns);
    // Clusters as long as they all run at once. Fours and eights do not fill the device, as a cluster stays within a
    // group of multiprocessors; of the small blocks a multiprocessor holds two.
    bool const small = shape.rows == 64 && shape.columns == 64;
    int split = 1;
    double doublings = 0;
    for (double const share : {small ? 2.0 : 1.0, small ? 1.0 : 0.85, small ? 1.0 : 0.73}) {
      if (static_cast<double>(blocks) * split * 2 > share * p.multiprocessors || tiles < 4 * split) break;
      split *= 2;
      doublings += 1;
    }
    std::int64_t const resident = p.multiprocessors * (small ? 2 : 1);
    auto const waves = static_cast<double>((blocks * split + resident - 1) / resident);
    double step = shape.step;
    if (small && blocks * split > p.multiprocessors) step *= 1.7;  // two share the tensor cores
    if (p.columns % shape.columns != 0) step *= 1.4;               // copies of B that end amid a block
    double const time =
        waves * (shape.start + tile_split_cost * doublings + static_cast<double>((tiles + split - 1) / split) * step);
    if (best.time == 0 || time < best.time) best = {{shape.rows, shape.columns, split}, time};
  };
  if (p.precision == Precision::tf32)
    for (auto const& shape : shapes_tf32) consider(shape);
  else
    for (auto const& shape : shapes_3xtf32) consider(shape);
  return best;
}

// Microseconds of the kernels of full precision, fitted to the same cases: jammed from 256 columns on, else padded
// rows.
double estimate_native(SpmmProblem const& p, double density) {
  auto const columns = static_cast<double>(p.columns);
  double const products = static_cast<double>(p.rows) * static_cast<double>(p.cols) * columns;  // of a dense matrix
  if (p.columns >= 256) return 4.5 + 8e-8 * products * std::pow(density, 0.59);
  return 2.3 + 2.2e-7 * std::pow(columns / 32, -0.25) * products * std::pow(density, 0.84);
}

}  // namespace

SpmmChoice choose_spmm(SpmmProblem const& p) {
  SpmmChoice choice;
  double const density =
      static_cast<double>(p.nnz) / std::max(1.0, static_cast<double>(p.rows) * static_cast<double>(p.cols));
  if (p.precision != Precision::native && p.scalar_bytes == sizeof(float)) {
    TileEstimate const tiles = estimate_tiles(p);
    choice.tiles = tiles.time < estimate_native(p, density);
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
