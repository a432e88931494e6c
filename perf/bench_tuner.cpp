// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a plan that was measured run faster than the one that the model chose? Both are timed as a solver uses them:
// many products by one matrix in a row, with a small kernel between. Prints one line of JSON for each matrix, scalar
// and number of columns; perf/tuner.py runs this program and judges its results.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <araia/error.hpp>
#include <araia/plan/plan.hpp>
#include <common/bench_main.hpp>
#include <common/matrices.hpp>
#include <common/options.hpp>
#include <common/problem.hpp>
#include <common/timing.hpp>

namespace araia::perf {
namespace {

struct Settings {
  bool spmm = false;
  double budget = 2;      // seconds
  double most_bytes = 4;  // of a candidate's format, times those of the Csr
  int loops = 7;
  int products = 50;                   // of a loop
  int plans = 1;                       // measured ones
  int finalists = 0;                   // candidates that are timed as the plans are; 0: no candidate is made
  bool between = true;                 // a vector update after each product
  bool report = false;                 // print what the measured plan's report says of each candidate
  std::vector<std::string> formats{};  // of both plans; empty: all
  bool wait = false;
};

constexpr char const* help_text =
    "Flags of bench_tuner, beside those above that name matrices, --types and --columns:\n"
    "  --operation=NAME     spmv (default) or spmm, B and C by rows\n"
    "  --loops=N            loops of each plan, alternated (default 7)\n"
    "  --products=N         products of a loop, after one that is not timed (default 50)\n"
    "  --budget=S           PlanOptions::budget of measured plans in seconds (default 2)\n"
    "  --plans=N            measured plans to make (default 1)\n"
    "  --finalists=N        candidates of the first measured plan's report that are timed beside it: the best N of "
    "all\n"
    "                       that a short loop of each finds (default 0)\n"
    "  --most-bytes=R       candidates that take more than R times the bytes of the Csr are left out (default 4)\n"
    "  --between=yes|no     a vector update after each product, not timed on hosts (default yes)\n"
    "  --format=NAME        both plans choose among the kernels of this format alone\n"
    "  --report             print what the measured plan's report says of each candidate, by model and by time\n"
    "  --wait               once the plans are made prints 'planned' and reads a line before anything is timed\n";

[[noreturn]] void refuse(std::string const& flag, std::string const& expected, std::string_view text) {
  throw std::invalid_argument(flag + ": expected " + expected + ", got '" + std::string(text) + '\'');
}

template <class T>
T number(std::string const& flag, std::string_view text, T least, T most) {
  T value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most))
    refuse(flag, "a number from " + std::to_string(least) + " to " + std::to_string(most), text);
  return value;
}

/// Takes the flags of this program out of argv.
Settings take_settings(int& argc, char** argv) {
  constexpr int most = 1'000'000;
  constexpr double most_seconds = 3600;
  constexpr double most_times = 1e6;
  Settings settings;
  auto const count = [](int& target, int least) {
    return [&target, least](std::string const& flag, std::string_view text) {
      target = number<int>(flag, text, least, most);
    };
  };
  auto const either = [](bool& target, std::string no, std::string yes) {
    return [&target, no, yes](std::string const& flag, std::string_view text) {
      if (text != no && text != yes) refuse(flag, no + " or " + yes, text);
      target = text == yes;
    };
  };
  std::map<std::string, std::function<void(std::string const&, std::string_view)>> const handlers{
      {"--operation", either(settings.spmm, "spmv", "spmm")},
      {"--between", either(settings.between, "no", "yes")},
      {"--loops", count(settings.loops, 1)},
      {"--products", count(settings.products, 1)},
      {"--plans", count(settings.plans, 1)},
      {"--finalists", count(settings.finalists, 0)},
      {"--budget", [&](auto const& flag, auto text) { settings.budget = number<double>(flag, text, 0, most_seconds); }},
      {"--format", [&](auto const&, auto text) { settings.formats = {std::string(text)}; }},
      {"--most-bytes",
       [&](auto const& flag, auto text) { settings.most_bytes = number<double>(flag, text, 0, most_times); }},
  };
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    std::size_t const equals = argument.find('=');
    auto const handler = handlers.find(std::string(argument.substr(0, equals)));
    if (argument == "--wait")
      settings.wait = true;
    else if (argument == "--report")
      settings.report = true;
    else if (handler == handlers.end())
      argv[kept++] = argv[i];
    else if (equals == std::string_view::npos)
      refuse(handler->first, handler->first + "=value", argument);
    else
      handler->second(handler->first, argument.substr(equals + 1));
  }
  argc = kept;
  return settings;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    constexpr unsigned char first_printable = 0x20;
    if (static_cast<unsigned char>(c) < first_printable) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Seconds of a product in a loop: over all, the median and the fastest. On devices all are the mean.
