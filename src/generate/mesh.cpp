// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes in full blocks on lines and planes, and finite differences in a ball.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/numbering.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_couplings = 0x3e01;
constexpr std::uint64_t seed_mesh_order = 0x3e02;
constexpr std::uint64_t seed_mesh_values = 0x3e03;
constexpr std::uint64_t seed_empty = 0x3e04;
constexpr std::uint64_t seed_hamiltonian = 0x3e05;

/// Distances in the numbering, ascending, to half the neighbours in reach; the other half lies the other way.
std::vector<std::int64_t> distances(MeshShape const& shape) {
  std::int64_t const nx = shape.nx == 0 ? shape.nodes : shape.nx;
  std::int64_t const ny = shape.ny == 0 ? (shape.nodes + nx - 1) / nx : shape.ny;
  int const dimensions = shape.nx == 0 ? 1 : shape.ny == 0 ? 2 : 3;
  std::int64_t const half_reach = shape.reach / 2;
  // In a cube of half-edge r lie more than r neighbours in one dimension, r^2 in two and in three.
  auto const most = dimensions == 1 ? half_reach : static_cast<std::int64_t>(std::sqrt(shape.reach)) + 1;
  struct Step {
    std::int64_t squared, distance;
  };
  std::vector<Step> steps;
  for (std::int64_t z = 0; z <= (dimensions == 3 ? most : 0); ++z)
    for (std::int64_t y = z > 0 ? -most : 0; y <= (dimensions > 1 ? most : 0); ++y)
      for (std::int64_t x = z > 0 || y > 0 ? -most : 1; x <= most; ++x) {
        std::int64_t const distance = x + nx * (y + ny * z);
        if (distance > 0 && distance < shape.nodes) steps.push_back({x * x + y * y + z * z, distance});
      }
  std::sort(steps.begin(), steps.end(), [](Step const& a, Step const& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.distance < b.distance;
  });
  std::vector<std::int64_t> nearest;
  for (Step const& step : steps) {
    if (static_cast<std::int64_t>(nearest.size()) == half_reach) break;
    if (std::find(nearest.begin(), nearest.end(), step.distance) == nearest.end()) nearest.push_back(step.distance);
  }
  std::sort(nearest.begin(), nearest.end());
  return nearest;
}

void require_mesh(MeshShape const& shape) {
  if (shape.unknowns < 1 || shape.unknowns > 1000)
    detail::refuse("mesh", "unknowns is " + std::to_string(shape.unknowns) + ", expected 1 to 1000");
  (void)detail::checked_points("mesh", shape.nodes, 1, 1, shape.unknowns);
  if (shape.nx < 0 || shape.ny < 0 || (shape.nx == 0 && shape.ny > 0) || shape.nx > shape.nodes ||
      shape.ny > shape.nodes)
    detail::refuse("mesh", "nx is " + std::to_string(shape.nx) + " and ny " + std::to_string(shape.ny) +
                               ", expected 0 to the nodes, and no ny without nx");
  constexpr std::int64_t most_reach = 1000;
  if (shape.reach < 0 || shape.reach > most_reach || shape.reach % 2 != 0)
    detail::refuse("mesh", "reach is " + std::to_string(shape.reach) + ", expected an even number from 0 to " +
                               std::to_string(most_reach));
  if (!(shape.entries_per_row > 0))
    detail::refuse("mesh", "entries_per_row is " + std::to_string(shape.entries_per_row) + ", expected above 0");
  if (!(shape.empty >= 0 && shape.empty < 1))
    detail::refuse("mesh", "empty is " + std::to_string(shape.empty) + ", expected 0 or more and below 1");
  if (shape.window < 1) detail::refuse("mesh", "window is " + std::to_string(shape.window) + ", expected 1 or more");
}

/// The chance of a coupling that gives the wanted mean.
double coupling_chance(MeshShape const& shape, std::vector<std::int64_t> const& steps) {
  auto const nodes = static_cast<double>(shape.nodes);
  double const there = 1 - shape.empty;
  double pairs = 0;
  for (std::int64_t const step : steps) pairs += nodes - static_cast<double>(step);
  double const blocks = shape.entries_per_row * nodes / static_cast<double>(shape.unknowns);
  double const others = blocks - nodes * there;
  return pairs > 0 ? std::clamp(others / (2 * pairs * there * there), 0.0, 1.0) : 0;
}

}  // namespace

