// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/race.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <araia/error.hpp>
#include "src/formatted.hpp"
#include "src/plan/kernel_table.hpp"

namespace araia::detail {
namespace {

constexpr double prune_factor = 6;          // the model is off by less than this, or the race would be cut short
constexpr int first_samples = 3;            // a sweep's count in the first round
constexpr int final_samples = 20;           // in the last one, on which the confidence rests
constexpr double shortest_sample = 300e-6;  // seconds: below, a sample is several products
constexpr int most_products = 1000;         // of a sample
constexpr double usual_sample = 1.2e-3;     // seconds: a sample may take so long, whatever is left of the budget
constexpr double between_looks = 1e-6;      // seconds: a look at the clock takes some 30 ns
constexpr double close_to_best = 1.05;      // this near, a contestant stays whatever its rank

struct Racer {
  Contestant contestant;
  int products = 1;             // of a sample
  std::vector<double> samples;  // seconds of a product, in sweeps of the current round
  double share_of_anchor = 0;   // its time over the anchor's in the same round
  bool alive = true;
};

double quantile(std::vector<double> sorted, double share) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}
double median(std::vector<double> const& samples) { return quantile(samples, 0.5); }

/// Chance that `fast` is no slower, by the signs of paired differences: one minus the one-sided p-value.
double sign_confidence(std::vector<double> const& fast, std::vector<double> const& slow) {
  int wins = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < std::min(fast.size(), slow.size()); ++i) {
    if (fast[i] == slow[i]) continue;
    ++pairs;
    if (fast[i] < slow[i]) ++wins;
  }
  if (pairs == 0) return 0.5;
  double tail = 0;  // P(wins or more) of a fair coin
  for (int k = wins; k <= pairs; ++k)
    tail += std::exp(std::lgamma(pairs + 1.0) - std::lgamma(k + 1.0) - std::lgamma(pairs - k + 1.0) -
                     pairs * std::log(2.0));
  return 1 - std::min(1.0, tail);
}

class Race {
 public:
  Race(TuneReport& report, std::vector<Contestant> contestants, std::function<void()> const& fence,
       Deadline const& deadline, std::function<void(std::string const&, double)> const& progress)
      : report_(report), fence_(fence), deadline_(deadline), progress_(progress) {
    for (auto& contestant : contestants) racers_.push_back({.contestant = std::move(contestant), .samples = {}});
  }

  void run() {
    warm_up();
    for (int samples = first_samples;;) {
      std::size_t const alive = count_alive();
      bool const last = alive <= 2;
      if (last) samples = final_samples;
      bool const whole = round(samples);
      if (!whole || last) break;
      halve();
      samples = std::min(2 * samples, final_samples);
    }
    conclude();
  }

 private:
  CandidateReport& report_of(Racer const& racer) { return report_.candidates[racer.contestant.candidate]; }
  bool is_baseline(Racer const& racer) { return label(report_of(racer).choice) == report_.baseline_label; }

  /// Takes part in every round, so that figures of different rounds can be compared: the CSR default where there is
  /// one, else the first.
  Racer& anchor_racer() {
    for (auto& racer : racers_)
      if (is_baseline(racer)) return racer;
    return racers_.front();
  }

  std::size_t count_alive() {
    return static_cast<std::size_t>(std::count_if(racers_.begin(), racers_.end(),
                                                  [&](Racer const& r) { return r.alive && &r != &anchor_racer(); }));
  }

  /// Seconds of a product over `products` of them, or over the first that took `allowance` seconds together: what a
  /// product took before is no promise where threads wait for processors that others have. Infinity where it threw.
  double sample(Racer& racer, double allowance) {
    try {
      fence_();
      auto const start = deadline_.now();
      double taken = 0;
      int done = 0;
      for (int apart = 1; done < racer.products && taken < allowance;) {
        int const until = std::min(racer.products, done + apart);
        for (; done < until; ++done) racer.contestant.run();
        double const before = std::exchange(taken, deadline_.elapsed_since(start));
        if (taken - before < between_looks) apart *= 2;
      }
      fence_();
      return deadline_.elapsed_since(start) / done;
    } catch (std::exception const& e) {
      racer.alive = false;
      report_of(racer).status = CandidateStatus::failed;
      report_of(racer).reason = e.what();
      return std::numeric_limits<double>::infinity();
    }
  }

