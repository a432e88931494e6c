// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rutherford_boeing_header.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace araia::detail {
namespace {

constexpr std::size_t field_columns = 14;  // of every number in lines 2 and 3
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

struct Count {
  std::int64_t value = 0;  // of a blank field
  FilePlace place;
};

std::string quoted(std::string_view text) { return text.empty() ? "nothing" : '\'' + escape(text) + '\''; }

std::string_view token_in(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && !is_blank(line[end])) ++end;
  return line.substr(at, end - at);
}

void require_line(Records& records, char const* what) {
  if (!records.next()) records.refuse(0, std::string("the file ends before ") + what);
}

// The numbers of a line from column `first` on. They belong to fields of 14 columns, of which blank ones are 0; where a
// number crosses such a field or shares it, as in files that kept to blanks alone, they count in their order.
template <std::size_t n>
std::array<Count, n> read_counts(Records const& records, std::size_t first, std::array<char const*, n> const& names) {
  std::string_view const line = records.line();
  std::array<std::size_t, n> in_order{};
  std::array<std::size_t, n> in_fields{};
  std::size_t found = 0;
  bool fields = first % field_columns == 0;
  std::size_t const none = line.size();
  in_order.fill(none);
  in_fields.fill(none);
  for (std::size_t at = first_visible(line, first); at < line.size(); ++found) {
    if (found == n) records.refuse(at, quoted(token_in(line, at)) + " follows the " + names[n - 1]);
    std::size_t const end = at + token_in(line, at).size();
    std::size_t const field = at / field_columns;
    std::size_t const skipped = first / field_columns;
    fields = fields && (end - 1) / field_columns == field && field - skipped < n && in_fields[field - skipped] == none;
    if (fields) in_fields[field - skipped] = at;
    in_order[found] = at;
    at = first_visible(line, end);
  }
  std::array<Count, n> counts;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const at = fields ? in_fields[k] : in_order[k];
    counts[k].place = records.place(at);
    std::string_view const token = token_in(line, at);
    if (token.empty()) continue;
    Scan const scan =
        token.size() > std::size_t{FortranFields::widest} ? Scan::bad : scan_field(token, {}, counts[k].value);
    if (scan != Scan::good || counts[k].value < 0 || counts[k].value == largest) {
      records.refuse(at, std::string(names[k]) + " is " + quoted(token) + ", expected a count that fits 64 bits");
    }
  }
  return counts;
}

// A letter of the matrix type and what it says.
template <class T, std::size_t n>
T letter(Records const& records, std::size_t column, char const* what, std::array<std::pair<char, T>, n> const& known) {
  char const c = records.line()[column];
  std::string expected;
  for (auto const& [name, value] : known) {
    if (c == name || c == name - 'A' + 'a') return value;
    expected += (expected.empty() ? "" : ", ") + std::string(1, name);
  }
  records.refuse(column, std::string("matrix type: ") + what + " is " + quoted({&c, 1}) + ", expected " + expected);
}

void read_type(RutherfordBoeingHeader& header, Records const& records) {
  std::string_view const type = token_in(records.line(), 0);
  if (type.size() != 3) {
    records.refuse(0, "matrix type is " + quoted(type) + ", expected three letters such as RUA");
  }
  header.field = letter<Field, 5>(records, 0, "the kind of values",
                                  {{{'R', Field::real},
                                    {'C', Field::complex},
                                    {'I', Field::integer},
                                    {'P', Field::pattern},
                                    {'Q', Field::pattern}}});
  header.symmetry = letter<Symmetry, 5>(records, 1, "the symmetry",
                                        {{{'U', Symmetry::general},
                                          {'R', Symmetry::general},
                                          {'S', Symmetry::symmetric},
                                          {'H', Symmetry::hermitian},
                                          {'Z', Symmetry::skew_symmetric}}});
  if (letter<bool, 2>(records, 2, "the storage", {{{'A', false}, {'E', true}}})) {
    throw Error(ErrorKind::unsupported, records.place(2),
                "matrix type " + quoted(type) + ": elemental matrices are not supported, expected an assembled one (" +
                    std::string(type.substr(0, 2)) + "A)");
  }
  if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric) {
    records.refuse(1, "a pattern cannot be skew-symmetric: it has no signs");
  }
}

// The text of a format from its first parenthesis to the one that closes it, or the word there.
std::string_view format_text(std::string_view line, std::size_t at) {
  std::size_t open = 0;
  for (std::size_t end = at; at < line.size() && line[at] == '(' && end < line.size(); ++end) {
    if (line[end] == '(') ++open;
    if (line[end] == ')' && --open == 0) return line.substr(at, end + 1 - at);
  }
  return token_in(line, at);
}

// The next format of the line at column `at`, which moves behind it.
FortranFormat read_format(Records const& records, std::size_t& at, char const* what, bool integer) {
  std::string_view const line = records.line();
  at = first_visible(line, at);
  std::string_view const text = format_text(line, at);
  auto format = parse_fortran_format(text);
  if (!format || (integer && !format->integer)) {
    records.refuse(at, std::string("format of the ") + what + " is " + quoted(text) + ", expected one such as " +
                           (integer ? "(16I5) or (1X,8I9)" : "(4E20.12), (5F16.8), (1P,4D20.13) or (1X,3(E24.16))") +
                           ": fields " + (integer ? "I" : "I, E, D, F, G, ES or EN") +
                           ", X, kP, BN, BZ and groups of them");
  }
  at += text.size();
  return *std::move(format);
}

