// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A network as the solver needs it: feet, cubic feet a second, patterns applied.

#include <araia/io/epanet.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace araia::detail {

/// EPANET's constants: heads agree with it to the last digits only with its own rounding of them.
inline constexpr double large_conductance = 1e8;     // (ft^3/s)/ft of a pressure breaker; 1 over that of a closed link
inline constexpr double open_valve_gradient = 1e-6;  // ft/(ft^3/s) of a valve without loss
inline constexpr double zero_flow = 1e-6;            // ft^3/s

/// Units of the file in one of the solver's.
struct WaterUnits {
  double length = 1;    // of 1 ft
  double flow = 1;      // of 1 ft^3/s
  double pressure = 1;  // of 1 ft of water
  double diameter = 1;  // of 1 ft
};
WaterUnits units_of(WaterOptions const& options);

enum class LinkStatus : signed char {
  no_head,             // a pump that cannot deliver the head
  temporarily_closed,  // towards a full tank, or from an empty one
  closed,
  open,
  active,          // a valve that follows its setting
  stuck_open,      // a PRV or PSV that nothing but itself joins to a known head: it cannot hold its setting
  open_below_flow  // an FCV that cannot deliver its flow
};
constexpr bool is_closed(LinkStatus status) { return status <= LinkStatus::closed; }

enum class PumpKind { power_curve, segments, constant_power };

struct ModelPump {
  PumpKind kind = PumpKind::power_curve;
  double shutoff = 0;  // power_curve: gain = shutoff - slope flow^exponent
  double slope = 0;    // constant_power: gain = slope / flow
  double exponent = 1;
  double design_flow = 1;
  double most_head = 0;
};

struct ModelLink {
  WaterLinkKind kind = WaterLinkKind::pipe;
  std::size_t from = 0;
  std::size_t to = 0;
  double diameter = 0;
  double roughness = 0;   // of a pipe; Darcy-Weisbach: ft
  double resistance = 0;  // of a pipe: loss = resistance flow^exponent; Darcy-Weisbach: without the friction factor
  double minor_loss = 0;  // loss = minor_loss flow^2
  ModelPump pump{};
  std::size_t curve = 0;  // of a pump by segments, of a GPV: which of the model's
};

/// Straight lines between points, ascending by flow.
struct ModelCurve {
  std::vector<std::array<double, 2>> points{};  // flow, head
  std::size_t rises_at = 0;  // the first point whose head is not below that of the one before; 0: none
};

struct ModelNode {
  double elevation = 0;
  double demand = 0;
  double emitter = 0;  // loss = emitter flow^exponent; 0: none
  bool fixed = false;  // reservoir or tank
  bool has_levels = false;
  double lowest_head = 0;
  double highest_head = 0;
  bool overflows = false;
};

struct ModelControl {
  std::size_t link = 0;
  std::size_t node = 0;
  WaterTrigger trigger = WaterTrigger::time;
  bool junction = false;  // triggered by a junction's pressure: checked in every steady state
  bool acts = false;      // by time or a tank's level: whether it does at time 0
  double head = 0;
  LinkStatus status = LinkStatus::open;
  bool has_setting = false;
  double setting = 0;
};

/// What the trials change.
struct HydraulicState {
  std::vector<double> heads;          // (nodes)
  std::vector<double> flows;          // (links)
  std::vector<double> emitter_flows;  // (nodes)
  std::vector<double> settings;       // (links)
  std::vector<char> regulated;        // (links) a valve that is neither opened nor closed for good
  std::vector<LinkStatus> statuses;   // (links)
};

struct HydraulicModel {
  WaterUnits units;
  HeadLossFormula formula = HeadLossFormula::hazen_williams;
  double exponent = 1.852;      // of the flow in a pipe's loss
  double emitter_exponent = 2;  // of the flow in an emitter's loss
  double viscosity = 0;
  double head_tolerance = 0;
  double flow_tolerance = 0;
  double least_gradient = 0;
  std::vector<ModelNode> nodes;
  std::vector<ModelLink> links;
  std::vector<ModelCurve> curves;      // (the network's) without points where no link goes by segments of it
  std::vector<ModelControl> controls;  // of links that are there, in the file's order
};

/// \throws araia::Error (parse) naming file, line and link
HydraulicModel make_model(WaterNetwork const& network);

/// Statuses, settings and flows that time 0 begins with, controls applied.
HydraulicState initial_state(WaterNetwork const& network, HydraulicModel const& model);

/// Would a control give its link another status or setting?
bool would_change(HydraulicModel const& model, ModelControl const& control, HydraulicState const& state);
void apply_control(HydraulicModel const& model, ModelControl const& control, HydraulicState& state);

}  // namespace araia::detail
