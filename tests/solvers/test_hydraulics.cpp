// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small networks whose heads and flows follow from EPANET's formulas by hand, and networks of others, whose balance of
// flows and heads is checked.
#include <gtest/gtest.h>
#include <araia/error.hpp>
#include <araia/solvers/hydraulics.hpp>
#include <support/data.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "../../src/solvers/head_loss.hpp"
#include "../../src/solvers/head_solver.hpp"
#include "../../src/solvers/hydraulic_model.hpp"

namespace araia::test::hydraulics {
namespace {

std::vector<HeadMethod> methods() {
  std::vector<HeadMethod> all{HeadMethod::cg};
  if (has_direct_heads()) all.push_back(HeadMethod::direct);
  return all;
}

struct Solved {
  WaterNetwork network;
  HydraulicResult result;

  [[nodiscard]] std::size_t node(std::string_view id) const {
    for (std::size_t i = 0; i < network.nodes.size(); ++i)
      if (network.nodes[i].id == id) return i;
    ADD_FAILURE() << "no node " << id;
    return 0;
  }
  [[nodiscard]] std::size_t link(std::string_view id) const {
    for (std::size_t k = 0; k < network.links.size(); ++k)
      if (network.links[k].id == id) return k;
    ADD_FAILURE() << "no link " << id;
    return 0;
  }
  [[nodiscard]] double head(std::string_view id) const { return result.heads[node(id)]; }
  [[nodiscard]] double pressure(std::string_view id) const { return result.pressures[node(id)]; }
  [[nodiscard]] double flow(std::string_view id) const { return result.flows[link(id)]; }
  [[nodiscard]] LinkState state(std::string_view id) const { return result.states[link(id)]; }
};

Solved solve(std::string_view text, HeadMethod method) {
  Solved solved{parse_epanet(text, "net.inp"), {}};
  solved.result = solve_hydraulics(solved.network, {.method = method});
  return solved;
}

/// In ft and ft^3/s, with EPANET's formula of Hazen and Williams for 1000 ft of 12 in and C = 100.
double loss(double flow, double length = 1000, double diameter = 1, double roughness = 100) {
  double const magnitude =
      4.727 * length / std::pow(roughness, 1.852) / std::pow(diameter, 4.871) * std::pow(std::fabs(flow), 1.852);
  return flow < 0 ? -magnitude : magnitude;
}

constexpr double tolerance =
    1e-5;  // ft; of closed links and open valves, which EPANET's formulas give a small loss too

/// Solves by each method, and requires convergence with a balance of flows.
template <class Check>
void each(std::string const& text, Check const& check) {
  for (auto const method : methods()) {
    SCOPED_TRACE(method == HeadMethod::cg ? "cg" : "direct");
    auto const solved = solve(text, method);
    EXPECT_EQ(solved.result.status, HydraulicStatus::converged) << solved.result.message;
    EXPECT_EQ(solved.result.message, "");
    EXPECT_LE(solved.result.mass_balance, 1e-8);
    check(solved);
  }
}

constexpr char const* cfs = "[OPTIONS]\nUNITS CFS\nHEADLOSS H-W\n";

TEST(Hydraulics, PipesInSeriesAddTheirLosses) {
  each(std::string("[JUNC]\nA 10 1\nB 20 0.5\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\nq A B 500 6 120\n") + cfs,
       [](Solved const& s) {
         EXPECT_NEAR(s.flow("p"), 1.5, 1e-9);
         EXPECT_NEAR(s.flow("q"), 0.5, 1e-9);
         EXPECT_NEAR(s.head("A"), 100 - loss(1.5), tolerance);
         EXPECT_NEAR(s.head("B"), s.head("A") - loss(0.5, 500, 0.5, 120), tolerance);
         EXPECT_NEAR(s.pressure("B"), (s.head("B") - 20) * 0.4333, tolerance);
         EXPECT_NEAR(s.result.outflows[s.node("R")], -1.5, 1e-9);
       });
}

TEST(Hydraulics, PipesInParallelShareTheFlow) {
  each(std::string("[JUNC]\nA 10 2\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\nq A R 1000 8 100\n") + cfs,
       [](Solved const& s) {
         double const ratio = std::pow(std::pow(12.0 / 8.0, 4.871), 1 / 1.852);  // of flows at one loss
         EXPECT_NEAR(s.flow("p"), 2 * ratio / (1 + ratio), 1e-7);
         EXPECT_NEAR(s.flow("q"), -2 / (1 + ratio), 1e-7);
         EXPECT_NEAR(s.head("A"), 100 - loss(s.flow("p")), tolerance);
       });
}

TEST(Hydraulics, MinorLossesAddToFriction) {
  each(std::string("[JUNC]\nA 10 2\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100 7\n") + cfs,
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 100 - loss(2) - 0.02517 * 7 * 4, tolerance); });
}

