// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::string_view step, double share) {
  if (!terminal_) return;
  constexpr std::size_t width = 70;  // characters: a line that wraps could not be wiped
  auto const text = share < 0 ? std::string(step) : formatted("{:3.0f}% {}", 100 * share, step);
  std::fputs(("\r\033[K" + escape(text, width)).c_str(), stderr);  // steps name files
  std::fflush(stderr);
  shown_ = true;
}

void warn(std::string_view message) {
  char const* const wiped = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  constexpr std::size_t longest = 1000;  // bytes
  std::fputs((wiped + ("araia: warning: " + escape(shortened(message, longest), longest)) + '\n').c_str(), stderr);
}

void print(std::string_view text) {
  errno = 0;
  bool const written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw Failure(Exit::resource, formatted("cannot write to standard output: {}", std::strerror(errno)));
}

std::string json_text(nlohmann::ordered_json const& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void print_json(nlohmann::ordered_json const& json) { print(json_text(json)); }

void print_written(std::string const& output, std::string const& text) {
  if (is_standard_output(output)) {
    std::fputs(text.c_str(), stderr);
    return;
  }
  try {
    print(text);
  } catch (Failure const& e) {
    throw Failure(e.code(), formatted("{}; {} is written", e.what(), in_quotes(output)));
  }
}

std::string table(std::vector<std::vector<std::string>> const& rows, std::size_t left) {
  std::vector<std::size_t> widths;
  for (auto const& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (auto const& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += i < left ? formatted("{:<{}}", row[i], widths[i]) : formatted("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace araia::cli
