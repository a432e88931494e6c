// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes are: an outcome, the same for every size of blocks, and a network whose indices are in range.
#include <araia/io/epanet.hpp>

#include <cmath>
#include <cstdint>

#include "fuzz_reader.hpp"

namespace {

using araia::WaterNetwork;
using araia::fuzz::require;

bool within(std::int32_t index, std::size_t size) { return index >= 0 && static_cast<std::size_t>(index) < size; }
bool none_or_within(std::int32_t index, std::size_t size) { return index == araia::no_index || within(index, size); }

// What a network says, having checked what its declaration promises.
void write(std::ostream& out, WaterNetwork const& network) {
  std::size_t const patterns = network.patterns.size();
  std::size_t const curves = network.curves.size();
  for (auto const& node : network.nodes) {
    out << node.id << ' ' << static_cast<int>(node.kind) << ' ' << node.elevation << ' ' << node.emitter << ' '
        << node.pattern << ' ' << node.tank.initial_level << ' ' << node.line << '\n';
    require(none_or_within(node.pattern, patterns), "a node's pattern is there");
    require(none_or_within(node.tank.volume_curve, curves), "a tank's curve is there");
    require(std::isfinite(node.elevation) && std::isfinite(node.emitter), "numbers are finite");
    for (auto const& demand : node.demands) {
      require(none_or_within(demand.pattern, patterns), "a demand's pattern is there");
      out << demand.base << ' ' << demand.pattern << '\n';
    }
  }
  for (auto const& link : network.links) {
    out << link.id << ' ' << static_cast<int>(link.kind) << ' ' << link.from << ' ' << link.to << ' ' << link.length
        << ' ' << link.diameter << ' ' << link.roughness << ' ' << link.minor_loss << ' '
        << static_cast<int>(link.status) << ' ' << link.setting << ' ' << link.power << ' ' << link.curve << ' '
        << link.pattern << ' ' << link.line << '\n';
    require(within(link.from, network.nodes.size()) && within(link.to, network.nodes.size()), "a link has two nodes");
    require(link.from != link.to, "which differ");
    require(none_or_within(link.curve, curves) && none_or_within(link.pattern, patterns), "a link's parts are there");
    bool const pump = link.kind == araia::WaterLinkKind::pump;
    require(!pump || link.power > 0 || link.curve != araia::no_index, "a pump has a curve or a power");
    require(link.kind != araia::WaterLinkKind::gpv || link.curve != araia::no_index, "a GPV has a curve");
  }
  for (auto const& pattern : network.patterns) {
    out << pattern.id;
    for (double const factor : pattern.factors) out << ' ' << factor;
    out << '\n';
    require(!pattern.factors.empty(), "a pattern has a factor");
  }
  for (auto const& curve : network.curves) {
    out << curve.id;
    for (auto const& [x, y] : curve.points) out << ' ' << x << ' ' << y;
    out << '\n';
    require(!curve.points.empty(), "a curve has a point");
  }
  for (auto const& control : network.controls) {
    out << control.link << ' ' << static_cast<int>(control.status) << ' ' << control.setting.value_or(-1) << ' '
        << control.node << ' ' << control.level << ' ' << control.seconds << '\n';
    require(within(control.link, network.links.size()), "a control's link is there");
    require(none_or_within(control.node, network.nodes.size()), "a control's node is there");
    require(control.seconds >= 0, "times do not begin before 0");
  }
  for (auto const& rule : network.rules)
    for (auto const& clause : rule.clauses) out << rule.id << ' ' << clause << '\n';
  auto const& times = network.times;
  require(times.pattern_step > 0 && times.pattern_start >= 0, "patterns have a step");
  out << to_string(network.options.flow) << ' ' << network.options.viscosity << ' ' << times.duration << ' '
      << times.pattern_step << ' ' << times.pattern_start << ' ' << times.start_clock << '\n';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  araia::ReadOptions options;
  options.max_memory_bytes = 1 << 16;
  bool good = false;
  auto const read = [&] {
    return araia::fuzz::outcome([&] { return araia::parse_epanet(text, "file", options); }, write, good);
  };
  std::string const whole = read();
  bool const was_good = good;
  options.block_bytes = 1 + size % 31;
  require(read() == whole && good == was_good, "the size of blocks changes nothing");
  return 0;
}