TEST(Hydraulics, UnitsConvertAsEpanetDoes) {
  // 10 L/s through 100 m of 200 mm, C = 130.
  each("[JUNC]\nA 5 10\n[RESE]\nR 50\n[PIPES]\np R A 100 200 130\n[OPTIONS]\nUNITS LPS\n", [](Solved const& s) {
    double const feet = loss(10 / 28.317, 100 / 0.3048, 200 / 304.8, 130);
    EXPECT_NEAR(s.flow("p"), 10, 1e-8);
    EXPECT_NEAR(s.head("A"), 50 - 0.3048 * feet, tolerance);
    EXPECT_NEAR(s.pressure("A"), s.head("A") - 5, tolerance);
  });
  each(
      "[JUNC]\nA 5 10\n[RESE]\nR 50\n[PIPES]\np R A 100 200 130\n[OPTIONS]\nUNITS CMH\nPRESSURE KPA\n"
      "SPECIFIC GRAVITY 0.9\n",
      [](Solved const& s) {
        double const feet = loss(10 / 101.94, 100 / 0.3048, 200 / 304.8, 130);
        EXPECT_NEAR(s.head("A"), 50 - 0.3048 * feet, tolerance);
        EXPECT_NEAR(s.pressure("A"), (s.head("A") - 5) / 0.3048 * 6.895 * 0.4333 * 0.9, tolerance);
      });
}

TEST(Hydraulics, DarcyWeisbachIsLaminarThenCubicThenSwameeJain) {
  // 1 ft of diameter, 1000 ft, roughness 0.5e-3 ft, viscosity 1.1e-5 ft^2/s.
  auto const text = [](double flow) {
    return "[JUNC]\nA 10 " + std::to_string(flow) +
           "\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 0.5\n[OPTIONS]\nUNITS CFS\nHEADLOSS D-W\n";
  };
  constexpr double viscosity = 1.1e-5;
  constexpr double area = std::numbers::pi / 4;
  auto const reynolds = [&](double flow) { return flow / area / viscosity; };
  auto const by_factor = [&](double factor, double flow) {
    return factor * 1000 * (flow / area) * (flow / area) / (2 * 32.2);
  };
  auto const swamee_jain = [](double re) {
    double const root = std::log10(0.5e-3 / 3.7 + 5.74 / std::pow(re, 0.9));
    return 0.25 / (root * root);
  };
  for (double const flow : {0.01, 0.012, 0.05, 1.0, 20.0}) {
    double const re = reynolds(flow);
    double const factor = re < 2000 ? 64 / re : swamee_jain(re);
    ASSERT_TRUE(re < 2000 || re > 4000) << re;
    each(text(flow),
         [&](Solved const& s) { EXPECT_NEAR(s.head("A"), 100 - by_factor(factor, flow), tolerance) << "Re " << re; });
  }
  // Between: the cubic that has value and slope of both at either end, by Hermite's formula in t from 0 to 1.
  double const slope = 2000 * (swamee_jain(4000.5) - swamee_jain(3999.5));
  for (double const flow : {0.0173, 0.02, 0.025, 0.0345}) {
    double const re = reynolds(flow);
    ASSERT_TRUE(re > 2000 && re < 4000) << re;
    double const t = re / 2000 - 1;
    double const factor = (2 * t * t * t - 3 * t * t + 1) * 0.032 + (t * t * t - 2 * t * t + t) * -0.032 +
                          (3 * t * t - 2 * t * t * t) * swamee_jain(4000) + (t * t * t - t * t) * slope;
    each(text(flow),
         [&](Solved const& s) { EXPECT_NEAR((100 - s.head("A")) / by_factor(1, flow), factor, 1e-6) << "Re " << re; });
  }
}

TEST(Hydraulics, ChezyManning) {
  each("[JUNC]\nA 10 2\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 0.01\n[OPTIONS]\nUNITS CFS\nHEADLOSS C-M\n",
       [](Solved const& s) {
         // v = 1.49 / n R^(2/3) sqrt(S), R = d / 4
         double const slope = std::pow(2 / (std::numbers::pi / 4) * 0.01 / 1.49, 2) / std::pow(0.25, 1.333);
         EXPECT_NEAR(s.head("A"), 100 - 1000 * slope, tolerance);
       });
}

TEST(Hydraulics, PatternsMultiplyDemandsHeadsAndSpeeds) {
  each(std::string("[JUNC]\nA 10 1 day\nB 10 1\n[DEMANDS]\nA 2 day\nA 3 night\n[RESE]\nR 50 two\n[PIPES]\n"
                   "p R A 1000 12 100\nq A B 1000 12 100\n[PATTERNS]\nday 9 0.5 9\nnight 9 2\ntwo 3 2\n1 9 0.25\n"
                   "[TIMES]\nPATTERN TIMESTEP 2:00\nPATTERN START 3:00\n[OPTIONS]\nDEMAND MULTIPLIER 0.1\n") +
           cfs,
       [](Solved const& s) {
         EXPECT_NEAR(s.result.outflows[s.node("A")], 0.1 * (2 * 0.5 + 3 * 2), 1e-12);
         EXPECT_NEAR(s.result.outflows[s.node("B")], 0.1 * 0.25, 1e-12);
         EXPECT_NEAR(s.head("R"), 100, 1e-12);
       });
}

TEST(Hydraulics, EmittersFlowByThePressure) {
  each(std::string("[JUNC]\nA 10\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\n[EMITTERS]\nA 0.2\n[OPTIONS]\n"
                   "EMITTER EXPONENT 0.6\n") +
           cfs,
       [](Solved const& s) {
         double const flow = s.result.outflows[s.node("A")];
         EXPECT_NEAR(flow, 0.2 * std::pow(s.pressure("A"), 0.6), 1e-6);
         EXPECT_NEAR(s.flow("p"), flow, 1e-8);
         EXPECT_NEAR(s.head("A"), 100 - loss(flow), tolerance);
       });
}

// ---- pumps ----

std::string pumped(std::string_view pump, std::string_view more) {
  return "[JUNC]\nA 0 1.5\n[RESE]\nR 10\n[PUMPS]\nu R A " + std::string(pump) + "\n" + std::string(more) + cfs;
}

