// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Interleaved timing of candidates, by halves: the part of the tuner that knows no types.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <araia/plan/report.hpp>

namespace araia::detail {

/// When to stop: the budget counts from construction.
class Deadline {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Clock = std::function<TimePoint()>;

  /// \param clock  that all of the tuner's times are of; tests have one that they set
  Deadline(double seconds, std::stop_token cancel, Clock clock = std::chrono::steady_clock::now)
      : clock_(std::move(clock)), start_(clock_()), seconds_(seconds), cancel_(std::move(cancel)) {}
  /// The same start and clock, and no more seconds than these.
  [[nodiscard]] Deadline within(double seconds) const {
    Deadline other = *this;
    other.seconds_ = std::min(seconds_, seconds);
    return other;
  }
  [[nodiscard]] TimePoint now() const { return clock_(); }
  [[nodiscard]] double elapsed_since(TimePoint start) const {
    return std::chrono::duration<double>(now() - start).count();
  }
  [[nodiscard]] double elapsed() const { return elapsed_since(start_); }
  [[nodiscard]] double left() const { return seconds_ - elapsed(); }
  [[nodiscard]] bool cancelled() const { return cancel_.stop_requested(); }
  [[nodiscard]] bool passed() const { return left() <= 0; }
  /// Past the budget by so much that not even what is under way is worth its end.
  [[nodiscard]] bool overdue() const {
    constexpr double most = 1.1;  // of the budget
    return elapsed() >= most * seconds_;
  }
  [[nodiscard]] double share() const { return seconds_ > 0 ? elapsed() / seconds_ : 1; }
  /// Records in the report why measuring ends, if it does.
  bool ends(TuneReport& report) const {
    report.cancelled = report.cancelled || cancelled();
    bool const up = !report.cancelled && passed();
    report.out_of_budget = report.out_of_budget || up;  // it is too where the budget's share of something was up
    return report.cancelled || up;
  }

 private:
  Clock clock_;
  TimePoint start_;
  double seconds_;
  std::stop_token cancel_;
};

struct RacedCandidate {
  std::size_t place;          ///< in report.candidates
  std::function<void()> run;  ///< one product; may return before completion
  /// Seconds of a product, of `stretches` of so many in a row the fastest: where `run` and a clock are not how to tell.
  std::function<double(int stretches, int products)> timed{};
  int untimed = 4;  ///< stretches before those that are timed: more than one where caches hold some of the operands
  std::function<void()> evict{};  ///< where set, runs before every product that is timed, and takes its caches
};

/// Times the candidates, paired and interleaved: each sweep takes one sample of each, in turn, as many products
/// untimed and then timed in a row as a caller's loop would run. After a round the slower half leaves; the CSR default
/// and the model's choice stay to the end, but where they are far slower than the best and their samples would take the
/// time of all others. One that left with a better figure than the last have comes back. Fills
/// seconds, spread, samples, status, the winner, the confidences and busy; a candidate that throws is marked failed.
/// As many sweeps are taken as fit the time by what a product took before; however long one takes later, no sample
/// begins beyond the budget by a tenth, and one under way ends at the first look at the clock after its time. On a
/// device a look sees what was enqueued, not what is done: a sample there is as many products as what they took before
/// allows.
void race(TuneReport& report, std::vector<RacedCandidate> candidates, std::function<void()> const& fence,
          Deadline const& deadline, std::function<void(std::string const&, double)> const& progress);

/// Winner first, then by time; what is out comes last. Timed candidates come before those that are only modelled.
void rank(TuneReport& report);

/// Marks what need not be tried: too many bytes, or modelled to be slower than the best by prune_factor. The CSR
/// default is never marked for its time.
void prune(TuneReport& report, std::uint64_t memory_limit);

/// " in the formats asked for (ell, coo)"; empty where none were.
std::string among_formats(std::vector<std::string> const& formats);

/// Candidates for the problem, modelled. Those whose format is not among `formats` (empty: all) are left out.
/// \throws araia::Error invalid_argument for an unknown format; unsupported where nothing is left
TuneReport modelled_report(Problem const& problem, Machine const& machine, std::vector<std::string> const& formats);

/// Puts what was counted or made in place of what was predicted.
void model_with(TuneReport const& report, CandidateReport& candidate, Footprint const& footprint);

/// Marks candidates whose kernel was never measured on such a machine: a model alone must not choose them. Where there
/// are no others they stay.
void leave_out_unpriced(TuneReport& report);

/// Marks a candidate, its footprint counted, whose blocks hold fill, which would spread what is not finite to other
/// rows: a model alone must not choose it either. True where it did; where there are no others it stays.
bool leave_out_mixing(TuneReport& report, CandidateReport& candidate);

/// A report of one candidate that the caller pinned.
/// \throws araia::Error unsupported naming the rule that it breaks
TuneReport pinned_report(Problem const& problem, Machine const& machine, Choice const& choice,
                         std::vector<std::string> const& formats);

}  // namespace araia::detail