GeneratedMatrix mesh(MeshShape const& shape, std::uint64_t seed) {
  require_mesh(shape);
  std::vector<std::int64_t> const steps = distances(shape);
  double const chance = coupling_chance(shape, steps);
  std::uint64_t const couplings = detail::seeded(seed_couplings, seed);
  std::uint64_t const values = detail::seeded(seed_mesh_values, seed);
  std::uint64_t const empty = detail::seeded(seed_empty, seed);
  detail::Numbering const order =
      detail::shuffle_in_windows(shape.nodes, shape.window, detail::seeded(seed_mesh_order, seed));
  auto const is_there = [&](std::int64_t node) {
    return shape.empty == 0 || detail::unit(detail::draw(empty, static_cast<std::uint64_t>(node))) >= shape.empty;
  };
  auto const couple = [&](std::int64_t low, std::int64_t high) {
    return detail::unit(detail::draw(couplings, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high))) <
               chance &&
           is_there(low) && is_there(high);
  };
  GeneratedMatrix A;
  A.name = "mesh_" + std::to_string(shape.nodes) + 'x' + std::to_string(shape.unknowns);
  A.klass = "mesh";
  A.rows = A.cols = shape.unknowns * shape.nodes;
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    std::int64_t const node = order.lattice[static_cast<std::size_t>(row / shape.unknowns)];
    if (!is_there(node)) return;
    std::vector<std::int64_t> blocks{row / shape.unknowns};
    for (std::int64_t const step : steps) {
      if (node >= step && couple(node - step, node))
        blocks.push_back(order.number[static_cast<std::size_t>(node - step)]);
      if (node + step < shape.nodes && couple(node, node + step))
        blocks.push_back(order.number[static_cast<std::size_t>(node + step)]);
    }
    std::sort(blocks.begin(), blocks.end());
    std::size_t diagonal = 0;
    double magnitude = 1;
    for (std::int64_t const b : blocks)
      for (std::int64_t u = 0; u < shape.unknowns; ++u) {
        std::int64_t const column = b * shape.unknowns + u;
        block.columns.push_back(static_cast<std::int32_t>(column));
        if (column == row) diagonal = block.values.size();
        block.values.push_back(shape.symmetric ? detail::symmetric_entry(values, row, column)
                                               : detail::entry_at(values, row, column));
        if (column != row) magnitude += std::abs(block.values.back());
      }
    if (shape.symmetric) block.values[diagonal] = magnitude;
  });
  return A;
}

