// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include <nlohmann/json.hpp>

#include <araia/Araia_Config.hpp>
#include "src/io/escape.hpp"

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
    rows.push_back({b <= 1 ? formatted("  {}", from) : formatted("  {} to {}", from, 2 * from - 1),
                    formatted("{} rows", count), "  " + bar(share)});
  }
  return rows.empty() ? "  none\n" : table(rows, 3);
}

/// A format as a product would read it, before and after counting.
struct FormatLine {
  Choice choice;
  Footprint predicted;
  Footprint counted;
};

std::vector<Choice> formats_of(std::vector<BlockFill> const& blocks) {
  std::vector<Choice> all;
  for (auto const& label : format_labels()) {
    Choice const choice = choice_of_format(label);
    // Rows in another order take a permutation more, and less padding where there is any.
    bool const ordered_again = choice.format == "sell" && choice.rows_by_length && (choice.diagonals || choice.narrow);
    if (!ordered_again && !choice.split && choice.format != "bsr" && choice.format != "bcsc") all.push_back(choice);
  }
  all.push_back({.format = "sell", .kernel = {}, .block_width = 2});
  for (auto const& block : blocks)
    if (block.block_rows > 1)
      all.push_back({.format = "bsr", .kernel = {}, .block_rows = block.block_rows, .block_cols = block.block_cols});
  for (bool const compact : {false, true})
    for (int const height : {64, 128})
      all.push_back({.format = "bcsc", .compact = compact, .kernel = {}, .block_height = height});
  return all;
}

/// Every format that the library has for the matrix's scalars.
std::vector<FormatLine> format_lines(AnyMatrix const& matrix, Problem const& problem,
                                     std::vector<BlockFill> const& blocks, Progress& progress) {
  std::vector<FormatLine> lines;
  for (auto const& choice : formats_of(blocks)) {
    progress.show("counting " + storage_label(choice));
    try {
      lines.push_back({choice, predicted_footprint(problem, choice), matrix.footprint(choice)});
    } catch (Error const& e) {
      // Not for these scalars, or beyond the memory that counting needs.
      if (e.kind() != ErrorKind::unsupported && e.kind() != ErrorKind::resource_limit) throw;
    }
  }
  return lines;
}

FormatLine const& smallest(std::vector<FormatLine> const& lines) {
  return *std::min_element(lines.begin(), lines.end(),
                           [](FormatLine const& a, FormatLine const& b) { return a.counted.bytes < b.counted.bytes; });
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string format_table(std::vector<FormatLine> const& lines, std::int64_t nnz) {
  std::vector<std::vector<std::string>> rows{{"format", "predicted", "bytes", "an entry", "padding"}};
  auto const* const least = &smallest(lines);
  for (auto const& line : lines)
    rows.push_back(
        {storage_label(line.choice),
         line.predicted.bound ? "-" : format_bytes_text(static_cast<double>(line.predicted.bytes)),
         format_bytes_text(static_cast<double>(line.counted.bytes)),
         nnz > 0 ? formatted("{:.2f}", static_cast<double>(line.counted.bytes) / static_cast<double>(nnz)) : "-",
         formatted("{:.1f}%{}", 100 * share(line.counted.slots - nnz, nnz),
                   &line == least ? "  smallest" : "          ")});
  return table(rows, 1);
}

/// Entries on diagonals that SELL's slices keep without indices; negative where that was not counted.
std::int64_t on_diagonals(std::vector<FormatLine> const& lines) {
  for (auto const& line : lines)
    if (line.choice.diagonals && !line.choice.narrow) return line.counted.on_diagonals;
  return -1;
}

nlohmann::ordered_json json_of(std::vector<FormatLine> const& lines, RowStats const& stats,
                               std::vector<BlockFill> const& blocks) {
  nlohmann::ordered_json json;
  for (auto const& line : lines) {
    json["bytes"][storage_label(line.choice)] = line.counted.bytes;
    json["formats"].push_back({{"format", format_label(line.choice)},
                               {"storage", storage_label(line.choice)},
                               {"predicted_bytes", bytes_of(line.predicted)},
                               {"bytes", line.counted.bytes},
                               {"slots", line.counted.slots},
                               {"padding", line.counted.slots - stats.nnz}});
  }
  json["smallest"] = storage_label(smallest(lines).choice);
  json["blocks"] = nlohmann::ordered_json::array();
  for (auto const& block : blocks)
    json["blocks"].push_back(
        {{"block_rows", block.block_rows}, {"block_cols", block.block_cols}, {"fill", block.fill}});
  json["block_columns"] = nlohmann::ordered_json::array();
  for (auto const& b : stats.block_columns)
    json["block_columns"].push_back(
        {{"height", b.height}, {"columns", b.columns}, {"entries_per_column", share(stats.nnz, b.columns)}});
  json["diagonals"] = {{"count", stats.diagonals}, {"entries", on_diagonals(lines)}};
  return json;
}

std::string structure_text(std::vector<FormatLine> const& lines, RowStats const& stats,
                           std::vector<BlockFill> const& blocks) {
  std::string fill = blocks.empty() ? " none;" : "";
  for (auto const& block : blocks) fill += formatted(" {}x{} {:.2f};", block.block_rows, block.block_cols, block.fill);
  std::string columns = stats.block_columns.empty() ? " none;" : "";
  for (auto const& b : stats.block_columns)
    columns += formatted(" {} rows {:.2f};", b.height, share(stats.nnz, b.columns));
  fill.back() = columns.back() = '\n';
  std::string text = "slots over entries in blocks:" + fill + "entries a nonempty column of row blocks:" + columns;
  if (auto const entries = on_diagonals(lines); entries >= 0)
    text += formatted("on diagonals of slices of 32 rows: {:.1f}% of the entries\n", 100 * share(entries, stats.nnz));
  return text;
}

/// \throws Error (resource_limit) naming the file
RowStats stats_of(AnyMatrix const& matrix, Input const& input) try {
  return matrix.stats({.block_heights = {8, 16, 32, 64, 128}});
} catch (Error const& e) {
  throw about(input, {}, e);
}

}  // namespace

