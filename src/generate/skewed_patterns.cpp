// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of very uneven rows: a web-like graph, a circuit and a linear program.
#include <algorithm>
#include <cmath>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_power = 0x9001;
constexpr std::uint64_t seed_hubs = 0x9002;
constexpr std::uint64_t seed_circuit = 0xc101;
constexpr std::uint64_t seed_lp = 0x1901;
constexpr double supplied = 0.3;           // share of a circuit's nodes that touch their region's net
constexpr double pareto_exponent = 2.1;    // of web graphs' degrees [Broder2000]
constexpr std::int64_t longest_row = 16;   // a row holds at most 1 / longest_row of the columns
constexpr std::int64_t longest_step = 32;  // from one row of a linear program's column to the next

/// Mean of shortest * u^(-1 / (exponent - 1)) cut off at `longest`, u uniform.
double pareto_mean(double shortest, double longest) {
  double const tail = pareto_exponent - 1;
  double const cut = std::pow(shortest / longest, tail);  // share of rows at the cut-off
  double const body = shortest * tail / (tail - 1) * (1 - std::pow(cut, (tail - 1) / tail));
  return body + cut * longest;
}

/// The shortest row that gives the wanted mean, by bisection: pareto_mean grows with it.
double shortest_for_mean(double mean, double longest) {
  double low = 0;
  double high = std::min(mean, longest);
  for (int step = 0; step < 60; ++step) {
    double const middle = (low + high) / 2;
    (pareto_mean(middle, longest) < mean ? low : high) = middle;
  }
  return high;
}

/// A random renumbering of [0, n): Feistel rounds over the next power of four, walked until inside.
std::int64_t renumber(std::int64_t index, std::int64_t n, std::uint64_t seed) {
  int half = 1;
  while ((std::int64_t{1} << (2 * half)) < n) ++half;
  auto const mask = (std::uint64_t{1} << half) - 1;
  auto current = static_cast<std::uint64_t>(index);
  do {
    std::uint64_t left = current >> half;
    std::uint64_t right = current & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      std::uint64_t const next = left ^ (detail::draw(seed, round, right) & mask);
      left = right;
      right = next;
    }
    current = left << half | right;
  } while (current >= static_cast<std::uint64_t>(n));
  return static_cast<std::int64_t>(current);
}

}  // namespace

GeneratedMatrix power_law(std::int64_t rows, double mean_entries_per_row, std::int64_t most_entries_per_row,
                          std::uint64_t seed) {
  detail::require_size("power_law", "rows", rows, longest_row);
  std::int64_t const most = most_entries_per_row == 0 ? rows / longest_row : most_entries_per_row;
  if (most < 1 || most > rows / longest_row)
    detail::refuse("power_law", "most_entries_per_row is " + std::to_string(most) + ", expected 1 to rows / 16, " +
                                    std::to_string(rows / longest_row) + ", or 0 for that");
  if (!(mean_entries_per_row > 0 && mean_entries_per_row <= static_cast<double>(most)))
    detail::refuse("power_law", "mean_entries_per_row is " + std::to_string(mean_entries_per_row) +
                                    ", expected above 0 and at most the longest row's, " + std::to_string(most));
  std::uint64_t const own = detail::seeded(seed_power, seed);
  std::uint64_t const values = detail::seeded(seed_power + 1, seed);
  std::uint64_t const hubs = detail::seeded(seed_hubs, seed);
  double const longest = static_cast<double>(most);
  double const shortest = shortest_for_mean(mean_entries_per_row, longest);
  GeneratedMatrix A;
  A.name = "power_law_" + std::to_string(rows) + 'x' + std::to_string(std::lround(mean_entries_per_row));
  A.klass = "power_law";
  A.rows = A.cols = rows;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const id = static_cast<std::uint64_t>(row);
    double const u = detail::unit(detail::draw(own, id));
    double const drawn = std::min(longest, shortest * std::pow(u, -1 / (pareto_exponent - 1)));
    // Rounding down or up by chance keeps the mean.
    auto const length = static_cast<std::int64_t>(drawn + detail::unit(detail::draw(own, id, ~std::uint64_t{0})));
    std::vector<std::int32_t> columns;
    columns.reserve(static_cast<std::size_t>(length));
    for (std::int64_t k = 0; k < length; ++k) {
      double const popularity = detail::unit(detail::draw(own, id, static_cast<std::uint64_t>(k) + 1));
      auto const rank = static_cast<std::int64_t>(static_cast<double>(rows) * popularity * popularity * popularity);
      columns.push_back(static_cast<std::int32_t>(renumber(std::min(rank, rows - 1), rows, hubs)));
    }
    detail::append_sorted(block, columns, [&](std::int32_t c) {
      return detail::entry(detail::draw(values, id, static_cast<std::uint64_t>(c)));
    });
  });
  return A;
}