  void warm_up() {
    constexpr int runs = 3;  // the fastest counts: the first one pays for cold caches and sleeping threads
    for (auto& racer : racers_) {
      if (deadline_.ends(report_)) break;
      double fastest = std::numeric_limits<double>::infinity();
      for (int i = 0; i < runs && racer.alive; ++i) {
        double const once = sample(racer, usual_sample);
        fastest = std::min(fastest, once);
        if (once > shortest_sample * most_products || deadline_.passed()) break;
      }
      calibrate(racer, fastest);
      if (racer.alive) racer.samples = {fastest};  // what there is where the time ends before a sweep
    }
    for (auto& racer : racers_) settle(racer);
  }

  /// Products enough for a sample of the shortest length.
  static void calibrate(Racer& racer, double product_seconds) {
    racer.products = static_cast<int>(
        std::clamp(shortest_sample / std::max(product_seconds, 1e-9), 1.0, static_cast<double>(most_products)));
  }

  /// Sweeps over all that are alive; false where the deadline cut it short.
  bool round(int sweeps) {
    std::vector<std::vector<double>> fresh(racers_.size());
    bool whole = true;
    for (int to_go = sweeps; to_go > 0 && whole; --to_go) {
      whole = !deadline_.ends(report_) && sweep(fresh, to_go);
      if (progress_) progress_(formatted("timing {} candidates", count_alive()), std::min(1.0, deadline_.share()));
    }
    for (std::size_t r = 0; r < racers_.size(); ++r) {
      if (fresh[r].empty()) continue;
      racers_[r].samples = std::move(fresh[r]);
      if (racers_[r].alive)
        calibrate(racers_[r], *std::min_element(racers_[r].samples.begin(), racers_[r].samples.end()));
    }
    for (auto& racer : racers_) settle(racer);
    return whole;
  }

  /// One sample of each that is alive, so that they stay paired: a sweep that began is finished. Where that takes far
  /// longer than those before it counts for nothing; false then.
  bool sweep(std::vector<std::vector<double>>& fresh, int to_go) {
    auto samples = to_go * std::count_if(racers_.begin(), racers_.end(), [](Racer const& r) { return r.alive; });
    std::vector<double> taken(racers_.size());
    for (std::size_t r = 0; r < racers_.size(); ++r) {
      if (!racers_[r].alive) continue;
      if (deadline_.overdue()) return !deadline_.ends(report_);
      // What is left is shared among the samples that the round has yet to take.
      taken[r] = sample(racers_[r], std::max(usual_sample, deadline_.left() / static_cast<double>(samples--)));
    }
    for (std::size_t r = 0; r < racers_.size(); ++r)
      if (racers_[r].alive) fresh[r].push_back(taken[r]);
    return true;
  }

  void settle(Racer& racer) {
    if (!racer.alive || racer.samples.empty()) return;
    Racer const& anchor = anchor_racer();
    racer.share_of_anchor = anchor.samples.empty() ? 0 : median(racer.samples) / median(anchor.samples);
    auto& report = report_of(racer);
    report.status = CandidateStatus::timed;
    report.seconds = median(racer.samples);
    report.samples = static_cast<int>(racer.samples.size());
    report.spread = (quantile(racer.samples, 0.75) - quantile(racer.samples, 0.25)) / report.seconds;
  }

  void halve() {
    std::vector<Racer*> order;
    for (auto& racer : racers_)
      if (racer.alive && &racer != &anchor_racer()) order.push_back(&racer);
    if (order.empty()) return;
    std::sort(order.begin(), order.end(),
              [&](Racer* a, Racer* b) { return report_of(*a).seconds < report_of(*b).seconds; });
    std::size_t const kept = std::max<std::size_t>(2, (order.size() + 1) / 2);
    double const limit = close_to_best * report_of(*order.front()).seconds;
    for (std::size_t i = kept; i < order.size(); ++i)
      // Near the best stays, but the field shrinks by a quarter at least, so that the race ends.
      if (report_of(*order[i]).seconds > limit || i >= order.size() - order.size() / 4) order[i]->alive = false;
    if (order.size() == 3) order.back()->alive = false;
  }

