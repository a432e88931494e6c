// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <araia/io/epanet.hpp>
#include <support/data.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../../src/io/gzip.hpp"
#include "io_test.hpp"

namespace araia::test {
namespace {

WaterNetwork read(std::string_view text, ReadOptions const& options = {}) {
  return parse_epanet(text, "net.inp", options);
}

/// A network that is complete but for what `more` adds behind it.
std::string with(std::string_view more) {
  return "[JUNCTIONS]\nA 10 1\nB 20\n[RESERVOIRS]\nR 100\n[PIPES]\nP1 R A 1000 12 100\nP2 A B 500 8 120\n" +
         std::string(more);
}

/// The error's kind, place and text, or "read".
std::string error_of(std::string_view text) {
  try {
    (void)read(text);
    return "read";
  } catch (Error const& error) {
    return std::string(to_string(error.kind())) + ' ' + error.what();
  }
}

struct Wrong {
  std::string text;
  std::string says;  // kind, place and a part of the message
  std::string expects;
};

void expect_refused(std::vector<Wrong> const& all) {
  for (auto const& wrong : all) {
    std::string const said = error_of(wrong.text);
    EXPECT_EQ(said.substr(0, wrong.says.size()), wrong.says) << wrong.text << said;
    EXPECT_NE(said.find(wrong.expects), said.npos) << wrong.text << said;
  }
}

std::vector<double> demands_of(WaterNetwork const& network, std::size_t node) {
  std::vector<double> all;
  for (auto const& demand : network.nodes[node].demands) all.push_back(demand.base);
  return all;
}

TEST(Epanet, ReadsNodesAndLinksInTheOrderOfTheFile) {
  auto const network = read(
      "[TITLE]\n A title ; with more\n\n[JUNCTIONS]\n;ID Elev\n J1 10 2.5 pat ;note\n\"J 2\" 20\n"
      "[TANKS]\nT1 5 3 1 8 40 0 vol YES\n[RESERVOIRS]\nR1 100.5 pat\nR2 7\n[PIPES]\np1 R1 J1 1000 12 100 0.5 Closed\n"
      "p2 J1 \"J 2\" 500 8 120 CV\np3 T1 J1 30 4 90\np4 R2 J1 1 2 3 0\n[PUMPS]\nu1 R1 J1 HEAD c SPEED 1.2 PATTERN pat\n"
      "u2 R1 J1 POWER 5\n[VALVES]\nv1 J1 \"J 2\" 6 TCV 3 0.2\nv2 J1 \"J 2\" 6 GPV c\n[CURVES]\nc 0 60\nc 1 50\nvol 0 "
      "0\n"
      "vol 10 1000\n[PATTERNS]\npat 0.5 1\npat 1.5\n[COORDINATES]\nJ1 1.5 -2\nnone 1 2\n[END]\nnonsense\n");
  ASSERT_EQ(network.nodes.size(), 5U);
  EXPECT_EQ(network.title.size(), 1U);
  EXPECT_EQ(network.nodes[0].id, "J1");
  EXPECT_EQ(network.nodes[0].elevation, 10);
  EXPECT_EQ(demands_of(network, 0), std::vector<double>{2.5});
  EXPECT_EQ(network.patterns[static_cast<std::size_t>(network.nodes[0].demands[0].pattern)].factors,
            (std::vector<double>{0.5, 1, 1.5}));
  EXPECT_EQ((*network.nodes[0].coordinates)[1], -2);
  EXPECT_EQ(network.nodes[0].line, 6U);
  EXPECT_EQ(network.nodes[1].id, "J 2");
  EXPECT_EQ(network.nodes[2].kind, WaterNodeKind::tank);
  EXPECT_EQ(network.nodes[2].tank.diameter, 40);
  EXPECT_EQ(network.nodes[2].tank.maximum_level, 8);
  EXPECT_TRUE(network.nodes[2].tank.overflows);
  EXPECT_EQ(network.nodes[3].kind, WaterNodeKind::reservoir);
  EXPECT_NE(network.nodes[3].pattern, no_index);
  ASSERT_EQ(network.links.size(), 8U);
  EXPECT_EQ(network.links[0].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.links[0].minor_loss, 0.5);
  EXPECT_EQ(network.links[0].from, 3);
  EXPECT_EQ(network.links[1].kind, WaterLinkKind::check_valve);
  EXPECT_EQ(network.links[2].status, WaterLinkStatus::open);
  EXPECT_EQ(network.links[4].setting, 1.2);
  EXPECT_EQ(network.curves[static_cast<std::size_t>(network.links[4].curve)].points.size(), 2U);
  EXPECT_EQ(network.links[5].power, 5);
  EXPECT_EQ(network.links[6].status, WaterLinkStatus::active);
  EXPECT_EQ(network.links[6].minor_loss, 0.2);
  EXPECT_EQ(network.links[7].status, WaterLinkStatus::open);
}

TEST(Epanet, KnowsSectionsAndKeywordsByTheirFirstLettersInAnyCase) {
  auto const network =
      read("[junc]\na 1\n[RESERVES]\nr 9\n[Pipe]\np a r 1 1 1 clos\n[OPTI]\nunit lps\nHEADL d-w\npress kpa\n");
  EXPECT_EQ(network.links[0].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.options.flow, FlowUnits::lps);
  EXPECT_EQ(network.options.formula, HeadLossFormula::darcy_weisbach);
}

TEST(Epanet, ReadsEveryUnit) {
  for (auto const& [word, units] :
       {std::pair("CFS", FlowUnits::cfs), std::pair("gpm", FlowUnits::gpm), std::pair("MGD", FlowUnits::mgd),
        std::pair("IMGD", FlowUnits::imgd), std::pair("AFD", FlowUnits::afd), std::pair("LPS", FlowUnits::lps),
        std::pair("LPM", FlowUnits::lpm), std::pair("MLD", FlowUnits::mld), std::pair("CMH", FlowUnits::cmh),
        std::pair("CMD", FlowUnits::cmd), std::pair("SI", FlowUnits::lps)}) {
    auto const network = read(with("[OPTIONS]\nUNITS " + std::string(word) + "\n"));
    EXPECT_EQ(network.options.flow, units) << word;
    EXPECT_EQ(network.options.pressure, is_metric(units) ? PressureUnits::metres : PressureUnits::psi) << word;
  }
  EXPECT_EQ(read(with("")).options.flow, FlowUnits::gpm);
  // Pressures follow the system of units that the flow has.
  EXPECT_EQ(read(with("[OPTIONS]\nPRESSURE KPA\nUNITS LPS\n")).options.pressure, PressureUnits::kpa);
  EXPECT_EQ(read(with("[OPTIONS]\nPRESSURE METERS\nUNITS GPM\n")).options.pressure, PressureUnits::psi);
}

TEST(Epanet, ReadsOptions) {
  auto const options =
      read(with("[OPTIONS]\nHEADLOSS C-M\nSPECIFIC GRAVITY 0.9\nTRIALS 77\nACCURACY 1e-9\nUNBALANCED CONTINUE 12\n"
                "DEMAND MULTIPLIER 1.5\nEMITTER EXPONENT 0.6\nCHECKFREQ 3\nMAXCHECK 20\nDAMPLIMIT 0.01\nHEADERROR 0.1\n"
                "FLOWCHANGE 0.2\nHTOL 0.001\nQTOL 0.002\nRQTOL 1e-6\nPRESSURE EXPONENT 0.5\nMINIMUM PRESSURE 0\n"
                "REQUIRED PRESSURE 0.1\nDEMAND MODEL DDA\nQUALITY None mg/L\nDIFFUSIVITY 1\nTOLERANCE 0.01\nMAP x.map\n"
                "VERIFY a\nSEGMENTS 3\nHYDRAULICS SAVE x.hyd\nUNITS\nViscosity 1.1e-005\n"))
          .options;
  EXPECT_EQ(options.formula, HeadLossFormula::chezy_manning);
  EXPECT_EQ(options.specific_gravity, 0.9);
  EXPECT_EQ(options.trials, 77);
  EXPECT_EQ(options.accuracy, 1e-5);  // as EPANET bounds it
  EXPECT_EQ(options.extra_trials, 12);
  EXPECT_EQ(options.demand_multiplier, 1.5);
  EXPECT_EQ(options.emitter_exponent, 0.6);
  EXPECT_EQ(options.check_frequency, 3);
  EXPECT_EQ(options.max_check, 20);
  EXPECT_EQ(options.damp_limit, 0.01);
  EXPECT_EQ(options.head_error, 0.1);
  EXPECT_EQ(options.flow_change, 0.2);
  EXPECT_EQ(options.head_tolerance, 0.001);
  EXPECT_EQ(options.flow_tolerance, 0.002);
  EXPECT_EQ(options.least_gradient, 1e-6);
  EXPECT_EQ(options.viscosity, 1.1e-5);
  EXPECT_EQ(read(with("[OPTIONS]\nVISCOSITY 2\n")).options.viscosity, 2.2e-5);
  EXPECT_DOUBLE_EQ(read(with("[OPTIONS]\nVISCOSITY 1e-6\nUNITS LPS\n")).options.viscosity, 1e-6 / (0.3048 * 0.3048));
}

TEST(Epanet, ReadsTimes) {
  auto const times = [](std::string_view lines) { return read(with("[TIMES]\n" + std::string(lines))).times; };
  EXPECT_EQ(times("DURATION 24:00\n").duration, 86400);
  EXPECT_EQ(times("Duration 48\n").duration, 48 * 3600);
  EXPECT_EQ(times("DURATION 30 MIN\n").duration, 1800);
  EXPECT_EQ(times("DURATION 2 days\n").duration, 2 * 86400);
  EXPECT_EQ(times("DURATION 45 SEC\n").duration, 45);
  EXPECT_EQ(times("Pattern Timestep 0:05\n").pattern_step, 300);
  EXPECT_EQ(times("Pattern Timestep 0\n").pattern_step, 3600);
  EXPECT_EQ(times("Pattern Start 7:00\n").pattern_start, 7 * 3600);
  EXPECT_EQ(times("Start ClockTime 8:00 AM\n").start_clock, 8 * 3600);
  EXPECT_EQ(times("Start ClockTime 12 am\n").start_clock, 0);
  EXPECT_EQ(times("Start ClockTime 12:30 PM\n").start_clock, 45000);
  EXPECT_EQ(times("Start ClockTime 1:30:15 PM\n").start_clock, 48615);
  EXPECT_EQ(times("Start ClockTime 0:00:00\n").start_clock, 0);
  EXPECT_EQ(times("STATISTIC NONE\nReport Start 0:00\nQuality Timestep 0:05\nRule Timestep 0:06\n").duration, 0);
}

TEST(Epanet, DemandsReplaceThoseOfJunctionsAndAddUp) {
  auto const network = read(with("[DEMANDS]\nA 3\nA 4 night\nR 9\n[PATTERNS]\nnight 2\n1 7\n"));
  EXPECT_EQ(demands_of(network, 0), (std::vector<double>{3, 4}));
  EXPECT_EQ(demands_of(network, 1), std::vector<double>{0});
  // The first has the default pattern, which is called 1; a network without it has none.
  EXPECT_EQ(network.patterns[static_cast<std::size_t>(network.nodes[0].demands[0].pattern)].id, "1");
  EXPECT_EQ(network.patterns[static_cast<std::size_t>(network.nodes[0].demands[1].pattern)].id, "night");
  EXPECT_EQ(read(with("")).nodes[0].demands[0].pattern, no_index);
  EXPECT_EQ(read(with("[OPTIONS]\nPATTERN \"\"\n")).nodes[0].demands[0].pattern, no_index);
  EXPECT_EQ(read(with("[DEMANDS]\nMULTIPLY 2\n")).options.demand_multiplier, 2);
}

TEST(Epanet, ReadsStatusesOfOneLinkAndOfRanges) {
  auto const network = read(
      "[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 9\n[PIPES]\n10 R A 1 1 1\n20 A B 1 1 1\n30 A B 1 1 1\nx A B 1 1 1\n"
      "[PUMPS]\nu R A POWER 1\nw R A POWER 1\n[VALVES]\nv A B 1 PRV 50\n[STATUS]\n15 40 CLOSED\nw x CLOSED\nu 0.5\nv "
      "OPEN\n");
  EXPECT_EQ(network.links[0].status, WaterLinkStatus::open);
  EXPECT_EQ(network.links[1].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.links[2].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.links[3].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.links[4].setting, 0.5);
  EXPECT_EQ(network.links[4].status, WaterLinkStatus::open);
  EXPECT_EQ(network.links[5].status, WaterLinkStatus::closed);
  EXPECT_EQ(network.links[6].status, WaterLinkStatus::open);
}

// A link's status after the lines of [STATUS] that came behind it, taken one after another.
struct StatusModel {
  std::string id;
  char kind;  // p: pipe, c: check valve, u: pump, v: valve
  WaterLinkStatus status;
  double setting;

