// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/race.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <araia/error.hpp>
#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "src/formatted.hpp"

namespace araia::detail {
namespace {

constexpr double prune_factor = 6;             // the model is off by less than this, or the race would be cut short
constexpr int first_samples = 3;               // a sweep's count in the first round
constexpr int final_samples = 20;              // in the last one, on which the confidence rests
constexpr int most_playoffs = 2;               // rounds with those that left too early
constexpr int timed_stretches = 4;             // timed stretches of a sample: the fastest counts
constexpr double shortest_stretch = 75e-6;     // seconds: below, a stretch is several products
constexpr int most_products = 1000;            // of a stretch
constexpr double usual_sample = 1.2e-3;        // seconds: a sample may take so long, whatever is left of the budget
constexpr double between_looks = 1e-6;         // seconds: a look at the clock takes some 30 ns
constexpr double close_to_best = 1.05;         // this near, a candidate stays whatever its rank, and two are tied
constexpr double need_not_stay = 5;            // times the best: the default and the model's choice leave for time too
constexpr double most_to_time_again = 0.2;     // of the time left: a product of one that is about to leave so
constexpr double surely_faster = 1 / 1.1;      // of the best: one that left is taken back
constexpr double cannot_be = 1 / 1.5;          // of the winner's: a figure that one who left must not have
constexpr double undisturbed = 2;              // median over the least of samples: beyond, others ran beside the race
constexpr double far_from_model = 8;           // times: likewise
constexpr double enough_to_warm_up = 5e-3;     // seconds of a product that need not be run again to know its time
constexpr double share_of_first_round = 0.5;   // of the time left
constexpr double share_of_later_rounds = 0.8;  // likewise

struct Racer {
  RacedCandidate candidate;
  int products = 1;             // of a stretch
  std::vector<double> samples;  // seconds of a product, in sweeps of the current round
  bool alive = true;
  bool stays = false;        // to the end: the CSR default, and what the model alone takes
  bool timed_again = false;  // before it left all the same: one disturbed product is not to put it out
};

double quantile(std::vector<double> sorted, double share) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}
double median(std::vector<double> const& samples) { return quantile(samples, 0.5); }

/// What a candidate is ranked by: others on the machine only ever take from it.
double least(std::vector<double> const& samples) { return *std::min_element(samples.begin(), samples.end()); }

/// Chance that `fast` is no slower, by the signs of paired differences: one minus the one-sided p-value, of what is as
/// extreme as seen the half. Those of a pair add up to one.
double sign_confidence(std::vector<double> const& fast, std::vector<double> const& slow, double ahead) {
  int wins = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < std::min(fast.size(), slow.size()); ++i) {
    if (fast[i] == slow[i] + ahead) continue;
    ++pairs;
    if (fast[i] < slow[i] + ahead) ++wins;
  }
  double below = 0;  // P(fewer wins) of a fair coin, and half of P(so many)
  for (int k = 0; k <= wins; ++k)
    below += (k == wins ? 0.5 : 1) * std::exp(std::lgamma(pairs + 1.0) - std::lgamma(k + 1.0) -
                                              std::lgamma(pairs - k + 1.0) - pairs * std::log(2.0));
  return std::min(1.0, below);
}

class Race {
 public:
  Race(TuneReport& report, std::vector<RacedCandidate> candidates, std::function<void()> const& fence,
       Deadline const& deadline, std::function<void(std::string const&, double)> const& progress)
      : report_(report), fence_(fence), deadline_(deadline), progress_(progress) {
    for (auto& candidate : candidates) {
      auto const name = label(report.candidates[candidate.place].choice);
      racers_.push_back({.candidate = std::move(candidate),
                         .samples = {},
                         .stays = name == report.baseline_label || name == report.model_label});
    }
  }

  void run() {
    warm_up();
    for (int samples = first_samples, rounds = 0;; ++rounds) {
      bool const last = count_challengers() <= 2;
      if (last) samples = final_samples;
      bool const whole = round(samples, rounds == 0 ? share_of_first_round : share_of_later_rounds);
      if (!whole || last) break;
      halve();
      samples = std::min(2 * samples, final_samples);
    }
    for (int playoffs = 0; playoffs < most_playoffs && take_back(); ++playoffs)
      if (!round(final_samples, 1)) break;
    conclude();
  }

 private:
  CandidateReport& report_of(Racer const& racer) { return report_.candidates[racer.candidate.place]; }
  bool is_baseline(Racer const& racer) { return label(report_of(racer).choice) == report_.baseline_label; }
  bool is_timed(Racer const& racer) {
    return !racer.samples.empty() && report_of(racer).status == CandidateStatus::timed;
  }

