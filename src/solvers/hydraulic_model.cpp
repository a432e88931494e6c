// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hydraulic_model.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace araia::detail {
namespace {

constexpr double metres_of_foot = 0.3048;
constexpr double psi_of_foot = 0.4333;
constexpr double kpa_of_psi = 6.895;
constexpr double kilowatts_of_horsepower = 0.7457;
constexpr double of_velocity_head = 0.02517;  // 8 / (g pi^2), s^2/ft
constexpr double least_difference = 1e-6;     // of points of a pump's curve

double square(double x) { return x * x; }

double flow_of_cfs(FlowUnits units) {
  switch (units) {
    case FlowUnits::cfs: return 1;
    case FlowUnits::gpm: return 448.831;
    case FlowUnits::mgd: return 0.64632;
    case FlowUnits::imgd: return 0.5382;
    case FlowUnits::afd: return 1.9837;
    case FlowUnits::lps: return 28.317;
    case FlowUnits::lpm: return 1699.0;
    case FlowUnits::mld: return 2.4466;
    case FlowUnits::cmh: return 101.94;
    case FlowUnits::cmd: return 2446.6;
  }
  return 1;
}

[[noreturn]] void refuse(WaterNetwork const& network, WaterLink const& link, std::string const& message) {
  throw Error(ErrorKind::parse, {network.file, link.line},
              std::string(to_string(link.kind)) + " '" + escape(link.id) + "': " + message);
}

double pipe_resistance(WaterLink const& link, HydraulicModel const& model, ModelLink const& pipe) {
  double const length = link.length / model.units.length;
  double const d = pipe.diameter;
  double const area = std::numbers::pi * square(d) / 4;
  switch (model.formula) {
    case HeadLossFormula::hazen_williams:
      return 4.727 * length / std::pow(pipe.roughness, model.exponent) / std::pow(d, 4.871);
    case HeadLossFormula::darcy_weisbach: return length / 2.0 / 32.2 / d / square(area);
    case HeadLossFormula::chezy_manning:
      return square(pipe.roughness / (1.49 * area)) * std::pow(d / 4, -1.333) * length;
  }
  return 0;
}

// gain = shutoff - slope flow^exponent through three points.
void fit_power_curve(WaterNetwork const& network, WaterLink const& link, ModelPump& pump, double shutoff,
                     std::array<double, 2> design, std::array<double, 2> end) {
  auto const [q1, h1] = design;
  auto const [q2, h2] = end;
  double const fall = shutoff - h1;
  bool const falls = shutoff >= least_difference && fall >= least_difference && h1 - h2 >= least_difference;
  if (!falls || q1 < least_difference || q2 - q1 < least_difference)
    refuse(network, link, "its curve does not fall from a shutoff head, expected heads that fall as flows rise");
  pump.exponent = std::log((shutoff - h2) / fall) / std::log(q2 / q1);
  constexpr double most_exponent = 20;
  if (!(pump.exponent > 0 && pump.exponent <= most_exponent))
    refuse(network, link,
           "no power of the flow fits its curve, expected an exponent above 0, 20 at most; it is " +
               std::to_string(pump.exponent));
  pump.slope = fall / std::pow(q1, pump.exponent);
  pump.shutoff = shutoff;
  pump.design_flow = q1;
  pump.most_head = shutoff;
}

// The network's curve of that index as the model has it: made by the first link that goes by segments of it.
ModelCurve const& model_curve(WaterNetwork const& network, std::size_t index, HydraulicModel& model) {
  auto& to = model.curves[index];
  auto const& points = network.curves[index].points;
  if (!to.points.empty()) return to;
  to.points.reserve(points.size());
  for (auto const& [flow, head] : points) to.points.push_back({flow / model.units.flow, head / model.units.length});
  auto const rising = [](auto const& before, auto const& point) { return point[1] >= before[1]; };
  auto const rise = std::adjacent_find(points.begin(), points.end(), rising);
  if (rise != points.end()) to.rises_at = static_cast<std::size_t>(rise - points.begin()) + 1;
  return to;
}

void make_pump(WaterNetwork const& network, WaterLink const& link, HydraulicModel& model, ModelLink& to) {
  auto& pump = to.pump;
  if (link.curve == no_index) {
    pump.kind = PumpKind::constant_power;
    double const horsepower = is_metric(network.options.flow) ? link.power / kilowatts_of_horsepower : link.power;
    pump.slope = 8.814 * horsepower;  // ft ft^3/s
    return;
  }
  auto const curve = static_cast<std::size_t>(link.curve);
  auto const& points = network.curves[curve].points;
  if (points.size() == 1) {
    // EPANET's: the shutoff head is 4/3 of the design head, no head is left at twice the flow.
    auto const [flow, head] = points[0];
    fit_power_curve(network, link, pump, 1.33334 * head, points[0], {2 * flow, 0});
  } else if (points.size() == 3 && points[0][0] == 0) {
    fit_power_curve(network, link, pump, points[0][1], points[1], points[2]);
  } else {
    std::size_t const rises_at = model_curve(network, curve, model).rises_at;
    if (rises_at != 0)
      refuse(network, link,
             "its curve rises at point " + std::to_string(rises_at + 1) + ", expected heads that fall as flows rise");
    to.curve = curve;
    pump.kind = PumpKind::segments;
    pump.design_flow = (points.front()[0] + points.back()[0]) / 2;
    pump.most_head = points.front()[1];
  }
  auto const& units = model.units;
  pump.shutoff /= units.length;
  pump.slope *= std::pow(units.flow, pump.exponent) / units.length;
  pump.design_flow /= units.flow;
  pump.most_head /= units.length;
}

ModelLink make_link(WaterNetwork const& network, WaterLink const& link, HydraulicModel& model) {
  ModelLink to;
  to.kind = link.kind;
  to.from = static_cast<std::size_t>(link.from);
  to.to = static_cast<std::size_t>(link.to);
  if (link.kind == WaterLinkKind::pump) {
    make_pump(network, link, model, to);
    return to;
  }
  to.diameter = link.diameter / model.units.diameter;
  to.minor_loss = of_velocity_head * link.minor_loss / square(square(to.diameter));
  if (link.kind == WaterLinkKind::pipe || link.kind == WaterLinkKind::check_valve) {
    to.roughness = model.formula == HeadLossFormula::darcy_weisbach ? link.roughness / (1000 * model.units.length)
                                                                    : link.roughness;
    to.resistance = pipe_resistance(link, model, to);
  }
  if (link.kind == WaterLinkKind::gpv) {
    to.curve = static_cast<std::size_t>(link.curve);
    if (model_curve(network, to.curve, model).points.size() < 2)
      refuse(network, link, "its curve has one point, expected two at least");
  }
  return to;
}

double factor_at_start(WaterNetwork const& network, std::int32_t pattern) {
  if (pattern == no_index) return 1;
  auto const& factors = network.patterns[static_cast<std::size_t>(pattern)].factors;
  auto const period = static_cast<std::uint64_t>(network.times.pattern_start / network.times.pattern_step);
  return factors[period % factors.size()];
}

ModelNode make_node(WaterNetwork const& network, WaterNode const& node, HydraulicModel const& model) {
  ModelNode to;
  auto const& units = model.units;
  to.elevation = node.elevation / units.length;
  to.fixed = node.kind != WaterNodeKind::junction;
  for (auto const& demand : node.demands)
    to.demand +=
        demand.base / units.flow * factor_at_start(network, demand.pattern) * network.options.demand_multiplier;
  if (node.emitter > 0)
    to.emitter =
        std::pow(units.flow, model.emitter_exponent) / units.pressure / std::pow(node.emitter, model.emitter_exponent);
  if (node.kind == WaterNodeKind::tank) {
    to.has_levels = true;
    to.lowest_head = to.elevation + node.tank.minimum_level / units.length;
    to.highest_head = to.elevation + node.tank.maximum_level / units.length;
    to.overflows = node.tank.overflows;
  }
  return to;
}

double initial_head(WaterNetwork const& network, HydraulicModel const& model, std::size_t node) {
  auto const& from = network.nodes[node];
  double const elevation = model.nodes[node].elevation;
  if (from.kind == WaterNodeKind::tank) return elevation + from.tank.initial_level / model.units.length;
  return elevation * factor_at_start(network, from.pattern);
}

/// A setting of the file in the solver's units.
double converted_setting(WaterLinkKind kind, double setting, WaterUnits const& units) {
  using enum WaterLinkKind;
  if (kind == prv || kind == psv || kind == pbv) return setting / units.pressure;
  return kind == fcv ? setting / units.flow : setting;
}

ModelControl make_control(WaterNetwork const& network, WaterControl const& control, HydraulicModel const& model) {
  ModelControl to;
  to.link = static_cast<std::size_t>(control.link);
  to.trigger = control.trigger;
  to.status = control.status == WaterLinkStatus::closed ? LinkStatus::closed
              : control.status == WaterLinkStatus::open ? LinkStatus::open
                                                        : LinkStatus::active;
  to.has_setting = control.setting.has_value();
  if (control.setting) to.setting = converted_setting(model.links[to.link].kind, *control.setting, model.units);
  if (control.trigger == WaterTrigger::time) to.acts = control.seconds == 0;
  if (control.trigger == WaterTrigger::clock_time) to.acts = control.seconds == network.times.start_clock;
  if (control.node == no_index) return to;
  to.node = static_cast<std::size_t>(control.node);
  auto const& node = model.nodes[to.node];
  to.junction = !node.fixed;
  to.head = node.elevation + control.level / (to.junction ? model.units.pressure : model.units.length);
  if (to.junction) return to;
  // EPANET compares volumes, and a reservoir has none: there either condition holds.
  double const head = initial_head(network, model, to.node);
  to.acts = !node.has_levels || (to.trigger == WaterTrigger::below ? head <= to.head : head >= to.head);
  return to;
}

double initial_flow(ModelLink const& link, LinkStatus status, double setting) {
  if (is_closed(status)) return zero_flow;
  if (link.kind == WaterLinkKind::pump) return setting * link.pump.design_flow;
  return std::numbers::pi * square(link.diameter) / 4;  // 1 ft/s
}

}  // namespace

