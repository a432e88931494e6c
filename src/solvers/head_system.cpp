// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "head_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace araia::detail {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// A forest of sets of nodes, joined one by one.
class Sets {
 public:
  explicit Sets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (above_[i] != i) {
      above_[i] = above_[above_[i]];
      i = above_[i];
    }
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    i = find(i);
    j = find(j);
    above_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::size_t> above_;
};

}  // namespace

HeadSystem::HeadSystem(HydraulicModel const& model) : model_(model) {
  make_graph();
  std::size_t const nodes = model_.nodes.size();
  std::size_t const links = model_.links.size();
  for (std::size_t k = 0; k < links; ++k) {
    auto const kind = model_.links[k].kind;
    if (kind == WaterLinkKind::prv || kind == WaterLinkKind::psv || kind == WaterLinkKind::fcv)
      regulators_.push_back(k);
  }
  island_of_.resize(nodes, none);
  roles_.resize(links, Role::unknown);
  losses_.resize(links);
  emitter_losses_.resize(nodes);
  excess_.resize(nodes);
  regulated_flow_.resize(links);
  coefficients_.edges.resize(graph_.edges.size());
  coefficients_.ground.resize(graph_.rows);
  right_.resize(graph_.rows);
  correction_.resize(graph_.rows);
  held_.resize(graph_.rows);
}

void HeadSystem::make_graph() {
  std::int32_t rows = 0;
  for (auto const& node : model_.nodes) row_of_.push_back(node.fixed ? none : rows++);
  graph_.rows = at(rows);
  auto const pair_of = [&](ModelLink const& link) {
    std::int32_t const i = row_of_[link.from];
    std::int32_t const j = row_of_[link.to];
    return std::pair(std::min(i, j), std::max(i, j));
  };
  auto& edges = graph_.edges;
  for (auto const& link : model_.links)
    if (auto const pair = pair_of(link); pair.first != none) edges.push_back(pair);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (auto const& link : model_.links) {
    auto const pair = pair_of(link);
    auto const found = std::lower_bound(edges.begin(), edges.end(), pair) - edges.begin();
    edge_of_.push_back(pair.first == none ? none : static_cast<std::int32_t>(found));
  }
}

bool HeadSystem::find_islands(HydraulicState const& state) {
  std::size_t const links = model_.links.size();
  bool same = std::exchange(islands_known_, true);
  for (std::size_t k = 0; k < links; ++k) {
    auto const kind = model_.links[k].kind;
    Role role = losses_[k].conductance > 0 ? Role::open : Role::closed;
    if (regulates(model_, state, k))
      role = kind == WaterLinkKind::psv   ? Role::holds_from
             : kind == WaterLinkKind::prv ? Role::holds_to
                                          : Role::gives_flow;
    same = std::exchange(roles_[k], role) == role && same;
  }
  if (same) return false;
  // The last set is that of known heads.
  std::size_t const nodes = model_.nodes.size();
  Sets sets(nodes + 1);
  for (std::size_t i = 0; i < nodes; ++i)
    if (model_.nodes[i].fixed) sets.join(i, nodes);
  for (std::size_t k = 0; k < links; ++k) {
    auto const& link = model_.links[k];
    if (roles_[k] == Role::open) sets.join(link.from, link.to);
    if (roles_[k] == Role::holds_from) sets.join(link.from, nodes);
    if (roles_[k] == Role::holds_to) sets.join(link.to, nodes);
  }
  islands_.clear();
  std::fill(island_of_.begin(), island_of_.end(), none);
  for (std::size_t i = 0; i < nodes; ++i) {
    std::size_t const first = sets.find(i);
    if (first == sets.find(nodes)) continue;
    if (first == i) {
      island_of_[i] = static_cast<std::int32_t>(islands_.size());
      islands_.push_back({.reference = i});
    }
    island_of_[i] = island_of_[first];
    if (model_.nodes[i].emitter > 0) islands_[at(island_of_[i])].has_emitter = true;
  }
  join_islands();
  return true;
}

