// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers and blanks in text, whatever the locale says. Every scan stops at the line end that stands behind the text.

#include <fast_float/fast_float.h>

#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace araia::detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }
inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool ends_token(char c) { return is_blank(c) || is_line_end(c); }

inline char const* skip_blanks(char const* p) {
  while (is_blank(*p)) ++p;
  return p;
}

inline char const* line_end(char const* p) {
  while (!is_line_end(*p)) ++p;
  return p;
}

/// Behind the line end at p: LF, CRLF or CR. The one behind the text's last byte is none of the text.
inline char const* next_line(char const* p, char const* end) {
  if (p == end) return end;
  bool const crlf = *p == '\r' && p + 1 < end && p[1] == '\n';
  return p + (crlf ? 2 : 1);
}

inline std::string_view token_at(char const* p) {
  char const* q = p;
  while (!ends_token(*q)) ++q;
  return {p, static_cast<std::size_t>(q - p)};
}

/// What a scan of a value found; the pointer beside it is behind a good value, and at the start of another. As a
/// decimal: an integer that is written so, which the pointer is behind.
enum class Scan { good, bad, too_large, as_decimal };

struct Scanned {
  char const* p;
  Scan result;
};

/// Digits, with a leading + allowed: p unchanged where there are none; beyond 64 bits the largest number.
inline char const* scan_natural(char const* p, std::int64_t& value) {
  char const* const digits = *p == '+' ? p + 1 : p;
  char const* q = digits;
  std::uint64_t sum = 0;
  for (; is_digit(*q); ++q) sum = 10 * sum + static_cast<std::uint64_t>(*q - '0');
  if (q - digits > 18) [[unlikely]] {
    auto const found = std::from_chars(digits, q, sum);
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    if (found.ec != std::errc{} || sum > static_cast<std::uint64_t>(largest)) sum = static_cast<std::uint64_t>(largest);
  }
  value = static_cast<std::int64_t>(sum);
  return q == digits ? p : q;
}

inline Scanned scan_value(char const* p, char const* end, std::int64_t& value) {
  char const* const start = *p == '+' && is_digit(p[1]) ? p + 1 : p;
  auto const found = std::from_chars(start, end, value);
  if (found.ec == std::errc::invalid_argument || !ends_token(*found.ptr)) return {p, Scan::bad};
  if (found.ec != std::errc{}) return {p, Scan::too_large};
  return {found.ptr, Scan::good};
}

/// A whole number that is written as a decimal one: 2.0, 2., 1.5e1, 20E-1.
Scanned scan_whole_decimal(char const* p, std::int64_t& value);

/// Decimal, correctly rounded: too small for a double is zero (or subnormal), too large is refused. nan, inf and
/// infinity in any case and with a sign are values; hexadecimal, nan(...), D exponents and decimal commas are not.
inline Scanned scan_value(char const* p, char const* end, double& value) {
  char const* start = p;
  if (*p == '+') {
    if (p[1] == '-') return {p, Scan::bad};
    ++start;
  }
  auto const found = fast_float::from_chars(start, end, value);
  if (found.ec == std::errc::invalid_argument || !ends_token(*found.ptr)) [[unlikely]]
    return {p, Scan::bad};
  if (!std::isfinite(value)) [[unlikely]] {
    char const first = *start == '-' ? start[1] : *start;
    if (is_digit(first) || first == '.') return {p, Scan::too_large};
    if (found.ptr[-1] == ')') return {p, Scan::bad};
  }
  return {found.ptr, Scan::good};
}

}  // namespace araia::detail
