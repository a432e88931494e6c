// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdlib>

#include "src/generate/patterns.hpp"

#include "src/generate/build_rows.hpp"
#include "src/generate/random.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

constexpr std::uint64_t seed_7 = 0x7001;
constexpr std::uint64_t seed_27 = 0x2701;

/// \param reach  largest sum of |dx|, |dy|, |dz| of a coupling: 1 for 7 points, 3 for 27
GeneratedMatrix stencil(std::string name, std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t reach,
                        std::uint64_t seed) {
  std::int64_t const points = detail::checked_points(name, nx, ny, nz);
  GeneratedMatrix A;
  A.name = name + '_' + std::to_string(nx) + 'x' + std::to_string(ny) + 'x' + std::to_string(nz);
  A.klass = "stencil";
  A.rows = A.cols = points;
  detail::build_rows(A, [=](std::int64_t row, detail::RowBlock& block) {
    std::int64_t const x = row % nx;
    std::int64_t const y = row / nx % ny;
    std::int64_t const z = row / nx / ny;
    std::size_t diagonal = 0;
    double magnitude = 1;
    for (std::int64_t dz = z > 0 ? -1 : 0; dz <= (z + 1 < nz ? 1 : 0); ++dz)
      for (std::int64_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < ny ? 1 : 0); ++dy)
        for (std::int64_t dx = x > 0 ? -1 : 0; dx <= (x + 1 < nx ? 1 : 0); ++dx) {
          if (std::abs(dx) + std::abs(dy) + std::abs(dz) > reach) continue;
          std::int64_t const column = row + dx + nx * (dy + ny * dz);
          block.columns.push_back(static_cast<std::int32_t>(column));
          if (column == row) diagonal = block.values.size();
          block.values.push_back(detail::symmetric_entry(seed, row, column));
          if (column != row) magnitude += std::abs(block.values.back());
        }
    block.values[diagonal] = magnitude;
  });
  return A;
}

}  // namespace

GeneratedMatrix stencil_7_point(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed) {
  return stencil("stencil7", nx, ny, nz, 1, detail::seeded(seed_7, seed));
}

GeneratedMatrix stencil_27_point(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed) {
  return stencil("stencil27", nx, ny, nz, 3, detail::seeded(seed_27, seed));
}

}  // namespace araia::generate
