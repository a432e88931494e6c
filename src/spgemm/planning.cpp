// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/spgemm/planning.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <araia/error.hpp>
#include "src/formatted.hpp"
#include "src/plan/measuring_price.hpp"
#include "src/plan/trials.hpp"
#include "src/reason.hpp"

namespace araia::detail {
namespace {

class Choosing {
 public:
  Choosing(TuneReport& report, PlanOptions const& options, SpgemmTrials const& trials, Deadline const& deadline)
      : report_(report), options_(options), trials_(trials), deadline_(deadline) {}

  /// By the model alone: the first by rank that can be made.
  std::shared_ptr<SpgemmTrial> settle() {
    if (!options_.choice) leave_out_unpriced(report_);
    for (;;) {
      rank(report_);
      auto& best = report_.candidates.front();
      if (best.status != CandidateStatus::modelled) throw_none_left(report_, options_);
      try {
        auto const start = deadline_.elapsed();
        auto trial = trials_.make(best.choice, trials_.memory_limit);
        best.conversion_seconds = deadline_.elapsed() - start;
        take_entries(*trial);
        report_.model_label = label(best.choice);
        return trial;
      } catch (std::exception const& e) {
        if (options_.choice) throw;
        leave_out(best, e);
      }
    }
  }

  /// The fastest of those that there is time for.
  std::shared_ptr<SpgemmTrial> measure() {
    double const affordable = affordable_seconds(report_, options_.budget);
    Deadline const deadline = deadline_.within(affordable);
    report_.limited_by_products = affordable < options_.budget;
    if (affordable <= 0) {
      report_.out_of_budget = true;
      report_.remark = "nothing was timed: the budget is 0 s";
      return settle_untimed();
    }
    auto const begin = deadline_.elapsed();
    report_.model_label = choice_of_model();
    prune(report_, trials_.memory_limit);
    for (auto const& c : report_.candidates)
      if (c.status == CandidateStatus::pruned) left_out_.push_back(label(c.choice));
    rank(report_);
    auto const order = order_of_trial(report_);
    auto const measuring = measuring_price(report_.problem, report_.machine);
    if (double const need = trial_price(report_.candidates[order.front()], measuring); need > deadline.left()) {
      report_.out_of_budget = true;
      report_.remark = too_little_time(report_, report_.candidates[order.front()], need, affordable);
      return settle_untimed();
    }
    std::vector<std::shared_ptr<SpgemmTrial>> made(report_.candidates.size());
    Trial const trial_of_one{.price = [&](std::size_t i) { return trial_price(report_.candidates[i], measuring); },
                             .run = [&](std::size_t i, double& product) -> std::optional<RacedCandidate> {
                               made[i] = tried(report_.candidates[i], product);
                               if (!made[i]) return std::nullopt;
                               return RacedCandidate{.place = i, .run = [trial = made[i]] { trial->execute(); }};
                             }};
    auto raced = try_in_order(report_, options_, deadline, order, 1, trial_of_one);
    race(report_, std::move(raced), trials_.fence, deadline, options_.progress);
    auto trial = winner_of(made);
    rank(report_);
    report_.racing_seconds = std::max(0.0, deadline_.elapsed() - begin - report_.candidates.front().conversion_seconds);
    return trial;
  }

 private:
  [[nodiscard]] std::string choice_of_model() const {
    if (options_.choice) return {};
    TuneReport modelled = report_;
    leave_out_unpriced(modelled);
    rank(modelled);
    return label(modelled.winner().choice);
  }

  /// What the symbolic step counted is known to the model from then on.
  void take_entries(SpgemmTrial const& trial) {
    if (report_.problem.sparse.entries >= 0) return;
    report_.problem.sparse.entries = trial.report().nnz;
    for (auto& c : report_.candidates) model_with(report_, c, c.footprint);
  }

  /// Makes the candidate's product, fills C and holds it to the reference; null where that failed. \param product  set
  /// to the seconds that filling took
  std::shared_ptr<SpgemmTrial> tried(CandidateReport& candidate, double& product) {
    trials_.fence();
    auto const start = deadline_.elapsed();
    auto trial = made_beside(candidate.choice);
    auto const before_filling = deadline_.elapsed();
    trial->execute();
    product = deadline_.elapsed() - before_filling;
    candidate.conversion_seconds = deadline_.elapsed() - start;
    take_entries(*trial);
    if (options_.after_conversion) {
      std::uint64_t bytes = 0;
      void* const values = trial->values(bytes);
      options_.after_conversion(candidate.choice, values, bytes);
    }
    candidate.verified = trial->verify();
    if (!candidate.verified.ok) return nullptr;
    held_ += trial->report().peak_bytes - std::min(trial->report().peak_bytes, trials_.shared_bytes);
    return trial;
  }

