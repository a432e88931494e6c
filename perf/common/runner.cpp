// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "left_out.hpp"

namespace araia::perf {
namespace {

/// A group while its benchmarks run.
struct State {
  Group group;
  Measured measured;
  bool done = false;
  std::function<void()> before;  ///< drops what earlier groups hold
};

bool is_failure(std::string const& error) { return !error.empty() && !LeftOut::is(error); }

/// Google Benchmark adds iterations, repetitions and the clock to names; ours are complete without.
void plain_names(std::vector<benchmark::BenchmarkReporter::Run>& runs) {
  for (auto& run : runs) {
    run.run_name.iterations.clear();
    run.run_name.repetitions.clear();
    run.run_name.time_type.clear();
  }
}

/// An error is reported once, not once a repetition.
void one_error(std::vector<benchmark::BenchmarkReporter::Run>& runs) {
  std::erase_if(runs, [](auto const& run) { return run.error_occurred && run.repetition_index > 0; });
}

class Console : public benchmark::ConsoleReporter {
 public:
  using ConsoleReporter::ConsoleReporter;
  void ReportRuns(std::vector<Run> const& all) override {
    std::vector<Run> runs = all;
    plain_names(runs);
    one_error(runs);
    std::erase_if(runs, [](Run const& run) {
      return run.run_type == Run::RT_Aggregate && run.aggregate_name != "median" && run.aggregate_name != "spread";
    });
    ConsoleReporter::ReportRuns(runs);
  }
};

class Json : public benchmark::JSONReporter {
 public:
  void ReportRuns(std::vector<Run> const& all) override {
    std::vector<Run> runs = all;
    plain_names(runs);
    one_error(runs);
    JSONReporter::ReportRuns(runs);
  }
  void Finalize() override {
    JSONReporter::Finalize();
    written_ = GetOutputStream().flush().good();
  }
  [[nodiscard]] bool written() const { return written_; }

 private:
  bool written_ = true;
};

/// Half of the samples lie within this width, as a share of their median.
double spread(std::vector<double> const& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || median(sorted) == 0) return 0;
  return (sorted[3 * (sorted.size() - 1) / 4] - sorted[(sorted.size() - 1) / 4]) / median(sorted);
}

void report(benchmark::State& state, State& shared, Group::Entry const& entry, Machine const& machine,
            std::size_t& repetition) {
  Group const& group = shared.group;
  if (!shared.done) {
    shared.before();
    try {
      shared.measured = group.measure(group.entries);
    } catch (std::exception const& error) {
      for (auto const& each : group.entries)
        shared.measured.results[each.format + '/' + each.kernel + '/' + each.regime].error = error.what();
    }
    shared.done = true;
  }
  Result const& result = shared.measured.results[entry.format + '/' + entry.kernel + '/' + entry.regime];
  std::string const choice = result.choice.empty() ? "" : " choice=" + result.choice;
  state.SetLabel("owner=" + entry.owner + choice + " class=" + group.klass);
  if (!result.error.empty() || result.seconds.empty()) {
    state.SkipWithError(result.error.empty() ? "no samples" : result.error.c_str());
    return;
  }
  double const seconds = result.seconds[repetition++ % result.seconds.size()];
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds);
  double const flops = 2 * shared.measured.shape.nnz * group.columns;
  state.counters["flop/s"] = flops / seconds;
  state.counters["bytes"] = result.bytes;
  state.counters["bytes/s"] = result.bytes / seconds;
  state.counters["copy_share"] = result.bytes / seconds / machine.copy_bandwidth;
  state.counters["padding"] = result.padding;
  state.counters["setup_s"] = result.setup_seconds;
  state.counters["setup_products"] = result.setup_seconds / seconds;
  state.counters["copies"] = result.copies;
  state.counters["set"] = result.set;
  state.counters["rows"] = shared.measured.shape.rows;
  state.counters["cols"] = shared.measured.shape.cols;
  state.counters["nnz"] = shared.measured.shape.nnz;
}

/// Google Benchmark's filter over our names, so that only what is reported is measured.
std::function<bool(std::string const&)> name_filter() {
  std::string pattern = benchmark::GetBenchmarkFilter();
  bool const negative = pattern.starts_with('-');
  if (negative) pattern.erase(0, 1);
  if (pattern.empty() || pattern == "all") return [](std::string const&) { return true; };
  return [negative, regex = std::regex(pattern, std::regex::extended)](std::string const& name) {
    return std::regex_search(name, regex) != negative;
  };
}

