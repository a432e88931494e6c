// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns without structure: banded, uniform, pruned layers.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "build_rows.hpp"
#include "generators.hpp"
#include "random.hpp"

namespace araia::perf {
namespace {

constexpr std::uint64_t seed_banded = 0xba01;
constexpr std::uint64_t seed_uniform = 0x0f01;
constexpr std::uint64_t seed_pruned = 0xd001;
constexpr std::uint64_t seed_lengths = 0x1e01;

double value_at(std::uint64_t seed, std::int64_t row, std::int32_t column) {
  return detail::entry(
      detail::draw(seed ^ 0xff00000000ULL, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)));
}

/// Adds columns of [first, last) at random until there are `count`; count <= last - first.
void draw_distinct(std::vector<std::int32_t>& columns, std::int64_t count, std::int64_t first, std::int64_t last,
                   std::uint64_t seed, std::int64_t row) {
  auto const wanted = static_cast<std::size_t>(count);
  for (std::uint64_t attempt = 0; columns.size() < wanted; ++attempt) {
    std::uint64_t const bits = detail::draw(seed, static_cast<std::uint64_t>(row), attempt);
    auto const column = static_cast<std::int32_t>(first + detail::below(bits, last - first));
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  }
}

}  // namespace

GeneratedMatrix banded_random(std::int64_t rows, std::int64_t entries_per_row, std::int64_t half_bandwidth) {
  if (rows < 1 || entries_per_row < 1 || half_bandwidth < 0 || entries_per_row > std::min(rows, half_bandwidth + 1))
    throw std::invalid_argument("banded_random: 1 <= entries_per_row <= min(rows, half_bandwidth + 1) must hold");
  GeneratedMatrix A;
  A.name = "banded_" + std::to_string(rows) + 'x' + std::to_string(entries_per_row);
  A.klass = "banded";
  A.rows = A.cols = rows;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::vector<std::int32_t> columns{static_cast<std::int32_t>(row)};
    std::int64_t const first = std::max<std::int64_t>(row - half_bandwidth, 0);
    std::int64_t const last = std::min(row + half_bandwidth + 1, rows);
    draw_distinct(columns, entries_per_row, first, last, seed_banded, row);
    detail::append_sorted(block, columns, [&](std::int32_t c) { return value_at(seed_banded, row, c); });
  });
  return A;
}

GeneratedMatrix uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t entries_per_row) {
  if (rows < 1 || cols < 1 || entries_per_row < 0 || entries_per_row > cols)
    throw std::invalid_argument("uniform_random: 0 <= entries_per_row <= cols must hold");
  GeneratedMatrix A;
  A.name = "uniform_" + std::to_string(rows) + 'x' + std::to_string(entries_per_row);
  A.klass = "uniform_random";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::vector<std::int32_t> columns;
    draw_distinct(columns, entries_per_row, 0, cols, seed_uniform, row);
    detail::append_sorted(block, columns, [&](std::int32_t c) { return value_at(seed_uniform, row, c); });
  });
  return A;
}

GeneratedMatrix random_lengths(std::int64_t rows, std::int64_t cols, double least_share, double most_share) {
  if (rows < 1 || cols < 1 || !(least_share >= 0 && least_share <= most_share && most_share <= 1))
    throw std::invalid_argument(
        "random_lengths: sizes must be positive, 0 <= least_share <= most_share <= 1 must hold");
  GeneratedMatrix A;
  A.name = "random_lengths_" + std::to_string(rows);
  A.klass = "random_lengths";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const id = static_cast<std::uint64_t>(row);
    double const share = least_share + (most_share - least_share) * detail::unit(detail::draw(seed_lengths, id));
    // Each column is kept with the chance that leaves the wanted number of them [Knuth2, 3.4.2, algorithm S].
    auto missing = static_cast<std::int64_t>(share * static_cast<double>(cols));
    for (std::int64_t column = 0; column < cols && missing > 0; ++column) {
      std::uint64_t const bits = detail::draw(seed_lengths, id, static_cast<std::uint64_t>(column) + 1);
      if (detail::below(bits, cols - column) >= missing) continue;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(value_at(seed_lengths, row, block.columns.back()));
      --missing;
    }
  });
  return A;
}

GeneratedMatrix pruned_layer(std::int64_t rows, std::int64_t cols, double sparsity) {
  if (rows < 1 || cols < 1 || !(sparsity >= 0 && sparsity <= 1))
    throw std::invalid_argument("pruned_layer: sizes must be positive, sparsity in [0, 1]");
  GeneratedMatrix A;
  A.name = "pruned_" + std::to_string(rows) + 'x' + std::to_string(cols) + '_' +
           std::to_string(std::lround(sparsity * 100)) + "pct";
  A.klass = "pruned";
  A.rows = rows;
  A.cols = cols;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    for (std::int64_t column = 0; column < cols; ++column) {
      std::uint64_t const bits =
          detail::draw(seed_pruned, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
      if (detail::unit(bits) < sparsity) continue;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(value_at(seed_pruned, row, block.columns.back()));
    }
  });
  return A;
}

}  // namespace araia::perf