  std::size_t count_alive() {
    return static_cast<std::size_t>(
        std::count_if(racers_.begin(), racers_.end(), [](Racer const& r) { return r.alive; }));
  }
  std::size_t count_challengers() {
    return static_cast<std::size_t>(
        std::count_if(racers_.begin(), racers_.end(), [](Racer const& r) { return r.alive && !r.stays; }));
  }

  /// Seconds a product that a conversion costs, where the report knows how many will follow.
  double share_of_conversion(Racer const& racer) {
    return report_.products > 0 ? conversion_seconds(report_of(racer)) / report_.products : 0;
  }
  double figure(Racer const& racer) { return least(racer.samples) + share_of_conversion(racer); }

  /// Runs so many products, or the first that take `allowance` seconds together, one at least; returns how many: what
  /// a product took before is no promise where threads wait for processors that others have.
  int run_products(Racer& racer, int products, double allowance) {
    auto const start = deadline_.now();
    double taken = 0;
    int done = 0;
    for (int apart = 1; done == 0 || (done < products && taken < allowance);) {
      int const until = std::min(std::max(products, 1), done + apart);
      for (; done < until; ++done) racer.candidate.run();
      double const before = std::exchange(taken, deadline_.elapsed_since(start));
      if (taken - before < between_looks) apart *= 2;
    }
    return done;
  }

  /// It takes no further part; its time is infinite.
  double fail(Racer& racer, std::exception const& e) {
    racer.alive = false;
    report_of(racer).status = CandidateStatus::failed;
    report_of(racer).reason = e.what();
    return std::numeric_limits<double>::infinity();
  }

  /// A sample: products that nobody times, so that caches hold what they hold in the caller's loop, then as many in
  /// stretches, of which the fastest counts. Infinity where it threw.
  double sample(Racer& racer, double allowance) {
    try {
      auto const& candidate = racer.candidate;
      if (candidate.timed) return candidate.timed(timed_stretches, racer.products);
      auto const start = deadline_.now();
      if (!candidate.evict) (void)run_products(racer, candidate.untimed * racer.products, allowance / 2);
      double fastest = std::numeric_limits<double>::infinity();
      for (int stretch = 0; stretch < timed_stretches; ++stretch) {
        if (candidate.evict) candidate.evict();
        fence_();
        auto const from = deadline_.now();
        int const done = run_products(racer, racer.products, allowance - deadline_.elapsed_since(start));
        fence_();
        fastest = std::min(fastest, deadline_.elapsed_since(from) / done);
        if (deadline_.elapsed_since(start) >= allowance) break;
      }
      return fastest;
    } catch (std::exception const& e) {
      return fail(racer, e);
    }
  }

  /// One product, timed by itself.
  double once(Racer& racer) {
    try {
      fence_();
      auto const start = deadline_.now();
      racer.candidate.run();
      fence_();
      return deadline_.elapsed_since(start);
    } catch (std::exception const& e) {
      return fail(racer, e);
    }
  }

  void warm_up() {
    constexpr int runs = 3;  // the fastest counts: the first one pays for cold caches and sleeping threads
    for (auto& racer : racers_) {
      if (deadline_.ends(report_)) break;
      double fastest = std::numeric_limits<double>::infinity();
      for (int i = 0; i < runs && racer.alive; ++i) {
        double const seconds = once(racer);
        fastest = std::min(fastest, seconds);
        if (seconds > enough_to_warm_up || deadline_.passed()) break;
      }
      calibrate(racer, fastest);
      if (racer.alive) racer.samples = {fastest};  // what there is where the time ends before a sweep
    }
    for (auto& racer : racers_) settle(racer);
  }

  /// Products enough for a stretch of the shortest length.
  static void calibrate(Racer& racer, double product_seconds) {
    racer.products = racer.candidate.evict
                         ? 1
                         : static_cast<int>(std::clamp(shortest_stretch / std::max(product_seconds, 1e-9), 1.0,
                                                       static_cast<double>(most_products)));
  }

  /// Seconds that a sample of each that is alive takes, by what is known of them.
  double sweep_seconds() {
    double total = 0;
    for (auto const& r : racers_)
      if (r.alive && !r.samples.empty())
        total += least(r.samples) * r.products * (r.candidate.untimed + timed_stretches);
    return total;
  }