TEST(Hydraulics, PumpsByCurvesAndPower) {
  // Through (0, 60), (1, 50) and (2, 20): 60 - 10 flow^2.
  each(pumped("HEAD c", "[CURVES]\nc 0 60\nc 1 50\nc 2 20\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 60 - 10 * 2.25, tolerance); });
  each(pumped("HEAD c SPEED 0.8", "[CURVES]\nc 0 60\nc 1 50\nc 2 20\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 0.64 * 60 - 10 * 2.25, tolerance); });
  each(pumped("HEAD c PATTERN f", "[CURVES]\nc 0 60\nc 1 50\nc 2 20\n[PATTERNS]\nf 0.8\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 0.64 * 60 - 10 * 2.25, tolerance); });
  // One point: the shutoff head is 1.33334 of its head, none is left at twice its flow.
  each(pumped("HEAD c", "[CURVES]\nc 2 30\n"), [](Solved const& s) {
    double const exponent = std::log(1.33334 / 0.33334) / std::log(2);
    EXPECT_NEAR(s.head("A"), 10 + 30 * (1.33334 - 0.33334 * std::pow(0.75, exponent)), tolerance);
  });
  // By segments, at two speeds.
  each(pumped("HEAD c", "[CURVES]\nc 0 60\nc 1 50\nc 3 10\nc 4 0\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 40, tolerance); });
  each(pumped("HEAD c SPEED 0.5", "[CURVES]\nc 0 60\nc 1 50\nc 4 -10\nc 5 -20\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 0.25 * (50 - 20 * 2), tolerance); });
  // 1 hp lifts 1 ft^3/s by 8.814 ft.
  each(pumped("POWER 5", ""), [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 8.814 * 5 / 1.5, 1e-4); });
  each("[JUNC]\nA 0 50\n[RESE]\nR 10\n[PUMPS]\nu R A POWER 7.457\n[OPTIONS]\nUNITS LPS\n",
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 0.3048 * 8.814 * 10 / (50 / 28.317), 1e-4); });
}

TEST(Hydraulics, PumpThatCannotDeliverTheHeadCloses) {
  each(std::string("[JUNC]\nA 0 0.5\n[RESE]\nR 10\nS 100\n[PUMPS]\nu R A HEAD c\n[PIPES]\np A S 1000 12 100\n[CURVES]\n"
                   "c 0 60\nc 1 50\nc 2 20\n") +
           cfs,
       [](Solved const& s) {
         EXPECT_EQ(s.state("u"), LinkState::closed);
         EXPECT_EQ(s.flow("u"), 0);
         EXPECT_NEAR(s.head("A"), 100 - loss(0.5), tolerance);
       });
}

TEST(Hydraulics, CurvesThatArePumpsOfNoKindAreRefused) {
  for (char const* const curve :
       {"c 0 50\nc 1 60\nc 2 20\n", "c 0 60\nc 1 50\nc 2 55\n", "c 1 60\nc 2 70\n", "c 0 10\n"}) {
    try {
      (void)solve(pumped("HEAD c", "[CURVES]\n" + std::string(curve)), methods().back());
      ADD_FAILURE() << curve;
    } catch (Error const& error) {
      EXPECT_EQ(error.kind(), ErrorKind::parse);
      EXPECT_EQ(std::string(error.what()).substr(0, 20), "net.inp:6: pump 'u':") << error.what();
    }
  }
  EXPECT_THROW(
      (void)solve(std::string("[JUNC]\nA 0 1\nB 0\n[RESE]\nR 10\n[PIPES]\np R A 1 1 1\n[VALVES]\nv A B 1 GPV c\n"
                              "[CURVES]\nc 0 1\n") +
                      cfs,
                  methods().back()),
      Error);
}

// ---- valves: R - p - A - v - B - q - C, or S behind B ----

std::string valved(double from, std::string_view valve, std::string_view behind) {
  return "[JUNC]\nA 0\nB 0\nC 0 1\n[RESE]\nR " + std::to_string(from) +
         "\n[PIPES]\np R A 1000 12 100\nq B C 1000 12 100\n[VALVES]\nv A B 12 " + std::string(valve) + "\n" +
         std::string(behind) + cfs;
}
std::string behind(double head) { return "[RESE]\nS " + std::to_string(head) + "\n[PIPES]\nr C S 1000 12 100\n"; }
constexpr char const* set_of_100 = "43.33";  // psi of 100 ft

TEST(Hydraulics, PressureReducingValve) {
  each(valved(200, std::string("PRV ") + set_of_100, ""), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::active);
    EXPECT_NEAR(s.head("B"), 100, tolerance);
    EXPECT_NEAR(s.head("C"), 100 - loss(1), tolerance);
    EXPECT_NEAR(s.flow("v"), 1, 1e-8);
    EXPECT_NEAR(s.head("A"), 200 - loss(1), tolerance);
  });
  each(valved(80, std::string("PRV ") + set_of_100, ""), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_NEAR(s.head("B"), 80 - loss(1), tolerance);
  });
  each(valved(200, std::string("PRV ") + set_of_100, behind(150)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::closed);
    EXPECT_NEAR(s.head("B"), 150 - loss(1), tolerance);
    EXPECT_NEAR(s.head("A"), 200, tolerance);
    EXPECT_EQ(s.flow("v"), 0);
  });
  // Opened and closed for good by [STATUS].
  each(valved(200, std::string("PRV ") + set_of_100, "[STATUS]\nv OPEN\n"), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_NEAR(s.head("B"), 200 - loss(1), tolerance);
  });
  each(valved(200, std::string("PRV ") + set_of_100, "[STATUS]\nv CLOSED\n" + behind(150)),
       [](Solved const& s) { EXPECT_EQ(s.state("v"), LinkState::closed); });
}

TEST(Hydraulics, PressureSustainingValve) {
  // 90 ft = 38.997 psi upstream: what flows is what the pipe before brings at a loss of 10 ft.
  each(valved(100, "PSV 38.997", behind(20)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::active);
    EXPECT_NEAR(s.head("A"), 90, tolerance);
    EXPECT_NEAR(loss(s.flow("v")), 10, tolerance);
    EXPECT_NEAR(s.head("B"), s.head("C") + loss(s.flow("q")), tolerance);
  });
  each(valved(100, "PSV 38.997", behind(95)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_GT(s.head("A"), 90);
    EXPECT_NEAR(s.head("A"), s.head("B"), tolerance);
  });
  each(valved(100, "PSV 38.997", behind(120)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::closed);
    EXPECT_NEAR(s.head("A"), 100, tolerance);
  });
}

