// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link_status.hpp"

#include <utility>

namespace araia::detail {
namespace {

using enum LinkStatus;

// Of a check valve that is `before`, with the loss of head along it.
LinkStatus check_valve(HydraulicModel const& model, LinkStatus before, double loss, double flow) {
  if (loss < -model.head_tolerance || flow < -model.flow_tolerance) return closed;
  return loss > model.head_tolerance ? open : before;
}

LinkStatus pump(HydraulicModel const& model, HydraulicState const& state, std::size_t k, double gain) {
  auto const& of = model.links[k].pump;
  if (of.kind == PumpKind::constant_power) return open;
  double const speed = state.settings[k];
  return gain > speed * speed * of.most_head + model.head_tolerance ? no_head : open;
}

// Heads before and behind the valve; the setting's is the head that it holds.
struct ValveHeads {
  double from;
  double to;
  double set;
};

LinkStatus reducing_valve(HydraulicModel const& model, LinkStatus before, ValveHeads const& h, double flow,
                          double loss) {
  double const tolerance = model.head_tolerance;
  bool const reversed = flow < -model.flow_tolerance;
  switch (before) {
    case active: return reversed ? closed : h.from - loss < h.set - tolerance ? open : active;
    case open: return reversed ? closed : h.to >= h.set + tolerance ? active : open;
    case closed:
      if (h.from >= h.set + tolerance && h.to < h.set - tolerance) return active;
      return h.from < h.set - tolerance && h.from > h.to + tolerance ? open : closed;
    case stuck_open: return reversed ? closed : stuck_open;
    default: return before;
  }
}

LinkStatus sustaining_valve(HydraulicModel const& model, LinkStatus before, ValveHeads const& h, double flow,
                            double loss) {
  double const tolerance = model.head_tolerance;
  bool const reversed = flow < -model.flow_tolerance;
  switch (before) {
    case active: return reversed ? closed : h.to + loss > h.set + tolerance ? open : active;
    case open: return reversed ? closed : h.from < h.set - tolerance ? active : open;
    case closed:
      if (h.from <= h.to + tolerance) return closed;
      return h.to > h.set + tolerance ? open : h.from >= h.set + tolerance ? active : closed;
    case stuck_open: return reversed ? closed : stuck_open;
    default: return before;
  }
}

LinkStatus flow_valve(HydraulicModel const& model, LinkStatus before, double loss, double flow, double setting) {
  if (loss < -model.head_tolerance || flow < -model.flow_tolerance) return open_below_flow;
  return before == open_below_flow && flow >= setting ? active : before;
}

// A link may not fill a full tank, nor empty an empty one: does the tank at one end of it forbid its flow?
bool tank_forbids(HydraulicModel const& model, HydraulicState const& state, std::size_t k, bool begins_there) {
  auto const& link = model.links[k];
  std::size_t const tank = begins_there ? link.from : link.to;
  std::size_t const other = begins_there ? link.to : link.from;
  auto const& node = model.nodes[tank];
  if (!node.has_levels) return false;
  double const loss = state.heads[tank] - state.heads[other];
  double const outflow = begins_there ? state.flows[k] : -state.flows[k];
  bool const is_pump = link.kind == WaterLinkKind::pump;
  if (state.heads[tank] >= node.highest_head - model.head_tolerance && !node.overflows &&
      (is_pump ? !begins_there : check_valve(model, open, loss, outflow) == closed))
    return true;
  return state.heads[tank] <= node.lowest_head + model.head_tolerance &&
         (is_pump ? begins_there : check_valve(model, closed, loss, outflow) == open);
}

}  // namespace

std::size_t update_pressure_valves(HydraulicModel const& model, HydraulicState& state) {
  std::size_t changed = no_link;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    auto const& link = model.links[k];
    bool const reduces = link.kind == WaterLinkKind::prv;
    if ((!reduces && link.kind != WaterLinkKind::psv) || state.regulated[k] == 0) continue;
    double const flow = state.flows[k];
    double const loss = link.minor_loss * flow * flow;
    double const set = model.nodes[reduces ? link.to : link.from].elevation + state.settings[k];
    ValveHeads const heads{state.heads[link.from], state.heads[link.to], set};
    auto const now = reduces ? reducing_valve(model, state.statuses[k], heads, flow, loss)
                             : sustaining_valve(model, state.statuses[k], heads, flow, loss);
    if (std::exchange(state.statuses[k], now) != now) changed = k;
  }
  return changed;
}

std::size_t update_links(HydraulicModel const& model, HydraulicState& state) {
  std::size_t changed = no_link;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    auto const& link = model.links[k];
    auto const before = state.statuses[k];
    auto now = before == no_head || before == temporarily_closed ? open : before;
    double const loss = state.heads[link.from] - state.heads[link.to];
    if (link.kind == WaterLinkKind::check_valve) now = check_valve(model, now, loss, state.flows[k]);
    if (link.kind == WaterLinkKind::pump && !is_closed(now) && state.settings[k] > 0)
      now = pump(model, state, k, -loss);
    if (link.kind == WaterLinkKind::fcv && state.regulated[k] != 0)
      now = flow_valve(model, before, loss, state.flows[k], state.settings[k]);
    if (!is_closed(now) && (tank_forbids(model, state, k, true) || tank_forbids(model, state, k, false)))
      now = temporarily_closed;
    state.statuses[k] = now;
    if (now != before) changed = k;
  }
  return changed;
}

std::size_t update_controlled(HydraulicModel const& model, HydraulicState& state) {
  std::size_t changed = no_link;
  for (auto const& control : model.controls) {
    if (!control.junction) continue;
    double const head = state.heads[control.node];
    bool const acts = control.trigger == WaterTrigger::below ? head <= control.head + model.head_tolerance
                                                             : head >= control.head - model.head_tolerance;
    if (!acts || !would_change(model, control, state)) continue;
    apply_control(model, control, state);
    changed = control.link;
  }
  return changed;
}

}  // namespace araia::detail
