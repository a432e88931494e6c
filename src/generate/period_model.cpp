// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_equations = 0xec01;
constexpr std::uint64_t seed_equation_values = 0xec02;
constexpr double lagged = 0.25;     // share of variables that are the period before's
constexpr double expected = 0.05;   // share that are the next one's
constexpr double near_share = 0.6;  // share of variables near in the numbering

/// A variable of an equation: its place relative to the period's first one, from -equations to 2 equations - 1.
std::vector<std::int64_t> variables_of(std::int64_t equation, std::int64_t equations, double mean, std::uint64_t seed) {
  auto const id = static_cast<std::uint64_t>(equation);
  // Lengths spread evenly over 1 to 2 mean - 1, whatever the seed: the golden section visits all parts of [0, 1) alike.
  constexpr double golden = 0.6180339887498949;
  double const part = golden * static_cast<double>(equation);
  double const others = 2 * (mean - 1) * (part - std::floor(part)) + detail::unit(detail::draw(seed, id));
  std::vector<std::int64_t> variables{equation};
  auto const wanted = std::min<std::size_t>(static_cast<std::size_t>(others) + 1, static_cast<std::size_t>(equations));
  for (std::uint64_t attempt = 1; variables.size() < wanted; ++attempt) {
    double const u = detail::unit(detail::draw(seed, id, 3 * attempt));
    std::uint64_t const bits = detail::draw(seed, id, 3 * attempt + 1);
    bool const near = detail::unit(detail::draw(seed, id, 3 * attempt + 2)) < near_share;
    std::int64_t const period = u < lagged ? -1 : u < lagged + expected ? 1 : 0;
    auto const distance = static_cast<std::int64_t>(1 / detail::unit(bits));
    std::int64_t place = near ? equation + ((bits & 1) != 0 ? distance : -distance) : detail::below(bits, equations);
    place = (place % equations + equations) % equations + period * equations;
    if (std::find(variables.begin(), variables.end(), place) == variables.end()) variables.push_back(place);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace

GeneratedMatrix period_model(std::int64_t periods, std::int64_t equations, double entries_per_row, std::uint64_t seed) {
  std::int64_t const rows = detail::checked_points("period_model", periods, equations, 1);
  if (!(entries_per_row >= 1 && entries_per_row <= std::max(1.0, static_cast<double>(equations) / 4)))
    detail::refuse("period_model", "entries_per_row is " + std::to_string(entries_per_row) +
                                       ", expected 1 to a quarter of the equations");
  std::uint64_t const own = detail::seeded(seed_equations, seed);
  std::uint64_t const values = detail::seeded(seed_equation_values, seed);
  std::vector<std::vector<std::int64_t>> variables;
  variables.reserve(static_cast<std::size_t>(equations));
  for (std::int64_t e = 0; e < equations; ++e) variables.push_back(variables_of(e, equations, entries_per_row, own));
  GeneratedMatrix A;
  A.name = "periods_" + std::to_string(periods) + 'x' + std::to_string(equations);
  A.klass = "economics";
  A.rows = A.cols = rows;
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    std::int64_t const first = row / equations * equations;
    for (std::int64_t const place : variables[static_cast<std::size_t>(row - first)]) {
      std::int64_t const column = first + place;
      if (column < 0 || column >= rows) continue;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(detail::entry_at(values, row, column));
    }
  });
  return A;
}

}  // namespace araia::generate
