// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SELL: what a product reads, with x and y, against Csr, on small look-alikes of the matrices it is made for.
#include <algorithm>
#include <araia/assembly/row_stats.hpp>
#include <limits>

#include "support/sell.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

/// Rows from a function that appends a row's ascending columns.
template <class Row>
TestMatrix pattern_matrix(std::string name, std::int64_t n, Row const& row) {
  TestMatrix m{std::move(name), n, n};
  std::vector<std::int64_t> columns;
  for (std::int64_t i = 0; i < n; ++i) {
    columns.clear();
    row(i, columns);
    for (auto const c : columns) m.col_indices.push_back(static_cast<std::int32_t>(c));
    m.row_offsets.push_back(m.nnz());
  }
  m.values.assign(m.col_indices.size(), 1.0);
  return m;
}

/// A square lattice with four neighbours and no diagonal: as mc2depi.
TestMatrix lattice_2d(std::int64_t n) {
  return pattern_matrix("2-D lattice", n * n, [=](std::int64_t i, auto& columns) {
    if (i >= n) columns.push_back(i - n);
    if (i % n > 0) columns.push_back(i - 1);
    if (i % n < n - 1) columns.push_back(i + 1);
    if (i + n < n * n) columns.push_back(i + n);
  });
}

/// Seven points on n^3, as an implicit heat step has them.
TestMatrix stencil_7_point(std::int64_t n) {
  return pattern_matrix("7-point stencil", n * n * n, [=](std::int64_t i, auto& columns) {
    if (i >= n * n) columns.push_back(i - n * n);
    if (i / n % n > 0) columns.push_back(i - n);
    if (i % n > 0) columns.push_back(i - 1);
    columns.push_back(i);
    if (i % n < n - 1) columns.push_back(i + 1);
    if (i / n % n < n - 1) columns.push_back(i + n);
    if (i + n * n < n * n * n) columns.push_back(i + n * n);
  });
}

/// Three unknowns a node, 27 neighbours, on a bar of nx x ny x nz nodes: as cant.
TestMatrix fem_3_dof(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  return pattern_matrix("3-dof FEM", 3 * nx * ny * nz, [=](std::int64_t i, auto& columns) {
    std::int64_t const node = i / 3;
    std::int64_t const x = node % nx;
    std::int64_t const y = node / nx % ny;
    std::int64_t const z = node / nx / ny;
    for (std::int64_t dz = -1; dz <= 1; ++dz)
      for (std::int64_t dy = -1; dy <= 1; ++dy)
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
          if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny || z + dz < 0 || z + dz >= nz) continue;
          for (std::int64_t dof = 0; dof < 3; ++dof) columns.push_back(3 * (node + dx + nx * (dy + ny * dz)) + dof);
        }
  });
}

/// A periodic 4-D lattice of 3 x 3 blocks, 8 neighbours and the site itself, 4 sub-lattices apart: as qcd.
TestMatrix lattice_4d(std::int64_t n) {
  std::int64_t const sites = n * n * n * n;
  return pattern_matrix("4-D lattice", 12 * sites, [=](std::int64_t i, auto& columns) {
    std::int64_t const block = i / 3;  // (site, spin): neighbours couple two spins, the site its own
    std::int64_t const site = block / 4;
    std::int64_t const spin = block % 4;
    std::vector<std::int64_t> blocks{block};
    std::int64_t stride = 1;
    for (int axis = 0; axis < 4; ++axis, stride *= n) {
      std::int64_t const at = site / stride % n;
      std::int64_t const up = site + ((at + 1) % n - at) * stride;
      std::int64_t const down = site + ((at + n - 1) % n - at) * stride;
      blocks.push_back(4 * up + spin);
      blocks.push_back(4 * down + spin);
      blocks.push_back(4 * up + (spin ^ (axis < 2 ? 3 : 2)));
    }
    std::sort(blocks.begin(), blocks.end());
    for (auto const b : blocks)
      for (std::int64_t c = 0; c < 3; ++c) columns.push_back(3 * b + c);
  });
}

