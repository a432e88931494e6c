// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a water network with its pressures: 07_network_pressures NET.inp OUT.svg. Junctions from blue, the lowest
// pressure, to red, the highest; links as wide as they flow; closed ones dashed.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <araia/error.hpp>
#include <araia/io/epanet.hpp>
#include <araia/solvers/hydraulics.hpp>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

/// Coordinates of the file on a picture of 800 points, y upwards.
struct Frame {
  double left = 0;
  double top = 0;
  double scale = 1;

  explicit Frame(araia::WaterNetwork const& network) {
    double right = -HUGE_VAL;
    double bottom = HUGE_VAL;
    left = HUGE_VAL;
    top = -HUGE_VAL;
    for (auto const& node : network.nodes) {
      if (!node.coordinates) continue;
      auto const [x, y] = *node.coordinates;
      left = std::min(left, x);
      right = std::max(right, x);
      bottom = std::min(bottom, y);
      top = std::max(top, y);
    }
    double const extent = std::max(right - left, top - bottom);
    scale = extent > 0 ? 760 / extent : 1;
  }
  [[nodiscard]] std::string x(araia::WaterNode const& node) const {
    return std::to_string(20 + scale * ((*node.coordinates)[0] - left));
  }
  [[nodiscard]] std::string y(araia::WaterNode const& node) const {
    return std::to_string(20 + scale * (top - (*node.coordinates)[1]));
  }
};

static void draw(araia::WaterNetwork const& network, araia::HydraulicResult const& state, char const* path) {
  Frame const frame(network);
  double most_flow = 0;
  for (double const flow : state.flows) most_flow = std::max(most_flow, std::fabs(flow));
  double lowest = HUGE_VAL;
  double highest = -HUGE_VAL;
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    if (network.nodes[i].kind != araia::WaterNodeKind::junction || state.connected[i] == 0) continue;
    lowest = std::min(lowest, state.pressures[i]);
    highest = std::max(highest, state.pressures[i]);
  }
  std::ofstream out(path);
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 800 800'>\n<rect width='800' height='800' "
         "fill='white'/>\n";
  for (std::size_t k = 0; k < network.links.size(); ++k) {
    auto const& from = network.nodes[static_cast<std::size_t>(network.links[k].from)];
    auto const& to = network.nodes[static_cast<std::size_t>(network.links[k].to)];
    if (!from.coordinates || !to.coordinates) continue;
    double const width = most_flow > 0 ? 0.5 + 5 * std::sqrt(std::fabs(state.flows[k]) / most_flow) : 0.5;
    out << "<line x1='" << frame.x(from) << "' y1='" << frame.y(from) << "' x2='" << frame.x(to) << "' y2='"
        << frame.y(to) << "' stroke='#888' stroke-width='" << width << '\'';
    if (state.states[k] == araia::LinkState::closed) out << " stroke-dasharray='3'";
    out << "/>\n";
  }
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    auto const& node = network.nodes[i];
    if (!node.coordinates) continue;
    bool const junction = node.kind == araia::WaterNodeKind::junction;
    double const share = highest > lowest ? (state.pressures[i] - lowest) / (highest - lowest) : 0.5;
    auto const red = static_cast<int>(255 * std::clamp(share, 0.0, 1.0));
    std::string const color = !junction ? "black"
                              : state.connected[i] == 0
                                  ? "none"
                                  : "rgb(" + std::to_string(red) + ",60," + std::to_string(255 - red) + ")";
    out << "<circle cx='" << frame.x(node) << "' cy='" << frame.y(node) << "' r='" << (junction ? 4 : 7) << "' fill='"
        << color << "' stroke='black' stroke-width='0.5'/>\n";
  }
  out << "</svg>\n";
  if (!out.flush()) throw araia::Error(araia::ErrorKind::device, std::string("cannot write ") + path);
  std::printf("%s: pressures from %.2f to %.2f, drawn to %s\n", network.file.c_str(), lowest, highest, path);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s NET.inp OUT.svg\n", argv[0]);
    return 2;
  }
  try {
    auto const network = araia::read_epanet(argv[1]);
    auto const state = araia::solve_hydraulics(network);
    if (!state.message.empty()) std::fprintf(stderr, "%s\n", state.message.c_str());
    draw(network, state, argv[2]);
    return state.status == araia::HydraulicStatus::converged ? 0 : 1;
  } catch (araia::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
