// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/build_plan.hpp"

#include <cmath>
#include <complex>
#include <string>

#include "src/formatted.hpp"

namespace araia::detail {

std::string violation_text(reference::CheckReport const& check) {
  auto const number = [&](std::complex<double> const& z) {
    bool const real = check.got.imag() == 0 && check.expected.imag() == 0;
    return real ? formatted("{:.17g}", z.real()) : formatted("{:.17g}{:+.17g}i", z.real(), z.imag());
  };
  return formatted("wrong at row {}, column {}: got {}, expected {}, bound {:.3g}; {} of {} entries",
                   check.first_bad_row + 1, check.first_bad_column + 1, number(check.got), number(check.expected),
                   check.bound, check.violations, check.entries_checked);
}

void throw_not_described(std::string const& what) {
  throw Error(ErrorKind::unsupported, "araia::Plan::execute: " + what + "; make another plan for these operands");
}

void throw_released(char const* what) {
  throw Error(ErrorKind::unsupported, std::string("araia::Plan::") + what + ": the source was released");
}

void check_description(SpmvDesc const&) {}

static void check_columns(std::int64_t columns) {
  constexpr std::int64_t most = std::int64_t{1} << 56;  // their bytes are counted in 64 bits
  if (columns < 0 || columns > most)
    throw Error(ErrorKind::invalid_argument,
                formatted("araia::make_plan: columns is {}, expected 0 to {}", columns, most));
}

void check_description(SpmmDesc const& desc) { check_columns(desc.columns); }

void check_description(SddmmDesc const& desc) { check_columns(desc.columns); }

void check_budget(double seconds) {
  if (!(seconds >= 0))  // nor NaN, which no time is beyond
    throw Error(ErrorKind::invalid_argument, formatted("araia::make_plan: budget is {}, expected 0 or more", seconds));
}

void check_products(double products) {
  if (!(products >= 0) || std::isinf(products))
    throw Error(ErrorKind::invalid_argument,
                formatted("araia::make_plan: products is {}, expected 0 (unknown) or more", products));
}

}  // namespace araia::detail
