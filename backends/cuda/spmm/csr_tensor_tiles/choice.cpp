// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_tensor_tiles/choice.hpp"

#include <array>

namespace araia::cuda {
namespace {

// Microseconds of a thread block, to start and end and for each 32 columns of A: fits to 72 cases.
struct TileShape {
  int rows, columns;
  double start, step;
};
constexpr std::array<TileShape, 3> shapes_3xtf32{{{128, 128, 4.6, 1.21}, {64, 128, 3.9, 0.74}, {64, 64, 4.0, 0.5}}};
constexpr std::array<TileShape, 2> shapes_tf32{{{128, 128, 5.2, 0.62}, {64, 64, 3.7, 0.36}}};
constexpr double tile_split_cost = 0.75;  // us, for each doubling of a cluster
// Small blocks in clusters of four, beside other kernels: so much of the steps' time more.
constexpr double tile_fours = 0.55;
constexpr double tile_fours_start = 5.3;  // us

}  // namespace

std::optional<TileChoice> choose_tiles(SpmmProblem const& p) {
  if (p.nnz == 0 || !p.single() || p.precision == Precision::native) return {};
  TileSpmmTuning best;
  double least = 0;
  std::int64_t const tiles = quotient_up(p.cols, tile_side);
  auto const consider = [&](TileShape const& shape) {
    std::int64_t const blocks = quotient_up(p.rows, shape.rows) * quotient_up(p.columns, shape.columns);
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
    auto const waves = static_cast<double>(quotient_up(blocks * split, p.multiprocessors * (small ? 2 : 1)));
    double step = shape.step;
    if (small && blocks * split > p.multiprocessors) step *= 1.7;  // two share the tensor cores
    if (p.columns % shape.columns != 0) step *= 1.4;               // copies of B that end amid a block
    double const time =
        waves * (shape.start + tile_split_cost * doublings + static_cast<double>(quotient_up(tiles, split)) * step);
    if (least == 0 || time < least) least = time, best = {shape.rows, shape.columns, split};
  };
  if (allows_tf32(p.precision))
    for (auto const& shape : shapes_tf32) consider(shape);
  else
    for (auto const& shape : shapes_3xtf32) consider(shape);
  if (best.rows == 64 && best.columns == 64 && best.split == 4) least += tile_fours * (least - tile_fours_start);
  return TileChoice{best, least * microsecond};
}

}  // namespace araia::cuda
