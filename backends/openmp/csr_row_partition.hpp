// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows for each thread: contiguous, of about equal work. Found by binary search on the offsets, nothing is stored.

#include <cstdint>

namespace araia::host {

/// First row of part `part` of `parts`; part `parts` begins at `rows`. A row counts as its entries and
/// `entries_per_row` more, for its offset, its sum and its store. \tparam Offsets  a pointer, or what has []
template <class Offsets>
std::int64_t first_row_of_part(Offsets const& row_offsets, std::int64_t rows, int part, int parts,
                               std::int64_t entries_per_row) {
  if (part <= 0) return 0;
  if (part >= parts) return rows;
  auto const work_before = [&](std::int64_t row) {
    return static_cast<double>(row_offsets[row] - row_offsets[0]) + static_cast<double>(row * entries_per_row);
  };
  double const target = work_before(rows) * part / parts;
  std::int64_t low = 0;
  std::int64_t high = rows;
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (work_before(middle) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace araia::host