/// Bytes of a product as SELL over those as Csr: the matrix, x and y once each.
template <class Scalar>
double product_ratio(TestMatrix const& m, SellOptions const& options) {
  Device const exec;
  auto const A = device_csr<Scalar, std::int32_t, Device>(m);
  auto const B = csr_to_sell(exec, A, options);
  validate(exec, B);
  auto const vectors = static_cast<double>((m.rows + m.cols) * static_cast<std::int64_t>(sizeof(Scalar)));
  return (static_cast<double>(product_bytes(exec, B)) + vectors) / (static_cast<double>(A.bytes()) + vectors);
}

void expect_at_most(double goal, double got, std::string const& what) {
  EXPECT_LE(got, goal) << what;
  ::testing::Test::RecordProperty(what, std::to_string(got));
}

TEST(SellBytes, LatticeIn2d) {
  auto const m = lattice_2d(400);
  expect_at_most(0.57, product_ratio<float>(m, {.slice_height = 64, .diagonals = true}), "2-D lattice, f32");
  expect_at_most(0.72, product_ratio<double>(m, {.slice_height = 32, .diagonals = true}), "2-D lattice, f64");
}

/// Slices in which one plane of the grid ends and the next begins would take fewer bytes with a step of columns, but
/// then the whole matrix would need the kernel of both.
TEST(SellBytes, StencilsAreDiagonalsAloneWhereTheirLinesEndInsideSlices) {
  Device const exec;
  for (std::int64_t const n : {20, 26})
    for (std::int64_t const height : {8, 32, 64, 128}) {
      auto const A = device_csr<float, std::int32_t, Device>(stencil_7_point(n));
      auto const B =
          csr_to_sell(exec, A, {.slice_height = height, .diagonals = true, .columns = SellColumns::least_bytes});
      validate(exec, B);
      EXPECT_EQ(B.column_words.extent(0) + B.col_indices.extent(0), 0u) << n << ", slices of " << height;
      EXPECT_LE(static_cast<double>(B.stored()), 1.08 * static_cast<double>(A.nnz)) << n << ", slices of " << height;
    }
}

TEST(SellBytes, FiniteElementsOfThreeUnknowns) {
  auto const m = fem_3_dof(9, 9, 60);
  expect_at_most(0.76, product_ratio<float>(m, {.diagonals = true}), "3-dof FEM, f32, diagonals");
  expect_at_most(0.90, product_ratio<double>(m, {.sort_window = 512, .block_width = 2, .diagonals = true}),
                 "3-dof FEM, f64, pairs and diagonals");
  expect_at_most(0.88, product_ratio<double>(m, {.sort_window = 512, .columns = SellColumns::narrow}),
                 "3-dof FEM, f64, 16-bit columns");
  expect_at_most(0.80,
                 product_ratio<double>(m, {.sort_window = 512, .diagonals = true, .columns = SellColumns::least_bytes}),
                 "3-dof FEM, f64, 16-bit columns and diagonals");
}

TEST(SellBytes, EstimatesFromRowStatisticsKeepTheirBounds) {
  Device const exec;
  for (auto const& m : zoo()) {
    auto const A = device_csr<double, std::int32_t, Device>(m);
    auto const stats = row_stats(exec, A);
    for (SellOptions const& options :
         {SellOptions{}, SellOptions{.slice_height = 8}, SellOptions{.slice_height = 8, .sort_window = 64}}) {
      auto const B = csr_to_sell(exec, A, options);
      auto const estimate = estimate_bytes<std::decay_t<decltype(B)>>(stats, options);
      if (stats.length_deviation == 0) {
        EXPECT_EQ(estimate, B.bytes()) << m.name << ' ' << options;
        continue;
      }
      auto const rest = B.bytes() - static_cast<std::uint64_t>(B.stored()) * 12;
      auto const padded = static_cast<std::uint64_t>(B.slices * B.slice_height * stats.max_length);
      EXPECT_GE(estimate, rest + static_cast<std::uint64_t>(m.nnz()) * 12) << m.name << ' ' << options;
      EXPECT_LE(estimate, rest + padded * 12) << m.name << ' ' << options;
    }
  }
  RowStats const stats{
      .rows = std::int64_t{1} << 40, .cols = 1, .nnz = 1, .max_length = std::int64_t{1} << 40, .mean_length = 1e12};
  EXPECT_EQ(estimate_bytes<Sell<double>>(stats, SellOptions{}), std::numeric_limits<std::uint64_t>::max());
}