  /// The fastest of those that ran to the end wins. Where the default alone did, as all others that were left threw,
  /// those that had left before count too.
  void conclude() {
    // Those that left earlier were timed at other moments: their figures are carried over by their share of the anchor.
    Racer const& anchor = anchor_racer();
    if (!anchor.samples.empty() && anchor.alive)
      for (auto& racer : racers_)
        if (!racer.alive && racer.share_of_anchor > 0 && report_of(racer).status == CandidateStatus::timed)
          report_of(racer).seconds = racer.share_of_anchor * median(anchor.samples);
    bool const all = count_alive() == 0;
    Racer const* best = nullptr;
    Racer const* second = nullptr;
    for (auto const& racer : racers_) {
      if (racer.samples.empty() || report_of(racer).status != CandidateStatus::timed || !(racer.alive || all)) continue;
      if (!best || report_of(racer).seconds < report_of(*best).seconds) {
        second = best;
        best = &racer;
      } else if (!second || report_of(racer).seconds < report_of(*second).seconds) {
        second = &racer;
      }
    }
    if (!best) return;
    report_.winner_label = label(report_of(*best).choice);
    // Samples of the same sweeps alone are pairs.
    if (second && best->alive && second->alive) report_.confidence = sign_confidence(best->samples, second->samples);
    if (best != &anchor && best->alive && anchor.alive && is_baseline(anchor))
      report_.confidence_over_baseline = sign_confidence(best->samples, anchor.samples);
  }

  TuneReport& report_;
  std::function<void()> const& fence_;
  Deadline const& deadline_;
  std::function<void(std::string const&, double)> const& progress_;
  std::vector<Racer> racers_;
};

int place_of(CandidateStatus status) {
  switch (status) {
    case CandidateStatus::timed: return 0;
    case CandidateStatus::modelled: return 1;
    case CandidateStatus::pruned:
    case CandidateStatus::out_of_budget:
    case CandidateStatus::cancelled: return 2;
    case CandidateStatus::wrong: return 3;
    case CandidateStatus::failed: return 4;
  }
  return 5;
}

bool is_open(CandidateReport const& candidate) { return candidate.status == CandidateStatus::modelled; }

void fill_model(Problem const& problem, Machine const& machine, CandidateReport& candidate,
                Footprint const& footprint) {
  candidate.footprint = footprint;
  candidate.bytes = footprint.bytes;
  candidate.traffic = traffic(problem, candidate.choice, machine, footprint);
  candidate.modelled_seconds = modelled_seconds(problem, candidate.choice, machine, footprint);
}

CandidateReport modelled(Problem const& problem, Machine const& machine, Choice const& choice) {
  CandidateReport report{.choice = choice,
                         .modelled_conversion_seconds = modelled_conversion_seconds(problem, choice, machine)};
  fill_model(problem, machine, report, predicted_footprint(problem, choice));
  return report;
}

void check_formats(std::vector<std::string> const& formats) {
  for (auto const& format : formats) (void)choice_of_format(format);
}

/// ": " and the reason why the first format that was asked for is out.
std::string why_none(Problem const& problem, Machine const& machine, std::vector<std::string> const& formats) {
  Choice choice = choice_of_format(formats.front());
  for (auto const& kernel : kernel_names(choice.format, problem.spmm, problem.op)) {
    choice.kernel = kernel;
    if (auto const why = why_illegal(problem, choice, machine); !why.empty()) return ": " + why;
  }
  return {};
}

bool among(std::vector<std::string> const& formats, Choice const& choice) {
  return formats.empty() || std::find(formats.begin(), formats.end(), format_label(choice)) != formats.end();
}

/// The list of candidates leaves out what promises nothing: row orders, combinations of SELL, the hybrid order of BCSC.
/// Who asks for one by name gets it, with the kernels that the list has for the format.
void add_asked_variants(std::vector<Choice>& all, Problem const& problem, Machine const& machine,
                        std::vector<std::string> const& formats) {
  auto const listed = all.size();
  for (auto const& format : formats) {
    if (std::any_of(all.begin(), all.end(), [&](Choice const& c) { return format_label(c) == format; })) continue;
    Choice const asked = choice_of_format(format);
    for (std::size_t i = 0; i < listed; ++i) {
      if (all[i].format != asked.format) continue;
      Choice variant = all[i];
      variant.rows_by_length = asked.rows_by_length;
      variant.diagonals = asked.diagonals;
      variant.narrow = asked.narrow;
      variant.compact = asked.compact;
      variant.split = asked.split;
      if (std::find(all.begin(), all.end(), variant) == all.end() && why_illegal(problem, variant, machine).empty())
        all.push_back(std::move(variant));
    }
  }
}

}  // namespace

void race(TuneReport& report, std::vector<Contestant> contestants, std::function<void()> const& fence,
          Deadline const& deadline, std::function<void(std::string const&, double)> const& progress) {
  if (contestants.empty()) return;
  Race(report, std::move(contestants), fence, deadline, progress).run();
}

