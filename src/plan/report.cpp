// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "src/formatted.hpp"
#include "src/kernel/operations.hpp"

namespace araia {

char const* to_string(CandidateStatus status) {
  switch (status) {
    case CandidateStatus::modelled: return "modelled";
    case CandidateStatus::timed: return "timed";
    case CandidateStatus::pruned: return "pruned";
    case CandidateStatus::wrong: return "wrong";
    case CandidateStatus::failed: return "failed";
    case CandidateStatus::out_of_budget: return "out_of_budget";
    case CandidateStatus::cancelled: return "cancelled";
  }
  return "unknown";
}

CandidateReport const* TuneReport::baseline() const {
  auto const found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](auto const& c) { return label(c.choice) == baseline_label; });
  return found == candidates.end() ? nullptr : &*found;
}

double ranking_seconds(CandidateReport const& candidate) {
  return candidate.seconds > 0 ? candidate.seconds : candidate.modelled_seconds;
}

double conversion_seconds(CandidateReport const& candidate) {
  // Of a timed candidate zero is what was measured: it needs none.
  return candidate.conversion_seconds > 0 || candidate.status == CandidateStatus::timed
             ? candidate.conversion_seconds
             : candidate.modelled_conversion_seconds;
}

double objective_seconds(TuneReport const& report, CandidateReport const& candidate) {
  double const product = ranking_seconds(candidate);
  return report.products > 0 ? report.products * product + conversion_seconds(candidate) : product;
}

double planning_seconds(TuneReport const& report) {
  return std::max(0.0, report.tuning_seconds - report.winner().conversion_seconds);
}

double break_even_products(TuneReport const& report, CandidateReport const& candidate) {
  auto const* baseline = report.baseline();
  // Of SpGEMM the default has a conversion too: what counts is how much more this one's takes.
  double const cost =
      conversion_seconds(candidate) - (baseline ? conversion_seconds(*baseline) : 0) + planning_seconds(report);
  if (baseline == &candidate || label(candidate.choice) == report.baseline_label || cost <= 0) return 0;
  if (!baseline) return std::numeric_limits<double>::quiet_NaN();
  double const gain = ranking_seconds(*baseline) - ranking_seconds(candidate);
  return gain > 0 ? std::ceil(cost / gain) : std::numeric_limits<double>::infinity();
}

std::string paid_back(TuneReport const& report, CandidateReport const& candidate) {
  double const products = break_even_products(report, candidate);
  if (std::isnan(products)) return "paid back against csr: unknown, as that was left out";
  return std::isfinite(products) ? detail::formatted("paid back after {:.0f} products", products)
                                 : "not paid back against csr";
}

std::string remarks(TuneReport const& report) {
  std::string text;
  if (!report.remark.empty()) text += report.remark + '\n';
  if (report.busy)
    text += detail::formatted(
        "the machine is busy: samples of the same product differ manyfold or contradict each "
        "other{}\n",
        !report.model_label.empty() && report.winner_label == report.model_label ? "; the model's choice is taken"
                                                                                 : "");
  return text;
}

std::string ahead_of_runner_up(TuneReport const& report) {
  constexpr double sure = 0.95;
  return detail::formatted("{}ahead of the runner-up with confidence {:.3f}",
                           report.confidence < sure ? "too close to call: " : "", report.confidence);
}

double roof_share(TuneReport const& report, CandidateReport const& candidate) {
  double const seconds = ranking_seconds(candidate);
  return seconds > 0 && report.machine.copy_bandwidth > 0
             ? candidate.traffic.bytes() / seconds / report.machine.copy_bandwidth
             : 0;
}

namespace {
/// Three digits; four where they are before the point.
std::string digits(double value) {
  return value >= 999.5 ? detail::formatted("{:.0f}", value) : detail::formatted("{:.3g}", value);
}
}  // namespace

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds >= 1) return digits(seconds) + " s";
  if (seconds >= 1e-3) return digits(seconds * 1e3) + " ms";
  if (seconds >= 1e-6) return digits(seconds * 1e6) + " us";
  return digits(seconds * 1e9) + " ns";
}

std::string format_bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return (unit == 0 ? detail::formatted("{:.0f}", bytes) : digits(bytes)) + ' ' + units[unit];
}

std::string explain(TuneReport const& report) {
  auto const& winner = report.winner();
  auto const& s = report.problem.stats;
  std::string text = remarks(report);
  text += detail::formatted("{}, op {}, {} x {}, {} entries ({} to {} a row, mean {:.1f})",
                            detail::operation_title(report.problem), to_string(report.problem.op), s.rows, s.cols,
                            s.nnz, s.min_length, s.max_length, s.mean_length);
  text += detail::formatted("\non {} with {} threads, {} copy {:.1f} GB/s\n", report.machine.space,
                            report.machine.concurrency, report.machine.measured ? "measured" : "assumed",
                            report.machine.copy_bandwidth / 1e9);
  auto const& p = report.problem;
  text += detail::formatted(
      "chosen: {}{}, {} of format, {} moved a product\n", label(winner.choice),
      p.precision == Precision::native
          ? std::string()
          : detail::formatted(" in {} ({} allowed)", precision_name(precision_of(p, winner.choice)),
                              precision_name(p.precision)),
      format_bytes_text(static_cast<double>(winner.bytes)), format_bytes_text(winner.traffic.bytes()));
  text += detail::formatted("modelled {}", format_seconds(winner.modelled_seconds));
  if (winner.seconds > 0)
    text += detail::formatted(", measured {} ({} samples, spread {:.0f}%)", format_seconds(winner.seconds),
                              winner.samples, 100 * winner.spread);
  text += detail::formatted(", {:.2f} GFLOP/s, {:.0f}% of the copy bandwidth\n",
                            winner.traffic.flops / ranking_seconds(winner) / 1e9, 100 * roof_share(report, winner));
  double const conversion = conversion_seconds(winner);
  if (conversion > 0)
    text += detail::formatted("conversion {} {}; ", winner.conversion_seconds > 0 ? "measured" : "modelled",
                              format_seconds(conversion));
  if (report.tuning_seconds > 0)
    text += detail::formatted("planning took {}{}; ", format_seconds(planning_seconds(report)),
                              report.racing_seconds > 0
                                  ? detail::formatted(", {} of it measuring", format_seconds(report.racing_seconds))
                                  : "");
  if (conversion > 0 || report.tuning_seconds > 0)
    text += (label(winner.choice) == report.baseline_label ? "nothing to pay back" : paid_back(report, winner)) + '\n';
  if (report.products > 0)
    text += detail::formatted("{:.0f} products will follow: {} with the conversion\n", report.products,
                              format_seconds(objective_seconds(report, winner)));
  if (report.confidence > 0) text += ahead_of_runner_up(report) + '\n';
  if (report.cancelled) text += "tuning was cancelled: the best so far\n";
  if (report.out_of_budget)
    text += report.limited_by_products ? "more measuring would not pay: the best so far\n"
                                       : "the budget ended the tuning: the best so far\n";
  for (std::size_t i = 1; i < report.candidates.size(); ++i) {
    auto const& c = report.candidates[i];
    text += detail::formatted("  {:<48} {:>9} ", label(c.choice), format_seconds(ranking_seconds(c)));
    // The reason of what was not tried says all of its status.
    if (!lacked_time(c.status)) text += std::string(to_string(c.status)) + ": ";
    text += c.reason.empty() ? detail::formatted("{:.2f} times the time", ranking_seconds(c) / ranking_seconds(winner))
                             : c.reason;
    text += '\n';
  }
  return text;
}

}  // namespace araia
