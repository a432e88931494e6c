// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers out of lines of any length, read in blocks that no number straddles.

#include <cstdint>
#include <string>

#include "byte_source.hpp"

namespace araia::detail {

class TokenStream {
 public:
  TokenStream(ByteSource& source, std::size_t block_bytes);

  /// Moves to the next number, over blanks, blank lines and % comment lines; false at the end.
  bool next_line();
  /// Moves to the next number of this line, over blanks; false at the line's end.
  bool more_in_line();
  /// Moves over blanks and one comma between them.
  void skip_separator();
  /// The number here, which blanks, a line end or, where `comma`, a comma must follow; moves behind it.
  /// \throws araia::Error (parse) unless it is from 0 to `last`; `what` names it
  std::int64_t number(char const* what, std::int64_t last, bool comma = false);

  /// Place of the token here.
  [[nodiscard]] FilePlace place() const { return place_of(p_); }
  [[noreturn]] void refuse(std::string const& message) const;
  /// At the number that was read last.
  [[noreturn]] void refuse_number(std::string const& message) const;
  /// The token here, quoted and escaped; "nothing" at a line's end.
  [[nodiscard]] std::string quoted() const;
  [[nodiscard]] Remaining remaining() const;

 private:
  [[nodiscard]] FilePlace place_of(char const* p) const;
  bool refill();         // false at the end
  bool to_visible();     // over blanks; false at the end
  void take_line_end();  // over LF, CRLF or CR

  ByteSource& source_;
  std::size_t block_bytes_;
  std::string text_;           // (size_ + 1) ends in a line end that is none of the file's
  std::size_t whole_ = 0;      // bytes up to which no number is cut
  std::size_t size_ = 0;       // bytes read
  char const* p_;              // in text_
  char const* end_;            // text_ + whole_
  char const* number_at_;      // the number read last
  std::uint64_t before_ = 0;   // bytes of the file before text_
  std::uint64_t line_ = 1;     // from 1
  std::uint64_t line_at_ = 0;  // where it starts in the file
  bool ended_ = false;
};

}  // namespace araia::detail
