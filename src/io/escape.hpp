// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text out of files, made fit for terminals, logs and JSON.

#include <cstddef>
#include <string>
#include <string_view>

namespace araia {

inline constexpr std::size_t escaped_bytes = 256;  ///< the longest text that escape returns

/// What a text begins with.
struct FirstCharacter {
  std::size_t bytes = 1;   ///< of the character, 1 where it is none
  bool valid = false;      ///< a character in UTF-8
  bool printable = false;  ///< one that a terminal shows, and that moves nothing else: no control, no mark of direction
};
[[nodiscard]] FirstCharacter first_character(std::string_view text) noexcept;

/// `text` with every byte as \xNN that is not of a printable character in UTF-8; longer than `most` bytes, it is cut
/// between characters and ends in "...". Backslashes stay, so that text which was escaped before is not changed again.
[[nodiscard]] std::string escape(std::string_view text, std::size_t most = escaped_bytes);

/// `text` as it is where it is UTF-8, as JSON wants it, of any length; bytes that are not become \xNN.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace araia
