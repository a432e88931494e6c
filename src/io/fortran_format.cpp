// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fortran_format.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace araia::detail {
namespace {

constexpr int largest_exponent = 99999;  // decides between zero and too large, whatever the digits

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// The descriptor's characters one by one, without blanks and in capitals, as FORTRAN sees them.
class FormatText {
 public:
  explicit FormatText(std::string_view text) {
    for (char const c : text) {
      if (!is_blank(c)) text_ += upper(c);
    }
  }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Moves over an unsigned number of at most nine digits.
  bool take_number(std::int64_t& value) {
    std::size_t const first = at_;
    std::int64_t sum = 0;
    while (at_ < text_.size() && is_digit(text_[at_]) && at_ - first < 9) sum = 10 * sum + (text_[at_++] - '0');
    if (at_ == first) return false;
    value = sum;
    return true;
  }
  // Moves over kP and the comma that may follow; stays where there is none.
  bool take_scale(int& scale) {
    std::size_t const start = at_;
    bool const minus = take('-');
    if (!minus) take('+');
    std::int64_t k = 0;
    if (!take_number(k) || !take('P')) {
      at_ = start;
      return false;
    }
    scale = static_cast<int>(std::min<std::int64_t>(k, largest_exponent));
    if (minus) scale = -scale;
    take(',');
    return true;
  }
  [[nodiscard]] bool ended() const { return at_ == text_.size(); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

bool take_kind(FormatText& text, bool& integer) {
  integer = text.take('I');
  if (integer) return true;
  if (text.take('E')) {
    if (!text.take('S')) text.take('N');
    return true;
  }
  return text.take('D') || text.take('F') || text.take('G');
}

// Copies what is not blank; false where `out` is too small.
bool squeeze(std::string_view field, char*& out, char const* end) {
  for (char const c : field) {
    if (is_blank(c)) continue;
    if (out == end) return false;
    *out++ = c;
  }
  return true;
}

bool same_word(std::string_view text, std::string_view capitals) {
  return std::equal(text.begin(), text.end(), capitals.begin(), capitals.end(),
                    [](char a, char b) { return upper(a) == b; });
}

// Of a mantissa's end: a letter, a sign or both, then digits.
bool take_exponent(char const*& p, char const* end, int& exponent) {
  char const letter = upper(*p);
  bool const lettered = letter == 'E' || letter == 'D' || letter == 'Q';
  if (lettered) ++p;
  bool const signed_exponent = p != end && (*p == '+' || *p == '-');
  bool const minus = signed_exponent && *p == '-';
  if (signed_exponent) ++p;
  if ((!lettered && !signed_exponent) || p == end) return false;
  exponent = 0;
  for (; p != end && is_digit(*p); ++p) exponent = std::min(10 * exponent + (*p - '0'), largest_exponent);
  if (minus) exponent = -exponent;
  return p == end && is_digit(p[-1]);
}

}  // namespace

std::optional<FortranFormat> parse_fortran_format(std::string_view words) {
  FormatText text(words);
  FortranFormat format;
  if (!text.take('(')) return {};
  text.take_scale(format.scale);
  if (text.take_number(format.repeat) && format.repeat == 0) return {};
  if (!take_kind(text, format.integer) || !text.take_number(format.width)) return {};
  if (format.width < 1 || format.width > FortranFormat::widest) return {};
  std::int64_t number = 0;
  if (text.take('.')) {
    // Of I, the least number of digits written, which means nothing to a reader.
    if (!text.take_number(number) || number > FortranFormat::widest) return {};
    if (!format.integer) format.decimals = static_cast<int>(number);
    if (!format.integer && text.take('E') && !text.take_number(number)) return {};
  }
  if (!text.take(')') || !text.ended()) return {};
  return format;
}

Scan scan_field(std::string_view field, std::int64_t& value) {
  std::array<char, FortranFormat::widest> text;
  char* end = text.data();
  if (!squeeze(field, end, text.data() + text.size())) return Scan::bad;
  value = 0;
  if (end == text.data()) return Scan::good;
  char const* const first =
      text[0] == '+' && end - text.data() > 1 && is_digit(text[1]) ? text.data() + 1 : text.data();
  auto const found = std::from_chars(first, static_cast<char const*>(end), value);
  if (found.ec == std::errc::invalid_argument || found.ptr != end) return Scan::bad;
  return found.ec == std::errc{} ? Scan::good : Scan::too_large;
}

Scan scan_field(std::string_view field, FortranFormat const& format, double& value) {
  std::array<char, FortranFormat::widest> text;
  char* last = text.data();
  if (!squeeze(field, last, text.data() + text.size())) return Scan::bad;
  char const* const end = last;
  char const* p = text.data();
  value = 0;
  if (p == end) return Scan::good;

  // Sign and digits are copied; point, scale and the exponent's many forms become one exponent.
  std::array<char, FortranFormat::widest + 16> plain;
  char* out = plain.data();
  bool const minus = *p == '-';
  if (minus) *out++ = '-';
  if (minus || *p == '+') ++p;
  std::string_view const unsigned_text(p, static_cast<std::size_t>(end - p));
  if (same_word(unsigned_text, "NAN") || same_word(unsigned_text, "INF") || same_word(unsigned_text, "INFINITY")) {
    bool const nan = unsigned_text[0] == 'N' || unsigned_text[0] == 'n';
    double const size = nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    value = minus ? -size : size;
    return Scan::good;
  }
  bool point = false;
  bool digits = false;
  for (; p != end && (is_digit(*p) || (*p == '.' && !point)); ++p) {
    if (*p == '.')
      point = true;
    else
      digits = true;
    *out++ = *p;
  }
  if (!digits) return Scan::bad;
  int exponent = -format.scale;
  if (p != end && !take_exponent(p, end, exponent)) return Scan::bad;
  if (!point) exponent -= format.decimals;
  *out++ = 'e';
  out = std::to_chars(out, plain.data() + plain.size(), exponent).ptr;
  auto const found =
      fast_float::from_chars(static_cast<char const*>(plain.data()), static_cast<char const*>(out), value);
  if (found.ptr != out) return Scan::bad;
  return std::isfinite(value) ? Scan::good : Scan::too_large;
}

}  // namespace araia::detail
