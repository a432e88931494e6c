// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <araia/io/epanet.hpp>
#include <araia/solvers/hydraulics.hpp>
#include "src/io/escape.hpp"

#include "src/cli/solve.hpp"
#include "src/io/text_output.hpp"

namespace araia::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

char const* pressure_word(WaterOptions const& options) {
  switch (options.pressure) {
    case PressureUnits::psi: return "psi";
    case PressureUnits::kpa: return "kPa";
    case PressureUnits::metres: return "m";
  }
  return "";
}

char const* length_word(WaterOptions const& options) { return is_metric(options.flow) ? "m" : "ft"; }

/// A name in a file of comma-separated values.
std::string csv_field(std::string const& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string field = "\"";
  for (char const c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

void write_heads(std::string const& path, WaterNetwork const& network, HydraulicResult const& result) {
  araia::detail::write_file(path, [&](araia::detail::TextOutput& out) {
    out << "node,head,pressure\n";
    for (std::size_t i = 0; i < network.nodes.size(); ++i)
      out << csv_field(network.nodes[i].id) << ',' << result.heads[i] << ',' << result.pressures[i] << '\n';
  });
}

std::size_t count_of(WaterNetwork const& network, WaterNodeKind kind) {
  return static_cast<std::size_t>(std::count_if(network.nodes.begin(), network.nodes.end(),
                                                [kind](WaterNode const& node) { return node.kind == kind; }));
}

/// Junctions of the lowest and of the highest pressure among those that are connected; both network.nodes.size() where
/// there is none.
struct Extremes {
  std::size_t lowest;
  std::size_t highest;
  std::size_t negative = 0;  ///< junctions with a demand and a pressure below 0
};

Extremes pressures_of(WaterNetwork const& network, HydraulicResult const& result) {
  std::size_t const none = network.nodes.size();
  Extremes found{none, none};
  for (std::size_t i = 0; i < none; ++i) {
    if (network.nodes[i].kind != WaterNodeKind::junction || result.connected[i] == 0) continue;
    double const pressure = result.pressures[i];
    if (found.lowest == none || pressure < result.pressures[found.lowest]) found.lowest = i;
    if (found.highest == none || pressure > result.pressures[found.highest]) found.highest = i;
    if (pressure < 0 && result.outflows[i] > 0) ++found.negative;
  }
  return found;
}

struct Seconds {
  double reading;
  double solving;
};

nlohmann::ordered_json json_of(Settings const& s, WaterNetwork const& network, HydraulicResult const& result,
                               Seconds seconds) {
  using Json = nlohmann::ordered_json;
  auto const& options = network.options;
  Json json{
      {"command", "solve"},
      {"network",
       {{"file", valid_utf8(network.file)},
        {"junctions", count_of(network, WaterNodeKind::junction)},
        {"reservoirs", count_of(network, WaterNodeKind::reservoir)},
        {"tanks", count_of(network, WaterNodeKind::tank)},
        {"links", network.links.size()},
        {"read_seconds", seconds.reading}}},
      {"status", to_string(result.status)},
      {"message", result.message},
      {"method", s.method.empty() ? "cg" : s.method},
      {"trials", result.trials},
      {"iterations", result.iterations},
      {"flow_change", result.flow_change},
      {"mass_balance", result.mass_balance},
      {"seconds", seconds.solving},
      {"units",
       {{"length", length_word(options)}, {"flow", to_string(options.flow)}, {"pressure", pressure_word(options)}}}};
  json["output"] = s.output.empty() ? Json() : Json(valid_utf8(s.output));
  json["junctions"] = Json::array();
  for (std::size_t i = 0; i < network.nodes.size(); ++i)
    if (network.nodes[i].kind == WaterNodeKind::junction)
      json["junctions"].push_back({{"id", valid_utf8(network.nodes[i].id)},
                                   {"head", result.heads[i]},
                                   {"pressure", result.pressures[i]},
                                   {"connected", result.connected[i] != 0}});
  json["links"] = Json::array();
  for (std::size_t k = 0; k < network.links.size(); ++k)
    json["links"].push_back(
        {{"id", valid_utf8(network.links[k].id)}, {"flow", result.flows[k]}, {"status", to_string(result.states[k])}});
  return json;
}

std::string text_of(Settings const& s, WaterNetwork const& network, HydraulicResult const& result, Extremes const& at,
                    Seconds seconds) {
  auto const& options = network.options;
  std::string text = formatted(
      "{}: {} junctions, {} reservoirs, {} tanks, {} links\n"
      "{} in {} trials by {}, {:.3g} s{}\n"
      "flows change by {:.2g} of their sum, and balance at every junction to {:.2g}\n",
      escape(network.file), count_of(network, WaterNodeKind::junction), count_of(network, WaterNodeKind::reservoir),
      count_of(network, WaterNodeKind::tank), network.links.size(), to_string(result.status), result.trials,
      s.method.empty() ? "cg" : s.method, seconds.solving,
      result.iterations > 0 ? formatted(" ({} iterations)", result.iterations) : "", result.flow_change,
      result.mass_balance);
  if (at.lowest < network.nodes.size()) {
    auto const line = [&](char const* which, std::size_t i) {
      return formatted("{} pressure {:.2f} {} (head {:.2f} {}) at {}\n", which, result.pressures[i],
                       pressure_word(options), result.heads[i], length_word(options), escape(network.nodes[i].id));
    };
    text += line("lowest", at.lowest) + line("highest", at.highest);
  }
  if (!s.output.empty()) text += formatted("heads and pressures written to {}\n", escape(s.output));
  return text;
}

}  // namespace

Exit solve_network(Settings const& s) {
  HydraulicOptions options;
  options.method = s.method == "direct" ? HeadMethod::direct : HeadMethod::cg;
  if (options.method == HeadMethod::direct && !has_direct_heads())
    throw Failure(Exit::usage,
                  "--method is direct, which this build does not have, as Eigen was not found; expected cg");
  if (!s.output.empty()) {
    require_suffix({"-o", s.output}, {".csv"});
    require_writable({"-o", s.output}, s.json);
    require_other_file({"-o", s.output}, {{"FILE", s.file}});
  }
  Progress progress;
  progress.show("reading " + s.file);
  ReadOptions reading;
  reading.strict = s.strict;
  reading.max_memory_bytes = s.memory;
  reading.warn = [](std::string_view text) { warn(text); };
  auto start = Clock::now();
  WaterNetwork network;
  try {
    network = read_epanet(s.file, reading);
  } catch (Error const& e) {
    // What cannot be read is bad input, whatever else the kind would say of an argument.
    if (e.kind() == ErrorKind::resource_limit || e.kind() == ErrorKind::device) throw;
    throw Failure(Exit::input, said(e));
  }
  Seconds seconds{seconds_since(start), 0};
  options.progress = [&](std::int32_t trial, double change) {
    progress.show(formatted("trial {}: flows change by {:.1e} of their sum", trial, change));
  };
  start = Clock::now();
  HydraulicResult const result = solve_hydraulics(network, options);
  seconds.solving = seconds_since(start);
  if (!s.output.empty()) {
    progress.show("writing " + s.output);
    write_heads(s.output, network, result);
  }
  progress.show("");
  auto const at = pressures_of(network, result);
  if (at.negative > 0)
    warn(formatted("{}: the pressure is below 0 at {} junctions with a demand, lowest at {}", network.file, at.negative,
                   in_quotes(network.nodes[at.lowest].id)));
  if (!result.message.empty()) warn(formatted("{}: {}: {}", network.file, to_string(result.status), result.message));
  auto const text = s.json ? json_text(json_of(s, network, result, seconds)) : text_of(s, network, result, at, seconds);
  if (s.output.empty())
    print(text);
  else
    print_written(s.output, text);
  bool const solved = result.status == HydraulicStatus::converged || result.status == HydraulicStatus::balanced;
  return solved ? Exit::done : Exit::wrong;
}

}  // namespace araia::cli
