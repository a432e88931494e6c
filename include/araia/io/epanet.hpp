// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Water networks: EPANET's input files (.inp), as EPANET 2.2 reads them.
//
// What a file means where EPANET's manual leaves it open:
//  - Sections and keywords are known by their first letters, in any case: [JUNC], Headl. Lines end in LF, CRLF or CR; a
//    semicolon starts a comment; text in double quotes is one word. Names keep their case and are any bytes. [END] ends
//    the file, and so does its last line.
//  - Nodes come before the links and lines that name them; patterns and curves may come later.
//  - Missing columns have EPANET's defaults: demand 0, open, no minor loss. A line of [TANKS] or [RESERVOIRS] with up
//  to
//    three words is a reservoir, a longer one a tank. Pumps in the style of EPANET 1 (numbers behind the nodes) are
//    read.
//  - [DEMANDS] replace what [JUNCTIONS] say. PRESSURE in [OPTIONS] is a unit, PRESSURE EXPONENT is not.
//  - Rules are kept as text, one clause a string, also where a rule stands on one line.
//  - Not read, as it does not touch the hydraulics: QUALITY, SOURCES, REACTIONS, MIXING, ENERGY, REPORT, LABELS, TAGS,
//    BACKDROP, VERTICES, ROUGHNESS, and the options that belong to them.
//  - Unsupported by name: DEMAND MODEL PDA, HYDRAULICS USE, and what came after 2.2: LEAKAGE, valves PCV, BACKFLOW
//    ALLOWED NO.
//  - Everything else that EPANET 2.2 refuses is a parse error, and so is a saved web page.
// Numbers are decimal and finite. All quantities stay in the file's units.

#include <araia/detail/io/read_options.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace araia {

/// EPANET's units of flow. Those from lps on are metric: lengths in m, diameters in mm; the others have ft and in.
enum class FlowUnits { cfs, gpm, mgd, imgd, afd, lps, lpm, mld, cmh, cmd };
enum class PressureUnits { psi, kpa, metres };
enum class HeadLossFormula { hazen_williams, darcy_weisbach, chezy_manning };

enum class WaterNodeKind { junction, reservoir, tank };
enum class WaterLinkKind { pipe, check_valve, pump, prv, psv, pbv, fcv, tcv, gpv };  ///< check_valve: a pipe with one
/// What a link begins with: a valve that is `active` follows its setting.
enum class WaterLinkStatus { closed, open, active };

/// Index of a pattern, curve or node where there is none.
inline constexpr std::int32_t no_index = -1;

struct WaterDemand {
  double base = 0;                  ///< flow
  std::int32_t pattern = no_index;  ///< none: multiplied by 1
};

struct WaterTank {
  double initial_level = 0;  ///< length above the node's elevation, as the other levels
  double minimum_level = 0;
  double maximum_level = 0;
  double diameter = 0;                   ///< length
  std::int32_t volume_curve = no_index;  ///< level to volume
  bool overflows = false;                ///< a full tank takes more
};

struct WaterNode {
  std::string id;
  WaterNodeKind kind = WaterNodeKind::junction;
  double elevation = 0;                ///< length; of a reservoir its head
  std::vector<WaterDemand> demands{};  ///< of a junction, summed
  double emitter = 0;                  ///< flow at a pressure of 1, 0 for none
  std::int32_t pattern = no_index;     ///< that multiplies a reservoir's head
  WaterTank tank{};
  std::optional<std::array<double, 2>> coordinates{};
  std::uint64_t line = 0;  ///< of the file
};

struct WaterLink {
  std::string id;
  WaterLinkKind kind = WaterLinkKind::pipe;
  std::int32_t from = no_index;  ///< nodes
  std::int32_t to = no_index;
  double length = 0;
  double diameter = 0;    ///< mm or in
  double roughness = 0;   ///< of the head loss formula; Darcy-Weisbach: mm or 0.001 ft
  double minor_loss = 0;  ///< of the velocity head
  WaterLinkStatus status = WaterLinkStatus::open;
  double setting = 1;               ///< speed of a pump; pressure (prv, psv, pbv), flow (fcv) or loss (tcv)
  double power = 0;                 ///< of a pump of constant power: kW or hp; 0: by its curve
  std::int32_t curve = no_index;    ///< head curve of a pump, loss curve of a gpv
  std::int32_t pattern = no_index;  ///< speeds of a pump
  std::uint64_t line = 0;           ///< of the file
};