/// The seeds count 4 (rows + 1 + nnz) bytes of structure and a scalar for each entry and, twice, for each row.
TEST(SellBytes, FormulaOfTheSeedsForTheirFourteenMatrices) {
  struct Known {
    char const* name;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t nnz;
    std::uint64_t f32_bytes;
  };
  for (auto const& m : {
           Known{"dense2", 2000, 2000, 4000000, 32024004},
           Known{"pdb1HYS", 36417, 36417, 4344765, 35195128},
           Known{"consph", 83334, 83334, 6010480, 49083852},
           Known{"cant", 62451, 62451, 4007383, 32808480},
           Known{"pwtk", 217918, 217918, 11634424, 95690412},
           Known{"rma10", 46835, 46835, 2374001, 19554032},
           Known{"qcd5_4", 49152, 49152, 1916928, 15925252},
           Known{"shipsec1", 140874, 140874, 7813404, 64197724},
           Known{"mac_econ_fwd500", 206500, 206500, 1273389, 12665116},
           Known{"mc2depi", 525825, 525825, 2100225, 23111704},
           Known{"cop20k_A", 121192, 121192, 2624331, 22448956},
           Known{"scircuit", 170998, 170998, 958936, 9723468},
           Known{"webbase-1M", 1000005, 1000005, 3105536, 36844352},
           Known{"rail4284", 4284, 1092610, 11279748, 90289396},
       }) {
    RowStats const stats{.rows = m.rows, .cols = m.cols, .nnz = m.nnz};
    auto const vectors = 2 * static_cast<std::uint64_t>(m.rows);
    EXPECT_EQ(estimate_bytes<Csr<float>>(stats) + vectors * sizeof(float), m.f32_bytes) << m.name;
    EXPECT_EQ(estimate_bytes<Csr<double>>(stats) + vectors * sizeof(double),
              m.f32_bytes + (static_cast<std::uint64_t>(m.nnz) + vectors) * 4)
        << m.name;
  }
}

/// Sliced ELL by the same formula, 4 (slices + 1 + columns) bytes and the scalars, where rows of one length tell it
/// all.
TEST(SellBytes, FormulaOfTheSeedsForSlicesOfOneLength) {
  constexpr std::int64_t rows = 49152;  // qcd5_4: 39 entries each
  constexpr std::int64_t length = 39;
  auto const m = pattern_matrix("rows of 39", rows, [](std::int64_t i, auto& columns) {
    std::int64_t const first = std::min(i, rows - length);
    for (std::int64_t j = 0; j < length; ++j) columns.push_back(first + j);
  });
  Device const exec;
  auto const B = csr_to_sell(exec, device_csr<float, std::int32_t, Device>(m), {.slice_height = 32});
  std::uint64_t const lengths = rows * sizeof(std::int32_t);  // which the seeds do without
  EXPECT_EQ(B.bytes() - lengths + 2 * rows * sizeof(float), 15734788u);
}

TEST(SellBytes, LatticeIn4dOfBlocks) {
  auto const m = lattice_4d(6);
  expect_at_most(0.87, product_ratio<float>(m, {.columns = SellColumns::narrow}), "4-D lattice, f32, 16-bit columns");
  expect_at_most(0.87, product_ratio<float>(m, {.diagonals = true, .columns = SellColumns::least_bytes}),
                 "4-D lattice, f32, 16-bit columns and diagonals");
}

}  // namespace
}  // namespace araia::test
