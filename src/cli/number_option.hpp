// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options that take a number: the whole of it, in any locale, between bounds.

#include <charconv>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {

/// \param expected  what to give instead: "a finite number"
/// \throws Failure with Exit::usage where `text` is no number from `least` to `most`: infinity and NaN never are
template <class Number>
Number number_of(char const* option, std::string_view text, Number least, Number most, char const* expected) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  Number number{};
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || !(number >= least && number <= most))
    throw Failure(Exit::usage, formatted("{} is {}, expected {}", option, in_quotes(text), expected));
  return number;
}

template <class Number>
CLI::Option* add_number(CLI::App* command, char const* option, Number& number, Number least, Number most,
                        char const* expected, char const* help) {
  return command
      ->add_option_function<std::string>(
          option, [=, &number](std::string const& text) { number = number_of(option, text, least, most, expected); },
          help)
      ->type_name(std::integral<Number> ? "INT" : "FLOAT");
}

/// Any real number that a double holds.
inline CLI::Option* add_real(CLI::App* command, char const* option, double& number, char const* help) {
  using Limits = std::numeric_limits<double>;
  return add_number(command, option, number, Limits::lowest(), Limits::max(),
                    "a finite number that a double holds, such as -1.5 or 2e-3", help);
}

}  // namespace araia::cli