  void take(std::string const& word) {
    bool const has_setting = word != "OPEN" && word != "CLOSED";
    double const number = has_setting ? std::stod(word) : word == "OPEN" ? 1.0 : 0.0;
    auto const plain = word == "OPEN" ? WaterLinkStatus::open : WaterLinkStatus::closed;
    if (kind == 'c' || (kind == 'p' && has_setting)) return;
    if (kind == 'u') {
      setting = number;
      status = number == 0 ? WaterLinkStatus::closed : WaterLinkStatus::open;
      return;
    }
    status = has_setting ? WaterLinkStatus::active : plain;
    if (has_setting) setting = number;
  }
};

TEST(Epanet, TheLastStatusOfALinkCountsInWhateverRange) {
  std::uint32_t state = 3;
  auto const random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8) % below;
  };
  auto const number_of = [](std::string const& id) { return std::atoll(id.c_str()); };
  constexpr char const* words[] = {"OPEN", "CLOSED", "0", "0.5", "7"};
  for (int round = 0; round < 200; ++round) {
    std::string text = "[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 9\n";
    std::vector<StatusModel> links;
    // Links and statuses in turns: a range is of the links before it.
    for (std::size_t block = 0; block < 1 + random(3); ++block) {
      for (std::size_t i = 0; i < 1 + random(12); ++i) {
        std::string const name = std::to_string(1 + random(30));
        std::string const id = std::vector<std::string>{name, 'x' + name, name + "th", "0" + name}[random(4)];
        auto const same = [&](StatusModel const& link) { return link.id == id; };
        if (std::any_of(links.begin(), links.end(), same)) continue;
        char const kind = "pcuv"[random(4)];
        text += kind == 'p'   ? "[PIPES]\n" + id + " A B 1 1 1\n"
                : kind == 'c' ? "[PIPES]\n" + id + " A B 1 1 1 CV\n"
                : kind == 'u' ? "[PUMPS]\n" + id + " A B POWER 1\n"
                              : "[VALVES]\n" + id + " A B 1 TCV 3\n";
        links.push_back(
            {id, kind, kind == 'v' ? WaterLinkStatus::active : WaterLinkStatus::open, kind == 'v' ? 3.0 : 1.0});
      }
      text += "[STATUS]\n";
      for (std::size_t i = 0; i < random(8); ++i) {
        std::string const word = words[random(5)];
        if (random(3) == 0) {
          auto& link = links[random(links.size())];
          if (link.kind == 'c') continue;  // its own line would be refused
          text += link.id + ' ' + word + '\n';
          link.take(word);
          continue;
        }
        bool const named = random(2) == 0;
        std::string const first = (named ? "x" : "") + std::to_string(1 + random(30));
        std::string const last = (random(4) == 0 ? "x" : named ? "y" : "") + std::to_string(1 + random(30));
        text.append(first).append(1, ' ').append(last).append(1, ' ').append(word).append(1, '\n');
        bool const numbers = number_of(first) > 0 && number_of(last) > 0;
        for (auto& link : links)
          if (numbers ? number_of(link.id) >= number_of(first) && number_of(link.id) <= number_of(last)
                      : link.id >= first && link.id <= last)
            link.take(word);
      }
    }
    auto const network = read(text);
    ASSERT_EQ(network.links.size(), links.size()) << text;
    for (std::size_t k = 0; k < links.size(); ++k) {
      EXPECT_EQ(network.links[k].status, links[k].status) << links[k].id << '\n' << text;
      EXPECT_EQ(network.links[k].setting, links[k].setting) << links[k].id << '\n' << text;
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Epanet, ManyRangesOfStatusesDoNotCostAPassOverAllLinksEach) {
  constexpr int count = 20000;
  std::string text = "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 9\n[PIPES]\n";
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + " R A 1 1 1\n";
  text += "[STATUS]\n";
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + ' ' + std::to_string(i) + " CLOSED\n";
  for (int i = 1; i <= count; ++i) text += "1 " + std::to_string(count / 2) + (i < count ? " CLOSED\n" : " OPEN\n");
  for (int i = 1; i <= count; ++i) text += "x y OPEN\n";
  auto const begin = std::clock();
  auto const network = read(text);
  double const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(network.links[count / 2 - 1].status, WaterLinkStatus::open);
  EXPECT_EQ(network.links[count / 2].status, WaterLinkStatus::closed);
  EXPECT_LT(seconds, 10);  // of the processor; a pass for each line would be 1.2e9 comparisons of names
  ReadOptions options;
  options.max_memory_bytes = text.size();  // less than links and lines of statuses take
  EXPECT_THROW((void)read(text, options), Error);
}

TEST(Epanet, ReadsControls) {
  auto const network =
      read(with("[PUMPS]\nu R A POWER 5\n[CONTROLS]\nLINK u 1.5 IF NODE B BELOW 30\nLink P2 Closed AT TIME 5\n"
                "LINK P2 OPEN AT CLOCKTIME 1:30 PM\nLINK u CLOSED AT TIME 90 MIN\nLINK u OPEN AT TIME 3 DISABLED\n"));
  ASSERT_EQ(network.controls.size(), 4U);
  EXPECT_EQ(*network.controls[0].setting, 1.5);
  EXPECT_EQ(network.controls[0].trigger, WaterTrigger::below);
  EXPECT_EQ(network.controls[0].level, 30);
  EXPECT_EQ(network.controls[1].status, WaterLinkStatus::closed);
  EXPECT_FALSE(network.controls[1].setting.has_value());
  EXPECT_EQ(network.controls[1].seconds, 5 * 3600);
  EXPECT_EQ(network.controls[2].trigger, WaterTrigger::clock_time);
  EXPECT_EQ(network.controls[2].seconds, 48600);
  EXPECT_EQ(network.controls[3].seconds, 5400);
  EXPECT_EQ(*network.controls[3].setting, 0);
}

TEST(Epanet, KeepsRulesAlsoThoseOnOneLine) {
  auto const rules = read(with("[RULES]\nRULE 1\nIF TANK 1 LEVEL  BELOW 5\nTHEN PUMP u STATUS IS OPEN\nPRIORITY 2\n"
                               "RULE 2 IF NODE A PRESSURE ABOVE 3 AND SYSTEM TIME > 4 THEN PIPE P1 STATUS = CLOSED\n"))
                         .rules;
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].clauses,
            (std::vector<std::string>{"IF TANK 1 LEVEL BELOW 5", "THEN PUMP u STATUS IS OPEN", "PRIORITY 2"}));
  EXPECT_EQ(rules[1].clauses, (std::vector<std::string>{"IF NODE A PRESSURE ABOVE 3", "AND SYSTEM TIME > 4",
                                                        "THEN PIPE P1 STATUS = CLOSED"}));
}

