// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_market_body.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

#include <algorithm>

namespace araia::detail {
namespace {

std::string_view field_name(Field field) {
  switch (field) {
    case Field::real: return "a decimal number";
    case Field::integer: return "an integer";
    case Field::unsigned_integer: return "an integer of 0 or more";
    case Field::complex: return "two decimal numbers";
    case Field::pattern: return "nothing";
  }
  return "";
}

std::string expected_index(std::int64_t size, std::string const& what) {
  return size == 0 ? ", but the matrix has no " + what : ", expected 1 to " + std::to_string(size);
}

// A digit run that may be cut by a point, and an exponent.
struct Decimal {
  std::string_view whole;
  std::string_view fraction;
  std::int64_t exponent = 0;

  [[nodiscard]] std::size_t size() const { return whole.size() + fraction.size(); }
  [[nodiscard]] char digit(std::size_t k) const { return k < whole.size() ? whole[k] : fraction[k - whole.size()]; }
};

std::string_view take_digits(char const*& p) {
  char const* const first = p;
  while (is_digit(*p)) ++p;
  return {first, static_cast<std::size_t>(p - first)};
}

}  // namespace

[[gnu::noinline]] Scanned scan_whole_decimal(char const* p, std::int64_t& value) {
  Scanned const bad{p, Scan::bad};
  char const* q = p;
  bool const minus = *q == '-';
  if (minus || *q == '+') ++q;
  Decimal number;
  number.whole = take_digits(q);
  if (*q == '.') {
    ++q;
    number.fraction = take_digits(q);
  }
  if (number.size() == 0) return bad;
  if (*q == 'e' || *q == 'E') {
    ++q;
    bool const down = *q == '-';
    if (down || *q == '+') ++q;
    char const* const digits = q;
    q = scan_natural(q, number.exponent);
    if (q == digits || !is_digit(*digits)) return bad;
    if (down) number.exponent = -number.exponent;
  }
  if (!ends_token(*q)) return bad;
  // Digits left of the point, once the exponent has moved it: the number is whole where all others are 0.
  constexpr std::int64_t most_shift = std::int64_t{1} << 40;  // beyond any line
  std::int64_t const left =
      static_cast<std::int64_t>(number.whole.size()) + std::clamp(number.exponent, -most_shift, most_shift);
  std::uint64_t sum = 0;
  constexpr std::uint64_t largest = std::uint64_t{1} << 63;
  for (std::size_t k = 0; k < number.size(); ++k) {
    auto const digit = static_cast<std::uint64_t>(number.digit(k) - '0');
    if (static_cast<std::int64_t>(k) >= left) {
      if (digit != 0) return bad;
    } else if (sum > largest / 10 || 10 * sum + digit > largest) {
      return {p, Scan::too_large};
    } else {
      sum = 10 * sum + digit;
    }
  }
  for (auto k = static_cast<std::int64_t>(number.size()); k < left && sum != 0; ++k) {
    if (sum > largest / 10) return {p, Scan::too_large};
    sum *= 10;
  }
  if (sum == largest && !minus) return {p, Scan::too_large};
  value = static_cast<std::int64_t>(minus ? ~sum + 1 : sum);
  return {q, Scan::as_decimal};
}

[[gnu::noinline]] char const* skip_last_number(char const* p, char const* end) {
  double ignored = 0;
  Scanned const found = scan_value(p, end, ignored);
  char const* const behind = skip_blanks(found.p);
  return found.result == Scan::good && is_line_end(*behind) ? behind : p;
}

[[gnu::noinline]] void Unusual::note(std::uint64_t before, char const* of_line, char const* here) {
  if (count++ != 0) return;
  lines_before = before;
  line = of_line;
  at = here;
}

void BodyProgress::take(LineBlock const& block, std::int64_t entries, std::uint64_t lines, Unusual const& unusual,
                        Fault const& fault) {
  std::int64_t const missing = header_.entries - entries_;
  if (entries > missing) {
    refuse_entry(block, missing,
                 "a line follows the " + std::to_string(header_.entries) + " entries that the header promises");
  }
  if (fault.at != nullptr) refuse(fault);
  if (unusual_ == 0 && unusual.count != 0) {
    first_unusual_ = {header_.name, lines_ + unusual.lines_before + 1,
                      static_cast<std::uint64_t>(unusual.at - unusual.line) + 1};
    unusual_text_ = '\'' + escape(token_at(unusual.at)) + '\'';
  }
  unusual_ += unusual.count;
  entries_ += entries;
  lines_ += lines;
}

void BodyProgress::walk(LineBlocks& blocks, int threads, std::function<BlockWorker()> const& make_worker) const {
  try {
    for_each_block(blocks, threads, make_worker);
  } catch (LongLine const& error) {  // thrown here once all lines before it are taken
    throw LongLine(error.place().file, lines_ + 1);
  }
}

void BodyProgress::finish(Departures& departures) const {
  if (entries_ == header_.entries) {
    if (unusual_ == 0) return;
    bool const pattern = header_.field == Field::pattern;
    std::string const lines = unusual_ == 1 ? "on one line" : "the first of " + std::to_string(unusual_) + " lines";
    departures.note(first_unusual_,
                    pattern ? unusual_text_ + " follows the entry of a pattern, " + lines
                            : "value is " + unusual_text_ + ", expected an integer, " + lines,
                    pattern ? "such values are not used" : "such numbers are read as the integers that they are");
    return;
  }
  if (header_.unfilled) throw Error(*header_.unfilled);
  throw Error(
      ErrorKind::parse, {header_.name, lines_ + 1, 1},
      "the file ends after " + std::to_string(entries_) + " of " + std::to_string(header_.entries) + " entries");
}

void BodyProgress::refuse_entry(LineBlock const& block, std::int64_t index, std::string const& message) const {
  std::uint64_t number = lines_;
  for (char const* p = block.begin(); p != block.end(); p = next_line(line_end(p), block.end())) {
    ++number;
    char const* const entry = skip_blanks(p);
    if (*entry == '%' || is_line_end(*entry) || index-- > 0) continue;
    throw Error(ErrorKind::parse, {header_.name, number, static_cast<std::uint64_t>(entry - p) + 1}, message);
  }
  throw Error(ErrorKind::internal, "entry of a block not found");
}

void BodyProgress::refuse(Fault const& fault) const {
  std::string_view const token = token_at(fault.at);
  std::string const got = token.empty() ? "nothing" : '\'' + escape(token) + '\'';
  std::string message;
  switch (fault.part) {
    case Fault::Part::row: message = "row index is " + got + expected_index(header_.rows, "rows"); break;
    case Fault::Part::column: message = "column index is " + got + expected_index(header_.cols, "columns"); break;
    case Fault::Part::value:
      message = "value is " + got + ", expected " + std::string(field_name(header_.field));
      break;
    case Fault::Part::large_value:
      message = "value is " + got + ", beyond the range of " +
                (header_.field == Field::real || header_.field == Field::complex
                     ? "a double"
                     : "signed 64-bit integers, up to 9223372036854775807, which integers of every field are read to");
      break;
    case Fault::Part::rest: message = got + " follows the entry, expected the end of the line"; break;
  }
  auto const column = static_cast<std::uint64_t>(fault.at - fault.line) + 1;
  throw Error(ErrorKind::parse, {header_.name, lines_ + fault.lines_before + 1, column}, message);
}

}  // namespace araia::detail
