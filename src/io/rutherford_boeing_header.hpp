// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The four or five lines in front of a Rutherford-Boeing or Harwell-Boeing matrix.

#include <araia/io/host_coo.hpp>

#include <cstdint>

#include "departures.hpp"
#include "fortran_records.hpp"
#include "matrix_market_header.hpp"

namespace araia::detail {

struct RutherfordBoeingHeader {
  Field field = Field::real;  // real, integer, complex or pattern
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  bool right_hand_sides = false;  // follow the matrix
  FortranFormat pointer_format;
  FortranFormat index_format;
  FortranFormat value_format;  // void in a pattern

  /// Numbers that the values are written in: two of a complex one.
  [[nodiscard]] std::int64_t numbers() const {
    return field == Field::pattern ? 0 : field == Field::complex ? 2 * entries : entries;
  }
};

/// Leaves `records` at the last line of the header. What the rest of the file cannot fill and what is beyond `memory`
/// bytes is refused here, before anything is allocated.
RutherfordBoeingHeader read_rutherford_boeing_header(Records& records, std::uint64_t memory, Departures& departures);

}  // namespace araia::detail