TEST(Epanet, ReadsPumpsOfTheFirstVersion) {
  auto const pump = [](std::string_view numbers) {
    return read(with("[PUMPS]\nu R A " + std::string(numbers) + "\n"));
  };
  EXPECT_EQ(pump("7").links.back().power, 7);
  EXPECT_EQ(pump("50 2").curves[0].points, (std::vector<std::array<double, 2>>{{2, 50}}));
  EXPECT_EQ(pump("60 50 1 20 2").curves[0].points, (std::vector<std::array<double, 2>>{{0, 60}, {1, 50}, {2, 20}}));
}

TEST(Epanet, TakesWhatFilesInTheFieldHave) {
  // No [END], bytes of Latin-1, a byte order mark, CR alone, tabs, energy with an empty name, quality that is skipped.
  EXPECT_EQ(read("\xef\xbb\xbf[JUNCTIONS]\rCaf\xe9\t5\r[RESERVOIRS]\rR 9\r[PIPES]\rp R Caf\xe9 1 1 1").nodes[0].id,
            "Caf\xe9");
  EXPECT_EQ(
      read(with("[ENERGY]\nGLOBAL PATTERN \"\"\nGlobal Price 0\n[QUALITY]\nA 0.5\n[SOURCES]\nx\n[MIXING]\ny\n"
                "[REACTIONS]\nz\n[REPORT]\nw\n[LABELS]\n1 2 \"x\"\n[BACKDROP]\n[TAGS]\nNODE A t\n[VERTICES]\nP1 1 2\n"))
          .links.size(),
      2U);
  EXPECT_EQ(read(with("[OPTIONS]\nSpecific Viscosity 1\n")).options.specific_gravity, 1);
  // Three words are a reservoir in either section, as EPANET has it.
  EXPECT_EQ(read("[JUNC]\nA 1\n[TANKS]\nR 9\n[PIPES]\np R A 1 1 1\n").nodes[1].kind, WaterNodeKind::reservoir);
}

