// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fortran_records.hpp"

#include <araia/error.hpp>
#include "src/io/escape.hpp"

namespace araia::detail {
namespace {

constexpr std::size_t card_columns = 72;  // of data; 73 to 80 number the cards

}  // namespace

bool Records::next() {
  if (stays_) {
    stays_ = false;
    return found_;
  }
  found_ = false;
  ++number_;
  if (behind_ == nullptr || behind_ == block_.end()) {
    line_ = {};
    behind_ = nullptr;
    try {
      if (!blocks_.next(block_)) return false;
    } catch (LongLine const& error) {
      throw LongLine(error.place().file, number_);
    }
    behind_ = block_.begin();
  }
  char const* const last = line_end(behind_);
  line_ = {behind_, static_cast<std::size_t>(last - behind_)};
  behind_ = next_line(last, block_.end());
  return found_ = true;
}

Remaining Records::remaining() const {
  Remaining left = blocks_.remaining();
  if (behind_ == nullptr) return left;
  auto const held = static_cast<std::uint64_t>(block_.end() - behind_);
  if (left.most <= UINT64_MAX - held) left.most += held;
  return left;
}

void Records::refuse(std::size_t column, std::string const& message) const {
  throw Error(ErrorKind::parse, place(column), message);
}

void Fields::advance() {
  if (read_ == 0 || on_line_ == layout_->fields) {
    finish();
    if (!records_.next()) {
      records_.refuse(0,
                      "the file ends after " + std::to_string(read_) + " of " + std::to_string(count_) + ' ' + what_);
    }
    layout_ = read_ == 0 ? &format_.first : &format_.later;
    on_line_ = 0;
    run_ = 0;
    in_run_ = 0;
  } else if (++in_run_ == layout_->runs[run_].count) {
    ++run_;
    in_run_ = 0;
  }
  FortranFields const& run = layout_->runs[run_];
  // Short of the line's end, so that the product is small.
  auto const at = static_cast<std::size_t>(run.column + in_run_ * run.stride);
  std::string_view const line = records_.line();
  if (at >= line.size()) {
    records_.refuse(line.size(), "the line ends after " + std::to_string(on_line_) + " fields, " +
                                     std::to_string(read_) + " of " + std::to_string(count_) + ' ' + what_);
  }
  field_ = line.substr(at, static_cast<std::size_t>(run.width));
  ++on_line_;
  ++read_;
}

std::int64_t Fields::integer(std::int64_t least, std::int64_t most) {
  advance();
  std::int64_t value = 0;
  Scan const found = scan_field(field_, layout_->runs[run_], value);
  if (found != Scan::good || value < least || value > most) {
    refuse(std::string("one of the ") + what_ + " is " + quoted() + ", expected " + std::to_string(least) + " to " +
           std::to_string(most));
  }
  return value;
}

double Fields::real() {
  advance();
  double value = 0;
  Scan const found = scan_field(field_, layout_->runs[run_], value);
  if (found == Scan::bad)
    refuse(std::string("one of the ") + what_ + " is " + quoted() + ", expected a decimal number");
  if (found == Scan::too_large) {
    refuse(std::string("one of the ") + what_ + " is " + quoted() + ", beyond the range of a double");
  }
  return value;
}

void Fields::finish() const {
  if (read_ == 0) return;
  // FORTRAN reads no further than the last field it wants; files in use, such as illc1033, have numbers there.
  std::string_view const line = records_.line().substr(0, card_columns);
  FortranFields const& run = layout_->runs[run_];
  auto const behind = static_cast<std::size_t>(run.column + in_run_ * run.stride + run.width);
  std::size_t const at = first_visible(line, behind);
  if (at >= line.size()) return;
  records_.refuse(at, '\'' + escape(line.substr(at)) + "' follows the last of " + std::to_string(on_line_) + " fields");
}

void Fields::refuse(std::string const& message) const {
  std::string_view const line = records_.line();
  auto const at = static_cast<std::size_t>(field_.data() - line.data());
  std::size_t const visible = first_visible(field_);
  records_.refuse(at + (visible == field_.size() ? 0 : visible), message);
}

std::string Fields::quoted() const {
  std::string_view field = field_.substr(first_visible(field_));
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field.empty() ? "blank" : '\'' + escape(field) + '\'';
}

}  // namespace araia::detail
