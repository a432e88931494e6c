// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which rows to check where checking all would take too long.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/mixed_bits.hpp"

namespace araia::reference {

/// Rows to check: all while there are at most `count`, else the `extremes` longest and shortest, the first and the last
/// row, and random ones by `seed`, `count` in all, ascending.
/// \param lengths  entries of each row, from row_lengths(op, A)
inline std::vector<std::int64_t> sample_rows(std::vector<std::int64_t> const& lengths, std::int64_t count,
                                             std::uint64_t seed = 1, std::int64_t extremes = 8) {
  auto const total = static_cast<std::int64_t>(lengths.size());
  std::vector<std::int64_t> rows(lengths.size());
  for (std::int64_t i = 0; i < total; ++i) rows[static_cast<std::size_t>(i)] = i;
  if (total <= count || count <= 0) {
    if (count <= 0) rows.clear();
    return rows;
  }
  auto const length = [&](std::int64_t row) { return lengths[static_cast<std::size_t>(row)]; };
  std::int64_t chosen = 0;
  auto const choose = [&](std::int64_t place) {
    if (chosen < count) std::swap(rows[static_cast<std::size_t>(chosen++)], rows[static_cast<std::size_t>(place)]);
  };
  choose(total - 1);  // row 0 moves to the end
  choose(total - 1);
  std::int64_t const each = std::min(extremes, (count - chosen) / 2);
  auto const at = [&](std::int64_t place) { return rows.begin() + place; };
  if (each > 0) {
    std::partial_sort(at(chosen), at(chosen + each), rows.end(),
                      [&](std::int64_t p, std::int64_t q) { return length(p) > length(q); });
    chosen += each;
    std::partial_sort(at(chosen), at(chosen + each), rows.end(),
                      [&](std::int64_t p, std::int64_t q) { return length(p) < length(q); });
    chosen += each;
  }
  std::uint64_t state = seed;
  while (chosen < count) {
    std::uint64_t const bits = araia::detail::mixed_bits(state);  // the same rows on every platform
    state += araia::detail::mixing_step;
    choose(chosen + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(total - chosen)));
  }
  rows.resize(static_cast<std::size_t>(count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace araia::reference