TEST(Epanet, NamesThePlaceOfWhatIsWrong) {
  expect_refused({
      {"", "parse net.inp:1: ", "EPANET input file"},
      {"<!DOCTYPE html>\n<html>", "parse net.inp:1:1: ", "web page"},
      {"hello\n", "parse net.inp:1:1: 'hello'", "the name of a section"},
      {"[JUNCTIONS]\nA 1\n", "parse net.inp:2: ", "neither a reservoir nor a tank"},
      {"[RESERVOIRS]\nR 1\n", "parse net.inp:2: ", "no junctions"},
      {with("[NONSENSE]\n"), "parse net.inp:9:1: '[NONSENSE]'", "a section of EPANET 2.2"},
      {with(std::string("A\0B\n", 4)), "parse net.inp:9:2: ", "zero byte"},
      {with("[JUNCTIONS]\nA 3\n"), "parse net.inp:10:1: node 'A' is there twice, first in line 2", "its own"},
      {with("[JUNCTIONS]\nC x\n"), "parse net.inp:10:3: 'x'", "the elevation, a finite number"},
      {with("[JUNCTIONS]\nC 1 nan\n"), "parse net.inp:10:5: 'nan'", "the demand"},
      {with("[JUNCTIONS]\nC 1 1e999\n"), "parse net.inp:10:5: ", "finite"},
      {with("[JUNCTIONS]\nC 1 2 none\n"), "parse net.inp:10:7: pattern 'none'", "[PATTERNS]"},
      {with("[RESERVOIRS]\nS\n"), "parse net.inp:10: the line has 1 of 2 words", "head"},
      {with("[TANKS]\nT 1 2 3\n"), "parse net.inp:10: the line has 4 of 6", "diameter"},
      {with("[TANKS]\nT 1 9 1 5 10\n"), "parse net.inp:10: the levels of tank 'T'", "minimum <= initial"},
      {with("[TANKS]\nT 1 2 1 5 -1\n"), "parse net.inp:10:11: '-1'", "the diameter, a number of at least 0"},
      {with("[TANKS]\nT 1 2 1 5 9 0 c\n[CURVES]\nc 2 0\nc 9 9\n"), "parse net.inp:10: the levels", "volume curve"},
      {with("[TANKS]\nT 1 2 1 5 9 0 * MAYBE\n"), "parse net.inp:10:17: 'MAYBE'", "YES or NO"},
      {with("[PIPES]\nP3 A\n"), "parse net.inp:10: the line has 2 of 3", "two nodes"},
      {with("[PIPES]\nP3 A X 1 1 1\n"), "parse net.inp:10:6: 'X'", "a node of the lines before"},
      {with("[PIPES]\nP3 A A 1 1 1\n"), "parse net.inp:10:6: 'A'", "another node"},
      {with("[PIPES]\nP3 A B 1 1\n"), "parse net.inp:10: the line has 5 of 6", "roughness"},
      {with("[PIPES]\nP3 A B 0 1 1\n"), "parse net.inp:10:8: '0'", "the length, a number above 0"},
      {with("[PIPES]\nP3 A B 1 -2 1\n"), "parse net.inp:10:10: '-2'", "the diameter"},
      {with("[PIPES]\nP3 A B 1 1 1 ajar\n"), "parse net.inp:10:14: 'ajar'", "OPEN, CLOSED, CV"},
      {with("[PIPES]\nP3 A B 1 1 1 -1\n"), "parse net.inp:10:14: '-1'", "the loss coefficient"},
      {with("[PIPES]\nP3 A B 1 1 1 0 ajar\n"), "parse net.inp:10:16: 'ajar'", "OPEN, CLOSED or CV"},
      {with("[PIPES]\nP1 A B 1 1 1\n"), "parse net.inp:10:1: link 'P1' is there twice, first in line 7", "own"},
      {with("[PUMPS]\nu R A\n"), "parse net.inp:10:1: pump 'u' has neither", "HEAD or POWER"},
      {with("[PUMPS]\nu R A HEAD\n"), "parse net.inp:10: the line ends behind a keyword", "its value"},
      {with("[PUMPS]\nu R A HEAD c\n"), "parse net.inp:10:12: curve 'c'", "[CURVES]"},
      {with("[PUMPS]\nu R A TORQUE 1\n"), "parse net.inp:10:7: 'TORQUE'", "HEAD, POWER, SPEED or PATTERN"},
      {with("[PUMPS]\nu R A POWER 5 HEAD c\n[CURVES]\nc 1 1\n"), "parse net.inp:10:15: 'HEAD'", "either HEAD or POWER"},
      {with("[PUMPS]\nu R A HEAD c POWER 5\n[CURVES]\nc 1 1\n"), "parse net.inp:10:14: 'POWER'", "not both"},
      {with("[PUMPS]\nu R A POWER 0\n"), "parse net.inp:10:13: '0'", "above 0"},
      {with("[PUMPS]\nu R A 1 2 3\n"), "parse net.inp:10:7: the pump has 3 numbers", "head and flow"},
      {with("[VALVES]\nv A B 1 XYZ 1\n"), "parse net.inp:10:9: 'XYZ'", "PRV, PSV"},
      {with("[VALVES]\nv A B 1 PRV\n"), "parse net.inp:10: the line has 5 of 6", "setting"},
      {with("[VALVES]\nv R B 1 PRV 1\n"), "parse net.inp:10:3: 'R'", "cannot touch a reservoir"},
      {with("[VALVES]\nv A B 1 GPV none\n"), "parse net.inp:10:13: curve 'none'", "[CURVES]"},
      {with("[CURVES]\nc 1 1\nc 1 2\n"), "parse net.inp:11:3: '1'", "an x above"},
      {with("[CURVES]\nc 1\n"), "parse net.inp:10: the line has 2 of 3", "x and y"},
      {with("[PATTERNS]\np\n"), "parse net.inp:10: the line has 1 of 2", "multiplier"},
      {with("[PATTERNS]\np 1 x\n"), "parse net.inp:10:5: 'x'", "multiplier"},
      {with("[DEMANDS]\nX 1\n"), "parse net.inp:10:1: 'X'", "a node"},
      {with("[EMITTERS]\nA -1\n"), "parse net.inp:10:3: '-1'", "coefficient"},
      {with("[STATUS]\nP9 OPEN\n"), "parse net.inp:10:1: 'P9'", "a link"},
      {with("[STATUS]\nP1 ajar\n"), "parse net.inp:10:4: 'ajar'", "OPEN, CLOSED or a setting"},
      {with("[PIPES]\nc A B 1 1 1 CV\n[STATUS]\nc OPEN\n"), "parse net.inp:12:1: 'c'", "check valve"},
      {with("[CONTROLS]\nLINK P9 OPEN AT TIME 1\n"), "parse net.inp:10:6: 'P9'", "a link"},
      {with("[CONTROLS]\nLINK P1 OPEN AT\n"), "parse net.inp:10: the line has 4 of 6", "LINK link"},
      {with("[CONTROLS]\nLINK P1 OPEN AT TIME x\n"), "parse net.inp:10:22: 'x'", "a time"},
      {with("[CONTROLS]\nLINK P1 OPEN IF NODE A NEAR 3\n"), "parse net.inp:10:24: 'NEAR'", "BELOW or ABOVE"},
      {with("[CONTROLS]\nLINK P1 -1 AT TIME 1\n"), "parse net.inp:10:9: '-1'", "at least 0"},
      {with("[RULES]\nIF x\n"), "parse net.inp:10:1: 'IF'", "RULE and the rule's name"},
      {with("[RULES]\nRULE 1\nwhen x\n"), "parse net.inp:11:1: 'when'", "IF, AND, OR"},
      {with("[OPTIONS]\nUNITS gallons\n"), "parse net.inp:10:7: 'gallons'", "CFS, GPM"},
      {with("[OPTIONS]\nPRESSURE ATM\n"), "parse net.inp:10:10: 'ATM'", "PSI, KPA"},
      {with("[OPTIONS]\nHEADLOSS X\n"), "parse net.inp:10:10: 'X'", "H-W, D-W"},
      {with("[OPTIONS]\nUNBALANCED MAYBE\n"), "parse net.inp:10:12: 'MAYBE'", "STOP or CONTINUE"},
      {with("[OPTIONS]\nTRIALS 0\n"), "parse net.inp:10:8: '0'", "at least 1"},
      {with("[OPTIONS]\nCOLOUR 1\n"), "parse net.inp:10:1: 'COLOUR'", "an option"},
      {with("[TIMES]\nDURATION x\n"), "parse net.inp:10:1: 'DURATION'", "a time"},
      {with("[TIMES]\nLUNCH 1\n"), "parse net.inp:10:1: 'LUNCH'", "a time of EPANET"},
      {with("[TIMES]\nSTART CLOCKTIME 14 PM\n"), "parse net.inp:10:17: '14'", "AM or PM"},
      {with("[TIMES]\nDURATION -1\n"), "parse net.inp:10:", "a time"},
  });
}

