// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a tuner found: every candidate with its figures or the reason why it is out.

#include <cstdint>
#include <string>
#include <vector>

#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/machine.hpp>

namespace araia {

/// A check of a product against the reference.
struct VerifyReport {
  bool done = false;   ///< a check ran
  bool ok = false;     ///< every checked entry is within the bound
  bool whole = false;  ///< every entry of the result was checked
  std::int64_t rows_checked = 0;
  std::int64_t entries_checked = 0;
  std::int64_t violations = 0;
  double worst_share = 0;         ///< largest error over its bound; above 1 is a violation
  std::string first_violation{};  ///< row, column, got, expected, bound
};

enum class CandidateStatus {
  modelled,       ///< ranked by the model, not timed
  timed,          ///< timed and verified
  pruned,         ///< not tried, as it promises too little or takes too much: `reason`
  wrong,          ///< failed verification: excluded
  failed,         ///< could not be made or run: `reason`
  out_of_budget,  ///< not timed, as the time was up
  cancelled       ///< not timed, as the caller stopped the tuning
};

[[nodiscard]] char const* to_string(CandidateStatus status);

/// Was it left out for want of time alone? More of it tries it.
[[nodiscard]] constexpr bool lacked_time(CandidateStatus status) {
  return status == CandidateStatus::out_of_budget || status == CandidateStatus::cancelled;
}

struct CandidateReport {
  Choice choice{};
  CandidateStatus status = CandidateStatus::modelled;
  std::string reason{};
  bool unsupported = false;  ///< pruned as the structure of the matrix does not allow the format
  Footprint footprint{};     ///< counted or made where `exact`, else predicted
  std::uint64_t bytes = 0;   ///< of the format's arrays: those of the footprint
  Traffic traffic{};
  double modelled_seconds = 0;             ///< a product
  double modelled_conversion_seconds = 0;  ///< 0 where the source is used as it is
  double seconds = 0;             ///< a product: the least of the samples, each of products in a row; 0 where not timed
  double spread = 0;              ///< of the samples: interquartile range over median
  int samples = 0;                ///< of the last round that it took part in
  double conversion_seconds = 0;  ///< from the source matrix; 0 where it is used as it is, or not measured
  VerifyReport verified{};
};

struct TuneReport {
  Problem problem{};
  Machine machine{};
  std::vector<CandidateReport> candidates{};  ///< the winner first, then by time; those that are out last
  bool measured = false;                      ///< the winner was timed; else the model chose it
  bool cancelled = false;
  bool out_of_budget = false;  ///< measuring stopped, or left candidates out, for want of time and not by a decision
  bool limited_by_products = false;  ///< that time was what the products to come pay for, less than the budget
  bool busy = false;                 ///< samples contradict each other: other programs ran beside the race
  std::string remark{};  ///< why nothing was timed, or not the winner, although measuring was asked for; else empty
  double products = 0;   ///< that will follow, as the caller said; 0: unknown
  double tuning_seconds = 0;  ///< of make_plan
  double racing_seconds = 0;  ///< of those: converting, verifying and timing candidates, the winner's conversion apart
  double confidence = 0;      ///< that the winner is no slower than the runner-up (sign test); 0: unknown
  double confidence_over_baseline = 0;  ///< the same against the CSR default

  [[nodiscard]] CandidateReport const& winner() const { return candidates.front(); }
  /// The CSR default, or null where the formats asked for leave it out.
  [[nodiscard]] CandidateReport const* baseline() const;

  std::string baseline_label{};  ///< label() of the CSR default
  std::string winner_label{};    ///< of the race's winner; empty where nothing was timed
  std::string model_label{};     ///< of the candidate that the model alone takes
};

/// Seconds that rank a candidate: measured where there are any, else modelled.
[[nodiscard]] double ranking_seconds(CandidateReport const& candidate);

/// Seconds of the conversion: measured, else modelled.
[[nodiscard]] double conversion_seconds(CandidateReport const& candidate);

/// Seconds by which candidates are ranked: of a product, or where the report knows how many will follow, of all of them
/// and the conversion.
[[nodiscard]] double objective_seconds(TuneReport const& report, CandidateReport const& candidate);

/// Seconds that making the plan took beside the winner's conversion: facts of the matrix, and the race.
[[nodiscard]] double planning_seconds(TuneReport const& report);

/// Seconds that Plan::verify takes of such a product, by the model.
[[nodiscard]] double modelled_verification_seconds(TuneReport const& report);

/// Products after which the candidate's conversion, and the planning that found it, have paid against the CSR default;
/// 0 of that default itself, infinity never, NaN where the report has none.
[[nodiscard]] double break_even_products(TuneReport const& report, CandidateReport const& candidate);

/// The same in words: "paid back after 12 products".
[[nodiscard]] std::string paid_back(TuneReport const& report, CandidateReport const& candidate);

/// Why nothing was timed, or that the machine was busy, each in a line; empty where there is nothing to say.
[[nodiscard]] std::string remarks(TuneReport const& report);

/// How surely the winner is ahead of the runner-up, where both were timed: "ahead of the runner-up with confidence
/// 0.990".
[[nodiscard]] std::string ahead_of_runner_up(TuneReport const& report);

/// Share of the roof: modelled bytes over time, over the copy bandwidth. Above 1 where operands stay in cache.
[[nodiscard]] double roof_share(TuneReport const& report, CandidateReport const& candidate);

/// A text of some lines: what was chosen, its figures, and why the others lost.
[[nodiscard]] std::string explain(TuneReport const& report);

/// "3.21 ms", "45.6 us"; "12.3 MiB".
[[nodiscard]] std::string format_seconds(double seconds);
[[nodiscard]] std::string format_bytes_text(double bytes);

}  // namespace araia