bool has_flag(int argc, char** argv, std::string_view flag) {
  return std::any_of(argv + 1, argv + argc, [&](char const* argument) { return std::string_view(argument) == flag; });
}

bool has_prefix(int argc, char** argv, std::string_view prefix) {
  return std::any_of(argv + 1, argv + argc,
                     [&](char const* argument) { return std::string_view(argument).starts_with(prefix); });
}

}  // namespace

std::string Group::benchmark_name(Entry const& entry) const {
  std::string name = operation + '/' + entry.format + '/' + entry.kernel + '/' + types;
  if (names_columns) name += "/columns:" + std::to_string(columns);
  return name + '/' + matrix + '/' + entry.regime;
}

std::int64_t cold_copies(double bytes_of_a_copy, Machine const& machine) {
  double const beyond = 2 * static_cast<double>(machine.cache_bytes);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(beyond / std::max(bytes_of_a_copy, 1.0))));
}

std::vector<std::vector<std::size_t>> sets_within(std::vector<double> const& bytes, double room) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<double> taken;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::size_t set = 0;
    while (set < sets.size() && taken[set] + bytes[i] > room) ++set;
    if (set == sets.size()) {
      sets.emplace_back();
      taken.push_back(0);
    }
    sets[set].push_back(i);
    taken[set] += bytes[i];
  }
  return sets;
}

std::string megabytes(double bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MB", bytes * 1e-6);
  return text;
}

std::string budget_leaves(double room) { return "the memory budget (--memory-mb) leaves " + megabytes(room); }

int run_benchmarks(int argc, char** argv, Options const& options, Machine const& machine,
                   std::map<std::string, std::string> const& context, std::vector<Group> groups) {
  bool const json_to_console = has_flag(argc, argv, "--benchmark_format=json");
  bool const json_to_file = has_prefix(argc, argv, "--benchmark_out=");
  for (char const* const other :
       {"--benchmark_format=csv", "--benchmark_out_format=csv", "--benchmark_out_format=console"})
    if (has_flag(argc, argv, other)) throw std::invalid_argument(std::string(other) + ": expected json");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (auto const& [key, value] : context) benchmark::AddCustomContext(key, value);

  auto const matches = name_filter();
  std::vector<std::shared_ptr<State>> states;
  for (Group& group : groups) {
    std::erase_if(group.entries, [&](auto const& entry) { return !matches(group.benchmark_name(entry)); });
    if (group.entries.empty()) continue;
    auto state = std::make_shared<State>();
    state->group = std::move(group);
    std::shared_ptr<State> const previous = states.empty() ? nullptr : states.back();
    state->before = [previous, raw = state.get()] {
      if (previous && previous->group.release && previous->group.matrix != raw->group.matrix) previous->group.release();
    };
    states.push_back(state);
  }
  if (states.empty())
    throw std::invalid_argument(
        "no benchmark of this build is left by --classes, --types, --contenders, --regimes and "
        "--benchmark_filter");
  for (auto const& state : states)
    for (auto const& entry : state->group.entries)
      benchmark::RegisterBenchmark(state->group.benchmark_name(entry).c_str(),
                                   [state, entry, &machine, repetition = std::size_t{0}](auto& bench) mutable {
                                     report(bench, *state, entry, machine, repetition);
                                   })
          ->Iterations(1)
          ->Repetitions(options.samples)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond)
          ->DisplayAggregatesOnly(true)
          ->ComputeStatistics("spread", spread, benchmark::kPercentage);
  Console console;
  Json json_console, json_file;
  benchmark::BenchmarkReporter* const display =
      json_to_console ? static_cast<benchmark::BenchmarkReporter*>(&json_console) : &console;
  benchmark::RunSpecifiedBenchmarks(display, json_to_file ? &json_file : nullptr, "all");
  benchmark::Shutdown();

  int failures = 0;
  for (auto const& state : states)
    for (auto const& [name, result] : state->measured.results)
      if (is_failure(result.error)) {
        std::fprintf(stderr, "%s/%s on %s: %s\n", state->group.operation.c_str(), name.c_str(),
                     state->group.matrix.c_str(), result.error.c_str());
        ++failures;
      }
  if (!json_console.written() || !json_file.written())
    throw std::runtime_error("cannot write the results: the disk is full, or what takes them is closed");
  return failures == 0 ? 0 : 1;
}

}  // namespace araia::perf
