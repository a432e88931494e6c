// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "head_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace araia::detail {
namespace {

constexpr double pi = std::numbers::pi;

double signed_like(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

HeadLoss with_gradient(double loss, double gradient) { return {loss, 1 / gradient}; }

// coefficient |flow|^exponent; linear where that would be too flat.
HeadLoss power_loss(double coefficient, double exponent, double flow, double least_gradient) {
  double const gradient = exponent * coefficient * std::pow(std::fabs(flow), exponent - 1);
  if (gradient < least_gradient) return with_gradient(least_gradient * flow, least_gradient);
  return with_gradient(gradient * flow / exponent, gradient);
}

HeadLoss with_minor_loss(HeadLoss friction, double minor_loss, double flow) {
  if (minor_loss <= 0) return friction;
  double const q = std::fabs(flow);
  return with_gradient(friction.loss + signed_like(minor_loss * q * q, flow),
                       1 / friction.conductance + 2 * minor_loss * q);
}

struct Friction {
  double factor;
  double derivative;  // by the flow
};

// w = Re pi / 4 where Re is the Reynolds number, e the roughness over the diameter.
Friction turbulent_friction(double w, double e, double flow) {
  static double const of_reynolds = 5.74 * std::pow(pi / 4, 0.9);
  double const smooth = of_reynolds / std::pow(w, 0.9);
  double const argument = e / 3.7 + smooth;
  double const root = -2 * std::log10(argument);  // 1 / sqrt(factor)
  double const factor = 1 / (root * root);
  // d argument / d flow = -0.9 smooth / flow
  double const root_derivative = -2 / (std::numbers::ln10 * argument) * (-0.9 * smooth / flow);
  return {factor, -2 * factor / root * root_derivative};
}

// Dunlop's cubic from Re = 2000, laminar, to 4000, turbulent: value and slope agree at both ends.
Friction transitional_friction(double w, double e, double w_of_2000) {
  static double const smooth = 5.74 / std::pow(4000.0, 0.9);
  double const argument = e / 3.7 + smooth;
  double const root = -2 * std::log10(argument);
  double const fa = 1 / (root * root);
  double const fb = fa * (2 - 2 * 0.9 * 2 / std::numbers::ln10 * smooth / (argument * root));
  double const r = w / w_of_2000;
  double const x1 = 7 * fa - fb;
  double const x2 = 0.128 - 17 * fa + 2.5 * fb;
  double const x3 = -0.128 + 13 * fa - 2 * fb;
  double const x4 = 0.032 - 3 * fa + 0.5 * fb;
  return {x1 + r * (x2 + r * (x3 + r * x4)), (x2 + r * (2 * x3 + r * 3 * x4)) / w_of_2000};
}

HeadLoss darcy_weisbach_loss(HydraulicModel const& model, ModelLink const& pipe, double flow) {
  double const q = std::fabs(flow);
  double const s = model.viscosity * pipe.diameter;
  constexpr double w_of_2000 = 500 * pi;
  constexpr double w_of_4000 = 1000 * pi;
  if (q <= w_of_2000 * s) {
    double const r = 16 * pi * s * pipe.resistance;
    return with_gradient(flow * (r + pipe.minor_loss * q), r + 2 * pipe.minor_loss * q);
  }
  double const w = q / s;
  double const e = pipe.roughness / pipe.diameter;
  Friction friction{};
  if (w >= w_of_4000) {
    friction = turbulent_friction(w, e, q);
  } else {
    friction = transitional_friction(w, e, w_of_2000);
    friction.derivative /= s;
  }
  double const r = friction.factor * pipe.resistance + pipe.minor_loss;
  return with_gradient(r * q * flow, 2 * r * q + friction.derivative * pipe.resistance * q * q);
}

HeadLoss pipe_loss(HydraulicModel const& model, ModelLink const& pipe, double flow) {
  if (model.formula == HeadLossFormula::darcy_weisbach) return darcy_weisbach_loss(model, pipe, flow);
  return with_minor_loss(power_loss(pipe.resistance, model.exponent, flow, model.least_gradient), pipe.minor_loss,
                         flow);
}

struct Segment {
  double intercept;
  double slope;
};

Segment segment_at(ModelCurve const& curve, double flow) {
  auto const& points = curve.points;
  auto const below = [](std::array<double, 2> const& point, double q) { return point[0] < q; };
  auto const behind = std::lower_bound(points.begin(), points.end(), flow, below);
  auto const last = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(behind - points.begin(), 1, static_cast<std::ptrdiff_t>(points.size()) - 1));
  auto const [x0, y0] = points[last - 1];
  auto const [x1, y1] = points[last];
  double const slope = (y1 - y0) / (x1 - x0);
  return {y0 - slope * x0, slope};
}

HeadLoss pump_loss(HydraulicModel const& model, ModelLink const& link, double flow, double speed) {
  auto const& pump = link.pump;
  double const q = std::fabs(flow);
  switch (pump.kind) {
    case PumpKind::segments: {
      auto const [gain, slope] = segment_at(model.curves[link.curve], q / speed);
      double const gradient = -slope * speed;
      return with_gradient(-gain * speed * speed + gradient * flow, gradient);
    }
    case PumpKind::constant_power: {
      double const slope = pump.slope * speed * speed * speed;
      double const gradient = slope / q / q;
      if (gradient > large_conductance) return with_gradient(-large_conductance * flow, large_conductance);
      if (gradient < model.least_gradient) return with_gradient(-model.least_gradient * flow, model.least_gradient);
      return with_gradient(-slope / flow, gradient);
    }
    case PumpKind::power_curve: break;
  }
  constexpr double as_one = 1e-6;
  bool const linear = std::fabs(pump.exponent - 1) < as_one;
  double const exponent = linear ? 1 : pump.exponent;
  double const slope = pump.slope * std::pow(speed, 2 - exponent);
  HeadLoss lost = linear ? with_gradient(slope * flow, slope) : power_loss(slope, exponent, flow, model.least_gradient);
  lost.loss -= speed * speed * pump.shutoff;
  return lost;
}

// A valve that is open, with its loss if it has one.
HeadLoss valve_loss(HydraulicModel const& model, double minor_loss, double flow) {
  if (minor_loss > 0) return power_loss(minor_loss, 2, flow, model.least_gradient);
  return with_gradient(open_valve_gradient * flow, open_valve_gradient);
}

HeadLoss gpv_loss(HydraulicModel const& model, ModelLink const& valve, double flow) {
  constexpr double least = 1e-6;
  double const q = std::max(std::fabs(flow), least);
  auto const [intercept, slope] = segment_at(model.curves[valve.curve], q);
  double const gradient = std::max(slope, least);
  return with_gradient(signed_like(intercept + gradient * q, flow), gradient);
}

}  // namespace

