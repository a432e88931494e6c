// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/plan/build_plan.hpp"

#include <fmt/format.h>

namespace araia::detail {

std::string violation_text(reference::CheckReport const& check) {
  return fmt::format(
      "wrong at row {}, column {}: got {:.17g}{:+.17g}i, expected {:.17g}{:+.17g}i, bound {:.3g}; {} of {} entries",
      check.first_bad_row, check.first_bad_column, check.got.real(), check.got.imag(), check.expected.real(),
      check.expected.imag(), check.bound, check.violations, check.entries_checked);
}

void throw_not_described(std::string const& what) {
  throw Error(ErrorKind::unsupported, "araia::Plan::execute: " + what + "; make another plan for these operands");
}

void throw_released(char const* what) {
  throw Error(ErrorKind::unsupported, std::string("araia::Plan::") + what + ": the source was released");
}

void check_description(SpmvDesc const&) {}

void check_description(SpmmDesc const& desc) {
  if (desc.columns < 0)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("araia::make_plan: columns is {}, expected 0 or more", desc.columns));
}

}  // namespace araia::detail