struct WaterPattern {
  std::string id;
  std::vector<double> factors{};  ///< one a time step of patterns, at least one
};

struct WaterCurve {
  std::string id;                               ///< empty for one that stands in a pump's line
  std::vector<std::array<double, 2>> points{};  ///< x, y; x strictly ascending
};

enum class WaterTrigger { below, above, time, clock_time };

/// A line of [CONTROLS].
struct WaterControl {
  std::int32_t link = no_index;
  WaterLinkStatus status = WaterLinkStatus::active;  ///< active: the setting says it
  std::optional<double> setting{};                   ///< speed of a pump or setting of a valve
  WaterTrigger trigger = WaterTrigger::time;
  std::int32_t node = no_index;  ///< whose level (tank) or pressure (junction) triggers
  double level = 0;              ///< of it
  std::int64_t seconds = 0;      ///< since the start, or of the day
  std::uint64_t line = 0;        ///< of the file
};

struct WaterRule {
  std::string id;
  std::vector<std::string> clauses{};  ///< "IF TANK 1 LEVEL BELOW 5", words by one blank
  std::uint64_t line = 0;              ///< of the file
};

struct WaterOptions {
  FlowUnits flow = FlowUnits::gpm;
  PressureUnits pressure = PressureUnits::psi;  ///< psi with ft, kpa or metres with m
  HeadLossFormula formula = HeadLossFormula::hazen_williams;
  double specific_gravity = 1;
  double viscosity = 1.1e-5;  ///< kinematic, ft^2/s whatever the units
  double demand_multiplier = 1;
  double emitter_exponent = 0.5;  ///< flow by pressure
  std::int32_t trials = 200;
  double accuracy = 0.001;         ///< relative change of flow; 1e-5 to 0.1
  double head_error = 0;           ///< length; 0: not asked for
  double flow_change = 0;          ///< flow; 0: not asked for
  std::int32_t extra_trials = -1;  ///< of UNBALANCED CONTINUE; -1: STOP
  double head_tolerance = 0.0005;  ///< ft
  double flow_tolerance = 0.0001;  ///< ft^3/s
  double least_gradient = 1e-7;    ///< RQTOL, ft/(ft^3/s)
  std::int32_t check_frequency = 2;
  std::int32_t max_check = 10;
  double damp_limit = 0;
};

/// Seconds.
struct WaterTimes {
  std::int64_t duration = 0;
  std::int64_t pattern_step = 3600;
  std::int64_t pattern_start = 0;
  std::int64_t start_clock = 0;  ///< of the day
};

/// Nodes and links stand in the order of the file. Indices are checked: links, controls, patterns and curves exist.
struct WaterNetwork {
  std::string file;                  ///< its name, for messages
  std::vector<std::string> title{};  ///< three lines at most
  std::vector<WaterNode> nodes{};
  std::vector<WaterLink> links{};
  std::vector<WaterPattern> patterns{};
  std::vector<WaterCurve> curves{};
  std::vector<WaterControl> controls{};
  std::vector<WaterRule> rules{};
  WaterOptions options{};
  WaterTimes times{};
};

/// EPANET's word: "GPM".
[[nodiscard]] std::string_view to_string(FlowUnits units) noexcept;
[[nodiscard]] std::string_view to_string(WaterLinkKind kind) noexcept;  ///< "pipe", "CV", "pump", "PRV", ...
[[nodiscard]] constexpr bool is_metric(FlowUnits units) noexcept { return units >= FlowUnits::lps; }

/// A network; gzip is recognised by content.
/// \throws araia::Error: parse (file, line, column, what was expected); unsupported, naming what; resource_limit naming
///         the limit; invalid_argument (no readable file); device
/// Cost   time linear in the text and in what the ranges of [STATUS] name, one thread; memory some 400 bytes a line
[[nodiscard]] WaterNetwork read_epanet(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of text in memory, which errors call `name`.
[[nodiscard]] WaterNetwork parse_epanet(std::string_view text, std::string name, ReadOptions const& options = {});

}  // namespace araia
