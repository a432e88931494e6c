// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/graph/host_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>

namespace araia::detail {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Edges by where they lead; the nodes of each row ascend.
GraphRows transposed(GraphRows const& rows) {
  GraphRows result{.nodes = rows.nodes};
  result.offsets.assign(at(rows.nodes) + 1, 0);
  result.heads.resize(rows.heads.size());
  for (std::int32_t const head : rows.heads) ++result.offsets[at(head) + 1];
  for (std::size_t i = 0; i < at(rows.nodes); ++i) result.offsets[i + 1] += result.offsets[i];
  std::vector<std::int64_t> place(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t i = 0; i < at(rows.nodes); ++i)
    for (auto k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
      result.heads[at(place[at(rows.heads[at(k)])]++)] = static_cast<std::int32_t>(i);
  return result;
}

/// Of rows that ascend: each head once, and no row's own.
void drop_loops_and_repetitions(GraphRows& rows) {
  std::int64_t to = 0;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < at(rows.nodes); ++i) {
    std::int64_t const end = rows.offsets[i + 1];
    std::int32_t last = -1;
    for (std::int64_t k = first; k < end; ++k) {
      std::int32_t const head = rows.heads[at(k)];
      if (head == last || head == static_cast<std::int32_t>(i)) continue;
      rows.heads[at(to++)] = last = head;
    }
    first = end;
    rows.offsets[i + 1] = to;
  }
  rows.heads.resize(at(to));
}

/// Rows that ascend, of both.
GraphRows joined_rows(GraphRows const& a, GraphRows const& b) {
  GraphRows result{.nodes = a.nodes};
  result.offsets.assign(at(a.nodes) + 1, 0);
  result.heads.resize(a.heads.size() + b.heads.size());
  auto end = result.heads.begin();
  for (std::size_t i = 0; i < at(a.nodes); ++i) {
    end = std::set_union(a.heads.begin() + a.offsets[i], a.heads.begin() + a.offsets[i + 1],
                         b.heads.begin() + b.offsets[i], b.heads.begin() + b.offsets[i + 1], end);
    result.offsets[i + 1] = end - result.heads.begin();
  }
  result.heads.erase(end, result.heads.end());
  return result;
}

/// Visits nodes level by level.
class Walk {
 public:
  explicit Walk(std::int32_t nodes) : marked_(at(nodes), 0) { order_.reserve(at(nodes)); }
  [[nodiscard]] bool has(std::int32_t node) const { return marked_[at(node)] != 0; }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(order_.size()); }
  /// \return the number of levels below the first
  std::int64_t from(std::int32_t node, std::int64_t const* offsets, std::int32_t const* heads) {
    std::size_t next = order_.size();
    marked_[at(node)] = 1;
    order_.push_back(node);
    std::int64_t depth = -1;
    while (next < order_.size()) {
      ++depth;
      for (std::size_t const end = order_.size(); next < end; ++next) {
        std::int32_t const u = order_[next];
        for (auto e = offsets[u]; e < offsets[u + 1]; ++e) {
          if (marked_[at(heads[e])] != 0) continue;
          marked_[at(heads[e])] = 1;
          order_.push_back(heads[e]);
        }
      }
    }
    return depth;
  }

 private:
  std::vector<char> marked_;
  std::vector<std::int32_t> order_;
};

}  // namespace

BfsGraph HostGraph::pointers() const {
  return {.nodes = nodes,
          .edges = static_cast<std::int64_t>(out_nodes.size()),
          .out_offsets = out_offsets.data(),
          .out_nodes = out_nodes.data(),
          .in_offsets = symmetric() ? out_offsets.data() : in_offsets.data(),
          .in_nodes = symmetric() ? out_nodes.data() : in_nodes.data()};
}

HostGraph make_graph(GraphRows const& rows, bool undirected, bool reversed) {
  GraphRows in = transposed(rows);
  drop_loops_and_repetitions(in);
  GraphRows out = transposed(in);
  if (undirected) {
    out = joined_rows(out, in);
    in = out;
  }
  if (reversed) std::swap(in, out);
  HostGraph graph{.nodes = static_cast<std::int32_t>(rows.nodes)};
  if (in.offsets != out.offsets || in.heads != out.heads) {
    graph.in_offsets = std::move(in.offsets);
    graph.in_nodes = std::move(in.heads);
  }
  graph.out_offsets = std::move(out.offsets);
  graph.out_nodes = std::move(out.heads);
  return graph;
}