TEST(Epanet, NamesWhatIsUnsupported) {
  expect_refused({
      {with("[OPTIONS]\nDEMAND MODEL PDA\n"), "unsupported net.inp:10:14: ", "DEMAND MODEL PDA"},
      {with("[OPTIONS]\nHYDRAULICS USE x.hyd\n"), "unsupported net.inp:10:1: ", "HYDRAULICS USE"},
      {with("[OPTIONS]\nBACKFLOW ALLOWED NO\n"), "unsupported net.inp:10:1: ", "BACKFLOW"},
      {with("[LEAKAGE]\n"), "unsupported net.inp:9:1: ", "LEAKAGE"},
      {with("[VALVES]\nv A B 1 PCV 1\n"), "unsupported net.inp:10:9: ", "PCV"},
  });
}

TEST(Epanet, RefusesValvesThatControlOneNode) {
  auto const valves = [](std::string_view lines) {
    return error_of("[JUNC]\nA 1\nB 1\nC 1\nD 1\n[RESE]\nR 9\n[PIPES]\np R A 1 1 1\n[VALVES]\n" + std::string(lines));
  };
  for (char const* const wrong :
       {"v A B 1 PRV 1\nw C B 1 PRV 1\n", "v A B 1 PRV 1\nw B C 1 PRV 1\n", "v B C 1 PRV 1\nw A B 1 PRV 1\n",
        "v A B 1 PSV 1\nw A C 1 PSV 1\n", "v A B 1 PSV 1\nw B C 1 PSV 1\n", "v B C 1 PSV 1\nw A B 1 PSV 1\n",
        "v A B 1 PRV 1\nw B C 1 PSV 1\n", "v B C 1 PSV 1\nw A B 1 PRV 1\n", "v A B 1 FCV 1\nw B C 1 PSV 1\n",
        "v B C 1 FCV 1\nw A B 1 PRV 1\n", "v B C 1 PSV 1\nw A B 1 FCV 1\n", "v A B 1 PRV 1\nw B C 1 FCV 1\n"}) {
    std::string const said = valves(wrong);
    EXPECT_EQ(said.substr(0, 20), "parse net.inp:12:1: ") << wrong << said;
    EXPECT_NE(said.find("would control one node"), said.npos) << said;
  }
  for (char const* const right :
       {"v A B 1 PRV 1\nw C D 1 PRV 1\n", "v A B 1 FCV 1\nw B C 1 FCV 1\n", "v A B 1 PRV 1\nw A C 1 PRV 1\n",
        "v A B 1 TCV 1\nw B C 1 PRV 1\n", "v B C 1 PRV 1\nw B A 1 PSV 1\n"})
    EXPECT_EQ(valves(right), "read") << right;
}

