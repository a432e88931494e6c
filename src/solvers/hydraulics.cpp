// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/solvers/hydraulics.hpp>
#include "src/io/escape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "head_loss.hpp"
#include "head_solver.hpp"
#include "head_system.hpp"
#include "hydraulic_model.hpp"
#include "link_status.hpp"

namespace araia {
namespace {

using detail::HeadSystem;
using detail::HydraulicModel;
using detail::HydraulicState;
using detail::no_link;

constexpr std::int32_t least_trials = 200;
constexpr std::int32_t most_trials = 1000;
constexpr std::int32_t held_trials = 100;  // behind them, with statuses as they are
constexpr double status_accuracy = 1e-5;   // of flows, at which all statuses are looked at: EPANET's tightest
constexpr double damping = 0.6;
constexpr double no_flow = 1e-9;  // ft^3/s of an island

struct Balance {
  double worst = 0;  // relative
  std::size_t node = 0;
};

// The worst of all junctions, over the flow through it.
Balance mass_balance(HydraulicModel const& model, HydraulicState const& state) {
  std::vector<double> sum(model.nodes.size(), 0);
  std::vector<double> through(model.nodes.size(), 0);
  auto const add = [&](std::size_t node, double inflow) {
    sum[node] += inflow;
    through[node] += std::fabs(inflow);
  };
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    bool const stopped = model.links[k].kind == WaterLinkKind::pump && state.settings[k] == 0;
    if (is_closed(state.statuses[k]) || stopped) continue;
    add(model.links[k].from, -state.flows[k]);
    add(model.links[k].to, state.flows[k]);
  }
  Balance balance;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    auto const& node = model.nodes[i];
    if (node.fixed) continue;
    add(i, -node.demand);
    if (node.emitter > 0) add(i, -state.emitter_flows[i]);
    double const relative = std::fabs(sum[i]) / std::max(through[i] / 2, detail::zero_flow);
    if (relative > balance.worst || !std::isfinite(relative)) balance = {relative, i};
  }
  return balance;
}

struct HeadError {
  double worst = 0;  // ft
  std::size_t link = no_link;
};

HeadError head_error(HydraulicModel const& model, HydraulicState const& state) {
  HeadError error;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    auto const lost = detail::head_loss(model, state, k);
    if (lost.conductance == 0) continue;
    auto const& link = model.links[k];
    double const off = std::fabs(state.heads[link.from] - state.heads[link.to] - lost.loss);
    if (off > error.worst) error = {off, k};
  }
  return error;
}

std::string quoted(std::string const& id) { return '\'' + escape(id) + '\''; }

/// Shows each system to the caller, then has it solved.
class ShownHeads final : public detail::HeadSolver {
 public:
  ShownHeads(detail::HeadGraph const& graph, std::function<void(HydraulicSystem const&)> const& show,
             std::unique_ptr<detail::HeadSolver> solver)
      : rows_(graph), show_(show), solver_(std::move(solver)) {}
  std::int64_t solve(detail::HeadCoefficients const& A, std::vector<double> const& right,
                     std::vector<double>& x) override {
    show_({rows_.offsets(), rows_.columns(), rows_.values(A), right});
    return solver_->solve(A, right, x);
  }

 private:
  detail::HeadRows rows_;
  std::function<void(HydraulicSystem const&)> const& show_;
  std::unique_ptr<detail::HeadSolver> solver_;
};

std::unique_ptr<detail::HeadSolver> make_solver(detail::HeadGraph const& graph, HydraulicOptions const& options) {
  auto solver = options.method == HeadMethod::direct ? detail::make_direct_heads(graph)
                                                     : detail::make_reduced_heads(graph, detail::make_cg_heads);
  if (options.system) return std::make_unique<ShownHeads>(graph, options.system, std::move(solver));
  return solver;
}

class Trials {
 public:
  Trials(WaterNetwork const& network, HydraulicOptions const& options)
      : network_(network),
        options_(options),
        model_(detail::make_model(network)),
        state_(detail::initial_state(network, model_)),
        system_(model_),
        solver_(make_solver(system_.graph(), options)) {}

