// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Couplings of whole sites: atoms with their orbitals on a lattice, and the nodes of a power grid.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_orbitals = 0xa701;
constexpr std::uint64_t seed_hopping = 0xa702;
constexpr std::uint64_t seed_grid = 0x6d01;
constexpr std::uint64_t seed_admittance = 0x6d02;
constexpr std::int64_t fewest_orbitals = 4;  // s and p
constexpr std::int64_t most_orbitals = 10;   // sp3d5s*
constexpr double feeders = 0.7;              // share of nodes that hang on the node before
constexpr double loops = 0.35;               // share of nodes with a second line

}  // namespace

std::int64_t orbitals_of_site(std::int64_t site, std::uint64_t seed) {
  return fewest_orbitals +
         detail::below(detail::draw(detail::seeded(seed_orbitals, seed), static_cast<std::uint64_t>(site)),
                       most_orbitals - fewest_orbitals + 1);
}

GeneratedMatrix orbital_lattice(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed) {
  std::int64_t const sites = detail::checked_points("orbital_lattice", nx, ny, nz);
  std::uint64_t const hopping = detail::seeded(seed_hopping, seed);
  std::vector<std::int64_t> first(static_cast<std::size_t>(sites) + 1, 0);  // row of a site
  for (std::int64_t s = 0; s < sites; ++s)
    first[static_cast<std::size_t>(s) + 1] = first[static_cast<std::size_t>(s)] + orbitals_of_site(s, seed);
  detail::require_size("orbital_lattice", "number of orbitals", first.back(), 1);
  GeneratedMatrix A;
  A.name = "orbitals_" + std::to_string(nx) + 'x' + std::to_string(ny) + 'x' + std::to_string(nz);
  A.klass = "orbitals";
  A.rows = A.cols = first.back();
  detail::build_rows(A, [=, &first](std::int64_t row, detail::RowBlock& block) {
    auto const site = static_cast<std::int64_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    std::int64_t const x = site % nx;
    std::int64_t const y = site / nx % ny;
    std::int64_t const z = site / nx / ny;
    std::size_t diagonal = 0;
    double magnitude = 1;
    auto const couple = [&](bool inside, std::int64_t other) {
      if (!inside) return;
      for (std::int64_t c = first[static_cast<std::size_t>(other)]; c < first[static_cast<std::size_t>(other) + 1];
           ++c) {
        block.columns.push_back(static_cast<std::int32_t>(c));
        if (c == row) diagonal = block.values.size();
        block.values.push_back(detail::symmetric_entry(hopping, row, c));
        if (c != row) magnitude += std::abs(block.values.back());
      }
    };
    couple(z > 0, site - nx * ny);
    couple(y > 0, site - nx);
    couple(x > 0, site - 1);
    couple(true, site);
    couple(x + 1 < nx, site + 1);
    couple(y + 1 < ny, site + nx);
    couple(z + 1 < nz, site + nx * ny);
    block.values[diagonal] = magnitude;
  });
  return A;
}

GeneratedMatrix power_grid(std::int64_t nodes, std::uint64_t seed) {
  detail::require_size("power_grid", "nodes", nodes, 2);
  std::uint64_t const lines = detail::seeded(seed_grid, seed);
  std::uint64_t const admittance = detail::seeded(seed_admittance, seed);
  auto const near = static_cast<std::int64_t>(2 * std::sqrt(static_cast<double>(nodes)));
  // Lines to earlier nodes: at most two, told apart by chance alone, so that a row finds its own again.
  auto const lines_of = [=](std::int64_t i) {
    std::array<std::int64_t, 2> to{-1, -1};
    if (i == 0) return to;
    auto const id = static_cast<std::uint64_t>(i);
    std::uint64_t const bits = detail::draw(lines, id);
    double const u = detail::unit(detail::draw(lines, id, 1));
    to[0] = detail::unit(bits) < feeders ? i - 1 : std::max<std::int64_t>(0, i - 1 - static_cast<std::int64_t>(1 / u));
    if (detail::unit(detail::draw(lines, id, 2)) < loops) {
      to[1] = std::max<std::int64_t>(0, i - 2 - detail::below(detail::draw(lines, id, 3), near));
      if (to[1] == to[0] || to[1] == i) to[1] = -1;
    }
    return to;
  };
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(nodes) + 1, 0);
  for (std::int64_t i = 0; i < nodes; ++i)
    for (std::int64_t const j : lines_of(i))
      if (j >= 0) ++offsets[static_cast<std::size_t>(j) + 1];
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  std::vector<std::int32_t> later(static_cast<std::size_t>(offsets.back()));  // nodes with a line to this one
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::int64_t i = 0; i < nodes; ++i)
    for (std::int64_t const j : lines_of(i))
      if (j >= 0) later[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = static_cast<std::int32_t>(i);
  GeneratedMatrix A;
  A.name = "power_grid_" + std::to_string(nodes);
  A.klass = "power_grid";
  A.rows = A.cols = nodes;
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    std::vector<std::int32_t> columns(later.begin() + offsets[static_cast<std::size_t>(row)],
                                      later.begin() + offsets[static_cast<std::size_t>(row) + 1]);
    for (std::int64_t const j : lines_of(row))
      if (j >= 0) columns.push_back(static_cast<std::int32_t>(j));
    double magnitude = 1;
    for (std::int32_t const c : columns) magnitude += std::abs(detail::symmetric_entry(admittance, row, c));
    columns.push_back(static_cast<std::int32_t>(row));
    detail::append_sorted(block, columns, [&](std::int32_t c) {
      return c == row ? magnitude : detail::symmetric_entry(admittance, row, c);
    });
  });
  return A;
}

}  // namespace araia::generate
