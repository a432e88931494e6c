// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heads of junctions with one or two neighbours, eliminated one after another: trees go, and chains become one edge.
// What is left has three neighbours at least, is a fraction of the network, and is better conditioned. As coefficients
// are kept as conductances, an elimination adds, multiplies and divides what is positive, and loses no digits.
#include <algorithm>
#include <map>
#include <utility>

#include "head_solver.hpp"

namespace araia::detail {
namespace {

constexpr std::int32_t none = -1;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct Elimination {
  std::int32_t row = none;
  std::int32_t a = none;  // neighbours, none where there are fewer
  std::int32_t b = none;
  std::int32_t to_a = none;  // edges
  std::int32_t to_b = none;
  std::int32_t between = none;  // a and b
};

class ReducedHeads final : public HeadSolver {
 public:
  ReducedHeads(HeadGraph const& graph, std::unique_ptr<HeadSolver> (*make_core)(HeadGraph const&)) {
    std::vector<std::map<std::int32_t, std::int32_t>> neighbours(graph.rows);  // to their edges
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      auto const [i, j] = graph.edges[e];
      neighbours[index(i)].emplace(j, static_cast<std::int32_t>(e));
      neighbours[index(j)].emplace(i, static_cast<std::int32_t>(e));
    }
    edges_ = static_cast<std::int32_t>(graph.edges.size());
    order(neighbours);
    take_core(neighbours);
    edge_values_.resize(index(edges_));
    if (!core_rows_.empty()) core_ = make_core(core_graph_);
    core_coefficients_.edges.resize(core_edges_.size());
    core_coefficients_.ground.resize(core_rows_.size());
    core_right_.resize(core_rows_.size());
    core_x_.resize(core_rows_.size());
  }

  std::int64_t solve(HeadCoefficients const& A, std::vector<double> const& right, std::vector<double>& x) override {
    std::copy(A.edges.begin(), A.edges.end(), edge_values_.begin());
    std::fill(edge_values_.begin() + static_cast<std::ptrdiff_t>(A.edges.size()), edge_values_.end(), 0.0);
    ground_ = A.ground;
    right_ = right;
    for (auto const& one : eliminations_) eliminate(one);
    std::int64_t iterations = 0;
    if (core_ != nullptr) {
      for (std::size_t c = 0; c < core_rows_.size(); ++c) {
        core_coefficients_.ground[c] = ground_[index(core_rows_[c])];
        core_right_[c] = right_[index(core_rows_[c])];
        core_x_[c] = 0;
      }
      for (std::size_t e = 0; e < core_edges_.size(); ++e)
        core_coefficients_.edges[e] = edge_values_[index(core_edges_[e])];
      iterations = core_->solve(core_coefficients_, core_right_, core_x_);
      if (iterations < 0) return iterations;
      for (std::size_t c = 0; c < core_rows_.size(); ++c) x[index(core_rows_[c])] = core_x_[c];
    }
    for (auto one = eliminations_.rbegin(); one != eliminations_.rend(); ++one) {
      double sum = right_[index(one->row)];
      if (one->a != none) sum += edge_values_[index(one->to_a)] * x[index(one->a)];
      if (one->b != none) sum += edge_values_[index(one->to_b)] * x[index(one->b)];
      x[index(one->row)] = sum / total(*one);
    }
    return iterations;
  }

 private:
  using Neighbours = std::vector<std::map<std::int32_t, std::int32_t>>;

  void order(Neighbours& neighbours) {
    std::vector<char> eliminated(neighbours.size(), 0);
    std::vector<std::int32_t> ready;
    for (std::size_t i = neighbours.size(); i-- > 0;)
      if (neighbours[i].size() <= 2) ready.push_back(static_cast<std::int32_t>(i));
    while (!ready.empty()) {
      std::int32_t const row = ready.back();
      ready.pop_back();
      if (std::exchange(eliminated[index(row)], char{1}) != 0) continue;
      Elimination one{.row = row};
      for (auto const& [other, edge] : neighbours[index(row)]) {
        (one.a == none ? one.a : one.b) = other;
        (one.to_a == none ? one.to_a : one.to_b) = edge;
        neighbours[index(other)].erase(row);
      }
      neighbours[index(row)].clear();
      if (one.b != none) {
        auto const [at, added] = neighbours[index(one.a)].emplace(one.b, edges_);
        if (added) neighbours[index(one.b)].emplace(one.a, edges_++);
        one.between = at->second;
      }
      for (std::int32_t const other : {one.a, one.b})
        if (other != none && neighbours[index(other)].size() <= 2) ready.push_back(other);
      eliminations_.push_back(one);
    }
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      if (eliminated[i] == 0) core_rows_.push_back(static_cast<std::int32_t>(i));
  }

  void take_core(Neighbours const& neighbours) {
    std::vector<std::int32_t> core_of(neighbours.size(), none);
    for (std::size_t c = 0; c < core_rows_.size(); ++c) core_of[index(core_rows_[c])] = static_cast<std::int32_t>(c);
    core_graph_.rows = core_rows_.size();
    for (std::int32_t const row : core_rows_)
      for (auto const& [other, edge] : neighbours[index(row)]) {
        if (other < row) continue;
        core_graph_.edges.emplace_back(core_of[index(row)], core_of[index(other)]);
        core_edges_.push_back(edge);
      }
  }

  [[nodiscard]] double total(Elimination const& one) const {
    return ground_[index(one.row)] + (one.a != none ? edge_values_[index(one.to_a)] : 0.0) +
           (one.b != none ? edge_values_[index(one.to_b)] : 0.0);
  }

  void eliminate(Elimination const& one) {
    double const all = total(one);
    auto const row = index(one.row);
    double const to_a = one.a != none ? edge_values_[index(one.to_a)] : 0;
    double const to_b = one.b != none ? edge_values_[index(one.to_b)] : 0;
    if (to_a > 0) {
      ground_[index(one.a)] += to_a / all * ground_[row];
      right_[index(one.a)] += to_a / all * right_[row];
    }
    if (to_b > 0) {
      ground_[index(one.b)] += to_b / all * ground_[row];
      right_[index(one.b)] += to_b / all * right_[row];
    }
    if (one.between != none) edge_values_[index(one.between)] += to_a / all * to_b;
  }

  std::vector<Elimination> eliminations_;
  std::int32_t edges_ = 0;  // of the graph, and those between neighbours
  std::vector<std::int32_t> core_rows_;
  std::vector<std::int32_t> core_edges_;
  HeadGraph core_graph_;
  std::unique_ptr<HeadSolver> core_;
  std::vector<double> edge_values_;
  std::vector<double> ground_;
  std::vector<double> right_;
  HeadCoefficients core_coefficients_;
  std::vector<double> core_right_;
  std::vector<double> core_x_;
};

}  // namespace

std::unique_ptr<HeadSolver> make_reduced_heads(HeadGraph const& graph,
                                               std::unique_ptr<HeadSolver> (*make_core)(HeadGraph const&)) {
  return std::make_unique<ReducedHeads>(graph, make_core);
}

}  // namespace araia::detail