WaterUnits units_of(WaterOptions const& options) {
  WaterUnits units;
  units.flow = flow_of_cfs(options.flow);
  if (is_metric(options.flow)) {
    units.length = metres_of_foot;
    units.diameter = 1000 * metres_of_foot;
    units.pressure =
        options.specific_gravity * (options.pressure == PressureUnits::kpa ? kpa_of_psi * psi_of_foot : metres_of_foot);
  } else {
    units.diameter = 12;
    units.pressure = options.specific_gravity * psi_of_foot;
  }
  return units;
}

HydraulicModel make_model(WaterNetwork const& network) {
  auto const& options = network.options;
  HydraulicModel model;
  model.units = units_of(options);
  model.formula = options.formula;
  model.exponent = options.formula == HeadLossFormula::hazen_williams ? 1.852 : 2;
  model.emitter_exponent = 1 / options.emitter_exponent;
  model.viscosity = options.viscosity;
  model.head_tolerance = options.head_tolerance;
  model.flow_tolerance = options.flow_tolerance;
  model.least_gradient = options.least_gradient;
  model.nodes.reserve(network.nodes.size());
  model.links.reserve(network.links.size());
  model.curves.resize(network.curves.size());
  for (auto const& node : network.nodes) model.nodes.push_back(make_node(network, node, model));
  for (auto const& link : network.links) model.links.push_back(make_link(network, link, model));
  for (auto const& control : network.controls) model.controls.push_back(make_control(network, control, model));
  return model;
}