TEST(Epanet, BoundsMemory) {
  std::string text = "[JUNCTIONS]\n";
  for (int i = 0; i < 1000; ++i) text += "J" + std::to_string(i) + " 1\n";
  ReadOptions options;
  options.max_memory_bytes = 1 << 16;
  try {
    (void)read(text, options);
    FAIL() << "was read";
  } catch (Error const& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource_limit);
    EXPECT_GT(error.place().line, 10U);
    EXPECT_NE(std::string(error.what()).find("the limit is 65536"), std::string::npos) << error.what();
  }
}

TEST(Epanet, ReadsPlainAndCompressedFilesInBlocksOfAnySize) {
  TemporaryDirectory const directory;
  std::string const text = with("[OPTIONS]\r\nUNITS LPS\r\n");
  put_content(directory / "n.inp", text);
  std::string packed;
  detail::GzipWriter writer([&packed](std::string_view bytes) { packed += bytes; });
  writer.write(text);
  writer.finish();
  put_content(directory / "n.inp.gz", packed);
  for (std::size_t const block : {1U, 7U, 1000U}) {
    ReadOptions options;
    options.block_bytes = block;
    for (char const* const name : {"n.inp", "n.inp.gz"}) {
      auto const network = read_epanet(directory / name, options);
      EXPECT_EQ(network.links.size(), 2U);
      EXPECT_EQ(network.options.flow, FlowUnits::lps);
    }
  }
  EXPECT_THROW((void)read_epanet(directory / "none.inp"), Error);
}

