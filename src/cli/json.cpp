// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports as JSON: one vocabulary for all subcommands.
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {

using Json = nlohmann::ordered_json;

Json to_json(Input const& input) {
  bool const native = input.scalar.has_value();
  return {{"file", valid_utf8(input.name)},
          {"rows", input.coo.rows},
          {"cols", input.coo.cols},
          {"stored", input.coo.stored()},
          {"field", input.field},
          {"symmetry", to_string(input.coo.symmetry)},
          {"values", input.values},
          {"stored_format", native ? Json(input.stored_format) : Json()},
          {"stored_type", native ? Json(to_string(*input.scalar)) : Json()},
          {"read_seconds", input.seconds}};
}

Json to_json(RowStats const& s) {
  Json histogram = Json::array();
  for (int b = 0; b < RowStats::bins; ++b)
    if (auto const rows = s.length_histogram[static_cast<std::size_t>(b)]; rows > 0)
      histogram.push_back({{"from", b == 0 ? 0 : std::int64_t{1} << (b - 1)},
                           {"to", b == 0    ? 0
                                  : b == 63 ? INT64_MAX
                                            : (std::int64_t{1} << b) - 1},
                           {"rows", rows}});
  return {{"rows", s.rows},
          {"cols", s.cols},
          {"nnz", s.nnz},
          {"min_length", s.min_length},
          {"max_length", s.max_length},
          {"mean_length", s.mean_length},
          {"length_deviation", s.length_deviation},
          {"empty_rows", s.empty_rows},
          {"lower_bandwidth", s.lower_bandwidth},
          {"upper_bandwidth", s.upper_bandwidth},
          {"length_histogram", histogram}};
}

Json to_json(Machine const& m) {
  return {{"space", m.space},
          {"threads", m.concurrency},
          {"measured", m.measured},
          {"read_bandwidth", m.read_bandwidth},
          {"copy_bandwidth", m.copy_bandwidth},
          {"triad_bandwidth", m.triad_bandwidth},
          {"launch_seconds", m.launch_seconds},
          {"cache_bytes", m.cache_bytes}};
}

Json bytes_of(Footprint const& f) { return f.bound ? Json() : Json(f.bytes); }

Json known(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json to_json(VerifyReport const& v) {
  return {{"done", v.done},
          {"ok", v.ok},
          {"whole", v.whole},
          {"rows_checked", v.rows_checked},
          {"entries_checked", v.entries_checked},
          {"violations", v.violations},
          {"worst_share_of_bound", v.worst_share},
          {"first_violation", v.first_violation}};
}

Json to_json(TuneReport const& report) {
  Json candidates = Json::array();
  auto const* baseline = report.baseline();
  for (auto const& c : report.candidates) {
    bool const timed = c.status == CandidateStatus::timed;
    double const seconds = timed ? c.seconds : std::numeric_limits<double>::quiet_NaN();
    Json one{{"format", format_label(c.choice)},
             {"kernel", c.choice.kernel},
             {"choice", Json::parse(araia::to_json(c.choice))},
             {"precision", precision_name(precision_of(report.problem, c.choice))},
             {"status", araia::to_string(c.status)},
             {"reason", c.reason},
             {"bytes", bytes_of(c.footprint)},
             {"bytes_exact", c.footprint.exact},
             {"traffic_bytes", c.traffic.bytes()},
             {"flops", c.traffic.flops},
             {"modelled_seconds", c.modelled_seconds},
             {"modelled_conversion_seconds", c.modelled_conversion_seconds}};
    // Every candidate has every member: null is what was not measured of it.
    one["seconds"] = known(seconds);
    one["spread"] = timed ? Json(c.spread) : Json();
    one["samples"] = timed ? Json(c.samples) : Json();
    one["flop_per_second"] = known(c.traffic.flops / seconds);
    one["bytes_per_second"] = known(c.traffic.bytes() / seconds);
    one["roof_share"] = timed ? Json(roof_share(report, c)) : Json();
    one["speedup"] = baseline && baseline->seconds > 0 ? known(baseline->seconds / seconds) : Json();
    one["conversion_seconds"] = c.verified.done ? Json(c.conversion_seconds) : Json();
    one["break_even_products"] = timed ? known(break_even_products(report, c)) : Json();
    one["verified"] = c.verified.done ? to_json(c.verified) : Json();
    candidates.push_back(std::move(one));
  }
  return {{"op", araia::to_string(report.problem.operation)},
          {"transpose", araia::to_string(report.problem.op)},
          {"columns", report.problem.columns},
          {"precision", precision_name(report.problem.precision)},
          {"machine", to_json(report.machine)},
          {"measured", report.measured},
          {"cancelled", report.cancelled},
          {"out_of_budget", report.out_of_budget},
          {"busy", report.busy},
          {"remark", report.remark},
          {"products", report.products},
          {"tuning_seconds", report.tuning_seconds},
          {"racing_seconds", report.racing_seconds},
          {"planning_seconds", planning_seconds(report)},
          {"confidence", report.confidence},
          {"confidence_over_baseline", report.confidence_over_baseline},
          {"baseline", report.baseline_label},
          {"model", report.model_label},
          {"candidates", candidates}};
}

}  // namespace araia::cli