TEST(Hydraulics, PressureValvesThatAreTheOnlyWayStayOpen) {
  // Upstream there is less than the setting, and nothing else feeds B and C: the valve cannot hold it, and stays open.
  each(valved(100, "PSV 60", ""), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_NEAR(s.flow("v"), 1, 1e-8);
    EXPECT_NEAR(s.head("B"), 100 - loss(1), tolerance);
  });
}

TEST(Hydraulics, FlowControlValve) {
  each(valved(100, "FCV 0.4", behind(20)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::active);
    EXPECT_NEAR(s.flow("v"), 0.4, 1e-8);
    EXPECT_NEAR(s.head("A"), 100 - loss(0.4), tolerance);
    EXPECT_NEAR(s.head("C"), 20 - loss(0.6), tolerance);
  });
  // Less than its setting can flow: as an open valve.
  each(valved(100, "FCV 50", ""), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_NEAR(s.flow("v"), 1, 1e-8);
  });
  each(valved(100, "FCV 0.4", behind(120)), [](Solved const& s) {
    EXPECT_EQ(s.state("v"), LinkState::open);
    EXPECT_LT(s.flow("v"), 0);
  });
}

TEST(Hydraulics, ThrottleBreakerAndGeneralValves) {
  each(valved(100, "TCV 30", ""),
       [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 0.02517 * 30, tolerance); });
  each(valved(100, "TCV 30 5", "[STATUS]\nv OPEN\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 0.02517 * 5, tolerance); });
  each(valved(100, "PBV 4.333", ""), [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 10, tolerance); });
  // Its minor loss alone is more than the setting.
  each(valved(100, "PBV 0.04333 900", ""),
       [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 0.02517 * 900, tolerance); });
  each(valved(100, "PBV 4.333", "[STATUS]\nv OPEN\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 0, tolerance); });
  each(valved(100, "GPV c", "[CURVES]\nc 0 0\nc 0.5 2\nc 2 11\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A") - s.head("B"), 5, tolerance); });
  each(valved(100, "GPV c", "[CURVES]\nc 0 0\nc 1 5\n[STATUS]\nv CLOSED\n" + behind(90)),
       [](Solved const& s) { EXPECT_EQ(s.flow("v"), 0); });
}

TEST(Hydraulics, LinksShareTheirCurves) {
  auto const network = parse_epanet(
      std::string("[JUNC]\nA 0\nB 0 1\n[RESE]\nR 100\n[TANKS]\nT 0 1 0 2 9 0 volume\n[PUMPS]\nu R A HEAD falls\n"
                  "w R A HEAD falls\nx R A HEAD three\n[VALVES]\nv A B 12 GPV rises\ny A B 12 GPV rises\n"
                  "z A B 12 GPV falls\n[CURVES]\nvolume 0 0\nvolume 9 9\nfalls 0 60\nfalls 1 50\nfalls 3 10\nfalls 4 "
                  "0\nrises 0 0\nrises 1 5\nthree 0 60\nthree 1 50\nthree 2 20\n[OPTIONS]\nUNITS LPS\n"),
      "net.inp");
  auto const model = detail::make_model(network);
  ASSERT_EQ(model.curves.size(), network.curves.size());
  for (std::size_t i = 0; i < network.curves.size(); ++i) {
    auto const& points = network.curves[i].points;
    bool const by_segments = network.curves[i].id == "falls" || network.curves[i].id == "rises";
    ASSERT_EQ(model.curves[i].points.size(), by_segments ? points.size() : 0U) << network.curves[i].id;
    for (std::size_t k = 0; k < model.curves[i].points.size(); ++k) {
      EXPECT_DOUBLE_EQ(model.curves[i].points[k][0] * 28.317, points[k][0]);
      EXPECT_DOUBLE_EQ(model.curves[i].points[k][1] * 0.3048, points[k][1]);
    }
  }
  for (std::size_t k = 0; k < network.links.size(); ++k) {
    auto const& link = network.links[k];
    if (link.id == "x") continue;
    EXPECT_EQ(model.links[k].curve, static_cast<std::size_t>(link.curve)) << link.id;
  }
}

