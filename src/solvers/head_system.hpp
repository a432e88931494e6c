// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The linear system of a trial of the global gradient algorithm, for corrections of the junctions' heads.
//
// With a link's loss L(q) of gradient 1/P, linearised at its flow q, a correction d of the heads changes the flow to
//   q - s + P (d_from - d_to),  s = P (L(q) - (h_from - h_to)),
// and the sum of what flows into a junction must be its demand. That is A d = b with A_ii the sum of P of i's links,
// A_ij = -P, and b_i what flows into i too much, plus s of links that begin at i, minus s of those that end there. What
// s rounds, in b and in the flow alike, does not reach the balance of flows.

#include "head_loss.hpp"
#include "head_solver.hpp"
#include "hydraulic_model.hpp"

namespace araia::detail {

/// A part of the network that no open link joins to a known head.
struct Island {
  std::size_t reference = 0;  // a junction, whose head stands for the level of all others
  double inflow = 0;          // in the last trial: what must be 0, ft^3/s, emitters apart; negative for a demand
  bool has_emitter = false;   // which settles its level: flows of emitters balance it, if need be backwards
  bool leaks = false;         // closed links or active FCVs lead from it to known heads, perhaps through other islands
  bool first = false;         // of islands that such links join to each other alone
};

class HeadSystem {
 public:
  explicit HeadSystem(HydraulicModel const& model);

  [[nodiscard]] HeadGraph const& graph() const { return graph_; }
  [[nodiscard]] std::vector<Island> const& islands() const { return islands_; }
  /// (nodes) index of the node's island, or none.
  [[nodiscard]] std::vector<std::int32_t> const& island_of() const { return island_of_; }

  /// Forms the system of a state. A PRV or PSV that holds a head for a part of the network which nothing else, open or
  /// closed, joins to the rest becomes stuck_open.
  void assemble(HydraulicState& state);
  /// Solves it and corrects heads, then flows by `relaxation` of their change.
  /// \return iterations of the solver; -1 where it failed, and nothing is changed then
  std::int64_t advance(HeadSolver& solver, HydraulicState& state, double relaxation);

  /// Of the last advance: sums and largest of the changes of flow.
  [[nodiscard]] double changed() const { return changed_; }
  [[nodiscard]] double flowing() const { return flowing_; }
  [[nodiscard]] double most_changed() const { return most_changed_; }

 private:
  static constexpr std::int32_t none = -1;
  /// What a link does to heads and flows.
  enum class Role : signed char { unknown, closed, open, holds_from, holds_to, gives_flow };

  void make_graph();
  /// \return whether they may be others than before
  bool find_islands(HydraulicState const& state);
  void join_islands();
  bool release_valves(HydraulicState& state) const;
  void add_links(HydraulicState const& state);
  void add_emitters(HydraulicState const& state);
  void add_valves(HydraulicState const& state);
  void hold(std::size_t node, double head, HydraulicState const& state);
  void eliminate_held();
  void level_islands(HydraulicState& state) const;
  void change_flow(double& flow, double change);

  HydraulicModel const& model_;
  HeadGraph graph_;
  std::vector<std::int32_t> row_of_;     // (nodes)
  std::vector<std::int32_t> edge_of_;    // (links) none where an end is fixed
  std::vector<std::size_t> regulators_;  // PRVs, PSVs, FCVs
  std::vector<std::int32_t> island_of_;
  std::vector<Island> islands_;
  std::vector<Role> roles_;  // (links) for which the islands were found
  bool islands_known_ = false;

  std::vector<HeadLoss> losses_;          // (links)
  std::vector<HeadLoss> emitter_losses_;  // (nodes)
  std::vector<double> excess_;            // (nodes) inflow less demand, of links with a conductance and FCVs
  std::vector<double> regulated_flow_;    // (links) of valves that regulate
  HeadCoefficients coefficients_;
  std::vector<double> right_;
  std::vector<double> correction_;  // (rows)
  std::vector<char> held_;          // (rows) the correction is known
  double changed_ = 0;
  double flowing_ = 0;
  double most_changed_ = 0;
};

}  // namespace araia::detail