void HeadSystem::join_islands() {
  // The last set is that of known heads, to which emitters count.
  std::size_t const count = islands_.size();
  Sets sets(count + 1);
  for (std::size_t c = 0; c < count; ++c)
    if (islands_[c].has_emitter) sets.join(c, count);
  for (std::size_t k = 0; k < model_.links.size(); ++k) {
    if (roles_[k] != Role::closed && roles_[k] != Role::gives_flow) continue;
    std::int32_t const a = island_of_[model_.links[k].from];
    std::int32_t const b = island_of_[model_.links[k].to];
    sets.join(a == none ? count : at(a), b == none ? count : at(b));
  }
  for (std::size_t c = 0; c < count; ++c) {
    islands_[c].leaks = sets.find(c) == sets.find(count);
    islands_[c].first = !islands_[c].leaks && sets.find(c) == c;
  }
}

bool HeadSystem::release_valves(HydraulicState& state) const {
  bool released = false;
  for (std::size_t const k : regulators_) {
    if (roles_[k] != Role::holds_from && roles_[k] != Role::holds_to) continue;
    auto const& link = model_.links[k];
    std::int32_t const island = island_of_[roles_[k] == Role::holds_from ? link.to : link.from];
    if (island == none || islands_[at(island)].leaks) continue;
    state.statuses[k] = LinkStatus::stuck_open;
    released = true;
  }
  return released;
}

void HeadSystem::add_links(HydraulicState const& state) {
  for (std::size_t k = 0; k < model_.links.size(); ++k) {
    double const conductance = losses_[k].conductance;
    if (conductance == 0) continue;
    auto const& link = model_.links[k];
    double const s = conductance * (losses_[k].loss - (state.heads[link.from] - state.heads[link.to]));
    excess_[link.from] -= state.flows[k];
    excess_[link.to] += state.flows[k];
    std::int32_t const i = row_of_[link.from];
    std::int32_t const j = row_of_[link.to];
    if (i != none) right_[at(i)] += s;
    if (j != none) right_[at(j)] -= s;
    if (edge_of_[k] != none)
      coefficients_.edges[at(edge_of_[k])] += conductance;
    else if (i != none || j != none)
      coefficients_.ground[at(i != none ? i : j)] += conductance;
  }
}

void HeadSystem::add_emitters(HydraulicState const& state) {
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    auto const& node = model_.nodes[i];
    if (node.emitter == 0) continue;
    emitter_losses_[i] = emitter_loss(model_, state, i);
    auto const& [loss, conductance] = emitter_losses_[i];
    excess_[i] -= state.emitter_flows[i];
    auto const row = at(row_of_[i]);
    coefficients_.ground[row] += conductance;
    right_[row] += conductance * (loss - (state.heads[i] - node.elevation));
  }
}

void HeadSystem::hold(std::size_t node, double head, HydraulicState const& state) {
  auto const row = at(row_of_[node]);
  held_[row] = 1;
  correction_[row] = head - state.heads[node];
}

void HeadSystem::add_valves(HydraulicState const& state) {
  // Flows that depend on others' come from the flows before: the matrix would not be symmetric otherwise.
  for (std::size_t const k : regulators_) {
    if (roles_[k] != Role::gives_flow) continue;
    auto const& link = model_.links[k];
    regulated_flow_[k] = state.settings[k];
    excess_[link.from] -= regulated_flow_[k];
    excess_[link.to] += regulated_flow_[k];
  }
  for (std::size_t const k : regulators_) {
    auto const& link = model_.links[k];
    if (roles_[k] == Role::holds_to) {
      regulated_flow_[k] = -excess_[link.to];
      if (regulated_flow_[k] > 0) right_[at(row_of_[link.from])] -= regulated_flow_[k];
      hold(link.to, model_.nodes[link.to].elevation + state.settings[k], state);
    } else if (roles_[k] == Role::holds_from) {
      regulated_flow_[k] = excess_[link.from];
      if (regulated_flow_[k] > 0) right_[at(row_of_[link.to])] += regulated_flow_[k];
      hold(link.from, model_.nodes[link.from].elevation + state.settings[k], state);
    }
  }
}

