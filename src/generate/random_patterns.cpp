// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns without structure: banded, uniform, pruned layers.
#include <algorithm>
#include <cmath>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_banded = 0xba01;
constexpr std::uint64_t seed_uniform = 0x0f01;
constexpr std::uint64_t seed_pruned = 0xd001;
constexpr std::uint64_t seed_lengths = 0x1e01;

double value_at(std::uint64_t seed, std::int64_t row, std::int32_t column) {
  return detail::entry_at(seed ^ 0xff00000000ULL, row, column);
}

/// Adds columns of [first, last) at random until there are `count`; count <= last - first.
void draw_distinct(std::vector<std::int32_t>& columns, std::int64_t count, std::int64_t first, std::int64_t last,
                   std::uint64_t seed, std::int64_t row) {
  auto const wanted = static_cast<std::size_t>(count);
  constexpr std::size_t few = 64;  // columns: searched faster than a bitmap is cleared
  std::vector<bool> taken(wanted > few ? static_cast<std::size_t>(last - first) : 0);
  for (std::int32_t const column : columns)
    if (!taken.empty()) taken[static_cast<std::size_t>(column - first)] = true;
  for (std::uint64_t attempt = 0; columns.size() < wanted; ++attempt) {
    std::uint64_t const bits = detail::draw(seed, static_cast<std::uint64_t>(row), attempt);
    std::int64_t const place = detail::below(bits, last - first);
    auto const column = static_cast<std::int32_t>(first + place);
    bool const known = taken.empty() ? std::find(columns.begin(), columns.end(), column) != columns.end()
                                     : bool{taken[static_cast<std::size_t>(place)]};
    if (known) continue;
    columns.push_back(column);
    if (!taken.empty()) taken[static_cast<std::size_t>(place)] = true;
  }
}

}  // namespace

GeneratedMatrix banded_random(std::int64_t rows, std::int64_t entries_per_row, std::int64_t half_bandwidth,
                              std::uint64_t seed) {
  detail::require_size("banded_random", "rows", rows, 1);
  detail::require_size("banded_random", "half_bandwidth", half_bandwidth, 0);
  if (entries_per_row < 1 || entries_per_row > std::min(rows, half_bandwidth + 1))
    detail::refuse("banded_random", "entries_per_row is " + std::to_string(entries_per_row) +
                                        ", expected 1 to the rows and to half_bandwidth + 1, " +
                                        std::to_string(std::min(rows, half_bandwidth + 1)));
  std::uint64_t const own = detail::seeded(seed_banded, seed);
  GeneratedMatrix A;
  A.name = "banded_" + std::to_string(rows) + 'x' + std::to_string(entries_per_row);
  A.klass = "banded";
  A.rows = A.cols = rows;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::vector<std::int32_t> columns{static_cast<std::int32_t>(row)};
    std::int64_t const first = std::max<std::int64_t>(row - half_bandwidth, 0);
    std::int64_t const last = std::min(row + half_bandwidth + 1, rows);
    draw_distinct(columns, entries_per_row, first, last, own, row);
    detail::append_sorted(block, columns, [&](std::int32_t c) { return value_at(own, row, c); });
  });
  return A;
}

GeneratedMatrix uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t entries_per_row, std::uint64_t seed) {
  detail::require_size("uniform_random", "rows", rows, 1);
  detail::require_size("uniform_random", "cols", cols, 1);
  if (entries_per_row < 0 || entries_per_row > cols)
    detail::refuse("uniform_random", "entries_per_row is " + std::to_string(entries_per_row) +
                                         ", expected 0 to the columns, " + std::to_string(cols));
  std::uint64_t const own = detail::seeded(seed_uniform, seed);
  GeneratedMatrix A;
  A.name = "uniform_" + std::to_string(rows) + 'x' + std::to_string(entries_per_row);
  A.klass = "uniform_random";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::vector<std::int32_t> columns;
    draw_distinct(columns, entries_per_row, 0, cols, own, row);
    detail::append_sorted(block, columns, [&](std::int32_t c) { return value_at(own, row, c); });
  });
  return A;
}

GeneratedMatrix random_lengths(std::int64_t rows, std::int64_t cols, double least_share, double most_share,
                               std::uint64_t seed) {
  detail::require_size("random_lengths", "rows", rows, 1);
  detail::require_size("random_lengths", "cols", cols, 1);
  if (!(least_share >= 0 && least_share <= most_share && most_share <= 1))
    detail::refuse("random_lengths", "shares are " + std::to_string(least_share) + " and " +
                                         std::to_string(most_share) + ", expected 0 <= least <= most <= 1");
  std::uint64_t const own = detail::seeded(seed_lengths, seed);
  GeneratedMatrix A;
  A.name = "random_lengths_" + std::to_string(rows);
  A.klass = "random_lengths";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const id = static_cast<std::uint64_t>(row);
    double const share = least_share + (most_share - least_share) * detail::unit(detail::draw(own, id));
    // Each column is kept with the chance that leaves the wanted number of them [Knuth2, 3.4.2, algorithm S].
    auto missing = static_cast<std::int64_t>(share * static_cast<double>(cols));
    for (std::int64_t column = 0; column < cols && missing > 0; ++column) {
      std::uint64_t const bits = detail::draw(own, id, static_cast<std::uint64_t>(column) + 1);
      if (detail::below(bits, cols - column) >= missing) continue;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(value_at(own, row, block.columns.back()));
      --missing;
    }
  });
  return A;
}

GeneratedMatrix pruned_layer(std::int64_t rows, std::int64_t cols, double sparsity, std::uint64_t seed) {
  detail::require_size("pruned_layer", "rows", rows, 1);
  detail::require_size("pruned_layer", "cols", cols, 1);
  if (!(sparsity >= 0 && sparsity <= 1))
    detail::refuse("pruned_layer", "sparsity is " + std::to_string(sparsity) + ", expected 0 to 1");
  std::uint64_t const own = detail::seeded(seed_pruned, seed);
  GeneratedMatrix A;
  A.name = "pruned_" + std::to_string(rows) + 'x' + std::to_string(cols) + '_' +
           std::to_string(std::lround(sparsity * 100)) + "pct";
  A.klass = "pruned";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    for (std::int64_t column = 0; column < cols; ++column) {
      std::uint64_t const bits = detail::draw(own, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
      if (detail::unit(bits) < sparsity) continue;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(value_at(own, row, block.columns.back()));
    }
  });
  return A;
}

}  // namespace araia::generate