namespace {

// Points lie half a step off the middle: four times a squared distance is the sum of three odd squares.
constexpr std::int64_t difference_reach = 6;  // neighbours each way along an axis

/// Points of the rows of the ball of 4 r^2 = squared at height and depth (y, z), in odd halves: the largest odd x.
std::int64_t widest(std::int64_t squared, std::int64_t y, std::int64_t z) {
  std::int64_t const left = squared - y * y - z * z;
  if (left < 1) return 0;
  auto x = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
  while (x * x > left) --x;
  while ((x + 1) * (x + 1) <= left) ++x;
  return x % 2 != 0 ? x : x - 1;
}

std::int64_t points_inside(std::int64_t squared) {
  std::int64_t count = 0;
  std::int64_t const most = widest(squared, 0, 0) + 1;
  for (std::int64_t z = 1; z <= most; z += 2)
    for (std::int64_t y = 1; y <= most; y += 2) {
      std::int64_t const x = widest(squared, y, z);
      if (x > 0) count += 4 * (x + 1);
    }
  return count;
}

/// Least 4 r^2 whose ball has so many points.
std::int64_t ball(std::int64_t least_points) {
  std::int64_t low = 0;
  std::int64_t high = 4;
  while (points_inside(high) < least_points) high *= 2;
  while (high - low > 1) {
    std::int64_t const middle = (low + high) / 2;
    (points_inside(middle) < least_points ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::int64_t ball_points(std::int64_t least_points) {
  detail::require_size("grid_hamiltonian", "least_points", least_points, 1);
  std::int64_t const points = points_inside(ball(least_points));
  detail::require_size("grid_hamiltonian", "points of the ball", points, 1);
  return points;
}

GeneratedMatrix grid_hamiltonian(std::int64_t least_points, std::uint64_t seed) {
  std::int64_t const points = ball_points(least_points);
  std::int64_t const squared = ball(least_points);
  std::uint64_t const values = detail::seeded(seed_hamiltonian, seed);
  // Rows along x, by (z, y): the first point's number, and the largest odd x, 0 for none.
  std::int64_t const edge = widest(squared, 1, 1) + 1;  // points along an axis
  struct Line {
    std::int64_t first, x;
  };
  std::vector<Line> lines;
  lines.reserve(static_cast<std::size_t>(edge * edge));
  std::int64_t next = 0;
  for (std::int64_t z = 0; z < edge; ++z)
    for (std::int64_t y = 0; y < edge; ++y) {
      std::int64_t const x = widest(squared, 2 * y + 1 - edge, 2 * z + 1 - edge);
      lines.push_back({next, x});
      if (x > 0) next += x + 1;
    }
  // Of point (x, y, z) in steps from the corner, -1 outside.
  auto const number = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t {
    if (y < 0 || y >= edge || z < 0 || z >= edge) return -1;
    Line const& line = lines[static_cast<std::size_t>(y + edge * z)];
    std::int64_t const at = 2 * x + 1 - edge;
    return line.x > 0 && std::abs(at) <= line.x ? line.first + (at + line.x) / 2 : -1;
  };
  // The points of each atom's core, nearest first, then ascending: on the axis of z, a quarter of the edge off the
  // middle.
  auto const core = static_cast<std::size_t>(
      std::min<double>(static_cast<double>(points) / 2, std::round(1.9 * std::sqrt(static_cast<double>(points)))));
  struct Near {
    std::int64_t squared, point;
  };
  std::array<std::vector<std::int32_t>, 2> atoms;
  std::vector<std::uint8_t> atom_of(static_cast<std::size_t>(points), 0);  // bit a: in the core of atom a
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    std::int64_t const centre_z = a == 0 ? edge / 4 : edge - 1 - edge / 4;
    std::int64_t const half = std::min(edge, static_cast<std::int64_t>(std::cbrt(static_cast<double>(core))) + 2);
    std::vector<Near> near;
    for (std::int64_t z = centre_z - half; z <= centre_z + half; ++z)
      for (std::int64_t y = edge / 2 - half; y <= edge / 2 + half; ++y)
        for (std::int64_t x = edge / 2 - half; x <= edge / 2 + half; ++x) {
          std::int64_t const point = number(x, y, z);
          std::int64_t const dx = x - edge / 2, dy = y - edge / 2, dz = z - centre_z;
          if (point >= 0) near.push_back({dx * dx + dy * dy + dz * dz, point});
        }
    std::sort(near.begin(), near.end(), [](Near const& p, Near const& q) {
      return p.squared != q.squared ? p.squared < q.squared : p.point < q.point;
    });
    near.resize(std::min(near.size(), core));
    for (Near const& n : near) {
      atoms[a].push_back(static_cast<std::int32_t>(n.point));
      atom_of[static_cast<std::size_t>(n.point)] |= static_cast<std::uint8_t>(1U << a);
    }
  }
  GeneratedMatrix A;
  A.name = "grid_hamiltonian_" + std::to_string(points);
  A.klass = "real_space";
  A.rows = A.cols = points;
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    auto const line =
        std::upper_bound(lines.begin(), lines.end(), row, [](std::int64_t r, Line const& l) { return r < l.first; }) -
        lines.begin() - 1;
    // Lines without points share their first number with the next that has some, which upper_bound finds.
    Line const& own = lines[static_cast<std::size_t>(line)];
    std::int64_t const y = line % edge;
    std::int64_t const z = line / edge;
    std::int64_t const x = (2 * (row - own.first) - own.x + edge - 1) / 2;
    std::vector<std::int32_t> columns{static_cast<std::int32_t>(row)};
    for (std::int64_t d = -difference_reach; d <= difference_reach; ++d) {
      if (d == 0) continue;
      for (std::int64_t const point : {number(x + d, y, z), number(x, y + d, z), number(x, y, z + d)})
        if (point >= 0) columns.push_back(static_cast<std::int32_t>(point));
    }
    for (std::size_t a = 0; a < atoms.size(); ++a)
      if ((atom_of[static_cast<std::size_t>(row)] >> a & 1U) != 0)
        columns.insert(columns.end(), atoms[a].begin(), atoms[a].end());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    double magnitude = 1;
    for (std::int32_t const c : columns)
      if (c != row) magnitude += std::abs(detail::symmetric_entry(values, row, c));
    detail::append_sorted(
        block, columns, [&](std::int32_t c) { return c == row ? magnitude : detail::symmetric_entry(values, row, c); });
  });
  return A;
}

}  // namespace araia::generate
