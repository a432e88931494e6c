// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A graph in host memory, as searches want it, and what is asked of it before one begins. No Kokkos here.

#include <cstdint>
#include <vector>

#include <araia/detail/graph/graph_rows.hpp>
#include "src/kernel/bfs_operands.hpp"

namespace araia::detail {

/// Edges without self-loops and repetitions, sorted, and the same by where they lead.
struct HostGraph {
  std::int32_t nodes = 0;
  std::vector<std::int64_t> out_offsets{};
  std::vector<std::int32_t> out_nodes{};
  std::vector<std::int64_t> in_offsets{};  // empty where it is the same
  std::vector<std::int32_t> in_nodes{};

  [[nodiscard]] bool symmetric() const { return in_offsets.empty(); }
  [[nodiscard]] BfsGraph pointers() const;
};

/// \param undirected  every edge leads both ways
/// \param reversed    every edge is turned around
/// Cost     O(nodes + entries)
HostGraph make_graph(GraphRows const& rows, bool undirected, bool reversed);

struct GraphDepth {
  /// An upper bound of all distances: of each part of a symmetric graph twice the depth of a search from one of its
  /// nodes; of a strongly connected one the depth of a search plus that of one against the edges; else infinite.
  double diameter = 0;
  std::int64_t levels = 0;  ///< of the deepest of these searches
};

/// Cost     O(nodes + edges)
GraphDepth depth_of(HostGraph const& graph);

/// All nodes in an order where near ones are near: balls of `size` nodes, each grown by a breadth-first search among
/// the nodes that are in none yet.
/// Cost     O(nodes + edges)
std::vector<std::int32_t> order_in_balls(HostGraph const& graph, std::int64_t size);

/// So many different nodes, drawn at random, each as likely; ascending.
std::vector<std::int32_t> draw_nodes(std::int32_t nodes, std::int64_t count, std::uint64_t seed);

}  // namespace araia::detail
