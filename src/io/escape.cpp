// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/io/escape.hpp>

namespace araia {

std::string escape(std::string_view text, std::size_t most) {
  static constexpr char hex[] = "0123456789abcdef";
  static constexpr std::string_view dots = "...";
  std::string out;
  std::size_t whole = 0;  // length of out up to which it may stay when it has to be cut
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e) {
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    } else {
      if (c == '\\') out += c;
      out += c;
    }
    if (out.size() + dots.size() <= most) whole = out.size();
    if (out.size() > most) return out.substr(0, whole).append(dots.substr(0, most));
  }
  return out;
}

}  // namespace araia
