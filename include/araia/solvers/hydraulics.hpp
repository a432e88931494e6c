// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The steady state of a water network at time 0, by the global gradient algorithm.

#include <araia/io/epanet.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace araia {

/// What solves for the heads in each trial.
enum class HeadMethod {
  cg,     ///< conjugate gradients on Kokkos's default execution space, which must be initialised
  direct  ///< Eigen's SimplicialLDLT, analysed once
};

/// Was Eigen there when this library was built?
[[nodiscard]] bool has_direct_heads() noexcept;

enum class HydraulicStatus {
  converged,   ///< flows balance, and every status agrees with them
  balanced,    ///< flows balance, but for links whose statuses would go on changing, or to the file's accuracy alone
  unbalanced,  ///< the trials ended first
  isolated     ///< a part with demand has no open way to a reservoir, tank or emitter
};
[[nodiscard]] std::string_view to_string(HydraulicStatus status) noexcept;

/// The linear system of a trial: what the heads of the junctions must be corrected by, ft, so that what flows into
/// each, ft^3/s, is its demand. Symmetric positive definite, by rows, columns ascending, one pattern for all trials.
struct HydraulicSystem {
  std::vector<std::int32_t> const& row_offsets;  ///< (rows + 1)
  std::vector<std::int32_t> const& col_indices;  ///< (nnz)
  std::vector<double> const& values;             ///< (nnz) stored zeros for closed links
  std::vector<double> const& rhs;                ///< (rows)
};

struct HydraulicOptions {
  HeadMethod method = HeadMethod::cg;
  double flow_change = 1e-8;    ///< sum of the flows' changes over that of flows, in the last trial
  double mass_balance = 1e-8;   ///< of every junction, over the flow through it, of 1e-6 ft^3/s at least
  std::int32_t max_trials = 0;  ///< 0: the file's TRIALS, from 200 to 1000
  /// Told of each trial and its relative change of flow.
  std::function<void(std::int32_t, double)> progress{};
  /// Sees each trial's system before it is solved.
  std::function<void(HydraulicSystem const&)> system{};
};

/// How a link ended: pumps that cannot deliver the head, and links to a tank that is full or empty, are closed.
enum class LinkState { closed, open, active };
[[nodiscard]] std::string_view to_string(LinkState state) noexcept;

/// In the file's units: heads and lengths in ft or m, pressures and flows as the options have them.
struct HydraulicResult {
  HydraulicStatus status = HydraulicStatus::unbalanced;
  std::string message{};            ///< empty where converged: what is left, with the node or link it is about
  std::vector<double> heads{};      ///< (nodes)
  std::vector<double> pressures{};  ///< (nodes)
  std::vector<char> connected{};    ///< (nodes) 0: no open way leads to a known head, and any head would do
  std::vector<double> outflows{};   ///< (nodes) demands and emitters of junctions; what flows into tanks and reservoirs
  std::vector<double> flows{};      ///< (links) from the first node to the second; 0 where closed
  std::vector<LinkState> states{};  ///< (links)
  std::vector<double> losses{};     ///< (links) of head at those flows; 0 where closed, and of active PRV, PSV and FCV
  std::int32_t trials = 0;
  std::int64_t iterations = 0;  ///< of CG, in all trials
  double flow_change = 0;       ///< relative, of the last trial
  double mass_balance = 0;      ///< relative, the worst of all junctions
};

/// Heads and flows at time 0: patterns at their start, controls of that time; rules act later. Statuses of valves,
/// pumps and links to tanks as EPANET 2.2 finds them. \throws araia::Error: parse, naming file, line and link (a curve
/// that is no pump's, too few points); unsupported
///         (HeadMethod::direct without Eigen); invalid_argument for an option out of range
/// Cost   a trial: a pass over the links, and one solve of (junctions) unknowns with a matrix of one pattern. Some 5 to
///        30 trials. Memory some 300 bytes a node or link beside the solver's
/// Rounding heads are corrected by each trial, so that the mass balance does not suffer from large conductances
/// Source [TodiniPilati1988], [Rossman2020]; differs: closed links are left out of the matrix, not given a small
///        conductance; regulated heads are eliminated exactly. Keys in docs/bibliography.md, our own words
[[nodiscard]] HydraulicResult solve_hydraulics(WaterNetwork const& network, HydraulicOptions const& options = {});

}  // namespace araia
