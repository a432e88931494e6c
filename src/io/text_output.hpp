// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers and words to a file or a stream, in blocks.

#include <charconv>
#include <concepts>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "gzip.hpp"

namespace araia::detail {

class TextOutput {
 public:
  explicit TextOutput(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(block_bytes + 512); }

  TextOutput& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= block_bytes) flush();
    return *this;
  }
  TextOutput& operator<<(char c) { return *this << std::string_view(&c, 1); }

  /// The shortest text that reads back as the same number, whatever the locale says.
  template <class Number>
  requires(std::integral<Number> || std::floating_point<Number>) TextOutput& operator<<(Number number) {
    char text[64];
    auto const end = std::to_chars(text, text + sizeof text, number).ptr;
    return *this << std::string_view(text, static_cast<std::size_t>(end - text));
  }

  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t block_bytes = 1 << 16;
  Sink sink_;
  std::string buffer_;
};

using TextWriter = std::function<void(TextOutput&)>;

using BytesWriter = std::function<void(Sink const&)>;

/// What `write` writes becomes the file, whole or not at all; compressed where the name ends in .gz.
void write_file(std::filesystem::path const& path, TextWriter const& write);
void write_bytes_file(std::filesystem::path const& path, BytesWriter const& write);
void write_stream(std::ostream& out, TextWriter const& write);

}  // namespace araia::detail