TEST(Hydraulics, SegmentsOfCurvesAreFoundAtEveryFlow) {
  std::vector<std::array<double, 2>> points;
  std::string text =
      "[JUNC]\nA 0\nB 0 1\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\n[VALVES]\nv A B 12 GPV c\n[CURVES]\n";
  for (int i = 1; i <= 40; ++i) {
    points.push_back({0.5 * i, 0.25 * i * i});
    text += "c " + std::to_string(0.5 * i) + ' ' + std::to_string(0.25 * i * i) + '\n';
  }
  auto const network = parse_epanet(text + cfs, "net.inp");
  auto const model = detail::make_model(network);
  auto state = detail::initial_state(network, model);
  // Every point, the middle between each two, and what lies outside, where the first and last segments go on.
  for (double flow = 0.25; flow < 25; flow += 0.25) {
    std::size_t i = 1;
    while (i + 1 < points.size() && points[i][0] < flow) ++i;
    double const slope = (points[i][1] - points[i - 1][1]) / (points[i][0] - points[i - 1][0]);
    double const expected = points[i - 1][1] + slope * (flow - points[i - 1][0]);
    for (double const sign : {1.0, -1.0}) {
      state.flows[1] = sign * flow;
      auto const lost = detail::head_loss(model, state, 1);
      EXPECT_NEAR(lost.loss, sign * expected, 1e-9) << flow;
      EXPECT_NEAR(1 / lost.conductance, slope, 1e-9) << flow;
    }
  }
}

// ---- check valves, tanks, controls ----

TEST(Hydraulics, CheckValvesStopReverseFlow) {
  each(std::string("[JUNC]\nA 0 1\n[RESE]\nR 50\nS 100\n[PIPES]\np R A 1000 12 100 CV\nq S A 1000 12 100\n") + cfs,
       [](Solved const& s) {
         EXPECT_EQ(s.state("p"), LinkState::closed);
         EXPECT_NEAR(s.head("A"), 100 - loss(1), tolerance);
       });
  each(std::string("[JUNC]\nA 0 1\n[RESE]\nR 100\nS 99\n[PIPES]\np R A 1000 12 100 CV\nq S A 1000 12 100\n") + cfs,
       [](Solved const& s) { EXPECT_EQ(s.state("p"), LinkState::open); });
}

TEST(Hydraulics, FullTanksTakeNothingAndEmptyOnesGiveNothing) {
  auto const text = [](double reservoir, double level, char const* overflows) {
    return "[JUNC]\nA 0 0.5\n[RESE]\nR " + std::to_string(reservoir) + "\n[TANKS]\nT 50 " + std::to_string(level) +
           " 2 20 30 0 * " + overflows + "\n[PIPES]\np R A 1000 12 100\nq A T 1000 12 100\n" + cfs;
  };
  each(text(100, 20, "NO"), [](Solved const& s) {
    EXPECT_EQ(s.state("q"), LinkState::closed);
    EXPECT_NEAR(s.head("A"), 100 - loss(0.5), tolerance);
  });
  each(text(100, 20, "YES"), [](Solved const& s) { EXPECT_GT(s.flow("q"), 0); });
  each(text(100, 19, "NO"), [](Solved const& s) {
    EXPECT_GT(s.flow("q"), 0);
    EXPECT_NEAR(s.head("T"), 69, 1e-12);
    EXPECT_NEAR(s.result.outflows[s.node("T")], s.flow("q"), 1e-12);
  });
  each(text(30, 2, "NO"), [](Solved const& s) { EXPECT_EQ(s.state("q"), LinkState::closed); });
  each(text(30, 3, "NO"), [](Solved const& s) { EXPECT_LT(s.flow("q"), 0); });
}

TEST(Hydraulics, TanksCloseLinksWhateverIsAtTheOtherEnd) {
  // A reservoir or a tank that is neither full nor empty at one end, and the tank in question at the other: as the line
  // has the ends makes no difference.
  constexpr char const* full = "T 100 20 0 20 50 0";
  constexpr char const* empty = "T 100 2 2 20 50 0";
  auto const text = [](std::string_view tank, std::string_view link) {
    return "[JUNC]\nA 0 1\n[RESE]\nR 200\nL 10\n[TANKS]\nM 150 10 0 20 50 0\nN 50 10 0 20 50 0\n" + std::string(tank) +
           "\n[PIPES]\np R A 1000 12 100\n" + std::string(link) + "\n" + cfs;
  };
  auto const closes = [&](std::string_view tank, std::string_view link) {
    each(text(tank, link), [&](Solved const& s) {
      EXPECT_EQ(s.state("q"), LinkState::closed) << tank << ", " << link;
      EXPECT_EQ(s.flow("q"), 0) << tank << ", " << link;
      EXPECT_EQ(s.result.outflows[s.node("T")], 0) << tank << ", " << link;
    });
  };
  auto const flows = [&](std::string_view tank, std::string_view link, double fall) {
    each(text(tank, link), [&](Solved const& s) {
      EXPECT_EQ(s.state("q"), LinkState::open) << tank << ", " << link;
      EXPECT_NEAR(loss(s.flow("q")), fall, tolerance) << tank << ", " << link;
    });
  };
  for (char const* const link : {"q R T 1000 12 100", "q T R 1000 12 100", "q M T 1000 12 100", "q T M 1000 12 100"}) {
    double const sign = std::string_view(link)[2] == 'T' ? -1 : 1;
    double const above = std::string_view(link).find('R') != std::string_view::npos ? 200 : 160;
    closes(full, link);
    flows(std::string(full) + " * YES", link, sign * (above - 120));
    flows(empty, link, sign * (above - 102));
  }
  for (char const* const link : {"q L T 1000 12 100", "q T L 1000 12 100", "q N T 1000 12 100", "q T N 1000 12 100"}) {
    double const sign = std::string_view(link)[2] == 'T' ? 1 : -1;
    double const below = std::string_view(link).find('L') != std::string_view::npos ? 10 : 60;
    closes(empty, link);
    flows(full, link, sign * (120 - below));
  }
  closes(full, "[PUMPS]\nq L T HEAD c\n[CURVES]\nc 1 300\n");
  closes(full, "[PUMPS]\nq N T HEAD c\n[CURVES]\nc 1 300\n");
  closes(full, "[PUMPS]\nq R T POWER 5\n");
  closes(empty, "[PUMPS]\nq T M HEAD c\n[CURVES]\nc 1 300\n");
  each(text(full, "[PUMPS]\nq T R HEAD c\n[CURVES]\nc 1 300\n"), [](Solved const& s) { EXPECT_GT(s.flow("q"), 0); });
  each(text(empty, "[PUMPS]\nq L T HEAD c\n[CURVES]\nc 1 300\n"), [](Solved const& s) { EXPECT_GT(s.flow("q"), 0); });
  // Between two tanks either closes it.
  closes("T 100 20 0 20 50 0\nE 150 2 2 20 50 0", "q E T 1000 12 100");
  closes("T 140 15 0 20 50 0\nE 150 10 10 20 50 0", "q T E 1000 12 100");
}