void HeadSystem::eliminate_held() {
  for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
    auto const i = at(graph_.edges[e].first);
    auto const j = at(graph_.edges[e].second);
    if (held_[i] == 0 && held_[j] == 0) continue;
    double const conductance = std::exchange(coefficients_.edges[e], 0.0);
    if (held_[i] != 0 && held_[j] != 0) continue;
    auto const free = held_[i] != 0 ? j : i;
    auto const known = held_[i] != 0 ? i : j;
    coefficients_.ground[free] += conductance;
    right_[free] += conductance * correction_[known];
  }
  for (std::size_t i = 0; i < graph_.rows; ++i) {
    if (held_[i] == 0) continue;
    coefficients_.ground[i] = 1;
    right_[i] = correction_[i];
  }
}

void HeadSystem::assemble(HydraulicState& state) {
  do
    for (std::size_t k = 0; k < model_.links.size(); ++k) losses_[k] = head_loss(model_, state, k);
  while (find_islands(state) && release_valves(state));
  std::fill(coefficients_.edges.begin(), coefficients_.edges.end(), 0.0);
  std::fill(coefficients_.ground.begin(), coefficients_.ground.end(), 0.0);
  std::fill(right_.begin(), right_.end(), 0.0);
  std::fill(correction_.begin(), correction_.end(), 0.0);
  std::fill(held_.begin(), held_.end(), char{0});
  std::fill(excess_.begin(), excess_.end(), 0.0);
  add_links(state);
  add_emitters(state);
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) excess_[i] -= model_.nodes[i].demand;
  add_valves(state);
  for (auto& island : islands_) {
    if (!island.has_emitter) hold(island.reference, state.heads[island.reference], state);
    island.inflow = 0;
  }
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    if (row_of_[i] == none) continue;
    right_[at(row_of_[i])] += excess_[i];
    if (island_of_[i] == none) continue;
    double const emitted = model_.nodes[i].emitter > 0 ? state.emitter_flows[i] : 0;
    islands_[at(island_of_[i])].inflow += excess_[i] + emitted;
  }
  for (std::size_t const k : regulators_) {
    // What leaves through a PRV, or comes through a PSV, is in the row alone.
    auto const& link = model_.links[k];
    std::int32_t const before = roles_[k] == Role::holds_to ? island_of_[link.from] : none;
    std::int32_t const behind = roles_[k] == Role::holds_from ? island_of_[link.to] : none;
    if (before != none) islands_[at(before)].inflow -= std::max(0.0, regulated_flow_[k]);
    if (behind != none) islands_[at(behind)].inflow += std::max(0.0, regulated_flow_[k]);
  }
  eliminate_held();
}

void HeadSystem::change_flow(double& flow, double change) {
  flow -= change;
  flowing_ += std::fabs(flow);
  changed_ += std::fabs(change);
  most_changed_ = std::max(most_changed_, std::fabs(change));
}

std::int64_t HeadSystem::advance(HeadSolver& solver, HydraulicState& state, double relaxation) {
  std::int64_t const iterations = solver.solve(coefficients_, right_, correction_);
  if (iterations < 0) return iterations;
  if (!std::all_of(correction_.begin(), correction_.end(), [](double d) { return std::isfinite(d); })) return -1;
  auto const correction_of = [&](std::size_t node) {
    return row_of_[node] == none ? 0.0 : correction_[at(row_of_[node])];
  };
  std::vector<std::size_t> closed;
  flowing_ = changed_ = most_changed_ = 0;
  for (std::size_t k = 0; k < model_.links.size(); ++k) {
    auto const& link = model_.links[k];
    auto const& [loss, conductance] = losses_[k];
    double change = 0;
    if (conductance > 0) {
      double const s = conductance * (loss - (state.heads[link.from] - state.heads[link.to]));
      change = s - conductance * (correction_of(link.from) - correction_of(link.to));
    } else if (roles_[k] != Role::closed) {
      change = state.flows[k] - regulated_flow_[k];
    } else {
      closed.push_back(k);
      continue;
    }
    change *= relaxation;
    // A pump of constant power would rather run backwards than work less.
    if (link.pump.kind == PumpKind::constant_power && link.kind == WaterLinkKind::pump && change > state.flows[k])
      change = state.flows[k] / 2;
    change_flow(state.flows[k], change);
  }
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    auto const& node = model_.nodes[i];
    if (node.emitter == 0) continue;
    auto const& [loss, conductance] = emitter_losses_[i];
    double const s = conductance * (loss - (state.heads[i] - node.elevation));
    change_flow(state.emitter_flows[i], relaxation * (s - conductance * correction_of(i)));
  }
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) state.heads[i] += correction_of(i);
  level_islands(state);
  // What a closed link begins with where it opens: no flow of the balance, but EPANET's.
  for (std::size_t const k : closed) {
    auto const& link = model_.links[k];
    state.flows[k] = (state.heads[link.from] - state.heads[link.to]) / large_conductance;
  }
  return iterations;
}

