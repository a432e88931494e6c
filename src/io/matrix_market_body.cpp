// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_market_body.hpp"

#include <araia/error.hpp>
#include <araia/io/escape.hpp>

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

}  // namespace

void BodyProgress::take(LineBlock const& block, std::int64_t entries, std::uint64_t lines, Fault const& fault) {
  std::int64_t const missing = header_.entries - entries_;
  if (entries > missing) {
    refuse_entry(block, missing,
                 "a line follows the " + std::to_string(header_.entries) + " entries that the header promises");
  }
  if (fault.at != nullptr) refuse(fault);
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

void BodyProgress::finish() const {
  if (entries_ == header_.entries) return;
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
