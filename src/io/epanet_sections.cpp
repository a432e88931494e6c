// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the sections of nodes, links and what refers to them.
#include <araia/io/epanet.hpp>
#include "src/io/escape.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "epanet_parser.hpp"

namespace araia::detail {
namespace {

// Vectors have up to twice what they hold, and names stand in tables too.
template <class T>
std::uint64_t bytes_of_one(std::string_view id) {
  constexpr std::uint64_t entry_of_table = 96;
  return 2 * sizeof(T) + 2 * id.size() + entry_of_table;
}

// Of the six that valve_ends_ has for a node.
std::size_t valve_end(WaterLinkKind kind, bool ends_there) {
  std::size_t const of_kind = kind == WaterLinkKind::prv ? 0 : kind == WaterLinkKind::psv ? 2 : 4;
  return of_kind + (ends_there ? 1 : 0);
}

}  // namespace

// ---- nodes ----

WaterNode& EpanetParser::add_node(WaterNodeKind kind) {
  std::string_view const id = words_[0].text;
  hold(bytes_of_one<WaterNode>(id));
  auto const index = static_cast<std::int32_t>(network_.nodes.size());
  auto const [at, added] = nodes_.emplace(id, index);
  if (!added)
    refuse(0, "node '" + escape(id) + "' is there twice, first in line " +
                  std::to_string(network_.nodes[static_cast<std::size_t>(at->second)].line) +
                  "; expected a name of its own");
  WaterNode node;
  node.id = id;
  node.kind = kind;
  node.line = line_;
  demands_replaced_.push_back(0);
  return network_.nodes.emplace_back(std::move(node));
}

void EpanetParser::read_junction() {
  WaterNode& node = add_node(WaterNodeKind::junction);
  if (words_.size() > 1) node.elevation = number(1, "the elevation");
  WaterDemand demand;
  if (words_.size() > 2) demand.base = number(2, "the demand");
  if (words_.size() > 3) demand.pattern = pattern(3);
  hold(sizeof(WaterDemand));
  node.demands.push_back(demand);
}

void EpanetParser::read_reservoir_or_tank() {
  bool const is_tank = words_.size() > 3;
  if (is_tank)
    require_words(6, "a tank's name, elevation, initial, minimum and maximum level and diameter");
  else
    require_words(2, "a reservoir's name and head, and perhaps its pattern");
  WaterNode& node = add_node(is_tank ? WaterNodeKind::tank : WaterNodeKind::reservoir);
  node.elevation = number(1, is_tank ? "the elevation" : "the head");
  if (!is_tank) {
    if (words_.size() > 2) node.pattern = pattern(2);
    return;
  }
  node.tank.initial_level = not_negative(2, "the initial level");
  node.tank.minimum_level = not_negative(3, "the minimum level");
  node.tank.maximum_level = not_negative(4, "the maximum level");
  node.tank.diameter = not_negative(5, "the diameter");
  if (words_.size() > 6) (void)not_negative(6, "the minimum volume");
  if (words_.size() > 7 && !words_[7].text.empty() && !words_[7].text.starts_with('*'))
    node.tank.volume_curve = curve(7);
  if (words_.size() > 8) {
    if (!is(8, "yes") && !is(8, "no")) refuse_word(8, "YES or NO: whether the tank overflows");
    node.tank.overflows = is(8, "yes");
  }
  // EPANET knows a reservoir by its having no area.
  if (node.tank.diameter == 0 && node.tank.volume_curve == no_index) {
    node.kind = WaterNodeKind::reservoir;
    node.elevation += node.tank.initial_level;
  }
}

void EpanetParser::read_demand() {
  require_words(2, "a junction and its demand, and perhaps a pattern");
  if (is(0, "mult")) {
    network_.options.demand_multiplier = positive(1, "the multiplier of demands");
    return;
  }
  WaterDemand demand;
  demand.base = number(1, "the demand");
  auto const index = static_cast<std::size_t>(node(0));
  WaterNode& at = network_.nodes[index];
  if (at.kind != WaterNodeKind::junction) return;
  if (words_.size() > 2) demand.pattern = pattern(2);
  if (!std::exchange(demands_replaced_[index], char{1})) at.demands.clear();
  hold(2 * sizeof(WaterDemand));
  at.demands.push_back(demand);
}

void EpanetParser::read_emitter() {
  require_words(2, "a junction and its emitter's coefficient");
  WaterNode& at = network_.nodes[static_cast<std::size_t>(node(0))];
  double const coefficient = not_negative(1, "the emitter's coefficient");
  if (at.kind == WaterNodeKind::junction) at.emitter = coefficient;
}

void EpanetParser::read_coordinates() {
  // Only drawn, so that EPANET ignores what is wrong with them.
  double x = 0;
  double y = 0;
  if (words_.size() < 3 || !is_number(words_[1].text, x) || !is_number(words_[2].text, y)) return;
  if (auto const at = nodes_.find(std::string(words_[0].text)); at != nodes_.end())
    network_.nodes[static_cast<std::size_t>(at->second)].coordinates = {x, y};
}

// ---- links ----

std::int32_t EpanetParser::node(std::size_t word) const {
  auto const at = nodes_.find(std::string(words_[word].text));
  if (at == nodes_.end()) refuse_word(word, "a node of the lines before");
  return at->second;
}

std::int32_t EpanetParser::link(std::size_t word) const {
  auto const at = links_.find(std::string(words_[word].text));
  if (at == links_.end()) refuse_word(word, "a link of the lines before");
  return at->second;
}

WaterLink EpanetParser::begin_link(WaterLinkKind kind, char const* what) const {
  require_words(3, what);
  WaterLink link;
  link.id = words_[0].text;
  link.kind = kind;
  link.line = line_;
  link.from = node(1);
  link.to = node(2);
  if (link.from == link.to) refuse_word(2, "another node than the one that the link begins at");
  return link;
}

WaterLink& EpanetParser::add_link(WaterLink link) {
  hold(bytes_of_one<WaterLink>(link.id));
  auto const [at, added] = links_.emplace(link.id, static_cast<std::int32_t>(network_.links.size()));
  if (!added)
    refuse(0, "link '" + escape(link.id) + "' is there twice, first in line " +
                  std::to_string(network_.links[static_cast<std::size_t>(at->second)].line) +
                  "; expected a name of its own");
  return network_.links.emplace_back(std::move(link));
}

void EpanetParser::read_pipe() {
  constexpr char const* what = "a pipe's name, two nodes, length, diameter and roughness";
  WaterLink pipe = begin_link(WaterLinkKind::pipe, what);
  require_words(6, what);
  pipe.length = positive(3, "the length");
  pipe.diameter = positive(4, "the diameter");
  pipe.roughness = positive(5, "the roughness");
  auto const status = [&](std::size_t word) {
    if (is(word, "cv"))
      pipe.kind = WaterLinkKind::check_valve;
    else if (is(word, "clos"))
      pipe.status = WaterLinkStatus::closed;
    else if (!is(word, "open"))
      return false;
    return true;
  };
  if (words_.size() == 7) {
    double ignored = 0;
    if (!status(6)) {
      if (!is_number(words_[6].text, ignored)) refuse_word(6, "OPEN, CLOSED, CV or a loss coefficient");
      pipe.minor_loss = not_negative(6, "the loss coefficient");
    }
  } else if (words_.size() > 7) {
    pipe.minor_loss = not_negative(6, "the loss coefficient");
    if (!status(7)) refuse_word(7, "OPEN, CLOSED or CV");
  }
  add_link(std::move(pipe));
}

void EpanetParser::read_old_pump(WaterLink& pump) {
  double const first = number(3, "the pump's power or head");
  if (words_.size() == 4) {
    pump.power = positive(3, "the pump's power");
    return;
  }
  if (words_.size() != 5 && words_.size() < 8)
    refuse(3, "the pump has " + std::to_string(words_.size() - 3) +
                  " numbers, expected power; head and flow; or shutoff head, head, flow, head and flow");
  hold(bytes_of_one<WaterCurve>({}) + 6 * sizeof(double) + 2 * sizeof(Mention));
  WaterCurve points;
  if (words_.size() == 5)
    points.points = {{number(4, "the flow"), first}};
  else
    points.points = {{0, first},
                     {number(5, "the design flow"), number(4, "the design head")},
                     {number(7, "the largest flow"), number(6, "the head at the largest flow")}};
  pump.curve = static_cast<std::int32_t>(network_.curves.size());
  network_.curves.push_back(std::move(points));
  curve_mentions_.push_back({place(3), true});
}

void EpanetParser::read_pump() {
  WaterLink pump = begin_link(WaterLinkKind::pump, "a pump's name, two nodes and HEAD, POWER, SPEED or PATTERN");
  double ignored = 0;
  if (words_.size() > 3 && is_number(words_[3].text, ignored)) {
    read_old_pump(pump);
  } else {
    auto const refuse_second = [&](std::size_t word, bool other) {
      if (other) refuse_word(word, "either HEAD or POWER, not both in one line");
    };
    for (std::size_t i = 3; i < words_.size(); i += 2) {
      if (i + 1 == words_.size()) refuse(i + 1, "the line ends behind a keyword, expected its value");
      if (is(i, "powe")) {
        refuse_second(i, pump.curve != no_index);
        pump.power = positive(i + 1, "the pump's power");
      } else if (is(i, "head")) {
        refuse_second(i, pump.power > 0);
        pump.curve = curve(i + 1);
      } else if (is(i, "patt")) {
        pump.pattern = pattern(i + 1);
      } else if (is(i, "spee")) {
        pump.setting = not_negative(i + 1, "the pump's speed");
      } else {
        refuse_word(i, "HEAD, POWER, SPEED or PATTERN");
      }
    }
  }
  if (pump.curve == no_index && pump.power == 0)
    refuse(0, "pump '" + escape(pump.id) + "' has neither a curve nor a power, expected HEAD or POWER");
  add_link(std::move(pump));
}

void EpanetParser::read_valve() {
  constexpr char const* what = "a valve's name, two nodes, diameter, type and setting";
  struct Known {
    std::string_view name;
    WaterLinkKind kind;
  };
  static constexpr Known known[] = {{"prv", WaterLinkKind::prv}, {"psv", WaterLinkKind::psv},
                                    {"pbv", WaterLinkKind::pbv}, {"fcv", WaterLinkKind::fcv},
                                    {"tcv", WaterLinkKind::tcv}, {"gpv", WaterLinkKind::gpv}};
  WaterLink valve = begin_link(WaterLinkKind::prv, what);
  require_words(6, what);
  auto const* const one =
      std::find_if(std::begin(known), std::end(known), [&](Known const& k) { return is(4, k.name); });
  if (one == std::end(known)) {
    if (is(4, "pcv")) unsupported(4, "a positional control valve (PCV, of EPANET 2.3)");
    refuse_word(4, "PRV, PSV, PBV, FCV, TCV or GPV");
  }
  valve.kind = one->kind;
  valve.diameter = positive(3, "the diameter");
  if (valve.kind == WaterLinkKind::gpv) {
    valve.curve = curve(5);
    valve.status = WaterLinkStatus::open;
    valve.setting = 0;
  } else {
    valve.setting = number(5, "the setting");
    valve.status = WaterLinkStatus::active;
  }
  if (words_.size() > 6) valve.minor_loss = not_negative(6, "the loss coefficient");
  check_valve_places(valve);
  add_link(std::move(valve));
}

void EpanetParser::check_valve_places(WaterLink const& valve) {
  using enum WaterLinkKind;
  auto const controls = [](WaterLinkKind kind) { return kind == prv || kind == psv || kind == fcv; };
  if (!controls(valve.kind)) return;
  for (std::size_t word = 1; word <= 2; ++word) {
    auto const index = static_cast<std::size_t>(word == 1 ? valve.from : valve.to);
    if (network_.nodes[index].kind != WaterNodeKind::junction)
      refuse_word(word, "a junction: a " + std::string(to_string(valve.kind)) + " cannot touch a reservoir or tank");
  }
  // What valves of the lines before do at either end of this one.
  auto const at = [&](std::int32_t node, WaterLinkKind kind, bool ends_there) {
    auto const found = valve_ends_.find(node);
    return found == valve_ends_.end() ? no_index : found->second[valve_end(kind, ends_there)];
  };
  auto const require_none = [&](std::int32_t index) {
    if (index == no_index) return;
    WaterLink const& other = network_.links[static_cast<std::size_t>(index)];
    refuse(0, std::string(to_string(valve.kind)) + " '" + escape(valve.id) + "' and " +
                  std::string(to_string(other.kind)) + " '" + escape(other.id) + "' of line " +
                  std::to_string(other.line) + " would control one node, expected a pipe between them");
  };
  constexpr bool begins = false;
  constexpr bool ends = true;
  require_none(at(valve.from, prv, ends));
  require_none(at(valve.to, psv, begins));
  if (valve.kind == prv) {
    require_none(at(valve.to, prv, ends));
    require_none(at(valve.to, prv, begins));
    require_none(at(valve.to, fcv, begins));
  }
  if (valve.kind == psv) {
    require_none(at(valve.from, psv, begins));
    require_none(at(valve.from, psv, ends));
    require_none(at(valve.from, fcv, ends));
  }
  hold(2 * 96);
  auto const index = static_cast<std::int32_t>(network_.links.size());
  for (bool const end : {begins, ends}) {
    auto const node = end ? valve.to : valve.from;
    auto const [place_of, added] = valve_ends_.try_emplace(node);
    if (added) place_of->second.fill(no_index);
    place_of->second[valve_end(valve.kind, end)] = index;
  }
}

// ---- patterns, curves, controls, rules ----

std::int32_t EpanetParser::pattern_named(std::string_view id, FilePlace const& where) {
  auto const next = static_cast<std::int32_t>(network_.patterns.size());
  auto const [at, added] = patterns_.emplace(id, next);
  if (added) {
    hold(bytes_of_one<WaterPattern>(id) + 2 * sizeof(Mention) + 2 * network_.file.size());
    network_.patterns.push_back({.id = std::string(id)});
    pattern_mentions_.push_back({where, false});
  }
  return at->second;
}

std::int32_t EpanetParser::curve_named(std::string_view id, FilePlace const& where) {
  auto const next = static_cast<std::int32_t>(network_.curves.size());
  auto const [at, added] = curves_.emplace(id, next);
  if (added) {
    hold(bytes_of_one<WaterCurve>(id) + 2 * sizeof(Mention) + 2 * network_.file.size());
    network_.curves.push_back({.id = std::string(id)});
    curve_mentions_.push_back({where, false});
  }
  return at->second;
}

std::int32_t EpanetParser::pattern(std::size_t word) {
  // "" and * are no pattern.
  if (words_[word].text.empty() || words_[word].text == "*") return no_index;
  return pattern_named(words_[word].text, place(word));
}

std::int32_t EpanetParser::curve(std::size_t word) { return curve_named(words_[word].text, place(word)); }

void EpanetParser::read_pattern() {
  require_words(2, "a pattern's name and a multiplier at least");
  auto const index = static_cast<std::size_t>(pattern_named(words_[0].text, place(0)));
  pattern_mentions_[index].defined = true;
  hold(2 * sizeof(double) * (words_.size() - 1));
  for (std::size_t i = 1; i < words_.size(); ++i) network_.patterns[index].factors.push_back(number(i, "a multiplier"));
}

void EpanetParser::read_curve() {
  require_words(3, "a curve's name, x and y");
  auto const index = static_cast<std::size_t>(curve_named(words_[0].text, place(0)));
  curve_mentions_[index].defined = true;
  double const x = number(1, "x of the curve");
  double const y = number(2, "y of the curve");
  auto& points = network_.curves[index].points;
  if (!points.empty() && x <= points.back()[0])
    refuse_word(1, "an x above that of the curve's point before, " + std::to_string(points.back()[0]));
  hold(4 * sizeof(double));
  points.push_back({x, y});
}

void EpanetParser::read_control() {
  constexpr char const* what = "LINK link setting IF NODE node BELOW or ABOVE level, or LINK link setting AT TIME time";
  std::size_t const words = words_.size();
  std::size_t const count = words > 0 && is(words - 1, "disabled") ? words - 1 : words;
  require_words(6, what);
  WaterControl control;
  control.line = line_;
  control.link = link(1);
  auto const kind = network_.links[static_cast<std::size_t>(control.link)].kind;
  bool const pump = kind == WaterLinkKind::pump;
  if (kind == WaterLinkKind::check_valve) refuse_word(1, "a link without a check valve, which has its own status");
  if (is(2, "open")) {
    control.status = WaterLinkStatus::open;
    if (pump) control.setting = 1;
  } else if (is(2, "clos")) {
    control.status = WaterLinkStatus::closed;
    if (pump) control.setting = 0;
  } else if (kind == WaterLinkKind::gpv) {
    refuse_word(2, "OPEN or CLOSED for a GPV");
  } else {
    control.setting = number(2, "OPEN, CLOSED or a setting");
    if (pump || kind == WaterLinkKind::pipe) {
      if (*control.setting < 0) refuse_word(2, "OPEN, CLOSED or a setting of at least 0");
      control.status = *control.setting == 0 ? WaterLinkStatus::closed : WaterLinkStatus::open;
    }
  }
  if (is(4, "time") || is(4, "clock")) {
    bool const clock = is(4, "clock");
    control.trigger = clock ? WaterTrigger::clock_time : WaterTrigger::time;
    control.seconds = seconds_at(5, std::min<std::size_t>(count, 7));
    if (clock) control.seconds %= 86400;
  } else {
    require_words(8, what);
    control.node = node(5);
    if (!is(6, "belo") && !is(6, "abov")) refuse_word(6, "BELOW or ABOVE");
    control.trigger = is(6, "belo") ? WaterTrigger::below : WaterTrigger::above;
    control.level = number(7, "the level or pressure");
  }
  if (count < words) return;
  hold(2 * sizeof(WaterControl));
  network_.controls.push_back(control);
}

void EpanetParser::read_rule() {
  auto const begins_clause = [&](std::size_t word) {
    return is(word, "if") || is(word, "and") || is(word, "or") || is(word, "then") || is(word, "else") ||
           is(word, "prio");
  };
  std::size_t first = 0;
  bool const new_rule = is(0, "rule");
  if (new_rule) {
    require_words(2, "RULE and the rule's name");
    hold(bytes_of_one<WaterRule>(words_[1].text));
    network_.rules.push_back({.id = std::string(words_[1].text), .line = line_});
    first = 2;
  } else if (network_.rules.empty()) {
    refuse_word(0, "RULE and the rule's name before its clauses");
  }
  if (first < words_.size() && !begins_clause(first)) refuse_word(first, "IF, AND, OR, THEN, ELSE or PRIORITY");
  for (std::size_t i = first; i < words_.size();) {
    std::string clause(words_[i].text);
    // Behind RULE all clauses may stand on the line; else a line is one clause.
    std::size_t next = i + 1;
    for (; next < words_.size() && !(new_rule && begins_clause(next)); ++next)
      clause.append(1, ' ').append(words_[next].text);
    hold(2 * sizeof(std::string) + 2 * clause.size());
    network_.rules.back().clauses.push_back(std::move(clause));
    i = next;
  }
}

}  // namespace araia::detail