struct LoopTime {
  double mean;
  double median;
  double fastest;
};

/// The members that say how long the loops took.
std::string members(std::vector<LoopTime> const& loops) {
  auto const list = [&](double LoopTime::*time) {
    std::string result;
    for (LoopTime const& loop : loops) result += (result.empty() ? "" : ", ") + shown(loop.*time);
    return '[' + result + ']';
  };
  return "\"loop_means\": " + list(&LoopTime::mean) + ", \"loop_medians\": " + list(&LoopTime::median) +
         ", \"loop_fastest\": " + list(&LoopTime::fastest);
}

char const* yes_or_no(bool value) { return value ? "true" : "false"; }

/// z = z / 2 + y, which stays bounded: what solvers do to vectors between products.
template <class Scalar>
struct HalveAndAdd {
  Scalar* z;
  Scalar const* y;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { z[i] = z[i] / Scalar{2} + y[i]; }
};

template <class Scalar>
auto operands(SpmvProblem<Scalar> const& problem) {
  return std::pair(problem.x.front(), problem.y.front());
}
template <class Scalar>
auto operands(SpmmProblem<Scalar> const& problem) {
  return std::pair(problem.B_row.front(), problem.C_row.front());
}

/// Plans of one matrix, and loops of their products.
template <class Problem, class Desc>
class Cell {
 public:
  using Scalar = typename Problem::value_type;
  using MatrixPlan = Plan<Exec, Desc, Scalar>;
  struct Timed {
    MatrixPlan plan;
    std::vector<LoopTime> loops{};
  };

  /// What the candidates of a measured plan's report take.
  struct Race {
    std::vector<Timed> finalists;    // the measured plan is not among them
    std::vector<LoopTime> measured;  // its loops between theirs
    int tried = 0;
    int left_out = 0;  // by their bytes, or as the report says that they cannot run or are wrong
    int refused = 0;   // by make_plan
  };

  Cell(Exec const& exec, Settings const& settings, GeneratedMatrix const& host, Desc const& desc, int columns)
      : exec_(exec),
        settings_(settings),
        problem_(host, exec, 1, columns),
        desc_(desc),
        columns_(columns),
        z_("z", operands(problem_).second.size()) {}

  void run() {
    std::vector<Timed> plans;
    plans.push_back({plan({.formats = settings_.formats})});
    for (int i = 0; i < settings_.plans; ++i)
      plans.push_back({plan({.measure = true, .budget = settings_.budget, .formats = settings_.formats})});
    if (settings_.wait) {
      std::puts("planned");
      std::fflush(stdout);
      std::string line;
      std::getline(std::cin, line);
    }
    for (int i = 0; i < settings_.loops; ++i)
      for (Timed& timed : plans) timed.loops.push_back(loop(timed.plan, settings_.products));
    Race const found = settings_.finalists > 0 ? race(plans[1].plan) : Race{};
    print(plans, found);
  }

 private:
  MatrixPlan plan(PlanOptions const& options) const { return make_plan(exec_, desc_, problem_.A.front(), options); }