GraphDepth depth_of(HostGraph const& graph) {
  BfsGraph const g = graph.pointers();
  if (g.nodes == 0) return {};
  if (!graph.symmetric()) {
    Walk forth(g.nodes);
    Walk back(g.nodes);
    std::int64_t const there = forth.from(0, g.out_offsets, g.out_nodes);
    std::int64_t const here = back.from(0, g.in_offsets, g.in_nodes);
    bool const strong = forth.count() == g.nodes && back.count() == g.nodes;
    return {strong ? static_cast<double>(there + here) : std::numeric_limits<double>::infinity(),
            std::max(there, here)};
  }
  Walk walk(g.nodes);
  std::int64_t most = 0;
  for (std::int32_t node = 0; node < g.nodes; ++node)
    if (!walk.has(node)) most = std::max(most, walk.from(node, g.out_offsets, g.out_nodes));
  return {static_cast<double>(std::min<std::int64_t>(2 * most, g.nodes - 1)), most};
}

std::vector<std::int32_t> order_in_balls(HostGraph const& graph, std::int64_t size) {
  BfsGraph const g = graph.pointers();
  std::vector<std::int32_t> order;  // behind the balls comes what the last one has seen, but not taken
  order.reserve(at(g.nodes));
  std::vector<char> taken(at(g.nodes), 0);
  std::vector<std::int32_t> queue;  // of the ball, then its shore
  std::vector<std::int32_t> shore;  // where later balls may begin, each once
  std::vector<char> on_shore(at(g.nodes), 0);
  queue.reserve(at(g.nodes));
  shore.reserve(at(g.nodes));
  std::vector<std::int32_t> mark(at(g.nodes), -1);
  std::size_t next_shore = 0;
  std::int32_t next_node = 0;
  std::int32_t ball = 0;
  while (static_cast<std::int64_t>(order.size()) < g.nodes) {
    std::size_t const full = std::min(at(g.nodes), order.size() + at(size));
    while (order.size() < full) {  // where a ball runs out of nodes, another one fills the rest
      std::int32_t seed = -1;
      while (seed < 0 && next_shore < shore.size()) {
        std::int32_t const candidate = shore[next_shore++];
        if (taken[at(candidate)] == 0) seed = candidate;
      }
      while (seed < 0) {
        if (taken[at(next_node)] == 0) seed = next_node;
        ++next_node;
      }
      ++ball;
      queue.assign(1, seed);
      mark[at(seed)] = ball;
      std::size_t next = 0;
      for (; next < queue.size() && order.size() < full; ++next) {
        std::int32_t const u = queue[next];
        taken[at(u)] = 1;
        order.push_back(u);
        for (auto e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e) {
          std::int32_t const v = g.out_nodes[e];
          if (taken[at(v)] != 0 || mark[at(v)] == ball) continue;
          mark[at(v)] = ball;
          queue.push_back(v);
        }
      }
      for (; next < queue.size(); ++next) {
        if (on_shore[at(queue[next])] != 0) continue;
        on_shore[at(queue[next])] = 1;
        shore.push_back(queue[next]);
      }
    }
  }
  return order;
}

std::vector<std::int32_t> draw_nodes(std::int32_t nodes, std::int64_t count, std::uint64_t seed) {
  // A node is taken with probability (still wanted) / (still there), so that every set is as likely. Words of the
  // generator are used as they are: all standard libraries draw alike.
  std::mt19937_64 random(seed);
  auto const below = [&random](std::uint64_t bound) {
    std::uint64_t const most = std::numeric_limits<std::uint64_t>::max() / bound * bound;  // whole multiples of bound
    std::uint64_t word = random();
    while (word >= most) word = random();
    return word % bound;
  };
  std::vector<std::int32_t> drawn;
  drawn.reserve(at(count));
  for (std::int32_t node = 0; node < nodes; ++node) {
    auto const wanted = static_cast<std::uint64_t>(count) - drawn.size();
    if (wanted == 0) break;
    if (below(static_cast<std::uint64_t>(nodes - node)) < wanted) drawn.push_back(node);
  }
  return drawn;
}

}  // namespace araia::detail
