// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be written where, decided by names and inodes before anything is read.
#include <fmt/format.h>
#include <filesystem>
#include <system_error>

#include <araia/io/escape.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {
namespace {

namespace fs = std::filesystem;

/// ".mtx" of "a.mtx" and "a.mtx.gz"; empty where nothing stands before it: ".mtx" is a name without a suffix.
std::string suffix_of(fs::path const& path) {
  return (path.extension() == ".gz" ? path.stem() : path).extension().string();
}

bool is_pipe_or_device(fs::path const& path) {
  std::error_code unknown;
  auto const type = fs::status(path, unknown).type();
  return type == fs::file_type::fifo || type == fs::file_type::character || type == fs::file_type::socket;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  static constexpr std::string_view dots = "...";
  // Bytes are escaped one by one, so that the ends have whole escapes.
  auto const shown = [](char byte) { return escape({&byte, 1}).size(); };
  std::size_t const room = most - dots.size();
  std::size_t used = 0;
  std::size_t head = 0;
  for (; head < text.size() && used + shown(text[head]) <= room / 3; ++head) used += shown(text[head]);
  std::size_t tail = text.size();  // longer than the head: reasons stand there
  for (; tail > head && used + shown(text[tail - 1]) <= room; --tail) used += shown(text[tail - 1]);
  std::size_t left_out = 0;
  for (std::size_t i = head; i < tail && left_out <= dots.size(); ++i) left_out += shown(text[i]);
  if (left_out <= dots.size()) return std::string(text);
  return std::string(text.substr(0, head)).append(dots).append(text.substr(tail));
}

std::string in_quotes(std::string_view path) {
  constexpr std::size_t most = 400;  // bytes: two of them leave room for what is said of them
  return '\'' + shortened(path, most) + '\'';
}

void require_suffix(PathArgument const& out, std::initializer_list<std::string_view> known, bool takes_devices) {
  if (takes_devices && is_pipe_or_device(out.path)) return;
  std::string const got = suffix_of(out.path);
  std::string expected;
  for (auto const suffix : known) {
    if (got == suffix) return;
    expected += (expected.empty() ? "NAME" : " or NAME") + std::string(suffix);
  }
  throw Failure(Exit::usage,
                fmt::format("{} is {}, expected {}, also with .gz", out.argument, in_quotes(out.path), expected));
}

void require_other_file(PathArgument const& out, std::initializer_list<PathArgument> inputs) {
  for (auto const& in : inputs) {
    std::error_code missing;  // what is not there is not the same
    if (fs::equivalent(out.path, in.path, missing))
      throw Failure(Exit::usage,
                    fmt::format("{} {} is the same file as {} {}, which it would replace; expected another",
                                out.argument, in_quotes(out.path), in.argument, in_quotes(in.path)));
  }
}

}  // namespace araia::cli
