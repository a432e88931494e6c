// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <numeric>

#include "head_solver.hpp"

namespace araia::detail {

HeadRows::HeadRows(HeadGraph const& graph) : edges_(graph.edges), offsets_(graph.rows + 1, 0), diagonal_(graph.rows) {
  auto const index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  for (std::size_t i = 0; i < graph.rows; ++i) offsets_[i + 1] = 1;
  for (auto const& [i, j] : edges_) {
    ++offsets_[index(i) + 1];
    ++offsets_[index(j) + 1];
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  columns_.resize(index(offsets_.back()));
  values_.resize(columns_.size());
  std::vector<std::int32_t> next(offsets_.begin(), offsets_.end() - 1);
  auto const place = [&](std::int32_t row, std::int32_t column) {
    columns_[index(next[index(row)])] = column;
    return next[index(row)]++;
  };
  // Edges are ascending, so each row gets what is below it first, then itself, then what is above.
  lower_.resize(edges_.size());
  upper_.resize(edges_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) lower_[e] = place(edges_[e].second, edges_[e].first);
  for (std::size_t i = 0; i < graph.rows; ++i)
    diagonal_[i] = place(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  for (std::size_t e = 0; e < edges_.size(); ++e) upper_[e] = place(edges_[e].first, edges_[e].second);
}

std::vector<double> const& HeadRows::values(HeadCoefficients const& A) {
  auto const at = [this](std::int32_t place) -> double& { return values_[static_cast<std::size_t>(place)]; };
  for (std::size_t i = 0; i < diagonal_.size(); ++i) at(diagonal_[i]) = A.ground[i];
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    at(upper_[e]) = at(lower_[e]) = -A.edges[e];
    at(diagonal_[static_cast<std::size_t>(edges_[e].first)]) += A.edges[e];
    at(diagonal_[static_cast<std::size_t>(edges_[e].second)]) += A.edges[e];
  }
  return values_;
}

}  // namespace araia::detail