bool would_change(HydraulicModel const& model, ModelControl const& control, HydraulicState const& state) {
  auto const kind = model.links[control.link].kind;
  bool const same_status = state.statuses[control.link] == control.status;
  bool const same_setting = state.settings[control.link] == control.setting;
  bool const regulated = state.regulated[control.link] != 0;
  if (kind == WaterLinkKind::pipe || kind == WaterLinkKind::gpv) return !same_status;
  if (kind == WaterLinkKind::pump) return !same_setting;
  // A valve that is regulated keeps the status that it has found.
  return control.has_setting ? !regulated || !same_setting : regulated || !same_status;
}

void apply_control(HydraulicModel const& model, ModelControl const& control, HydraulicState& state) {
  auto const kind = model.links[control.link].kind;
  state.statuses[control.link] = control.status;
  if (kind == WaterLinkKind::pipe || kind == WaterLinkKind::gpv) return;
  if (control.has_setting) state.settings[control.link] = control.setting;
  if (kind != WaterLinkKind::pump) state.regulated[control.link] = control.has_setting;
}

HydraulicState initial_state(WaterNetwork const& network, HydraulicModel const& model) {
  HydraulicState state;
  std::size_t const links = model.links.size();
  state.emitter_flows.resize(model.nodes.size(), 0);
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (model.nodes[i].emitter > 0) state.emitter_flows[i] = 1;
  for (std::size_t k = 0; k < links; ++k) {
    auto const& link = network.links[k];
    bool const regulated = link.status == WaterLinkStatus::active;
    state.regulated.push_back(regulated);
    state.statuses.push_back(regulated                                ? LinkStatus::active
                             : link.status == WaterLinkStatus::closed ? LinkStatus::closed
                                                                      : LinkStatus::open);
    state.settings.push_back(converted_setting(link.kind, link.setting, model.units));
    state.flows.push_back(initial_flow(model.links[k], state.statuses[k], state.settings[k]));
    if (link.kind == WaterLinkKind::pump && link.pattern != no_index) {
      state.settings[k] = factor_at_start(network, link.pattern);
      state.statuses[k] = state.settings[k] > 0 ? LinkStatus::open : LinkStatus::closed;
    }
  }
  for (auto const& control : model.controls)
    if (control.acts) apply_control(model, control, state);
  // Any head does for junctions: the first trial's flows do not depend on it. One of about the right size rounds least.
  state.heads.resize(model.nodes.size(), 0);
  double highest = 0;
  bool known = false;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (!model.nodes[i].fixed) continue;
    state.heads[i] = initial_head(network, model, i);
    highest = known ? std::max(highest, state.heads[i]) : state.heads[i];
    known = true;
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (!model.nodes[i].fixed) state.heads[i] = highest;
  return state;
}

}  // namespace araia::detail
