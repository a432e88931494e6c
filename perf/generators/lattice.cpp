// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "build_rows.hpp"
#include "generators.hpp"
#include "random.hpp"

namespace araia::perf {
namespace {

constexpr std::uint64_t seed_lattice = 0x4d01;
constexpr std::uint64_t seed_missing = 0x4d02;
constexpr std::int64_t spins = 4;
constexpr std::int64_t colours = 3;
constexpr std::size_t blocks_of_row = 13;  // its own, and three along each of the four axes

}  // namespace

GeneratedMatrix lattice_2d(std::int64_t n) {
  if (n < 2 || n > 46340) throw std::invalid_argument("lattice_2d: 2 <= n <= 46340 must hold");  // n^2 < 2^31
  GeneratedMatrix A;
  A.name = "lattice2_" + std::to_string(n);
  A.klass = "lattice";
  A.rows = A.cols = n * n;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    auto const couple = [&](bool inside, std::int64_t column) {
      if (!inside) return;
      block.columns.push_back(static_cast<std::int32_t>(column));
      block.values.push_back(detail::entry(
          detail::draw(seed_lattice, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column))));
    };
    couple(row >= n, row - n);
    couple(row % n > 0, row - 1);
    couple(row % n < n - 1, row + 1);
    couple(row + n < n * n, row + n);
  });
  return A;
}

GeneratedMatrix lattice_with_gaps(std::int64_t n, double missing, std::uint64_t seed) {
  if (n < 2 || n > 46340) throw std::invalid_argument("lattice_with_gaps: 2 <= n <= 46340 must hold");
  if (!(missing >= 0 && missing < 1)) throw std::invalid_argument("lattice_with_gaps: 0 <= missing < 1 must hold");
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

GeneratedMatrix lattice_4d(std::int64_t n) {
  if (n < 3 || n > 115) throw std::invalid_argument("lattice_4d: 3 <= n <= 115 must hold");  // 12 n^4 < 2^31
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
        block.values.push_back(detail::entry(
            detail::draw(seed_lattice, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column))));
      }
  });
  return A;
}

}  // namespace araia::perf
