// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// FORTRAN formats: where the numbers of a line stand, and the numbers in such fields.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "matrix_market_header.hpp"
#include "scan.hpp"

namespace araia::detail {

/// Fields that are written alike, each `stride` columns behind the one before.
struct FortranFields {
  static constexpr std::int64_t widest = 255;  // columns

  std::int64_t column = 0;        // of the first field, from 0
  std::int64_t stride = 0;        // columns; the width or more
  std::int64_t count = 1;         // fields, from 1
  std::int64_t width = 0;         // columns a field, from 1 to widest
  int decimals = 0;               // digits behind the point that a field without one leaves out
  int scale = 0;                  // of kP: a field without exponent is 10^k too large
  bool blanks_are_zeros = false;  // behind the first character of a number, by BZ
};

/// The fields of a line, from left to right.
struct FortranLine {
  std::vector<FortranFields> runs;
  std::int64_t fields = 0;

  /// Column of a field, both from 0.
  [[nodiscard]] std::int64_t column_of(std::int64_t field) const;
};

/// What a format says of the lines that one list of numbers takes.
struct FortranFormat {
  bool integer = false;  // all fields are I; else some are E, D, F, G, ES or EN, which read alike
  FortranLine first;     // line: the whole format
  FortranLine later;     // lines: the format from its last group on, or all of it where it has no group

  [[nodiscard]] Wide lines(Wide fields) const;
  /// The fewest bytes that hold `fields`: the last field of a line may be cut to a column, and the line ends.
  [[nodiscard]] Wide least_bytes(Wide fields) const;
};

/// What `text`, from ( to ), says; nothing where it says anything else. The grammar is in docs/formats/files.md.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

// The number in a field. Blanks are left out wherever they are, or, by BZ, zeros; a blank field is zero.
Scan scan_field(std::string_view field, FortranFields const& format, std::int64_t& value);
/// Exponents start with E, D, Q or a sign; nan, inf and infinity are values.
Scan scan_field(std::string_view field, FortranFields const& format, double& value);

}  // namespace araia::detail