TEST(Hydraulics, ControlsActThatHoldAtTheStart) {
  auto const text = [](std::string_view controls) {
    return "[JUNC]\nA 0 1\n[RESE]\nR 100\n[TANKS]\nT 50 10 2 20 30\n[PIPES]\np R A 1000 12 100\nq A T 1000 12 100\n"
           "s R A 2000 12 100\n[CONTROLS]\n" +
           std::string(controls) + "[TIMES]\nSTART CLOCKTIME 6 AM\n" + cfs;
  };
  auto const closes = [&](std::string_view control, bool expected) {
    each(text(control),
         [&](Solved const& s) { EXPECT_EQ(s.state("s"), expected ? LinkState::closed : LinkState::open) << control; });
  };
  closes("LINK s CLOSED AT TIME 0\n", true);
  closes("LINK s CLOSED AT TIME 1\n", false);
  closes("LINK s CLOSED AT CLOCKTIME 6 AM\n", true);
  closes("LINK s CLOSED AT CLOCKTIME 6 PM\n", false);
  closes("LINK s CLOSED IF NODE T ABOVE 9\n", true);
  closes("LINK s CLOSED IF NODE T ABOVE 10.5\n", false);
  closes("LINK s CLOSED IF NODE T BELOW 10\n", true);
  closes("LINK s CLOSED IF NODE T BELOW 9\n", false);
  closes("LINK s CLOSED IF NODE A ABOVE 20\n", true);  // psi: A stands at some 40
  closes("LINK s CLOSED IF NODE A ABOVE 60\n", false);
  closes("LINK s CLOSED IF NODE A BELOW 20\n", false);
  closes("LINK s CLOSED AT TIME 0\nLINK s OPEN AT TIME 0\n", false);
  // A pump's speed and a valve's setting.
  each(pumped("HEAD c", "[CURVES]\nc 0 60\nc 1 50\nc 2 20\n[CONTROLS]\nLINK u 0.8 AT TIME 0\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("A"), 10 + 0.64 * 60 - 10 * 2.25, tolerance); });
  each(valved(200, "PRV 10", "[CONTROLS]\nLINK v 43.33 AT TIME 0\n"),
       [](Solved const& s) { EXPECT_NEAR(s.head("B"), 100, tolerance); });
  each(valved(200, "FCV 9", "[CONTROLS]\nLINK v 0.4 AT TIME 0\n" + behind(50)),
       [](Solved const& s) { EXPECT_NEAR(s.flow("v"), 0.4, 1e-8); });
}

TEST(Hydraulics, RulesDoNotActAtTheStart) {
  each(std::string("[JUNC]\nA 0 1\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\ns R A 2000 12 100\n[RULES]\nRULE 1\n"
                   "IF SYSTEM TIME >= 0\nTHEN PIPE s STATUS IS CLOSED\n") +
           cfs,
       [](Solved const& s) { EXPECT_EQ(s.state("s"), LinkState::open); });
}

TEST(Hydraulics, DampingReachesTheSameState) {
  auto const text = [](char const* limit) {
    return valved(200, std::string("PRV ") + set_of_100, std::string("[OPTIONS]\nDAMPLIMIT ") + limit + "\n");
  };
  each(text("0.01"), [](Solved const& s) { EXPECT_NEAR(s.head("C"), 100 - loss(1), tolerance); });
}

// ---- parts without a known head ----

TEST(Hydraulics, PartsWithoutDemandMayBeIsolated) {
  each(std::string("[JUNC]\nA 0 1\nB 7\nC 8\nD 9\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\nq A B 1000 12 100 CLOSED\n"
                   "r B C 1000 12 100\n") +
           cfs,
       [](Solved const& s) {
         EXPECT_EQ(s.result.connected[s.node("A")], 1);
         for (char const* const id : {"B", "C", "D"}) EXPECT_EQ(s.result.connected[s.node(id)], 0) << id;
         EXPECT_NEAR(s.head("A"), 100 - loss(1), tolerance);
         EXPECT_NEAR(s.head("B"), s.head("A"), tolerance);  // through the closed pipe, for what it is worth
         EXPECT_NEAR(s.head("D"), 9, tolerance);
         EXPECT_EQ(s.flow("r"), 0);
       });
}

TEST(Hydraulics, NetworksMayHaveNoLinks) {
  each("[JUNC]\nA 3\nB 7\n[RESE]\nR 100\n", [](Solved const& s) {
    EXPECT_NEAR(s.head("B"), 7, tolerance);
    EXPECT_EQ(s.result.connected[s.node("A")], 0);
  });
  for (auto const method : methods())
    EXPECT_EQ(solve("[JUNC]\nA 3 1\n[RESE]\nR 100\n", method).result.status, HydraulicStatus::isolated);
}

TEST(Hydraulics, IsolatedDemandNamesTheNode) {
  for (auto const method : methods()) {
    auto const s = solve(std::string("[JUNC]\nA 0 1\nB 7\nC 8 0.25\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\n"
                                     "q A B 1000 12 100 CLOSED\nr B C 1000 12 100\n") +
                             cfs,
                         method);
    EXPECT_EQ(s.result.status, HydraulicStatus::isolated);
    EXPECT_NE(s.result.message.find("node 'C' has a demand"), std::string::npos) << s.result.message;
    EXPECT_NEAR(s.head("A"), 100 - loss(1), tolerance);
  }
}

TEST(Hydraulics, EmittersFeedNoDemand) {
  for (auto const method : methods()) {
    auto const text = [](char const* demand) {
      return std::string("[JUNC]\nA 0 1\nB 7\nC 8 ") + demand +
             "\n[RESE]\nR 100\n[PIPES]\np R A 1000 12 100\nq A B 1000 12 100 CLOSED\nr B C 1000 12 100\n[EMITTERS]\n"
             "B 0.5\n" +
             cfs;
    };
    auto const fed = solve(text("0.25"), method);
    EXPECT_EQ(fed.result.status, HydraulicStatus::isolated);
    EXPECT_NE(fed.result.message.find("node 'C'"), std::string::npos) << fed.result.message;
    auto const filled = solve(text("-0.25"), method);  // what comes in at C leaves at B
    EXPECT_EQ(filled.result.status, HydraulicStatus::converged) << filled.result.message;
    EXPECT_NEAR(filled.pressure("B"), 0.25, 1e-6);  // (0.25 / 0.5)^2
    auto const dry = solve(text("0"), method);
    EXPECT_EQ(dry.result.status, HydraulicStatus::converged) << dry.result.message;
    EXPECT_NEAR(dry.head("C"), 7, 1e-3);  // where the emitter at B has no pressure
  }
}

TEST(Hydraulics, StatusesThatWouldGoOnChangingAreHeldAndNamed) {
  // The control closes s where A is high, and opens it where A is low, which is where s is closed.
  for (auto const method : methods()) {
    auto const s =
        solve(std::string("[JUNC]\nA 0 2\n[RESE]\nR 100\n[PIPES]\np R A 1000 8 100\ns R A 1000 8 100\n[CONTROLS]\n"
                          "LINK s CLOSED IF NODE A ABOVE 35\nLINK s OPEN IF NODE A BELOW 34\n") +
                  cfs,
              method);
    EXPECT_EQ(s.result.status, HydraulicStatus::balanced);
    EXPECT_NE(s.result.message.find("pipe 's'"), std::string::npos) << s.result.message;
    EXPECT_LE(s.result.mass_balance, 1e-8);
  }
}

TEST(Hydraulics, TrialsAreBounded) {
  auto const network = parse_epanet(valved(200, "TCV 3", ""), "net.inp");
  for (auto const method : methods()) {
    std::int32_t told = 0;
    std::int32_t seen = 0;
    HydraulicOptions options{.method = method, .flow_change = 1e-300, .max_trials = 2};
    options.progress = [&](std::int32_t trial, double) { told = trial; };
    options.system = [&](HydraulicSystem const& system) {
      ++seen;
      ASSERT_EQ(system.row_offsets.size(), system.rhs.size() + 1);
      for (std::size_t i = 0; i < system.rhs.size(); ++i) {  // diagonally dominant
        double sum = 0;
        double diagonal = 0;
        for (auto k = static_cast<std::size_t>(system.row_offsets[i]);
             k < static_cast<std::size_t>(system.row_offsets[i + 1]); ++k)
          (system.col_indices[k] == static_cast<std::int32_t>(i) ? diagonal : sum) += system.values[k];
        EXPECT_GE(diagonal, -sum * (1 - 1e-12));
      }
    };
    auto const result = solve_hydraulics(network, options);
    EXPECT_NE(result.status, HydraulicStatus::converged);
    EXPECT_EQ(result.trials, told);
    EXPECT_EQ(seen, told);
    EXPECT_NE(result.message, "");
  }
  // As many as can be counted: those with held statuses would come behind.
  auto const most = solve_hydraulics(network, {.max_trials = std::numeric_limits<std::int32_t>::max()});
  EXPECT_EQ(most.status, HydraulicStatus::converged) << most.message;
  EXPECT_GT(most.trials, 1);
  EXPECT_THROW((void)solve_hydraulics(network, {.flow_change = 0}), Error);
  EXPECT_THROW((void)solve_hydraulics(network, {.mass_balance = -1}), Error);
  EXPECT_THROW((void)solve_hydraulics(network, {.max_trials = -1}), Error);
}

// ---- linear systems ----

TEST(Hydraulics, EliminationLeavesTheSolutionAsItIs) {
  if (!has_direct_heads()) GTEST_SKIP() << "no direct method in this build";
  // Trees, chains, rings and a mesh in one: node i is joined to one before it, some to a second or third.
  constexpr std::size_t rows = 200;
  std::uint32_t state = 7;
  auto const random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8) % below;
  };
  detail::HeadGraph graph{.rows = rows, .edges = {}};
  for (std::size_t i = 1; i < rows; ++i)
    for (std::size_t k = random(3); k < 3; k += 1 + random(3))
      graph.edges.emplace_back(static_cast<std::int32_t>(random(i)), static_cast<std::int32_t>(i));
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  detail::HeadCoefficients A;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    A.edges.push_back(random(10) == 0 ? 0.0 : 0.1 + static_cast<double>(random(100)));
  for (std::size_t i = 0; i < rows; ++i) A.ground.push_back(random(3) == 0 ? 2.0 : 0.01);
  std::vector<double> right;
  for (std::size_t i = 0; i < rows; ++i) right.push_back(static_cast<double>(random(1000)) - 500);
  std::vector<double> whole(rows, 0);
  std::vector<double> reduced(rows, 0);
  EXPECT_EQ(detail::make_direct_heads(graph)->solve(A, right, whole), 0);
  EXPECT_EQ(detail::make_reduced_heads(graph, detail::make_direct_heads)->solve(A, right, reduced), 0);
  std::vector<double> iterated(rows, 0);
  EXPECT_GT(detail::make_reduced_heads(graph, detail::make_cg_heads)->solve(A, right, iterated), 0);
  for (std::size_t i = 0; i < rows; ++i) {
    double const scale = 1 + std::fabs(whole[i]);
    EXPECT_NEAR(reduced[i], whole[i], 1e-9 * scale) << i;
    EXPECT_NEAR(iterated[i], whole[i], 1e-6 * scale) << i;
  }
}

