// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finite-element matrix by assembly over the cells of an irregular mesh, row by row: a node visits its eight cells.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/numbering.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_cells = 0xfe01;
constexpr std::uint64_t seed_order = 0xfe02;
constexpr std::uint64_t seed_values = 0xfe03;
constexpr std::int64_t numbering_window = 64;  // nodes
constexpr int dofs = 3;

enum class Cell { hole, brick, tets_even, tets_odd, stretched };

struct Mesh {
  std::int64_t nx, ny, nz;  // cells
  std::uint64_t seed;       // of their kinds

  [[nodiscard]] std::int64_t node(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x + (nx + 1) * (y + (ny + 1) * z);
  }
  [[nodiscard]] std::int64_t nodes() const { return (nx + 1) * (ny + 1) * (nz + 1); }
  [[nodiscard]] bool inside(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
  }

  /// Kind of cell (x, y, z) by chance: 2% holes, 20% cut in tetrahedra, 12% stretched over the next cell in x.
  [[nodiscard]] Cell kind(std::int64_t x, std::int64_t y, std::int64_t z) const {
    std::uint64_t const bits = detail::draw(seed, static_cast<std::uint64_t>(node(x, y, z)));
    double const u = detail::unit(bits);
    if (u < 0.02) return Cell::hole;
    if (u < 0.22) return (bits & 1) != 0 ? Cell::tets_odd : Cell::tets_even;
    if (u < 0.34 && x + 1 < nx) return Cell::stretched;
    return Cell::brick;
  }
};

/// Whether two corners of a brick cut in five tetrahedra share one of them. Corners are three bits (x, y, z). The inner
/// tetrahedron holds the corners of one parity, each outer one a corner of the other parity and its three neighbours.
bool tets_couple(unsigned a, unsigned b, bool odd) {
  unsigned const differing = a ^ b;
  int const distance =
      static_cast<int>(differing & 1U) + static_cast<int>(differing >> 1 & 1U) + static_cast<int>(differing >> 2 & 1U);
  if (distance <= 1) return true;
  bool const parity = ((a & 1U) ^ (a >> 1 & 1U) ^ (a >> 2 & 1U)) != 0;
  return distance == 2 && parity == odd;
}

/// Calls couple(neighbour) for every node that shares an element with node (x, y, z); a node may come several times.
template <class Couple>
void visit_neighbours(Mesh const& mesh, std::int64_t x, std::int64_t y, std::int64_t z, Couple const& couple) {
  for (std::int64_t cz = z - 1; cz <= z; ++cz)
    for (std::int64_t cy = y - 1; cy <= y; ++cy)
      for (std::int64_t cx = x - 2; cx <= x; ++cx) {
        if (!mesh.inside(cx, cy, cz)) continue;
        Cell const kind = mesh.kind(cx, cy, cz);
        std::int64_t const length = kind == Cell::stretched ? 2 : 1;  // cells in x
        if (kind == Cell::hole || cx + length < x) continue;
        auto const own = static_cast<unsigned>((x - cx) + 2 * (y - cy) + 4 * (z - cz));
        for (unsigned dz = 0; dz < 2; ++dz)
          for (unsigned dy = 0; dy < 2; ++dy)
            for (unsigned dx = 0; dx <= length; ++dx) {
              bool const tets = kind == Cell::tets_odd || kind == Cell::tets_even;
              if (tets && !tets_couple(own, dx + 2 * dy + 4 * dz, kind == Cell::tets_odd)) continue;
              couple(mesh.node(cx + dx, cy + dy, cz + dz));
            }
      }
}

}  // namespace

GeneratedMatrix fem_3_dof(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed) {
  (void)detail::checked_points("fem_3_dof", nx, ny, nz, dofs);
  (void)detail::checked_points("fem_3_dof", nx + 1, ny + 1, nz + 1, dofs);
  Mesh const mesh{nx, ny, nz, detail::seeded(seed_cells, seed)};
  std::uint64_t const values = detail::seeded(seed_values, seed);
  detail::Numbering const order =
      detail::shuffle_in_windows(mesh.nodes(), numbering_window, detail::seeded(seed_order, seed));
  GeneratedMatrix A;
  A.name = "fem_" + std::to_string(nx) + 'x' + std::to_string(ny) + 'x' + std::to_string(nz);
  A.klass = "fem";
  A.rows = A.cols = dofs * mesh.nodes();
  detail::build_rows(A, [&](std::int64_t row, detail::RowBlock& block) {
    std::int64_t const node = order.lattice[static_cast<std::size_t>(row / dofs)];
    std::int64_t const x = node % (nx + 1);
    std::int64_t const y = node / (nx + 1) % (ny + 1);
    std::int64_t const z = node / (nx + 1) / (ny + 1);
    std::array<std::int64_t, 8 * 3 * 12 + 1> neighbours{};  // at most 12 cells of 12 nodes, and the node itself
    std::size_t count = 0;
    neighbours[count++] = row / dofs;  // a node inside holes keeps its own block
    visit_neighbours(mesh, x, y, z,
                     [&](std::int64_t other) { neighbours[count++] = order.number[static_cast<std::size_t>(other)]; });
    auto const last = neighbours.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(neighbours.begin(), last);
    std::size_t diagonal = 0;
    double magnitude = 1;
    for (auto it = neighbours.begin(); it != last;) {
      auto const next = std::upper_bound(it, last, *it);
      auto const shared_elements = static_cast<double>(next - it);  // each adds its element matrix
      for (std::int64_t c = 0; c < dofs; ++c) {
        std::int64_t const column = *it * dofs + c;
        block.columns.push_back(static_cast<std::int32_t>(column));
        if (column == row) diagonal = block.values.size();
        block.values.push_back(shared_elements * detail::symmetric_entry(values, row, column));
        if (column != row) magnitude += std::abs(block.values.back());
      }
      it = next;
    }
    block.values[diagonal] = magnitude;
  });
  return A;
}

}  // namespace araia::generate