GeneratedMatrix circuit(std::int64_t rows, std::int64_t most_wires, std::int64_t most_pins, std::uint64_t seed) {
  detail::require_size("circuit", "rows", rows, 256);
  detail::require_size("circuit", "most_wires", most_wires, 1);
  detail::require_size("circuit", "most_pins", most_pins, 1);
  std::uint64_t const own = detail::seeded(seed_circuit, seed);
  std::uint64_t const values = detail::seeded(seed_circuit + 1, seed);
  std::int64_t const nets = 2 + rows / 100000;              // power and ground, by region
  std::int64_t const pins = std::min(rows / 8, most_pins);  // of a net
  std::int64_t const region = rows / nets;
  GeneratedMatrix A;
  A.name = "circuit_" + std::to_string(rows);
  A.klass = "circuit";
  A.rows = A.cols = rows;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const id = static_cast<std::uint64_t>(row);
    std::int64_t const net = std::min(row / region, nets - 1) * region;
    std::vector<std::int32_t> columns{static_cast<std::int32_t>(row)};
    std::int64_t const links = row == net ? pins : 1 + detail::below(detail::draw(own, id), most_wires);
    for (std::int64_t k = 0; k < links; ++k) {
      std::uint64_t const bits = detail::draw(own, id, static_cast<std::uint64_t>(k) + 1);
      double const u = detail::unit(bits);
      // Most wires are short: distances by 1 / u, both ways. A net's pins lie anywhere in its region.
      auto const distance = static_cast<std::int64_t>(1 / u);
      std::int64_t const column =
          row == net ? net + detail::below(bits, region) : row + ((bits & 1) != 0 ? distance : -distance);
      columns.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(column, 0, rows - 1)));
    }
    if (detail::unit(detail::draw(own, id, ~std::uint64_t{0})) < supplied)
      columns.push_back(static_cast<std::int32_t>(net));
    detail::append_sorted(block, columns, [&](std::int32_t c) {
      return detail::entry(detail::draw(values, id, static_cast<std::uint64_t>(c)));
    });
  });
  return A;
}

GeneratedMatrix linear_program(std::int64_t rows, std::int64_t cols, std::int64_t least, std::int64_t most,
                               std::uint64_t seed) {
  detail::require_size("linear_program", "rows", rows, 256);
  detail::require_size("linear_program", "cols", cols, 1);
  if (least < 1 || most < least || most > rows / longest_step)  // all steps of a column are less than the rows
    detail::refuse("linear_program", "entries of a column are " + std::to_string(least) + " to " +
                                         std::to_string(most) + ", expected 1 to rows / 32, " +
                                         std::to_string(rows / longest_step));
  std::uint64_t const own = detail::seeded(seed_lp, seed);
  GeneratedMatrix A;
  A.name = "lp_" + std::to_string(rows) + 'x' + std::to_string(cols);
  A.klass = "lp";
  A.rows = rows;
  A.cols = cols;
  // Column j holds rows base, base + d1, base + d1 + d2, ... with steps of 1 to longest_step: all distinct.
  auto const visit_column = [=](std::int64_t j, auto const& visit) {
    auto const id = static_cast<std::uint64_t>(j);
    std::int64_t const count = least + detail::below(detail::draw(own, id), most - least + 1);
    double const u = detail::unit(detail::draw(own, id, 1));
    auto row = static_cast<std::int64_t>(static_cast<double>(rows) * u * u);
    for (std::int64_t k = 0; k < count; ++k) {
      std::uint64_t const bits = detail::draw(own, id, static_cast<std::uint64_t>(k) + 2);
      visit(row % rows, detail::entry(bits));
      row += 1 + detail::below(bits, longest_step);
    }
  };
  A.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::int64_t j = 0; j < cols; ++j)
    visit_column(j, [&](std::int64_t row, double) { ++A.row_offsets[static_cast<std::size_t>(row) + 1]; });
  for (std::size_t i = 1; i < A.row_offsets.size(); ++i) A.row_offsets[i] += A.row_offsets[i - 1];
  A.col_indices.resize(static_cast<std::size_t>(A.row_offsets.back()));
  A.values.resize(A.col_indices.size());
  std::vector<std::int64_t> next(A.row_offsets.begin(), A.row_offsets.end() - 1);
  for (std::int64_t j = 0; j < cols; ++j)
    visit_column(j, [&](std::int64_t row, double value) {
      auto const slot = static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++);
      A.col_indices[slot] = static_cast<std::int32_t>(j);
      A.values[slot] = value;
    });
  return A;
}

}  // namespace araia::generate