TEST(Hydraulics, EliminationKeepsSmallConductancesBesideLargeOnes) {
  // A chain of conductances 1e8 that hangs on 1e-8: in double 1e8 + 1e-8 is 1e8, and the matrix would be singular.
  detail::HeadGraph const graph{.rows = 4, .edges = {{0, 1}, {1, 2}, {2, 3}}};
  detail::HeadCoefficients const A{.edges = {1e8, 1e8, 1e8}, .ground = {1e-8, 0, 0, 0}};
  std::vector<double> x(4, 0);
  EXPECT_EQ(detail::make_reduced_heads(graph, detail::make_cg_heads)->solve(A, {0, 0, 0, 1e-6}, x), 0);
  for (double const head : x) EXPECT_NEAR(head, 100, 1e-9);
}

// ---- networks of others ----

/// Flows into each junction less what it takes, over what flows through it.
double worst_balance(WaterNetwork const& network, HydraulicResult const& result) {
  std::vector<double> sum(network.nodes.size(), 0);
  std::vector<double> through(network.nodes.size(), 0);
  for (std::size_t k = 0; k < network.links.size(); ++k) {
    auto const from = static_cast<std::size_t>(network.links[k].from);
    auto const to = static_cast<std::size_t>(network.links[k].to);
    sum[from] -= result.flows[k];
    sum[to] += result.flows[k];
    through[from] += std::fabs(result.flows[k]) / 2;
    through[to] += std::fabs(result.flows[k]) / 2;
  }
  double worst = 0;
  double const nothing = is_metric(network.options.flow) ? 1e-5 : 1e-4;
  for (std::size_t i = 0; i < network.nodes.size(); ++i)
    if (network.nodes[i].kind == WaterNodeKind::junction)
      worst = std::max(worst, std::fabs(sum[i] - result.outflows[i]) / std::max(through[i], nothing));
  return worst;
}

