// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/proposals.hpp"

#include <cstdint>
#include <limits>

namespace araia::detail {

constexpr int warp = 32;

int lanes_covering(std::int64_t columns) {
  int lanes = 1;
  while (lanes < warp && lanes < columns) lanes *= 2;
  return lanes;
}

void propose_columns_on_lanes(Problem const& p, bool device, Choice const& kernel, bool ordered, Proposals& list) {
  int const lanes = device ? lanes_covering(p.columns) : 1;
  auto const add = [&](int vector_length, int columns_per_lane) {
    // A step beyond the columns repeats the one below it.
    if (columns_per_lane > 1 && vector_length * (columns_per_lane / 2) >= p.columns) return;
    Choice choice = kernel;
    choice.vector_length = device ? vector_length : 0;
    choice.columns_per_lane = columns_per_lane;
    if (ordered)
      list.add_with_order(std::move(choice));
    else
      list.add(std::move(choice));
  };
  for (int const columns_per_lane : {4, 8, 1}) add(lanes, columns_per_lane);
  if (device && lanes > 1)
    for (int const columns_per_lane : {4, 8}) add(lanes / 2, columns_per_lane);
}

void propose_sell(Problem const& p, Choice const& kernel, Proposals& list) {
  list.add_with_order(kernel);
  auto const add = [&](bool diagonals, bool narrow) {
    Choice choice = kernel;
    choice.diagonals = diagonals;
    choice.narrow = narrow;
    list.add(std::move(choice));
  };
  add(false, true);
  add(true, false);
  add(true, true);
  for (auto const& known : p.block_fill) {
    if (known.block_rows != 1) continue;
    Choice pairs = kernel;
    pairs.block_width = known.block_cols;
    auto const bytes_of = [&p](Choice const& c) { return static_cast<double>(format_bytes(p, c)); };
    if (bytes_of(pairs) * known.fill < bytes_of(kernel)) list.add(std::move(pairs));
  }
}

void propose_bsr(Problem const& p, Choice const& kernel, Proposals& list) {
  // Blocks pay by the indices they save, as long as fill does not eat that: the shape of the fewest bytes.
  Choice square = kernel;
  square.block_rows = square.block_cols = 2;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (auto const& known : p.block_fill) {
    if (known.block_rows == 1) continue;
    Choice shape = square;
    shape.block_rows = known.block_rows;
    shape.block_cols = known.block_cols;
    if (auto const bytes = format_bytes(p, shape); bytes < least) {
      least = bytes;
      square = shape;
    }
  }
  list.add(square);
}

void propose_bcsc(Choice const& kernel, Proposals& list) {
  for (int const height : {64, 128})
    for (bool const compact : {true, false}) {
      Choice choice = kernel;
      choice.compact = compact;
      choice.block_height = height;
      list.add(std::move(choice));
    }
}

}  // namespace araia::detail
