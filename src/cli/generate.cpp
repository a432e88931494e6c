// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <araia/generate/matrix.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

generate::Options generate_options(Settings const& s) {
  generate::Options options;
  if (s.rows != 0) options.rows = s.rows;
  if (s.cols != 0) options.cols = s.cols;
  if (s.fill != 0) options.fill = s.fill;
  if (s.entries_per_row != 0) options.entries_per_row = s.entries_per_row;
  options.seed = s.seed;
  return options;
}

/// The generator's refusal, which begins with the name of its option, with the name of the command's.
Failure refusal(Error const& error) {
  std::string const text = said(error);
  auto const end = std::min(text.find(' '), text.size());
  std::string name = text.substr(0, end);
  std::replace(name.begin(), name.end(), '_', '-');
  return {Exit::usage, (name == "kind" ? "KIND" : "--" + name) + text.substr(end)};
}

Input generated(Settings const& s) try {
  auto const start = std::chrono::steady_clock::now();
  Input input;
  input.name = s.pattern_kind;
  input.coo = to_host_coo(generate::matrix(s.pattern_kind, generate_options(s)));
  input.field = "real";
  input.values = "generated";
  input.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  hold(static_cast<std::uint64_t>(input.coo.stored()) * (2 * sizeof(std::int32_t) + sizeof(double)));
  return input;
} catch (Error const& e) {
  if (e.kind() == ErrorKind::invalid_argument) throw refusal(e);
  throw;
}

/// The command that makes it again: the file's comment.
std::string recipe(Settings const& s) {
  std::string text = "araia generate " + s.pattern_kind;
  if (s.rows != 0) text += formatted(" --rows {}", s.rows);
  if (s.cols != 0) text += formatted(" --cols {}", s.cols);
  if (s.fill != 0) text += formatted(" --fill {}", s.fill);
  if (s.entries_per_row != 0) text += formatted(" --entries-per-row {}", s.entries_per_row);
  return text + formatted(" --seed {}", s.seed);
}

nlohmann::ordered_json generated_json(Settings const& s, Input const& input, Written const& w) {
  nlohmann::ordered_json json{
      {"command", "generate"},  {"kind", s.pattern_kind},       {"class", generate::class_of(s.pattern_kind)},
      {"rows", input.coo.rows}, {"cols", input.coo.cols},       {"nnz", input.coo.stored()},
      {"seed", s.seed},         {"file", valid_utf8(s.output)}, {"format", w.format}};
  if (w.file_bytes > 0) json["file_bytes"] = w.file_bytes;
  return json;
}

std::string generated_text(Settings const& s, Input const& input, Written const& w) {
  std::string text = formatted("{}, class {}, seed {}: {} x {}, {} entries written to {}", s.pattern_kind,
                               generate::class_of(s.pattern_kind), s.seed, input.coo.rows, input.coo.cols, w.entries,
                               escape(s.output));
  if (w.file_bytes > 0) text += formatted(", {} bytes", w.file_bytes);
  return text + '\n';
}

}  // namespace

Exit run_generate(Settings const& s) {
  Progress progress;
  require_suffix({"-o", s.output}, {".mtx", ".araia"});
  try {
    (void)generate::size_of(s.pattern_kind, generate_options(s));
  } catch (Error const& e) {
    throw refusal(e);
  }
  require_writable({"-o", s.output}, s.json);
  progress.show("making " + s.pattern_kind);
  Input const input = generated(s);
  Written const written = write_matrix(s, input, names_container(s.output), progress, recipe(s));
  progress.show("");
  print_written(s.output, s.json ? json_text(generated_json(s, input, written)) : generated_text(s, input, written));
  return Exit::done;
}

}  // namespace araia::cli
