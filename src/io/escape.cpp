// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/io/escape.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace araia {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// Controls, what is invisible, what turns the direction of text or ends a line, and what is no character.
constexpr std::array<Range, 14> unprintable{{{0x00, 0x1f},
                                             {0x7f, 0x9f},
                                             {0xad, 0xad},
                                             {0x61c, 0x61c},
                                             {0x115f, 0x1160},
                                             {0x17b4, 0x17b5},
                                             {0x180b, 0x180f},
                                             {0x200b, 0x200f},
                                             {0x2028, 0x202e},
                                             {0x2060, 0x206f},
                                             {0xfe00, 0xfe0f},
                                             {0xfeff, 0xfeff},
                                             {0xfff0, 0xfffb},
                                             {0xe0000, 0xe0fff}}};

bool is_printable(char32_t c) {
  return (c & 0xfffe) != 0xfffe &&
         std::none_of(unprintable.begin(), unprintable.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

void append_escaped(std::string& out, std::string_view bytes) {
  static constexpr char hex[] = "0123456789abcdef";
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
  }
}

}  // namespace

FirstCharacter first_character(std::string_view text) noexcept {
  if (text.empty()) return {.bytes = 0};
  auto const lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.bytes = 1, .valid = true, .printable = is_printable(lead)};
  auto const length = static_cast<std::size_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || length > text.size()) return {};
  char32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    auto const next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3fU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // fewer bytes hold what is below
  bool const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[length] || code > 0x10ffff || surrogate) return {};
  return {.bytes = length, .valid = true, .printable = is_printable(code)};
}

std::string escape(std::string_view text, std::size_t most) {
  static constexpr std::string_view dots = "...";
  std::string out;
  std::size_t whole = 0;  // length of out up to which it may stay when it has to be cut
  while (!text.empty()) {
    auto const [bytes, valid, printable] = first_character(text);
    if (printable)
      out += text.substr(0, bytes);
    else
      append_escaped(out, text.substr(0, bytes));
    text.remove_prefix(bytes);
    if (out.size() + dots.size() <= most) whole = out.size();
    if (out.size() > most) return out.substr(0, whole).append(dots.substr(0, most));
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto const [bytes, valid, printable] = first_character(text);
    if (valid)
      out += text.substr(0, bytes);
    else
      append_escaped(out, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace araia
