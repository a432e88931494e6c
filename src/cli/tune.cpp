// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"
#include "src/cli/named_kernel.hpp"
#include "src/cli/tune_report.hpp"

namespace araia::cli {
namespace {

/// \param stop  asked to where an interrupt has come
PlanOptions options_of(Settings const& s, Progress& progress, FirstInterruptStops const& interrupt,
                       std::stop_source& stop) {
  PlanOptions options;
  options.measure = true;
  options.budget = s.budget;
  options.products = s.products;
  options.cold = s.cold;
  options.deterministic = s.deterministic;
  options.allow_dense = s.allow_dense;
  if (auto const format = format_choice(s)) options.formats = {format_label(*format)};
  options.cancel = stop.get_token();
  options.progress = [&](std::string const& step, double share) {
    if (interrupt.came()) stop.request_stop();
    progress.show(step, share);
  };
  return options;
}

/// \throws Failure with Exit::usage for a precision that products of such scalars do not have
void require_roundable(Settings const& s, std::string_view types) {
  if (precision(s) != Precision::native && types != to_string(ScalarTypes::f32))
    throw Failure(Exit::usage, formatted("--precision is {}, which is for --type f32; the type is {}{}", s.precision,
                                         types, s.type.empty() ? ", by the file" : ""));
}

/// What needs neither the file nor the machine to be refused.
void check_options(Settings const& s, bool spmm) {
  if (!spmm && s.columns > 1) throw Failure(Exit::usage, formatted("--columns is {}, but --op is spmv", s.columns));
  if (!spmm && precision(s) != Precision::native)
    throw Failure(Exit::usage, formatted("--precision is {}, which is for --op spmm", s.precision));
  if (!spmm && s.allow_dense) throw Failure(Exit::usage, "--allow-dense is for --op spmm");
  if (!s.type.empty()) require_roundable(s, s.type);
  if (s.allow_dense && space(s) != "cuda")
    throw Failure(Exit::usage, formatted("--allow-dense is for --device cuda; the device is {}", space(s)));
  OpId const operation[] = {spmm ? OpId::spmm : OpId::spmv};
  require_format(s, operation, s.transpose ? Op::transpose : Op::none);
}

/// Those that leave candidates out, or decide how much memory they take.
std::vector<std::string> tune_restrictions(Settings const& s) {
  std::vector<std::string> given;
  if (s.columns > 0) given.push_back(formatted("--columns {}", s.columns));
  if (s.transpose) given.emplace_back("--transpose");
  if (!s.format.empty()) given.push_back("--format " + s.format);
  if (s.deterministic) given.emplace_back("--deterministic");
  return given;
}

std::string verdict(CandidateReport const& c) {
  if (!c.verified.done) return "-";
  return c.verified.ok ? "yes" : "NO";
}

/// With its parameters, and its precision where that is not the scalars' own.
std::string kernel_label(TuneReport const& report, CandidateReport const& c) {
  Precision const used = precision_of(report.problem, c.choice);
  return c.choice.kernel + parameters_label(c.choice) +
         (used == Precision::native ? std::string() : std::string(" in ") + precision_name(used));
}

}  // namespace

std::string ranking(TuneReport const& report) {
  std::vector<std::vector<std::string>> rows{
      {"#", "format", "kernel", "bytes", "time", "GFLOP/s", "GB/s", "roof", "vs csr", "verified"}};
  auto const* baseline = report.baseline();
  int place = 0;
  for (auto const& c : report.candidates) {
    if (c.status != CandidateStatus::timed) continue;
    bool const is_baseline = baseline == &c;
    rows.push_back(
        {formatted("{}", ++place), format_label(c.choice), kernel_label(report, c) + (is_baseline ? " (default)" : ""),
         format_bytes_text(static_cast<double>(c.bytes)), format_seconds(c.seconds),
         formatted("{:.2f}", c.traffic.flops / c.seconds / 1e9),
         formatted("{:.2f}", c.traffic.bytes() / c.seconds / 1e9), formatted("{:.0f}%", 100 * roof_share(report, c)),
         baseline && baseline->seconds > 0 ? formatted("{:.2f}x", baseline->seconds / c.seconds) : "-", verdict(c)});
  }
  std::string text = place > 0 ? table(rows, 3) : std::string();
  for (auto const& c : report.candidates) {
    if (c.status == CandidateStatus::timed) continue;
    std::string const status = lacked_time(c.status) ? std::string() : araia::to_string(c.status);
    char const* const between = status.empty() || c.reason.empty() ? "" : ": ";
    text += formatted("   {}: {}{}{}\n", label(c.choice), status, between, c.reason);
  }
  return text;
}

std::string why(TuneReport const& report) {
  auto const& winner = report.winner();
  auto const* baseline = report.baseline();
  std::string text = "winner: " + label(winner.choice);
  if (winner.seconds <= 0) {
    text += ", by the model\n";
    return text + (report.remark.empty() ? "nothing was timed within the budget\n" : "");
  }
  if (baseline == &winner)
    text += ", the default of csr: nothing was faster";
  else if (baseline && baseline->seconds > 0 && baseline->seconds < winner.seconds)
    text += ", the model's choice, as the timings contradict each other";
  else if (baseline && baseline->seconds > 0)
    text += formatted(", {:.2f} times as fast as the default of csr", baseline->seconds / winner.seconds);
  if (report.confidence > 0) text += "; " + ahead_of_runner_up(report);
  text += formatted("\nwhy:    it moves {} a product and reaches {:.0f}% of the copy bandwidth, {:.1f} GB/s{}\n",
                    format_bytes_text(winner.traffic.bytes()), 100 * roof_share(report, winner),
                    report.machine.copy_bandwidth / 1e9,
                    roof_share(report, winner) > 1 ? " (more than all of it: the operands stay in cache)" : "");
  std::string const planning =
      formatted("planning took {}, {} of it measuring", format_seconds(planning_seconds(report)),
                format_seconds(report.racing_seconds));
  bool const is_default = label(winner.choice) == report.baseline_label;
  text += formatted("conversion: {}; {}{}\n",
                    winner.conversion_seconds > 0 ? format_seconds(winner.conversion_seconds) : "none", planning,
                    is_default ? std::string() : "; " + paid_back(report, winner));
  if (report.products > 0)
    text += formatted("products: {:.0f} take {}, with the conversion\n", report.products,
                      format_seconds(objective_seconds(report, winner)));
  constexpr double noisy = 0.25;  // interquartile range over median
  if (winner.spread > noisy && !report.busy)
    text += formatted("the machine is busy: timings spread by {:.0f}%\n", 100 * winner.spread);
  // Threads that wait for one another take a time slice of the system each where others run: all samples alike.
  constexpr double beyond_model = 20;
  if (winner.modelled_seconds > 0 && winner.seconds > beyond_model * winner.modelled_seconds)
    text += formatted("the machine is busy: a product took {:.0f} times what the model says\n",
                      winner.seconds / winner.modelled_seconds);
  if (report.cancelled) text += "tuning was cancelled: the best so far\n";
  if (report.out_of_budget)
    text += report.limited_by_products ? "more measuring would not pay within --products: the best so far\n"
                                       : "the budget ended the tuning: the best so far; --budget gives it longer\n";
  return text;
}

std::string verified_line(TuneReport const& report, VerifyReport const& v) {
  if (!v.done)
    return formatted("verified: no, it takes about {}, and --budget is less\n",
                     format_seconds(modelled_verification_seconds(report)));
  if (!v.ok) return "verified: NO, " + v.first_violation + '\n';
  return formatted("verified: {} of the result, {} entries, within the error bound; worst {:.3f} of it\n",
                   v.whole ? "all" : formatted("{} rows by sample", v.rows_checked), v.entries_checked, v.worst_share);
}

Exit run_tune(Settings const& s) {
  bool const spmm = s.op == "spmm" || (s.op.empty() && s.columns > 0);
  check_options(s, spmm);
  require_choices(s);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  auto const types = scalar_types(s, input);
  require_roundable(s, to_string(types));
  AnySpace const exec(space(s));
  progress.show("assembling");
  auto const matrix = make_matrix(exec, input, types);
  progress.show("measuring the machine");
  std::optional<FirstInterruptStops> interrupt(std::in_place);
  std::stop_source stop;
  PlanOptions options = options_of(s, progress, *interrupt, stop);
  options.machine = any_machine(exec, !s.assume && s.budget > 0);
  constexpr std::int64_t default_columns = 16;
  std::int64_t const columns = !spmm ? 1 : s.columns > 0 ? s.columns : default_columns;
  Op const op = s.transpose ? Op::transpose : Op::none;
  std::unique_ptr<AnyPlan> plan;
  VerifyReport verified;
  try {
    if (spmm)
      plan = matrix->plan(SpmmDesc{.op = op, .columns = columns, .precision = precision(s)}, options);
    else
      plan = matrix->plan(SpmvDesc{.op = op}, options);
    interrupt.reset();            // from here on one ends the command
    constexpr double always = 1;  // seconds
    if (modelled_verification_seconds(plan->report()) <= std::max(always, s.budget)) {
      hold_plan(*plan, *matrix);
      progress.show("verifying the winner");
      verified = plan->verify();
    }
  } catch (Error const& e) {
    throw about(input, tune_restrictions(s), e);
  }
  progress.show("");
  auto const& report = plan->report();
  if (s.json) {
    nlohmann::ordered_json json{{"command", "tune"},
                                {"matrix", to_json(input)},
                                {"type", to_string(types)},
                                {"device", exec.name()},
                                {"offset_bits", matrix->offset_bits()}};
    json["stats"] = to_json(report.problem.stats);
    json.update(to_json(report));
    json["winner"] = nlohmann::ordered_json::parse(to_json(report.winner().choice));
    json["verified"] = to_json(verified);
    print_json(json);
  } else {
    auto const& st = report.problem.stats;
    std::string text = remarks(report);
    text += formatted("{}: {} x {}, {} entries, {} to {} a row, mean {:.1f}; values: {}\n", escape(input.name), st.rows,
                      st.cols, st.nnz, st.min_length, st.max_length, st.mean_length, input.values);
    text += formatted("{}{}{} in {}{} on {}, {} thread{}; copy {:.1f} GB/s ({}), {} of cache; tuned in {}\n\n",
                      spmm ? "spmm" : "spmv", spmm ? formatted(" of {} columns", columns) : "",
                      s.transpose ? " with the transpose" : "", to_string(types),
                      precision(s) == Precision::native ? "" : formatted(" ({} allowed)", s.precision), exec.name(),
                      report.machine.concurrency, report.machine.concurrency == 1 ? "" : "s",
                      report.machine.copy_bandwidth / 1e9, report.machine.measured ? "measured" : "assumed",
                      format_bytes_text(static_cast<double>(report.machine.cache_bytes)),
                      format_seconds(report.tuning_seconds));
    text += ranking(report) + '\n' + why(report) + verified_line(report, verified);
    print(text);
  }
  return verified.ok || !verified.done ? Exit::done : Exit::wrong;
}

}  // namespace araia::cli