  void update() const {
    if (!settings_.between) return;
    auto const y = operands(problem_).second;
    Kokkos::parallel_for(
        "araia::perf::between_products",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec_, 0, static_cast<std::int64_t>(y.size())),
        HalveAndAdd<Scalar>{z_.data(), y.data()});
  }

  /// A loop of products after one that is not counted. On hosts, where products end before they return, the update
  /// between is not counted; a device's queue is timed as a whole.
  LoopTime loop(MatrixPlan const& plan, int products) const {
    using Clock = std::chrono::steady_clock;
    auto const seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    auto const [x, y] = operands(problem_);
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(products));
    plan.execute(exec_, Scalar{1}, x, Scalar{}, y);
    update();
    exec_.fence("araia::perf: before a loop");
    auto const start = Clock::now();
    for (int i = 0; i < products; ++i) {
      auto const before = Clock::now();
      plan.execute(exec_, Scalar{1}, x, Scalar{}, y);
      times.push_back(seconds(Clock::now() - before));
      update();
    }
    exec_.fence("araia::perf: after a loop");
    if constexpr (araia::detail::is_device_space<Exec>) {
      double const mean = seconds(Clock::now() - start) / products;
      return {mean, mean, mean};
    }
    return {std::accumulate(times.begin(), times.end(), 0.0) / products, median(times),
            *std::min_element(times.begin(), times.end())};
  }

  /// Every candidate of the report in short loops, each beside the measured plan's, and the best again in whole ones.
  Race race(MatrixPlan const& measured) const {
    constexpr int short_loops = 3;  // their fastest product counts, as other programs can only delay one
    constexpr double hopeless = 3;  // times the measured plan's time: not tried again
    int const short_products = std::max(1, settings_.products / 5);
    double const most_bytes = settings_.most_bytes * Problem::csr_bytes(problem_.host);
    Race result;
    std::vector<std::pair<double, Timed>> best;  // share of the measured plan's time; ascending
    for (CandidateReport const& candidate : measured.report().candidates) {
      if (candidate.choice == measured.choice()) continue;
      if (candidate.unsupported || candidate.status == CandidateStatus::wrong ||
          candidate.status == CandidateStatus::failed || static_cast<double>(candidate.bytes) > most_bytes) {
        ++result.left_out;
        continue;
      }
      try {
        Timed timed{plan({.choice = candidate.choice})};
        double of_measured = HUGE_VAL;
        double of_candidate = HUGE_VAL;
        for (int i = 0; i < short_loops; ++i) {
          of_measured = std::min(of_measured, loop(measured, short_products).fastest);
          of_candidate = std::min(of_candidate, loop(timed.plan, short_products).fastest);
          if (of_candidate > hopeless * of_measured) break;
        }
        double const share = of_candidate / of_measured;
        ++result.tried;
        auto const place =
            std::find_if(best.begin(), best.end(), [&](auto const& other) { return share < other.first; });
        best.emplace(place, share, std::move(timed));
        if (best.size() > static_cast<std::size_t>(settings_.finalists)) best.pop_back();
      } catch (Error const&) {
        ++result.refused;
      }
    }
    for (auto& [share, timed] : best) result.finalists.push_back(std::move(timed));
    for (int i = 0; i < settings_.loops; ++i) {
      result.measured.push_back(loop(measured, settings_.products));
      for (Timed& timed : result.finalists) timed.loops.push_back(loop(timed.plan, settings_.products));
    }
    return result;
  }

  /// Of each candidate that was not found wrong: what the model said, and the race where it took part.
  static std::string of_report(TuneReport const& report) {
    std::string text;
    for (CandidateReport const& c : report.candidates) {
      if (c.status == CandidateStatus::wrong || c.status == CandidateStatus::failed) continue;
      text += std::string(text.empty() ? "" : ", ") + "{\"label\": " + quoted(label(c.choice)) +
              ", \"status\": " + quoted(to_string(c.status)) + ", \"modelled_s\": " + shown(c.modelled_seconds) +
              ", \"seconds\": " + shown(c.seconds) + ", \"conversion_s\": " + shown(c.conversion_seconds) + '}';
    }
    return text;
  }

  void print(std::vector<Timed> const& plans, Race const& found) const {
    auto const& host = problem_.host;
    std::string line = "{\"operation\": " + quoted(settings_.spmm ? "spmm" : "spmv") +
                       ", \"types\": " + quoted(scalar_name<Scalar>()) + ", \"columns\": " + std::to_string(columns_) +
                       ", \"matrix\": " + quoted(host.name) + ", \"class\": " + quoted(host.klass) +
                       ", \"rows\": " + std::to_string(host.rows) + ", \"cols\": " + std::to_string(host.cols) +
                       ", \"nnz\": " + std::to_string(host.nnz()) +
                       ", \"threads\": " + std::to_string(exec_.concurrency()) +
                       ", \"products\": " + std::to_string(settings_.products) +
                       ", \"between\": " + yes_or_no(settings_.between) + ", \"plans\": [";
    for (Timed const& timed : plans) {
      auto const& report = timed.plan.report();
      bool const first = &timed == &plans.front();
      line += std::string(first ? "" : ", ") + "{\"role\": " + quoted(first ? "default" : "measured") +
              ", \"label\": " + quoted(label(timed.plan.choice())) + ", \"timed\": " + yes_or_no(report.measured) +
              ", \"busy\": " + yes_or_no(report.busy) + ", \"tuning_s\": " + shown(report.tuning_seconds) + ", " +
              members(timed.loops) + '}';
    }
    line += ']';
    if (settings_.finalists > 0) {
      line += ", \"candidates\": {\"tried\": " + std::to_string(found.tried) +
              ", \"left_out\": " + std::to_string(found.left_out) + ", \"refused\": " + std::to_string(found.refused) +
              ", \"measured\": {" + members(found.measured) + "}, \"finalists\": [";
      for (Timed const& timed : found.finalists)
        line += std::string(&timed == &found.finalists.front() ? "" : ", ") +
                "{\"label\": " + quoted(label(timed.plan.choice())) + ", " + members(timed.loops) + '}';
      line += "]}";
    }
    if (settings_.report) line += ", \"report\": [" + of_report(plans.back().plan.report()) + ']';
    std::printf("%s}\n", line.c_str());
    std::fflush(stdout);
  }

  Exec exec_;
  Settings const& settings_;
  Problem problem_;
  Desc desc_;
  int columns_;
  Vector<Scalar> z_;  // as many elements as y or C
};