  /// How many sweeps of the wanted ones fit the share of the time left: one at least. Where not even that fits, the
  /// slowest leave; those that stay to the end do so where they are far slower than the best, as their samples would
  /// leave no time for it.
  int sweeps_that_fit(int wanted, double share) {
    while (sweep_seconds() > share * deadline_.left()) {
      Racer const* const best = best_of_finalists();
      Racer* slowest = nullptr;
      for (auto& r : racers_)
        if (r.alive && is_timed(r) && (!r.stays || figure(r) > need_not_stay * figure(*best)) &&
            (!slowest || figure(r) > figure(*slowest)))
          slowest = &r;
      if (!slowest) break;
      if (slowest->stays && slowest->samples.size() == 1 && !std::exchange(slowest->timed_again, true) &&
          least(slowest->samples) < most_to_time_again * deadline_.left()) {
        slowest->samples = {std::min(least(slowest->samples), once(*slowest))};
        calibrate(*slowest, least(slowest->samples));
        settle(*slowest);
        continue;
      }
      slowest->alive = false;
    }
    double const sweep = sweep_seconds();
    double const room = share * deadline_.left();
    return sweep > 0 ? static_cast<int>(std::clamp(room / sweep, 1.0, static_cast<double>(wanted))) : wanted;
  }

