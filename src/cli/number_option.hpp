// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options that take a number: the whole of it, in any locale, between bounds.

#include <charconv>
#include <concepts>
#include <cstdint>
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

/// Bytes: a number, alone or with a unit in any case behind it; 1.5 is for units alone. What is left of a byte is cut.
/// \throws Failure with Exit::usage
inline std::uint64_t bytes_of_option(char const* option, std::string const& text) {
  struct Unit {
    std::string_view name;
    std::uint64_t bytes;
  };
  static constexpr std::uint64_t k = 1000;
  static constexpr std::uint64_t ki = 1024;
  static constexpr Unit units[] = {{"", 1},
                                   {"b", 1},
                                   {"kb", k},
                                   {"mb", k * k},
                                   {"gb", k * k * k},
                                   {"tb", k * k * k * k},
                                   {"kib", ki},
                                   {"mib", ki * ki},
                                   {"gib", ki * ki * ki},
                                   {"tib", ki * ki * ki * ki}};
  std::uint64_t whole = 0;
  char const* const last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, whole);
  double fraction = 0;  // which a double holds to far less than a byte of a TiB
  bool const is_whole = end == last || *end != '.';
  if (error == std::errc{} && !is_whole) {
    auto const behind = std::from_chars(end, last, fraction, std::chars_format::fixed);
    error = behind.ec;
    end = behind.ptr;
  }
  std::string const unit = CLI::detail::to_lower(std::string(end, last));
  if (error == std::errc{}) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() >> 1;
    for (auto const& known : units) {
      if (unit != known.name || whole > most / known.bytes || (known.bytes == 1 && !is_whole)) continue;
      std::uint64_t const bytes =
          whole * known.bytes + static_cast<std::uint64_t>(fraction * static_cast<double>(known.bytes));
      if (bytes > 0 && bytes <= most) return bytes;
    }
  }
  throw Failure(Exit::usage,
                formatted("{} is {}, expected 1 to 2^63 - 1 bytes: a whole number, or any with kB, MB, GB, "
                          "TB, KiB, MiB, GiB or TiB behind it, as in 512MiB or 1.5GB",
                          option, in_quotes(text)));
}

/// Any real number that a double holds.
inline CLI::Option* add_real(CLI::App* command, char const* option, double& number, char const* help) {
  using Limits = std::numeric_limits<double>;
  return add_number(command, option, number, Limits::lowest(), Limits::max(),
                    "a finite number that a double holds, such as -1.5 or 2e-3", help);
}

}  // namespace araia::cli
