// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lengths of rows as branches meet them: each one that comes unforeseen costs some 20 cycles. Of each unit's own, as
// units are compiled for different instruction sets.

#include <cstdint>

namespace araia::host::ARAIA_ISA {

// Entries of a matrix whose every branch processors predict from the product before: what spares branches loses there.
inline constexpr std::int64_t most_remembered = 1 << 17;

// Rows between changes, from which on mispredicting them costs less than sparing them does.
inline constexpr std::int64_t even_rows = 8;

// Rows of a rhythm of lengths that predictors learn, such as the unknowns of each part of a grid.
inline constexpr std::int64_t longest_rhythm = 24;

/// Whether branches that go by the steps of `count` <= Most rows would often be mispredicted: where many change, and
/// not in a rhythm, as the unknowns of like parts do. \tparam Width  entries of a step
template <std::int64_t Most, std::int64_t Width, class Offset>
bool uneven(Offset const* offsets, std::int64_t count) {
  std::uint64_t steps[Most];
  for (std::int64_t r = 0; r < count; ++r)
    steps[r] = (static_cast<std::uint64_t>(offsets[r + 1] - offsets[r]) + Width - 1) / Width;
  std::int64_t changes = 0;
  for (std::int64_t r = 1; r < count; ++r) changes += steps[r] != steps[r - 1] ? 1 : 0;
  if (changes * even_rows <= count) return false;
  for (std::int64_t period = 2; period <= longest_rhythm; ++period) {
    std::int64_t r = period;
    while (r < count && steps[r] == steps[r - period]) ++r;
    if (r == count && r >= 2 * period) return false;
  }
  return true;
}

/// Rows in order of their lengths, so that the ends of loops come as foreseen: a counting sort, those of most_lengths
/// entries and more together. \param order  (rows), at most 255 of them
inline void sort_by_length(std::int64_t const* offsets, std::int64_t rows, std::uint8_t* order) {
  constexpr std::int64_t most_lengths = 16;
  std::uint8_t next[most_lengths + 1] = {};
  auto const key = [&](std::int64_t i) {
    std::int64_t const length = offsets[i + 1] - offsets[i];
    return length < most_lengths ? length : most_lengths;
  };
  for (std::int64_t i = 0; i < rows; ++i) ++next[key(i)];
  std::uint8_t before = 0;
  for (auto& count : next) {
    std::uint8_t const of_length = count;
    count = before;
    before = static_cast<std::uint8_t>(before + of_length);
  }
  for (std::int64_t i = 0; i < rows; ++i) order[next[key(i)]++] = static_cast<std::uint8_t>(i);
}

}  // namespace araia::host::ARAIA_ISA
