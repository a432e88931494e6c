// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text line by line, and lines cut into fields of fixed width.

#include <cstdint>
#include <string>
#include <string_view>

#include "fortran_format.hpp"
#include "line_blocks.hpp"

namespace araia::detail {

class Records {
 public:
  Records(ByteSource& source, std::size_t block_bytes) : blocks_(source, block_bytes) {}

  /// Moves to the next line; false at the end, which is an empty line behind the last.
  bool next();
  /// The next call of next() stays at this line.
  void stay() noexcept { stays_ = true; }
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  /// Bound of the bytes behind this line.
  [[nodiscard]] Remaining remaining() const;
  [[nodiscard]] FilePlace place(std::size_t column) const { return {blocks_.name(), number_, column + 1}; }
  /// \throws araia::Error (parse) at `column`, from 0, of this line
  [[noreturn]] void refuse(std::size_t column, std::string const& message) const;

 private:
  LineBlocks blocks_;
  LineBlock block_;
  std::string_view line_;
  char const* behind_ = nullptr;  // in block_: the next line
  std::uint64_t number_ = 0;
  bool stays_ = false;
  bool found_ = false;  // what next() returned last
};

/// `count` fields from the next line on, one after the other.
class Fields {
 public:
  /// \param format  stays where it is
  Fields(Records& records, FortranFormat const& format, char const* what, std::int64_t count)
      : records_(records), format_(format), what_(what), count_(count) {}

  /// A whole number from `least` to `most`.
  std::int64_t integer(std::int64_t least, std::int64_t most);
  double real();
  /// Refuses what stands behind the last field.
  void finish() const;
  /// At the field read last.
  [[noreturn]] void refuse(std::string const& message) const;
  /// The field read last, quoted and escaped.
  [[nodiscard]] std::string quoted() const;

 private:
  void advance();

  Records& records_;
  FortranFormat const& format_;
  char const* what_;  // names the fields, in the plural
  std::int64_t count_;
  std::int64_t read_ = 0;
  FortranLine const* layout_ = nullptr;  // of this line
  std::size_t run_ = 0;                  // of the field read last
  std::int64_t in_run_ = 0;
  std::int64_t on_line_ = 0;
  std::string_view field_;
};

/// Column of the first character of `text` that is no blank; its size where there is none.
inline std::size_t first_visible(std::string_view text, std::size_t from = 0) {
  while (from < text.size() && is_blank(text[from])) ++from;
  return from;
}

}  // namespace araia::detail