void rank(TuneReport& report) {
  std::stable_sort(report.candidates.begin(), report.candidates.end(),
                   [](CandidateReport const& a, CandidateReport const& b) {
                     if (place_of(a.status) != place_of(b.status)) return place_of(a.status) < place_of(b.status);
                     return ranking_seconds(a) < ranking_seconds(b);
                   });
  auto& all = report.candidates;
  auto const winner = std::find_if(all.begin(), all.end(),
                                   [&](CandidateReport const& c) { return label(c.choice) == report.winner_label; });
  if (winner != all.end()) std::rotate(all.begin(), winner, winner + 1);
}

void prune(TuneReport& report, std::uint64_t memory_limit) {
  double best = std::numeric_limits<double>::infinity();
  for (auto const& c : report.candidates) best = std::min(best, c.modelled_seconds);
  for (auto& c : report.candidates) {
    bool const converts = storage_label(c.choice) != "csr";
    if (converts && c.bytes > memory_limit) {
      c.status = CandidateStatus::pruned;
      c.reason = formatted("needs {}{} bytes, the limit is {} bytes", c.footprint.bound ? "at least " : "", c.bytes,
                           memory_limit);
    } else if (c.modelled_seconds > prune_factor * best && label(c.choice) != report.baseline_label) {
      c.status = CandidateStatus::pruned;
      c.reason = formatted("modelled at {}, {:.0f} times the best", format_seconds(c.modelled_seconds),
                           c.modelled_seconds / best);
    }
  }
}

void model_with(TuneReport const& report, CandidateReport& candidate, Footprint const& footprint) {
  fill_model(report.problem, report.machine, candidate, footprint);
}

void leave_out_unpriced(TuneReport& report) {
  auto const priced = [&](CandidateReport const& c) { return is_priced(report.problem, c.choice, report.machine); };
  if (std::none_of(report.candidates.begin(), report.candidates.end(),
                   [&](CandidateReport const& c) { return is_open(c) && priced(c); }))
    return;
  for (auto& c : report.candidates) {
    if (!is_open(c) || priced(c)) continue;
    c.status = CandidateStatus::pruned;
    c.reason = "the kernel has no price on such a machine: measuring tries it";
  }
}

bool leave_out_mixing(TuneReport& report, CandidateReport& candidate) {
  if (!mixes_rows(report.problem, candidate.choice, candidate.footprint) ||
      std::count_if(report.candidates.begin(), report.candidates.end(), is_open) < 2)
    return false;
  candidate.status = CandidateStatus::pruned;
  candidate.reason = "blocks hold slots that are no entries, and would spread what is not finite: measuring tries it";
  return true;
}

std::string among_formats(std::vector<std::string> const& formats) {
  return formats.empty() ? std::string() : " in the formats asked for (" + joined(formats) + ")";
}

TuneReport modelled_report(Problem const& problem, Machine const& machine, std::vector<std::string> const& formats) {
  check_formats(formats);
  TuneReport report{.problem = problem, .machine = machine};
  auto all = candidates(problem, machine);
  add_asked_variants(all, problem, machine, formats);
  if (!all.empty() && format_label(all.front()) == "csr") report.baseline_label = label(all.front());
  for (auto const& choice : all)
    if (among(formats, choice)) report.candidates.push_back(modelled(problem, machine, choice));
  if (report.candidates.empty())
    throw Error(
        ErrorKind::unsupported,
        formatted("araia::make_plan: no {}kernel for {} with op {}{}{}", problem.deterministic ? "deterministic " : "",
                  problem.spmm ? "spmm" : "spmv", to_string(problem.op), among_formats(formats),
                  formats.empty() ? "" : why_none(problem, machine, formats)));
  return report;
}

TuneReport pinned_report(Problem const& problem, Machine const& machine, Choice const& choice,
                         std::vector<std::string> const& formats) {
  check_formats(formats);
  std::string reason = why_illegal(problem, choice, machine);
  if (reason.empty() && !among(formats, choice))
    reason = "format " + format_label(choice) + " is not among the formats asked for";
  if (!reason.empty())
    throw Error(ErrorKind::unsupported, "araia::make_plan: the choice " + label(choice) + " cannot run: " + reason);
  TuneReport report{.problem = problem, .machine = machine, .candidates = {modelled(problem, machine, choice)}};
  if (auto const all = candidates(problem, machine); !all.empty()) report.baseline_label = label(all.front());
  return report;
}

}  // namespace araia::detail