void HeadSystem::level_islands(HydraulicState& state) const {
  // Each island's level is such that its inflow leaves through closed links of conductance 1 / large_conductance: what
  // tells check valves and pumps on which side of them heads are higher. One unknown an island, by conjugate gradients.
  std::size_t const count = islands_.size();
  if (count == 0) return;
  struct Leak {
    std::size_t island;
    std::int32_t other;  // island, or none where the head there is known
  };
  auto const level_of = [this](std::size_t node) {
    std::int32_t const island = island_of_[node];
    return island == none || islands_[at(island)].has_emitter ? none : island;
  };
  std::vector<Leak> leaks;
  std::vector<double> diagonal(count, 0);
  std::vector<double> residual(count, 0);
  for (std::size_t k = 0; k < model_.links.size(); ++k) {
    if (roles_[k] != Role::closed && roles_[k] != Role::gives_flow) continue;
    auto const& link = model_.links[k];
    std::int32_t const a = level_of(link.from);
    std::int32_t const b = level_of(link.to);
    if (a == b) continue;
    double const fall = state.heads[link.from] - state.heads[link.to];
    auto const leak = [&](std::int32_t island, std::int32_t other, double down) {
      if (island == none) return;
      leaks.push_back({at(island), other});
      diagonal[at(island)] += 1;
      residual[at(island)] -= down;
    };
    leak(a, b, fall);
    leak(b, a, -fall);
  }
  for (std::size_t c = 0; c < count; ++c) {
    if (islands_[c].has_emitter) {
      diagonal[c] = 1;
      continue;
    }
    residual[c] += large_conductance * islands_[c].inflow;
    // Nothing to leak into: a level far away where there is an inflow, else the junction's own elevation.
    if (islands_[c].first) {
      diagonal[c] += 1;
      residual[c] += model_.nodes[islands_[c].reference].elevation - state.heads[islands_[c].reference];
    }
  }
  std::vector<double> shift(count, 0);
  std::vector<double> direction(count, 0);
  std::vector<double> product(count, 0);
  double rho = 0;
  double first = 0;
  for (std::size_t step = 0; step <= count; ++step) {
    double const before = rho;
    rho = 0;
    for (std::size_t c = 0; c < count; ++c) rho += residual[c] * residual[c] / diagonal[c];
    if (step == 0) first = rho;
    constexpr double small = 1e-28;  // of squares
    if (!(rho > small * first) || !std::isfinite(rho)) break;
    for (std::size_t c = 0; c < count; ++c)
      direction[c] = residual[c] / diagonal[c] + (step > 0 ? rho / before : 0.0) * direction[c];
    for (std::size_t c = 0; c < count; ++c) product[c] = diagonal[c] * direction[c];
    for (auto const& leak : leaks)
      if (leak.other != none) product[leak.island] -= direction[at(leak.other)];
    double curvature = 0;
    for (std::size_t c = 0; c < count; ++c) curvature += direction[c] * product[c];
    if (!(curvature > 0)) break;
    double const length = rho / curvature;
    for (std::size_t c = 0; c < count; ++c) {
      shift[c] += length * direction[c];
      residual[c] -= length * product[c];
    }
  }
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    if (island_of_[i] != none) state.heads[i] += shift[at(island_of_[i])];
}

}  // namespace araia::detail
