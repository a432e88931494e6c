// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_lattice = 0x4d01;
constexpr std::uint64_t seed_missing = 0x4d02;
constexpr std::int64_t spins = 4;
constexpr std::int64_t colours = 3;
constexpr std::size_t blocks_of_row = 13;  // its own, and three along each of the four axes

}  // namespace

GeneratedMatrix lattice_2d(std::int64_t n, std::uint64_t seed) { return lattice_2d(n, n, seed); }

GeneratedMatrix lattice_2d(std::int64_t nx, std::int64_t ny, std::uint64_t seed) {
  std::int64_t const points = detail::checked_points("lattice_2d", nx, ny, 1);
  if (points < 2) detail::refuse("lattice_2d", "sizes are 1 x 1, expected two points or more");
  std::uint64_t const values = detail::seeded(seed_lattice, seed);
  GeneratedMatrix A;
  A.name = "lattice2_" + std::to_string(nx) + (nx == ny ? "" : 'x' + std::to_string(ny));
  A.klass = "lattice";
  A.rows = A.cols = points;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const couple = [&](bool inside, std::int64_t column) {
      if (!inside) return;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(detail::entry_at(values, row, column));
    };
    couple(row >= nx, row - nx);
    couple(row % nx > 0, row - 1);
    couple(row % nx < nx - 1, row + 1);
    couple(row + nx < points, row + nx);
  });
  return A;
}

GeneratedMatrix lattice_with_gaps(std::int64_t n, double missing, std::uint64_t seed) {
  if (n < 2 || n > 46340)  // n^2 < 2^31
    detail::refuse("lattice_with_gaps", "n is " + std::to_string(n) + ", expected 2 to 46340");
  if (!(missing >= 0 && missing < 1))
    detail::refuse("lattice_with_gaps", "missing is " + std::to_string(missing) + ", expected at least 0, less than 1");
  // The edge from a point to the next one along an axis.
  auto const is_there = [=](std::int64_t point, std::int64_t axis) {
    std::int64_t const at = axis == 0 ? point % n : point / n;
    return at + 1 < n && detail::unit(detail::draw(seed_missing + seed, static_cast<std::uint64_t>(point),
                                                   static_cast<std::uint64_t>(axis))) >= missing;
  };
  auto const neighbours = [=](std::int64_t point, auto const& take) {  // in ascending order
    if (point >= n && is_there(point - n, 1)) take(point - n);
    if (point % n > 0 && is_there(point - 1, 0)) take(point - 1);
    if (is_there(point, 0)) take(point + 1);
    if (is_there(point, 1)) take(point + n);
  };
  std::vector<std::int32_t> part(static_cast<std::size_t>(n * n), -1);
  std::vector<std::int64_t> queue;
  std::int32_t largest = -1;
  std::size_t most = 0;
  for (std::int64_t seed_point = 0; seed_point < n * n; ++seed_point) {
    if (part[static_cast<std::size_t>(seed_point)] >= 0) continue;
    auto const name = static_cast<std::int32_t>(seed_point);
    part[static_cast<std::size_t>(seed_point)] = name;
    queue.assign(1, seed_point);
    for (std::size_t next = 0; next < queue.size(); ++next)
      neighbours(queue[next], [&](std::int64_t other) {
        if (part[static_cast<std::size_t>(other)] >= 0) return;
        part[static_cast<std::size_t>(other)] = name;
        queue.push_back(other);
      });
    if (queue.size() > most) {
      most = queue.size();
      largest = name;
    }
  }
  std::vector<std::int64_t> points;
  std::vector<std::int32_t> number(part.size(), -1);
  for (std::int64_t point = 0; point < n * n; ++point) {
    if (part[static_cast<std::size_t>(point)] != largest) continue;
    number[static_cast<std::size_t>(point)] = static_cast<std::int32_t>(points.size());
    points.push_back(point);
  }
  GeneratedMatrix A;
  A.name = "gaps_" + std::to_string(n);
  A.klass = "lattice";
  A.rows = A.cols = static_cast<std::int64_t>(points.size());
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    neighbours(points[static_cast<std::size_t>(row)], [&](std::int64_t other) {
      auto const column = number[static_cast<std::size_t>(other)];
      block.columns.push_back(column);
      block.values.push_back(detail::symmetric_entry(seed_missing, row, column));
    });
  });
  return A;
}

GeneratedMatrix lattice_4d(std::int64_t n, std::uint64_t seed) {
  if (n < 3 || n > 115)  // 12 n^4 < 2^31
    detail::refuse("lattice_4d", "n is " + std::to_string(n) + ", expected 3 to 115");
  std::uint64_t const values = detail::seeded(seed_lattice, seed);
  GeneratedMatrix A;
  A.name = "lattice4_" + std::to_string(n);
  A.klass = "lattice";
  A.rows = A.cols = spins * colours * n * n * n * n;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::int64_t const own = row / colours;
    std::int64_t const site = own / spins;
    std::int64_t const spin = own % spins;
    std::array<std::int64_t, blocks_of_row> blocks{own};
    std::size_t count = 1;
    std::int64_t stride = 1;
    for (int axis = 0; axis < 4; ++axis, stride *= n) {
      std::int64_t const at = site / stride % n;
      std::int64_t const up = site + ((at + 1) % n - at) * stride;
      std::int64_t const down = site + ((at + n - 1) % n - at) * stride;
      blocks[count++] = spins * up + spin;
      blocks[count++] = spins * down + spin;
      blocks[count++] = spins * up + (spin ^ (axis < 2 ? 3 : 2));
    }
    std::sort(blocks.begin(), blocks.end());
    for (std::int64_t const b : blocks)
      for (std::int64_t c = 0; c < colours; ++c) {
        std::int64_t const column = colours * b + c;
        block.columns.push_back(static_cast<std::int32_t>(column));
        block.values.push_back(detail::entry_at(values, row, column));
      }
  });
  return A;
}

}  // namespace araia::generate
