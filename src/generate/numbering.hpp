// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Nodes of a mesh in an order that is not the mesh's own.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "src/generate/random.hpp"

namespace araia::generate::detail {

/// number[node of a lattice] is its place among the rows, lattice[] the inverse.
struct Numbering {
  std::vector<std::int64_t> number, lattice;
};

/// Numbers [0, nodes) at random inside windows of so many, as after a bandwidth reduction.
inline Numbering shuffle_in_windows(std::int64_t nodes, std::int64_t window, std::uint64_t seed) {
  Numbering order{std::vector<std::int64_t>(static_cast<std::size_t>(nodes)),
                  std::vector<std::int64_t>(static_cast<std::size_t>(nodes))};
  std::iota(order.lattice.begin(), order.lattice.end(), std::int64_t{0});
  for (std::int64_t first = 0; first < nodes; first += window) {
    std::int64_t const count = std::min(window, nodes - first);
    for (std::int64_t i = count - 1; i > 0; --i) {
      std::int64_t const j = below(draw(seed, static_cast<std::uint64_t>(first + i)), i + 1);
      std::swap(order.lattice[static_cast<std::size_t>(first + i)], order.lattice[static_cast<std::size_t>(first + j)]);
    }
  }
  for (std::int64_t i = 0; i < nodes; ++i)
    order.number[static_cast<std::size_t>(order.lattice[static_cast<std::size_t>(i)])] = i;
  return order;
}

}  // namespace araia::generate::detail