TEST(Hydraulics, NetworksOfOthersBalance) {
  auto const directory = data_directory() / "epanet";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << directory << " is not here";
  std::size_t networks = 0;
  for (auto const& entry : std::filesystem::directory_iterator(directory)) {
    SCOPED_TRACE(entry.path().filename().string());
    auto const network = read_epanet(entry.path());
    std::vector<HydraulicResult> results;
    for (auto const method : methods()) {
      SCOPED_TRACE(method == HeadMethod::cg ? "cg" : "direct");
      auto const result = solve_hydraulics(network, {.method = method});
      EXPECT_EQ(result.status, HydraulicStatus::converged) << result.message;
      EXPECT_LE(result.flow_change, 1e-8);
      EXPECT_LE(worst_balance(network, result), 1e-8);
      std::size_t open = 0;
      for (std::size_t k = 0; k < network.links.size(); ++k) {
        if (result.states[k] != LinkState::open) continue;
        ++open;
        auto const& link = network.links[k];
        double const fall =
            result.heads[static_cast<std::size_t>(link.from)] - result.heads[static_cast<std::size_t>(link.to)];
        EXPECT_NEAR(fall, result.losses[k], 1e-5) << link.id;
      }
      EXPECT_GT(open, network.links.size() / 2);
      results.push_back(result);
    }
    for (std::size_t i = 0; i < network.nodes.size() && results.size() > 1; ++i) {
      if (results[0].connected[i] == 0) continue;
      EXPECT_NEAR(results[0].heads[i], results[1].heads[i], 1e-3) << network.nodes[i].id;
    }
    ++networks;
  }
  EXPECT_EQ(networks, 11U);
}

}  // namespace
}  // namespace araia::test::hydraulics