  /// Sweeps over all that are alive; false where the deadline cut it short.
  bool round(int wanted, double share) {
    int const sweeps = sweeps_that_fit(wanted, share);
    std::vector<std::vector<double>> fresh(racers_.size());
    bool whole = true;
    for (int to_go = sweeps; to_go > 0 && whole; --to_go) {
      whole = !deadline_.ends(report_) && sweep(fresh, to_go);
      if (progress_) progress_(formatted("timing {} candidates", count_alive()), std::min(1.0, deadline_.share()));
    }
    for (std::size_t r = 0; r < racers_.size(); ++r) {
      if (fresh[r].empty()) continue;
      racers_[r].samples = std::move(fresh[r]);
      if (racers_[r].alive) calibrate(racers_[r], least(racers_[r].samples));
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
    auto& report = report_of(racer);
    report.status = CandidateStatus::timed;
    report.seconds = least(racer.samples);
    report.samples = static_cast<int>(racer.samples.size());
    report.spread = (quantile(racer.samples, 0.75) - quantile(racer.samples, 0.25)) / median(racer.samples);
  }

  void halve() {
    std::vector<Racer*> order;
    for (auto& racer : racers_)
      if (racer.alive && !racer.stays) order.push_back(&racer);
    if (order.empty()) return;
    std::sort(order.begin(), order.end(), [&](Racer* a, Racer* b) { return figure(*a) < figure(*b); });
    std::size_t const kept = std::max<std::size_t>(2, (order.size() + 1) / 2);
    double const limit = close_to_best * figure(*order.front());
    for (std::size_t i = kept; i < order.size(); ++i)
      // Near the best stays, but the field shrinks by a quarter at least, so that the race ends.
      if (figure(*order[i]) > limit || i >= order.size() - order.size() / 4) order[i]->alive = false;
    if (order.size() == 3) order.back()->alive = false;
  }

  /// The fastest of those that ran to the end, or null.
  Racer const* best_of_finalists(Racer const* but = nullptr) {
    Racer const* best = nullptr;
    for (auto const& r : racers_)
      if (r.alive && &r != but && is_timed(r) && (!best || figure(r) < figure(*best))) best = &r;
    return best;
  }

  /// Those that left with a better figure than the best has now run again; false where there are none.
  bool take_back() {
    Racer const* const best = best_of_finalists();
    if (!best || report_.cancelled) return false;
    double const limit = surely_faster * figure(*best);
    bool any = false;
    for (auto& r : racers_)
      if (!r.alive && is_timed(r) && figure(r) < limit) any = r.alive = true;
    return any;
  }

  /// On hosts: did the default or the model's choice take far longer than the model has it? Its kernels are priced
  /// within a few times; threads that wait for processors that others have take milliseconds instead.
  bool any_far_from_model() {
    return !report_.machine.device && std::any_of(racers_.begin(), racers_.end(), [&](Racer const& r) {
      double const modelled = report_of(r).modelled_seconds;
      return r.stays && is_timed(r) && modelled > 0 && least(r.samples) > far_from_model * modelled;
    });
  }

  Racer const* model_choice() {
    for (auto const& r : racers_)
      if (is_timed(r) && label(report_of(r).choice) == report_.model_label) return &r;
    return nullptr;
  }

  double confidence(Racer const& fast, Racer const& slow) {
    return sign_confidence(fast.samples, slow.samples, share_of_conversion(slow) - share_of_conversion(fast));
  }

  /// The fastest of those that ran to the end wins; where all of them threw, of those that left before. Of two within
  /// a few hundredths the one that was ahead more often. Where samples contradict each other the model decides.
  void conclude() {
    Racer const* best = best_of_finalists();
    bool const any_failed = std::any_of(racers_.begin(), racers_.end(),
                                        [&](Racer const& r) { return report_of(r).status == CandidateStatus::failed; });
    if (!best || (any_failed && count_challengers() == 0))
      for (auto const& r : racers_)
        if (is_timed(r) && (!best || figure(r) < figure(*best))) best = &r;
    if (!best) return;
    Racer const* second = best->alive ? best_of_finalists(best) : nullptr;
    bool contradicted = false;
    if (second && best->samples.size() > 1 && confidence(*best, *second) < 0.5) {
      contradicted = figure(*second) > close_to_best * figure(*best);
      if (!contradicted) std::swap(best, second);
    }
    for (auto const& r : racers_) contradicted = contradicted || (is_timed(r) && figure(r) < cannot_be * figure(*best));
    report_.busy = contradicted || median(best->samples) > undisturbed * least(best->samples) || any_far_from_model();
    if (contradicted) {
      if (Racer const* const chosen = model_choice()) best = chosen;
      second = nullptr;
    }
    report_.winner_label = label(report_of(*best).choice);
    if (second && best->samples.size() > 1) report_.confidence = confidence(*best, *second);
    for (auto const& r : racers_)
      if (is_baseline(r) && &r != best && r.alive && best->alive && is_timed(r) && !contradicted &&
          r.samples.size() > 1)
        report_.confidence_over_baseline = confidence(*best, r);
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
  candidate.modelled_conversion_seconds = modelled_conversion_seconds(problem, candidate.choice, machine, footprint);
}

CandidateReport modelled(Problem const& problem, Machine const& machine, Choice const& choice) {
  CandidateReport report{.choice = choice};
  fill_model(problem, machine, report, predicted_footprint(problem, choice));
  return report;
}

void check_formats(std::vector<std::string> const& formats) {
  for (auto const& format : formats) (void)choice_of_format(format);
}

/// ": " and the reason why the first format that was asked for is out.
std::string why_none(Problem const& problem, Machine const& machine, std::vector<std::string> const& formats) {
  Choice choice = choice_of_format(formats.front());
  for (auto const& kernel : kernel_names(choice.format, problem.operation, problem.op)) {
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

void race(TuneReport& report, std::vector<RacedCandidate> candidates, std::function<void()> const& fence,
          Deadline const& deadline, std::function<void(std::string const&, double)> const& progress) {
  if (candidates.empty()) return;
  Race(report, std::move(candidates), fence, deadline, progress).run();
}

void rank(TuneReport& report) {
  std::stable_sort(report.candidates.begin(), report.candidates.end(),
                   [&](CandidateReport const& a, CandidateReport const& b) {
                     if (place_of(a.status) != place_of(b.status)) return place_of(a.status) < place_of(b.status);
                     return objective_seconds(report, a) < objective_seconds(report, b);
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
    bool const converts = !is_source(report.problem.operation, c.choice);
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

/// What others are compared with: the first candidate that is no application's. Null where there is none.
static Choice const* first_of_library(std::vector<Choice> const& all, Problem const& problem) {
  auto const found = std::find_if(all.begin(), all.end(), [&](Choice const& c) {
    auto const* const kernel = kernel_of(problem, c);
    return kernel && kernel->info.runs != Runs::where_bound;
  });
  return found == all.end() ? nullptr : &*found;
}

TuneReport modelled_report(Problem const& problem, Machine const& machine, std::vector<std::string> const& formats) {
  check_formats(formats);
  TuneReport report{.problem = problem, .machine = machine};
  auto all = candidates(problem, machine);
  add_asked_variants(all, problem, machine, formats);
  if (auto const* const first = first_of_library(all, problem); first && is_source(problem.operation, *first))
    report.baseline_label = label(*first);
  for (auto const& choice : all)
    if (among(formats, choice)) report.candidates.push_back(modelled(problem, machine, choice));
  if (report.candidates.empty())
    throw Error(
        ErrorKind::unsupported,
        formatted("araia::make_plan: no {}kernel for {} with op {}{}{}", problem.deterministic ? "deterministic " : "",
                  to_string(problem.operation), to_string(problem.op), among_formats(formats),
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
  auto const all = candidates(problem, machine);
  if (auto const* const first = first_of_library(all, problem)) report.baseline_label = label(*first);
  return report;
}

}  // namespace araia::detail
