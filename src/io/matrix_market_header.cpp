// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_market_header.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lower_case.hpp"
#include "scan.hpp"

namespace araia::detail {
namespace {

struct Line {
  char const* begin;
  std::uint64_t number;
};

Error error_at(std::string const& name, Line line, char const* at, std::string const& message,
               ErrorKind kind = ErrorKind::parse) {
  return {kind, {name, line.number, static_cast<std::uint64_t>(at - line.begin) + 1}, message};
}

[[noreturn]] void refuse(std::string const& name, Line line, char const* at, std::string const& message,
                         ErrorKind kind = ErrorKind::parse) {
  throw error_at(name, line, at, message, kind);
}

std::string quoted(std::string_view text) { return '\'' + escape(text) + '\''; }

// A word of the banner that must be one of `known`; moves p behind it.
template <class T, std::size_t n>
T word(std::string const& name, Line line, char const*& p, std::string const& what,
       std::array<std::pair<std::string_view, T>, n> const& known) {
  p = skip_blanks(p);
  std::string_view const token = token_at(p);
  std::string expected;
  for (auto const& [text, value] : known) {
    if (lower_case(token) == text) {
      p += token.size();
      return value;
    }
    expected += (expected.empty() ? "" : ", ") + std::string(text);
  }
  std::string const got = token.empty() ? "nothing" : quoted(token);
  refuse(name, line, p, "banner: " + what + " is " + got + ", expected " + expected);
}

FilePlace place_of(std::string const& name, Line line, char const* at) {
  return {name, line.number, static_cast<std::uint64_t>(at - line.begin) + 1};
}

// The word that the banner begins with; returns where it ends.
char const* read_first_word(MatrixMarketHeader const& header, Line line, Departures& departures) {
  std::string const& name = header.name;
  char const* const p = skip_blanks(line.begin);
  std::string_view const token = token_at(p);
  std::string const word = lower_case(token);
  std::string const expected = ", expected '%%MatrixMarket'";
  std::string const start =
      "it starts with " + quoted({line.begin, static_cast<std::size_t>(line_end(p) - line.begin)});
  bool const one_percent = word == "%matrixmarket";
  if (word != "%%matrixmarket" && !one_percent) {
    refuse(name, line, p, "not a Matrix Market file: " + start + expected);
  }
  if (p != line.begin || line.number != 1) {
    departures.note(place_of(name, line, p), "blanks precede the banner" + expected + " at the start of the file",
                    "they are passed over");
  }
  if (one_percent) {
    departures.note(place_of(name, line, p), "banner: the first word is " + quoted(token) + expected,
                    "it is taken for that");
  }
  return p + token.size();
}

void read_banner(MatrixMarketHeader& header, Line line, Departures& departures) {
  std::string const& name = header.name;
  char const* p = read_first_word(header, line, departures);
  header.vector = word<bool, 2>(name, line, p, "object", {{{"matrix", false}, {"vector", true}}});
  char const* const format = skip_blanks(p);
  header.array = word<bool, 2>(name, line, p, "format", {{{"coordinate", false}, {"array", true}}});
  if (header.vector && !header.array)
    refuse(name, line, format, "a vector in coordinates is not supported, expected array", ErrorKind::unsupported);
  char const* const field = skip_blanks(p);
  header.field = word<Field, 6>(name, line, p, "field",
                                {{{"real", Field::real},
                                  {"double", Field::real},
                                  {"integer", Field::integer},
                                  {"unsigned-integer", Field::unsigned_integer},
                                  {"complex", Field::complex},
                                  {"pattern", Field::pattern}}});
  if (header.array && header.field == Field::pattern) refuse(name, line, field, "an array file cannot be a pattern");
  char const* const symmetry = skip_blanks(p);
  header.symmetry = word<Symmetry, 4>(name, line, p, "symmetry",
                                      {{{"general", Symmetry::general},
                                        {"symmetric", Symmetry::symmetric},
                                        {"skew-symmetric", Symmetry::skew_symmetric},
                                        {"hermitian", Symmetry::hermitian}}});
  if (header.vector && header.symmetry != Symmetry::general)
    refuse(name, line, symmetry, "a vector has no symmetry, expected general");
  if (header.symmetry == Symmetry::skew_symmetric && header.field == Field::pattern) {
    refuse(name, line, symmetry, "a pattern cannot be skew-symmetric: it has no signs");
  }
  p = skip_blanks(p);
  if (!is_line_end(*p)) {
    departures.note(place_of(name, line, p), "banner: " + quoted(token_at(p)) + " follows the symmetry",
                    "the rest of the line is passed over");
  }
}

std::int64_t read_size(std::string const& name, Line line, char const*& p, std::string const& what) {
  p = skip_blanks(p);
  std::string_view const token = token_at(p);
  if (token.empty()) refuse(name, line, p, "size line: " + what + " is missing");
  std::int64_t value = 0;
  char const* const start = p + (token.size() > 1 && *p == '-' ? 1 : 0);
  char const* const end = scan_natural(start, value);
  if (end != p + token.size() || start != p)
    refuse(name, line, p, "size line: " + what + " is " + quoted(token) + ", expected a whole number, 0 or more");
  if (value == std::numeric_limits<std::int64_t>::max()) {
    refuse(name, line, p, "size line: " + what + " is " + quoted(token) + ", more than 64 bits can count");
  }
  p = end;
  return value;
}

// Number of values an array file of this shape holds.
Wide array_entries(MatrixMarketHeader const& header) {
  auto const n = static_cast<Wide>(header.rows);
  switch (header.symmetry) {
    case Symmetry::general: return n * static_cast<Wide>(header.cols);
    case Symmetry::skew_symmetric: return n == 0 ? 0 : n * (n - 1) / 2;
    case Symmetry::symmetric:
    case Symmetry::hermitian: return n * (n + 1) / 2;
  }
  return 0;
}

std::uint64_t shortest_entry(MatrixMarketHeader const& header) {
  std::uint64_t const numbers = header.field == Field::pattern ? 0 : header.field == Field::complex ? 2 : 1;
  return 2 * (numbers + (header.array ? 0 : 2));  // a digit, and a blank or line end, each
}

// Sizes, and the rules that bind them.
void read_sizes(MatrixMarketHeader& header, Line line, Remaining left, std::uint64_t memory) {
  std::string const& name = header.name;
  char const* p = line.begin;
  char const* const first = skip_blanks(p);
  header.rows = read_size(name, line, p, "number of rows");
  header.cols = header.vector ? 1 : read_size(name, line, p, "number of columns");
  char const* count = first;
  if (!header.array) {
    count = skip_blanks(p);
    header.entries = read_size(name, line, p, "number of entries");
  }
  p = skip_blanks(p);
  if (!is_line_end(*p)) refuse(name, line, p, "size line: " + quoted(token_at(p)) + " follows the sizes");
  if (header.symmetry != Symmetry::general && header.rows != header.cols) {
    refuse(
        name, line, first,
        "a matrix with symmetry is square, got " + std::to_string(header.rows) + " x " + std::to_string(header.cols));
  }
  Wide const entries = header.array ? array_entries(header) : static_cast<Wide>(header.entries);
  if (entries > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) {
    refuse(name, line, count, "an array of this size has more entries than 64 bits can count");
  }
  // The last entry needs no line end.
  std::uint64_t const most = left.most == UINT64_MAX ? left.most : (left.most + 1) / shortest_entry(header);
  if (entries > most) {
    std::string const promised = header.array ? "an array of this size has" : "the header promises";
    header.unfilled =
        error_at(name, line, count,
                 promised + " more entries than the " + std::to_string(most) + " that the rest of the file can hold");
  }
  header.entries = static_cast<std::int64_t>(entries);
  Wide const longer = static_cast<Wide>(std::max(header.rows, header.cols));
  require_room(header,
               std::to_string(header.rows) + " x " + std::to_string(header.cols) + " with " +
                   std::to_string(header.entries) + " entries",
               8 * (longer + 1) + std::min<Wide>(entries, most) * entry_bytes(header), memory);
}

void read_up_to_sizes(MatrixMarketHeader& header, LineBlocks& blocks, std::uint64_t memory, Departures& departures) {
  header.name = blocks.name();
  bool banner = false;
  LineBlock block;
  while (blocks.next(block)) {
    char const* p = block.begin();
    while (p != block.end()) {
      Line const line{p, ++header.lines};
      if (!banner) {
        // Blank lines may come before it.
        bool const blank = is_line_end(*skip_blanks(p));
        if (!blank) read_banner(header, line, departures);
        banner = !blank;
      } else if (char const* const q = skip_blanks(p); *q != '%' && !is_line_end(*q)) {
        block.drop_until(next_line(line_end(q), block.end()));
        Remaining left = blocks.remaining();
        if (left.most != UINT64_MAX) left.most += block.bytes();
        read_sizes(header, line, left, memory);
        blocks.put_back(std::move(block));
        return;
      }
      p = next_line(line_end(p), block.end());
    }
  }
  std::string const missing = banner ? "the size line is missing" : "the banner is missing: expected '%%MatrixMarket'";
  throw Error(ErrorKind::parse, {header.name, header.lines + 1, 1}, "the file ends before its entries: " + missing);
}

}  // namespace

void require_memory(std::string const& name, std::string const& what, Wide need, std::uint64_t limit) {
  if (need <= limit) return;
  Wide const most = UINT64_MAX;
  throw Error(ErrorKind::resource_limit, {name},
              what + ": needs " + (need > most ? "more than " : "") +
                  std::to_string(static_cast<std::uint64_t>(std::min(need, most))) + " bytes, the limit is " +
                  std::to_string(limit));
}

std::uint64_t value_bytes(MatrixMarketHeader const& header) {
  return header.field == Field::pattern ? 0 : header.field == Field::complex ? 16 : 8;
}

std::uint64_t entry_bytes(MatrixMarketHeader const& header) {
  std::uint64_t const index = std::max(header.rows, header.cols) > std::numeric_limits<std::int32_t>::max() ? 8 : 4;
  return 2 * index + value_bytes(header);
}

void require_room(MatrixMarketHeader const& header, std::string const& what, Wide need, std::uint64_t limit) {
  if (header.unfilled && need > limit) throw Error(*header.unfilled);
  require_memory(header.name, what, need, limit);
}

MatrixMarketHeader read_header(LineBlocks& blocks, std::uint64_t memory, Departures& departures) {
  MatrixMarketHeader header;
  try {
    read_up_to_sizes(header, blocks, memory, departures);
  } catch (LongLine const& error) {
    throw LongLine(error.place().file, header.lines + 1);
  }
  return header;
}

}  // namespace araia::detail