bool regulates(HydraulicModel const& model, HydraulicState const& state, std::size_t link) {
  auto const kind = model.links[link].kind;
  bool const can = kind == WaterLinkKind::prv || kind == WaterLinkKind::psv || kind == WaterLinkKind::fcv;
  return can && state.regulated[link] != 0 && state.statuses[link] == LinkStatus::active;
}

HeadLoss head_loss(HydraulicModel const& model, HydraulicState const& state, std::size_t link) {
  ModelLink const& of = model.links[link];
  double const flow = state.flows[link];
  double const setting = state.settings[link];
  bool const stopped = of.kind == WaterLinkKind::pump && setting == 0;
  if (is_closed(state.statuses[link]) || stopped || regulates(model, state, link)) return {};
  switch (of.kind) {
    case WaterLinkKind::pipe:
    case WaterLinkKind::check_valve: return pipe_loss(model, of, flow);
    case WaterLinkKind::pump: return pump_loss(model, of, flow, setting);
    case WaterLinkKind::gpv: return gpv_loss(model, of, flow);
    case WaterLinkKind::tcv: {
      constexpr double of_velocity_head = 0.02517;
      double const d2 = of.diameter * of.diameter;
      double const loss = state.regulated[link] != 0 ? of_velocity_head * setting / (d2 * d2) : of.minor_loss;
      return valve_loss(model, loss, flow);
    }
    case WaterLinkKind::pbv:
      if (state.regulated[link] != 0 && setting != 0 && of.minor_loss * flow * flow <= setting)
        return {setting, large_conductance};
      return valve_loss(model, of.minor_loss, flow);
    case WaterLinkKind::prv:
    case WaterLinkKind::psv:
    case WaterLinkKind::fcv: return valve_loss(model, of.minor_loss, flow);
  }
  return {};
}

HeadLoss emitter_loss(HydraulicModel const& model, HydraulicState const& state, std::size_t node) {
  double const coefficient = std::max(open_valve_gradient, model.nodes[node].emitter);
  return power_loss(coefficient, model.emitter_exponent, state.emitter_flows[node], model.least_gradient);
}

}  // namespace araia::detail