TEST(Epanet, ReadsTheNetworksOfOthers) {
  auto const directory = data_directory() / "epanet";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << directory << " is not here";
  struct Known {
    char const* file;
    std::size_t nodes;
    std::size_t links;
    FlowUnits units;
  };
  for (auto const& known :
       {Known{"Net1.inp", 11, 13, FlowUnits::gpm}, Known{"Hanoi.inp", 32, 34, FlowUnits::lps},
        Known{"Net3.inp", 97, 119, FlowUnits::gpm}, Known{"BWSN_Network_1.inp", 129, 178, FlowUnits::gpm},
        Known{"d-town.inp.gz", 407, 459, FlowUnits::lps}, Known{"L-TOWN.inp.gz", 785, 909, FlowUnits::cmh},
        Known{"Richmond_standard.inp.gz", 872, 957, FlowUnits::lps}, Known{"ky4.inp.gz", 964, 1158, FlowUnits::gpm},
        Known{"wolf-3.inp.gz", 1786, 1995, FlowUnits::gpm}, Known{"exnet-3.inp.gz", 1893, 2467, FlowUnits::lps},
        Known{"BWSN_Network_2.inp.gz", 12527, 14831, FlowUnits::gpm}}) {
    auto const network = read_epanet(directory / known.file);
    EXPECT_EQ(network.nodes.size(), known.nodes) << known.file;
    EXPECT_EQ(network.links.size(), known.links) << known.file;
    EXPECT_EQ(network.options.flow, known.units) << known.file;
  }
}

}  // namespace
}  // namespace araia::test
