// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <araia/Araia_Config.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

std::string bar(double share) { return std::string(static_cast<std::size_t>(share * 40 + 0.5), '#'); }

std::string histogram(RowStats const& s) {
  std::vector<std::vector<std::string>> rows;
  for (int b = 0; b < RowStats::bins; ++b) {
    auto const count = s.length_histogram[static_cast<std::size_t>(b)];
    if (count == 0) continue;
    std::int64_t const from = b == 0 ? 0 : std::int64_t{1} << (b - 1);
    double const share = static_cast<double>(count) / static_cast<double>(s.rows);
    rows.push_back({b <= 1 ? fmt::format("  {}", from) : fmt::format("  {} to {}", from, 2 * from - 1),
                    fmt::format("{} rows", count), "  " + bar(share)});
  }
  return rows.empty() ? "  none\n" : table(rows, 3);
}

}  // namespace

Exit run_info(Settings const& s) {
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  auto const types = scalar_types(s, input.coo);
  progress.show("assembling");
  auto const matrix = make_any_matrix(input.coo, types, space(s));
  progress.show("counting");
  auto const stats = matrix->stats({});
  Problem problem;
  problem.stats = stats;
  int const scalar = types == ScalarTypes::c64 ? 16 : types == ScalarTypes::f64 ? 8 : 4;
  problem.value_bytes = matrix->has_values() ? scalar : 0;
  problem.offset_bytes = matrix->offset_bits() / 8;
  std::vector<Choice> const formats{
      {.format = "csr", .kernel = {}}, {.format = "coo", .kernel = {}}, {.format = "ell", .kernel = {}}};
  if (s.json) {
    nlohmann::ordered_json json{{"command", "info"},
                                {"matrix", to_json(input)},
                                {"type", to_string(types)},
                                {"offset_bits", matrix->offset_bits()}};
    json["stats"] = to_json(stats);
    json["stats"]["diagonals"] = stats.diagonals;
    for (auto const& format : formats) json["bytes"][format.format] = format_bytes(problem, format);
    print_json(json);
    return Exit::done;
  }
  std::string text = fmt::format("{}: {} x {}, {}, {}, {} entries stored; values: {}; read in {}\n", input.name,
                                 stats.rows, stats.cols, input.field, to_string(input.coo.symmetry), input.coo.stored(),
                                 input.values, format_seconds(input.seconds));
  double const cells = static_cast<double>(stats.rows) * static_cast<double>(stats.cols);
  text += fmt::format("assembled: {} entries, {:.4g}% of all, {}-bit offsets\n", stats.nnz,
                      cells > 0 ? 100 * static_cast<double>(stats.nnz) / cells : 0, matrix->offset_bits());
  text += fmt::format("rows: {} to {} entries, mean {:.2f}, deviation {:.2f}, {} empty\n", stats.min_length,
                      stats.max_length, stats.mean_length, stats.length_deviation, stats.empty_rows);
  text += fmt::format("bandwidth: {} below, {} above the diagonal; {} diagonals\n", stats.lower_bandwidth,
                      stats.upper_bandwidth, stats.diagonals);
  text += "bytes in " + std::string(to_string(types)) + ":";
  for (auto const& format : formats)
    text +=
        fmt::format(" {} {};", format.format, format_bytes_text(static_cast<double>(format_bytes(problem, format))));
  text.back() = '\n';
  text += "entries a row:\n" + histogram(stats);
  progress.show("");
  print(text);
  return Exit::done;
}

Exit run_devices(Settings const& s) {
  Progress progress;
  nlohmann::ordered_json json{
      {"command", "devices"}, {"types", ARAIA_TYPES}, {"devices", nlohmann::ordered_json::array()}};
  std::vector<std::vector<std::string>> rows{
      {"device", "space", "threads", "cache", "read", "copy", "triad", "launch"}};
  for (auto const& name : any_spaces()) {
    progress.show("measuring " + name);
    auto const m = any_machine(name, s.measure);
    auto one = to_json(m);
    one["device"] = name;
    one["default"] = name == default_space();
    json["devices"].push_back(std::move(one));
    auto const rate = [](double bytes) { return fmt::format("{:.1f} GB/s", bytes / 1e9); };
    rows.push_back({name + (name == default_space() ? " (default)" : ""), m.space, fmt::format("{}", m.concurrency),
                    format_bytes_text(static_cast<double>(m.cache_bytes)), rate(m.read_bandwidth),
                    rate(m.copy_bandwidth), rate(m.triad_bandwidth), format_seconds(m.launch_seconds)});
  }
  progress.show("");
  if (s.json)
    print_json(json);
  else
    print(table(rows, 2) + (s.measure ? "" : "bandwidths are assumed; --measure measures them\n"));
  return Exit::done;
}

}  // namespace araia::cli