  HydraulicResult run() {
    auto const& file = network_.options;
    // Below the largest number that counts them, so that those with held statuses can follow.
    constexpr std::int32_t countable = std::numeric_limits<std::int32_t>::max() - held_trials;
    std::int32_t const trials = options_.max_trials > 0 ? std::min(options_.max_trials, countable)
                                                        : std::clamp(file.trials, least_trials, most_trials);
    std::int64_t next_check = file.check_frequency;
    double relaxation = 1;
    bool ended = false;
    while (!ended && result_.trials < trials + held_trials) {
      if (!advance(relaxation)) return failed();
      bool const held = result_.trials > trials;
      relaxation = 1;
      std::size_t changed = no_link;
      bool const damped = file.damp_limit > 0;
      if (damped && result_.flow_change <= file.damp_limit) relaxation = damping;
      if (!held && (!damped || relaxation < 1)) changed = detail::update_pressure_valves(model_, state_);
      if (result_.flow_change <= std::max(status_accuracy, options_.flow_change)) {
        if (!held) changing_ = changed = update_others(changed);
        ended = changed == no_link && has_converged();
        next_check = std::int64_t{result_.trials} + file.check_frequency;
      } else if (!held && result_.trials <= file.max_check && result_.trials == next_check) {
        detail::update_links(model_, state_);
        next_check += file.check_frequency;
      }
    }
    judge(ended, result_.trials > trials);
    return report();
  }

 private:
  // Every kind of status is looked at, whatever the others say.
  std::size_t update_others(std::size_t changed) {
    for (auto const update : {&detail::update_links, &detail::update_controlled})
      if (std::size_t const one = update(model_, state_); one != no_link) changed = one;
    return changed;
  }

  bool advance(double relaxation) {
    ++result_.trials;
    system_.assemble(state_);
    HydraulicState const before = state_;
    std::int64_t const iterations = system_.advance(*solver_, state_, relaxation);
    if (iterations < 0) return false;
    if (!std::isfinite(system_.changed() + system_.flowing())) {
      state_ = before;
      return false;
    }
    result_.iterations += iterations;
    bool const flows = system_.flowing() > options_.flow_change;
    result_.flow_change = flows ? system_.changed() / system_.flowing() : system_.changed();
    if (options_.progress) options_.progress(result_.trials, result_.flow_change);
    return true;
  }

  bool has_converged() {
    if (!(result_.flow_change <= options_.flow_change)) return false;
    auto const& file = network_.options;
    auto const& units = model_.units;
    if (file.flow_change > 0 && system_.most_changed() * units.flow > file.flow_change) return false;
    if (file.head_error > 0 && head_error(model_, state_).worst * units.length > file.head_error) return false;
    return isolated() != nullptr || mass_balance(model_, state_).worst <= options_.mass_balance;
  }

  [[nodiscard]] detail::Island const* isolated() const {
    for (auto const& island : system_.islands())
      if (island.inflow < -no_flow || (island.inflow > no_flow && !island.has_emitter)) return &island;
    return nullptr;
  }

  void judge(bool ended, bool held) {
    double const accuracy = network_.options.accuracy;
    auto const balance = mass_balance(model_, state_);
    if (auto const* island = isolated(); island != nullptr) {
      result_.status = HydraulicStatus::isolated;
      result_.message = isolation(*island);
    } else if (ended && !held) {
      result_.status = HydraulicStatus::converged;
    } else if (ended) {
      result_.status = HydraulicStatus::balanced;
      result_.message = changing_ == no_link
                            ? "it took more trials than are allowed"
                            : "the status of " + named(changing_) + " would go on changing, and is held";
    } else if (balance.worst > std::max(accuracy, options_.mass_balance)) {
      result_.status = HydraulicStatus::unbalanced;
      result_.message = "flows do not balance at node " + quoted(network_.nodes[balance.node].id) + worst_heads();
    } else if (result_.flow_change > accuracy || changing_ != no_link) {
      result_.status = HydraulicStatus::unbalanced;
      result_.message = "the trials ended" + worst_heads();
    } else {
      result_.status = HydraulicStatus::balanced;
      result_.message = "flows go on changing, by less than the file's accuracy";
    }
  }