/// Of scalars that the library has plans for.
template <class Scalar>
void run_types(Exec const& exec, Options const& options, Settings const& settings, GeneratedMatrix const& host) {
  if constexpr (std::is_same_v<Scalar, double> || with_f32) {
    if (!options.wants(options.types, scalar_name<Scalar>())) return;
    if (!settings.spmm) return Cell<SpmvProblem<Scalar>, SpmvDesc>(exec, settings, host, {}, 1).run();
    for (int const columns : options.columns)
      Cell<SpmmProblem<Scalar>, SpmmDesc>(exec, settings, host, {.columns = columns}, columns).run();
  }
}

void run(Options const& options, Settings const& settings) {
  Exec const exec;
  for (auto const& matrix : list_matrices(options)) {
    auto const* const host = made_or_left_out(*matrix);
    if (!host) continue;
    run_types<double>(exec, options, settings, *host);
    run_types<float>(exec, options, settings, *host);
    matrix->release();
  }
}

}  // namespace
}  // namespace araia::perf

int main(int argc, char** argv) {
  try {
    auto const options = araia::perf::parse_options(argc, argv);
    auto const settings = araia::perf::take_settings(argc, argv);
    if (options.help) std::fputs(araia::perf::help_text, stdout);
    Kokkos::ScopeGuard const kokkos(argc, argv);
    if (options.help) return 0;
    araia::perf::refuse_others(argc, argv);
    araia::perf::run(options, settings);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "bench_tuner: %s\n", error.what());
    return 2;
  }
}