  /// Within the memory that the trials before it leave.
  [[nodiscard]] std::shared_ptr<SpgemmTrial> made_beside(Choice const& choice) const {
    if (held_ >= trials_.memory_limit) throw_no_room_beside();
    try {
      return trials_.make(choice, trials_.memory_limit - held_);
    } catch (Error const& e) {
      if (held_ == 0 || e.kind() != ErrorKind::resource_limit) throw;
      throw Error(e.kind(), formatted("{}; other candidates hold {} of {} bytes", without_function(e.what()), held_,
                                      trials_.memory_limit));
    }
  }

  /// What the model promises too little of, and what there was no time for, may be taken after all.
  void take_back() {
    for (auto& candidate : report_.candidates) {
      bool const promised_little =
          std::find(left_out_.begin(), left_out_.end(), label(candidate.choice)) != left_out_.end();
      if (!promised_little && !lacked_time(candidate.status)) continue;
      candidate.status = CandidateStatus::modelled;
      candidate.reason.clear();
    }
  }

  std::shared_ptr<SpgemmTrial> settle_untimed() {
    take_back();
    auto trial = settle();
    leave_others_for_time();
    return trial;
  }

  void leave_others_for_time() {
    for (std::size_t i = 1; i < report_.candidates.size(); ++i) {
      auto& candidate = report_.candidates[i];
      if (candidate.status == CandidateStatus::modelled)
        leave_for_time(report_, candidate, candidate.verified.ok ? "verified, not timed" : "not tried");
    }
  }

  /// The race's winner; where nothing was timed, what was verified first, and where nothing was, what the model takes
  /// among those that nobody tried.
  std::shared_ptr<SpgemmTrial> winner_of(std::vector<std::shared_ptr<SpgemmTrial>> const& made) {
    if (report_.winner_label.empty()) {
      report_.winner_label = is_verified(report_, report_.model_label) ? report_.model_label : first_verified(report_);
      report_.remark = report_.cancelled ? "nothing was timed: the tuning was cancelled"
                                         : "nothing was timed: verifying took all of the budget";
    }
    std::shared_ptr<SpgemmTrial> trial;
    for (std::size_t i = 0; i < made.size(); ++i)
      if (made[i] && label(report_.candidates[i].choice) == report_.winner_label) trial = made[i];
    if (!trial) {
      take_back();
      trial = settle();
      report_.winner_label = label(report_.winner().choice);
    }
    rank(report_);
    report_.candidates.front().reason.clear();
    leave_others_for_time();
    return trial;
  }

  TuneReport& report_;
  PlanOptions const& options_;
  SpgemmTrials const& trials_;
  Deadline const& deadline_;
  std::uint64_t held_ = 0;             // bytes of the trials that race, without what they share
  std::vector<std::string> left_out_;  // labels of those that the model promises too little of
};

/// Kernels that are no candidates, with the reason.
void add_refused(TuneReport& report) {
  for (auto const& name : kernel_names("csr", OpId::spgemm, Op::none)) {
    Choice const choice{.format = "csr", .kernel = name};
    if (std::any_of(report.candidates.begin(), report.candidates.end(),
                    [&](CandidateReport const& c) { return c.choice == choice; }))
      continue;
    CandidateReport refused{.choice = choice};
    refused.status = CandidateStatus::pruned;
    refused.unsupported = true;
    refused.reason = why_illegal(report.problem, choice, report.machine);
    refused.modelled_seconds = std::numeric_limits<double>::infinity();
    report.candidates.push_back(std::move(refused));
  }
}

}  // namespace

std::shared_ptr<SpgemmTrial> choose_spgemm(TuneReport& report, PlanOptions const& options, SpgemmTrials const& trials,
                                           Deadline const& deadline) {
  Choosing choosing(report, options, trials, deadline);
  auto trial = options.measure ? choosing.measure() : choosing.settle();
  if (!options.choice) add_refused(report);
  report.tuning_seconds = deadline.elapsed();
  report.measured = report.winner().status == CandidateStatus::timed;
  return trial;
}

}  // namespace araia::detail