  [[nodiscard]] std::string worst_heads() const {
    auto const error = head_error(model_, state_);
    return error.link == no_link ? "" : "; heads fit least at " + named(error.link);
  }

  [[nodiscard]] std::string named(std::size_t link) const {
    return std::string(to_string(network_.links[link].kind)) + ' ' + quoted(network_.links[link].id);
  }

  [[nodiscard]] std::string isolation(detail::Island const& island) const {
    auto const of = &island - system_.islands().data();
    std::size_t node = island.reference;
    for (std::size_t i = model_.nodes.size(); i-- > 0;)
      if (system_.island_of()[i] == of && model_.nodes[i].demand != 0) node = i;
    return "node " + quoted(network_.nodes[node].id) + (island.inflow < 0 ? " has a demand" : " takes in a flow") +
           ", but no open way to a reservoir or tank; expected one, or neither";
  }

  HydraulicResult failed() {
    result_.status = HydraulicStatus::unbalanced;
    result_.message = "heads cannot be calculated in trial " + std::to_string(result_.trials) + worst_heads();
    return report();
  }

  HydraulicResult report() {
    auto const& units = model_.units;
    result_.mass_balance = mass_balance(model_, state_).worst;
    std::size_t const nodes = model_.nodes.size();
    result_.outflows.assign(nodes, 0);
    for (std::size_t k = 0; k < model_.links.size(); ++k) {
      auto const& link = model_.links[k];
      bool const shut = is_closed(state_.statuses[k]) || (link.kind == WaterLinkKind::pump && state_.settings[k] == 0);
      bool const regulates = !shut && detail::regulates(model_, state_, k);
      double const flow = shut ? 0 : state_.flows[k] * units.flow;
      result_.flows.push_back(flow);
      result_.states.push_back(shut ? LinkState::closed : regulates ? LinkState::active : LinkState::open);
      result_.losses.push_back(detail::head_loss(model_, state_, k).loss * units.length);
      if (model_.nodes[link.from].fixed) result_.outflows[link.from] -= flow;
      if (model_.nodes[link.to].fixed) result_.outflows[link.to] += flow;
    }
    for (std::size_t i = 0; i < nodes; ++i) {
      auto const& node = model_.nodes[i];
      result_.heads.push_back(state_.heads[i] * units.length);
      result_.connected.push_back(system_.island_of()[i] < 0);
      result_.pressures.push_back((state_.heads[i] - node.elevation) * units.pressure);
      if (!node.fixed)
        result_.outflows[i] = (node.demand + (node.emitter > 0 ? state_.emitter_flows[i] : 0)) * units.flow;
    }
    return std::move(result_);
  }

  WaterNetwork const& network_;
  HydraulicOptions const& options_;
  HydraulicModel model_;
  HydraulicState state_;
  HeadSystem system_;
  std::unique_ptr<detail::HeadSolver> solver_;
  HydraulicResult result_;
  std::size_t changing_ = no_link;
};

}  // namespace

std::string_view to_string(HydraulicStatus status) noexcept {
  switch (status) {
    case HydraulicStatus::converged: return "converged";
    case HydraulicStatus::balanced: return "balanced";
    case HydraulicStatus::unbalanced: return "unbalanced";
    case HydraulicStatus::isolated: return "isolated";
  }
  return "unknown";
}

std::string_view to_string(LinkState state) noexcept {
  switch (state) {
    case LinkState::closed: return "closed";
    case LinkState::open: return "open";
    case LinkState::active: return "active";
  }
  return "unknown";
}

HydraulicResult solve_hydraulics(WaterNetwork const& network, HydraulicOptions const& options) {
  auto const require = [](bool good, std::string const& name, double value, char const* expected) {
    if (!good)
      throw Error(ErrorKind::invalid_argument, "araia::solve_hydraulics: options." + name + " is " +
                                                   std::to_string(value) + ", expected " + expected);
  };
  require(options.flow_change > 0, "flow_change", options.flow_change, "a number above 0");
  require(options.mass_balance > 0, "mass_balance", options.mass_balance, "a number above 0");
  require(options.max_trials >= 0, "max_trials", options.max_trials, "0 or more");
  return Trials(network, options).run();
}

}  // namespace araia
