// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// FORTRAN edit descriptors of one kind of field, and the numbers in such fields.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "matrix_market_header.hpp"
#include "scan.hpp"

namespace araia::detail {

/// Lines of `repeat` fields, `width` columns each: (16I5), (1P,4D20.13), (5F16.8).
struct FortranFormat {
  static constexpr std::int64_t widest = 255;  // columns

  bool integer = false;     // I; else E, D, F, G, ES or EN, which read alike
  std::int64_t repeat = 1;  // fields a line, from 1
  std::int64_t width = 0;   // columns a field, from 1 to widest
  int decimals = 0;         // digits behind the point that a field without one leaves out
  int scale = 0;            // of kP: a field without exponent is 10^k too large

  [[nodiscard]] Wide lines(Wide fields) const {
    auto const per_line = static_cast<Wide>(repeat);
    return (fields + per_line - 1) / per_line;
  }
  /// The fewest bytes that hold `fields`: the last field of a line may be cut to a column, and the line ends.
  [[nodiscard]] Wide least_bytes(Wide fields) const {
    return (fields - lines(fields)) * static_cast<Wide>(width) + 2 * lines(fields);
  }
};

/// What `text`, from ( to ), says; nothing where it says anything else.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

// The number in a field. Blanks are left out wherever they are, a blank field is zero.
Scan scan_field(std::string_view field, std::int64_t& value);
/// Exponents start with E, D, Q or a sign; nan, inf and infinity are values.
Scan scan_field(std::string_view field, FortranFormat const& format, double& value);

}  // namespace araia::detail