Exit run_info(Settings const& s) {
  require_choices(s);
  Progress progress;
  progress.show("reading " + s.file);
  Input const input = load(s);
  auto const types = scalar_types(s, input);
  progress.show("assembling");
  auto const matrix = make_matrix(AnySpace(space(s)), input, types);
  progress.show("counting");
  auto const stats = stats_of(*matrix, input);
  auto const blocks = matrix->block_fill();
  Problem problem;
  problem.stats = stats;
  problem.block_fill = blocks;
  problem.shared_entries = matrix->shared_entries();
  int const scalar = types == ScalarTypes::c64 ? 16 : types == ScalarTypes::f64 ? 8 : 4;
  problem.value_bytes = matrix->has_values() ? scalar : 0;
  problem.offset_bytes = matrix->offset_bits() / 8;
  auto const lines = format_lines(*matrix, problem, blocks, progress);
  progress.show("");
  if (s.json) {
    nlohmann::ordered_json json{{"command", "info"},
                                {"matrix", to_json(input)},
                                {"type", to_string(types)},
                                {"offset_bits", matrix->offset_bits()}};
    json["stats"] = to_json(stats);
    json["stats"]["diagonals"] = stats.diagonals;
    json.update(json_of(lines, stats, blocks));
    print_json(json);
    return Exit::done;
  }
  std::string const as = input.scalar ? formatted(" as {} in {}", input.stored_format, to_string(*input.scalar)) : "";
  std::string text = formatted("{}: {} x {}, {}, {}, {} entries stored{}; values: {}; read in {}\n", escape(input.name),
                               stats.rows, stats.cols, input.field, to_string(input.coo.symmetry), input.coo.stored(),
                               as, input.values, format_seconds(input.seconds));
  double const cells = static_cast<double>(stats.rows) * static_cast<double>(stats.cols);
  text += formatted("assembled: {} entries, {:.4g}% of all, {}-bit offsets\n", stats.nnz,
                    cells > 0 ? 100 * static_cast<double>(stats.nnz) / cells : 0, matrix->offset_bits());
  text += formatted("rows: {} to {} entries, mean {:.2f}, deviation {:.2f}, {} empty\n", stats.min_length,
                    stats.max_length, stats.mean_length, stats.length_deviation, stats.empty_rows);
  text += formatted("bandwidth: {} below, {} above the diagonal; {} diagonals\n", stats.lower_bandwidth,
                    stats.upper_bandwidth, stats.diagonals);
  text += structure_text(lines, stats, blocks);
  text += "entries a row:\n" + histogram(stats);
  text += formatted("bytes in {}:\n", to_string(types)) + format_table(lines, stats.nnz);
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
    auto const m = any_machine(AnySpace(name), s.measure);
    auto one = to_json(m);
    one["device"] = name;
    one["default"] = name == default_space();
    json["devices"].push_back(std::move(one));
    auto const rate = [](double bytes) { return formatted("{:.1f} GB/s", bytes / 1e9); };
    rows.push_back({name + (name == default_space() ? " (default)" : ""), m.space, formatted("{}", m.concurrency),
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
