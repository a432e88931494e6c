// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/trials.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <araia/error.hpp>
#include "src/formatted.hpp"
#include "src/plan/measuring_price.hpp"
#include "src/reason.hpp"

namespace araia::detail {

std::vector<std::size_t> order_of_trial(TuneReport const& report) {
  std::vector<std::size_t> order;
  auto const& all = report.candidates;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].status == CandidateStatus::modelled) order.push_back(i);
  auto const place = [&](std::size_t i) {
    auto const name = label(all[i].choice);
    return name == report.baseline_label ? 0 : name == report.model_label ? 1 : 2;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

bool is_verified(TuneReport const& report, std::string const& label_of_choice) {
  return std::any_of(report.candidates.begin(), report.candidates.end(), [&](CandidateReport const& c) {
    return label(c.choice) == label_of_choice && c.status == CandidateStatus::modelled && c.verified.ok;
  });
}

std::string first_verified(TuneReport const& report) {
  for (auto const& c : report.candidates)
    if (is_verified(report, label(c.choice))) return label(c.choice);
  return {};
}

CandidateReport* untried_model_choice(TuneReport& report, double budget, Deadline const& deadline) {
  auto const named = [&](std::string const& name) {
    auto const found = std::find_if(report.candidates.begin(), report.candidates.end(),
                                    [&](CandidateReport const& c) { return label(c.choice) == name; });
    return found == report.candidates.end() ? nullptr : &*found;
  };
  auto* const chosen = named(report.model_label);
  auto const* const winner = named(report.winner_label);
  auto const* const baseline = report.baseline();
  if (!chosen || !winner || !baseline || chosen->status != CandidateStatus::out_of_budget ||
      winner->status != CandidateStatus::timed || baseline->status != CandidateStatus::timed ||
      baseline->modelled_seconds <= 0)
    return nullptr;
  double const expected = chosen->modelled_seconds * baseline->seconds / baseline->modelled_seconds;
  constexpr double over = 0.1;  // of the budget
  if (expected >= winner->seconds || chosen->modelled_conversion_seconds > deadline.left() + over * budget)
    return nullptr;
  return chosen;
}

void leave_for_time(TuneReport& report, CandidateReport& candidate, std::string const& done) {
  report.out_of_budget = report.out_of_budget || !report.cancelled;
  candidate.status = report.cancelled ? CandidateStatus::cancelled : CandidateStatus::out_of_budget;
  candidate.reason = done + (report.cancelled ? ": cancelled" : ": out of budget");
}

void leave_out(CandidateReport& candidate, std::exception const& error) {
  auto const* const ours = dynamic_cast<Error const*>(&error);
  candidate.unsupported = ours && ours->kind() == ErrorKind::unsupported;
  bool const no_memory = dynamic_cast<std::bad_alloc const*>(&error) != nullptr;
  bool const refused = candidate.unsupported || no_memory || (ours && ours->kind() == ErrorKind::resource_limit);
  candidate.status = refused ? CandidateStatus::pruned : CandidateStatus::failed;
  candidate.reason = no_memory ? "out of memory" : error.what();
}

void throw_no_room_beside() {
  throw Error(ErrorKind::resource_limit, "beside what is held it would pass the memory limit");
}

std::vector<RacedCandidate> try_in_order(TuneReport& report, PlanOptions const& options, Deadline const& deadline,
                                         std::vector<std::size_t> const& order, double slowness, Trial const& trial) {
  constexpr double most_of_a_challenger = 0.4;  // of the time left: others want to be tried too
  constexpr double most_at_last = 0.7;          // once all others were: the race wants the rest
  std::vector<RacedCandidate> raced;
  double to_race = 0;  // seconds that the race takes for what was made
  std::vector<std::size_t> passed_over;
  auto const attempt = [&](std::size_t place, double most_of_time) {
    auto& candidate = report.candidates[place];
    if (candidate.status != CandidateStatus::modelled) return;
    if (!raced.empty() && deadline.ends(report)) return leave_for_time(report, candidate, "not tried");
    double const price = trial.price(place);
    bool const promised =
        label(candidate.choice) == report.baseline_label || label(candidate.choice) == report.model_label;
    if (!raced.empty() && slowness * (price + to_race) > deadline.left() * (promised ? 1 : most_of_time)) {
      if (!promised && most_of_time < most_at_last) return passed_over.push_back(place);
      return leave_for_time(report, candidate,
                            formatted("not tried: it would take {}", format_seconds(slowness * price)));
    }
    if (options.progress) options.progress("verifying " + label(candidate.choice), std::min(1.0, deadline.share()));
    auto const begin = deadline.elapsed();
    double product = 0;
    try {
      if (auto made = trial.run(place, product)) {
        raced.push_back(std::move(*made));
        to_race += racing_price(candidate.modelled_seconds);
      } else {
        candidate.status = CandidateStatus::wrong;
        candidate.reason = candidate.verified.first_violation;
      }
    } catch (std::exception const& e) {
      leave_out(candidate, e);
    }
    // A product that the model has wrong says nothing of the others.
    double const took = deadline.elapsed() - begin - product;
    slowness = std::max(slowness, took / std::max(price, priceable_seconds));
  };
  for (std::size_t const place : order) attempt(place, most_of_a_challenger);
  for (std::size_t const place : std::exchange(passed_over, {})) attempt(place, most_at_last);
  return raced;
}

void throw_none_left(TuneReport const& report, PlanOptions const& options) {
  auto const& all = report.candidates;
  auto const tried = std::find_if(all.begin(), all.end(), [](auto const& c) { return !lacked_time(c.status); });
  auto const& first = tried == all.end() ? all.front() : *tried;
  ErrorKind const kind = first.unsupported                         ? ErrorKind::unsupported
                         : first.status == CandidateStatus::wrong  ? ErrorKind::internal
                         : first.status == CandidateStatus::failed ? ErrorKind::device
                                                                   : ErrorKind::resource_limit;
  std::string const what = options.choice ? "the choice " + label(first.choice) + " is out: "
                                          : std::string("no ") + (options.deterministic ? "deterministic " : "") +
                                                "candidate is left" + among_formats(options.formats) + "; " +
                                                label(first.choice) + ": ";
  char const* const maker = report.problem.operation == OpId::spgemm ? "make_spgemm_plan" : "make_plan";
  throw Error(kind, formatted("araia::{}: {}{}", maker, what, without_function(first.reason)));
}

}  // namespace araia::detail
