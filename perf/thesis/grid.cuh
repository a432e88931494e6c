// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The possible values of tables 4.4 and 4.7 with one shape of a thread block: a unit each.

#include <cstddef>
#include <iterator>
#include <utility>

#include "perf/thesis/tiled_2019.cuh"

namespace araia::thesis {
namespace {

constexpr int grid_items[] = {1, 2, 4, 8, 16};
constexpr int grid_k_tiles[] = {8, 16, 32};

template <int TX, int TY, std::size_t I>
bool launch_grid_if(Tiling const& t, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  constexpr auto items = std::size(grid_items);
  constexpr Tiling built{TX, TY, grid_items[I % items], grid_items[I / items % items], grid_k_tiles[I / items / items]};
  if constexpr (is_possible(built)) {
    if (t != built) return false;
    launch_tiled<TX, TY, built.items_x, built.items_y, built.k_tile, true, Prefetch::none>(a, b, c, columns, stream);
    return true;
  }
  return false;
}

template <int TX, int TY>
bool launch_grid(Tiling const& t, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (launch_grid_if<TX, TY, I>(t, a, b, c, columns, stream) || ...);
  }
  (std::make_index_sequence<std::size(grid_items) * std::size(grid_items) * std::size(grid_k_tiles)>());
}

}  // namespace
}  // namespace araia::thesis