void require_lines(Count const& count, Wide lines, std::string const& what) {
  if (static_cast<Wide>(count.value) == lines) return;
  bool const fits = lines <= static_cast<Wide>(largest);
  throw Error(ErrorKind::parse, count.place,
              "number of " + what + " is " + std::to_string(count.value) + ", expected " +
                  (fits ? std::to_string(static_cast<std::int64_t>(lines)) : "more than 64 bits can count"));
}

// Refuses sizes that the rest of the file cannot fill or that take too much memory.
void require_room(RutherfordBoeingHeader const& header, Records const& records, FilePlace const& sizes,
                  std::uint64_t memory) {
  auto const cols = static_cast<Wide>(header.cols);
  auto const entries = static_cast<Wide>(header.entries);
  Wide const numbers = header.field == Field::pattern ? 0 : header.field == Field::complex ? 2 * entries : entries;
  Wide const text = header.pointer_format.least_bytes(cols + 1) + header.index_format.least_bytes(entries) +
                    (numbers == 0 ? 0 : header.value_format.least_bytes(numbers));
  std::uint64_t const left = records.remaining().most;
  if (left != UINT64_MAX && text > static_cast<Wide>(left) + 1) {  // the last line needs no end
    throw Error(
        ErrorKind::parse, sizes,
        "the sizes promise more numbers than the " + std::to_string(left) + " bytes of the rest of the file can hold");
  }
  Wide const longer = static_cast<Wide>(std::max(header.rows, header.cols));
  std::uint64_t const index = longer > std::numeric_limits<std::int32_t>::max() ? 8 : 4;
  std::uint64_t const value = header.field == Field::pattern ? 0 : header.field == Field::complex ? 16 : 8;
  require_memory(sizes.file,
                 std::to_string(header.rows) + " x " + std::to_string(header.cols) + " with " +
                     std::to_string(header.entries) + " entries",
                 8 * (longer + 1) + entries * (2 * index + value), memory);
}

// Some writers describe right-hand sides, by a line that starts with F or M, where there are none. Column pointers
// start with a digit.
void skip_stray_description(Records& records, Departures& departures) {
  bool const found = records.next();
  std::string_view const line = records.line();
  if (found && !line.empty() && std::string_view("FMfm").find(line.front()) != std::string_view::npos) {
    departures.note(records.place(0),
                    "a description of right-hand sides, " + quoted(token_in(line, 0)) +
                        ", follows the formats, but the file has no lines of right-hand sides",
                    "the line is passed over");
  } else {
    records.stay();
  }
}

}  // namespace

RutherfordBoeingHeader read_rutherford_boeing_header(Records& records, std::uint64_t memory, Departures& departures) {
  RutherfordBoeingHeader header;
  require_line(records, "the title");
  require_line(records, "the line counts");
  auto const counts = read_counts<5>(records, 0,
                                     {"number of all lines", "number of pointer lines", "number of index lines",
                                      "number of value lines", "number of right-hand side lines"});
  require_line(records, "the matrix type");
  read_type(header, records);
  std::size_t const behind_type = std::min(records.line().size(), std::size_t{3});
  bool const early = first_visible(records.line(), behind_type) < field_columns;
  auto const sizes =
      read_counts<4>(records, early ? behind_type : field_columns,
                     {"number of rows", "number of columns", "number of entries", "number of elemental entries"});
  header.rows = sizes[0].value;
  header.cols = sizes[1].value;
  header.entries = sizes[2].value;
  if (sizes[3].value != 0) {
    departures.note(
        sizes[3].place,
        "number of elemental entries is " + std::to_string(sizes[3].value) + ", expected 0 in an assembled file",
        "it is not used");
  }
  if (header.symmetry != Symmetry::general && header.rows != header.cols) {
    throw Error(
        ErrorKind::parse, sizes[0].place,
        "a matrix with symmetry is square, got " + std::to_string(header.rows) + " x " + std::to_string(header.cols));
  }
  require_line(records, "the formats");
  std::size_t at = 0;
  header.pointer_format = read_format(records, at, "column pointers", true);
  header.index_format = read_format(records, at, "row indices", true);
  if (header.field != Field::pattern) {
    header.value_format = read_format(records, at, "values", header.field == Field::integer);
  }
  auto const entries = static_cast<Wide>(header.entries);
  Wide const numbers = header.field == Field::pattern ? 0 : header.field == Field::complex ? 2 * entries : entries;
  require_lines(counts[1], header.pointer_format.lines(static_cast<Wide>(header.cols) + 1), "pointer lines");
  require_lines(counts[2], header.index_format.lines(entries), "index lines");
  require_lines(counts[3], numbers == 0 ? 0 : header.value_format.lines(numbers), "value lines");
  // The count of all lines is left alone: files in use, such as rua_32, have wrong ones, and nothing depends on it.
  header.right_hand_sides = counts[4].value != 0;
  if (header.right_hand_sides) require_line(records, "the description of the right-hand sides");
  require_room(header, records, sizes[0].place, memory);
  if (!header.right_hand_sides) skip_stray_description(records, departures);
  return header;
}

}  // namespace araia::detail
