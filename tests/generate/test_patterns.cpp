// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <araia/error.hpp>
#include "src/generate/patterns.hpp"

#include "generate/checks.hpp"

namespace {

using namespace araia::testing;

TEST(Stencil, InnerPointsHaveSevenOrTwentySevenEntries) {
  auto const seven = araia::generate::stencil_7_point(5, 4, 3);
  auto const twenty_seven = araia::generate::stencil_27_point(5, 4, 3);
  EXPECT_EQ(seven.rows, 60);
  EXPECT_EQ(seven.nnz(), 60 + 2 * (4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2));  // diagonal and both ends of every edge
  EXPECT_EQ(longest_row(seven), 7);
  EXPECT_EQ(twenty_seven.nnz(), (3 * 5 - 2) * (3 * 4 - 2) * (3 * 3 - 2));  // product of the three 1-D stencils
  EXPECT_EQ(longest_row(twenty_seven), 27);
}

TEST(Stencil, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::generate::stencil_7_point(5, 4, 3));
  expect_symmetric_with_heavy_diagonal(araia::generate::stencil_27_point(5, 4, 3));
}

TEST(Fem, IsSymmetricWithAHeavyDiagonal) { expect_symmetric_with_heavy_diagonal(araia::generate::fem_3_dof(6, 5, 4)); }

TEST(Fem, EntriesComeInFullBlocksOfThreeByThree) {
  auto const A = araia::generate::fem_3_dof(5, 5, 5);
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); i += 3) {
    auto const length = A.row_offsets[i + 1] - A.row_offsets[i];
    EXPECT_EQ(length % 3, 0) << "row " << i;
    for (std::size_t d = 1; d < 3; ++d) {
      ASSERT_EQ(A.row_offsets[i + d + 1] - A.row_offsets[i + d], length) << "row " << i;
      for (std::int64_t k = 0; k < length; ++k)
        ASSERT_EQ(A.col_indices[static_cast<std::size_t>(A.row_offsets[i + d] + k)],
                  A.col_indices[static_cast<std::size_t>(A.row_offsets[i] + k)]);
    }
    for (auto k = A.row_offsets[i]; k < A.row_offsets[i + 1]; k += 3)
      EXPECT_EQ(A.col_indices[static_cast<std::size_t>(k)] % 3, 0) << "row " << i;
  }
}

TEST(Fem, RowsAreUnevenAroundEightyEntries) {
  auto const A = araia::generate::fem_3_dof(20, 20, 20);
  EXPECT_GT(mean_row(A), 65);
  EXPECT_LT(mean_row(A), 95);
  EXPECT_GT(longest_row(A), 81);
  std::map<std::int64_t, int> lengths;
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i) ++lengths[A.row_offsets[i + 1] - A.row_offsets[i]];
  EXPECT_GT(lengths.size(), 10U);
}

TEST(Orbitals, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::generate::orbital_lattice(4, 3, 3));
}

TEST(Orbitals, RowsOfAnAtomShareTheirColumnsAndAtomsHaveFourToTen) {
  auto const A = araia::generate::orbital_lattice(6, 6, 6);
  std::map<std::int64_t, int> runs;  // rows in a row with the same columns
  std::int64_t run = 1;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(A.rows); ++i) {
    auto const columns = [&](std::size_t row) {
      return std::vector(A.col_indices.begin() + A.row_offsets[row], A.col_indices.begin() + A.row_offsets[row + 1]);
    };
    if (i < static_cast<std::size_t>(A.rows) && columns(i) == columns(i - 1)) {
      ++run;
      continue;
    }
    ++runs[run];
    run = 1;
  }
  EXPECT_EQ(runs.begin()->first, 4);
  EXPECT_EQ(runs.rbegin()->first, 10);
  EXPECT_EQ(runs.size(), 7U);
}

TEST(PowerGrid, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::generate::power_grid(300));
}

TEST(PowerGrid, NodesHaveFewLines) {
  auto const A = araia::generate::power_grid(20000);
  EXPECT_NEAR(mean_row(A), 3.7, 0.2);
  EXPECT_LT(longest_row(A), 60);
}

TEST(Banded, EntriesStayInsideTheBandAndRowsAreFull) {
  auto const A = araia::generate::banded_random(500, 7, 20);
  for (std::int64_t i = 0; i < A.rows; ++i) {
    auto const first = A.row_offsets[static_cast<std::size_t>(i)];
    EXPECT_EQ(A.row_offsets[static_cast<std::size_t>(i) + 1] - first, 7) << "row " << i;
    for (auto k = first; k < first + 7; ++k)
      EXPECT_LE(std::abs(A.col_indices[static_cast<std::size_t>(k)] - i), 20) << "row " << i;
  }
}

TEST(UniformRandom, EveryColumnIsReachedAboutEquallyOften) {
  auto const A = araia::generate::uniform_random(8000, 1000, 16);
  auto const counts = column_counts(A);  // mean 128, standard deviation 11.3
  EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 128 - 6 * 12);
  EXPECT_LT(*std::max_element(counts.begin(), counts.end()), 128 + 6 * 12);
}

TEST(PowerLaw, MostEntriesLieInFewRowsAndColumns) {
  auto const A = araia::generate::power_law(20000, 15);
  EXPECT_NEAR(mean_row(A), 15, 3);
  EXPECT_GT(longest_row(A), 300);
  auto counts = column_counts(A);
  std::sort(counts.rbegin(), counts.rend());
  std::int64_t top = 0;
  for (std::size_t c = 0; c < counts.size() / 100; ++c) top += counts[c];
  EXPECT_GT(static_cast<double>(top), 0.15 * static_cast<double>(A.nnz()));  // 0.01^(1/3) = 22% before repeats drop out
}

TEST(RandomLengths, LengthsCoverTheSharesEvenly) {
  auto const A = araia::generate::random_lengths(2000, 1000, 0.01, 0.2);
  EXPECT_NEAR(mean_row(A), 105, 5);
  std::array<int, 19> counts{};  // lengths 10 to 199, ten at a time
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i) {
    auto const length = A.row_offsets[i + 1] - A.row_offsets[i];
    ASSERT_GE(length, 10);
    ASSERT_LT(length, 200);
    ++counts[static_cast<std::size_t>(length / 10 - 1)];
  }
  for (int const count : counts) EXPECT_NEAR(count, 2000.0 / 19, 60);
  auto const columns = column_counts(A);
  EXPECT_GT(*std::min_element(columns.begin(), columns.end()), 210 - 90);
  EXPECT_LT(*std::max_element(columns.begin(), columns.end()), 210 + 90);
}

TEST(Lattice, PointsOfAPlaneHaveFourNeighboursAtMost) {
  auto const A = araia::generate::lattice_2d(5);
  EXPECT_EQ(A.rows, 25);
  EXPECT_EQ(A.nnz(), 4 * 5 * 4);  // both ends of 2 n (n - 1) edges
  EXPECT_EQ(longest_row(A), 4);
}

TEST(Lattice, EveryRowHasThirteenBlocksOfThree) {
  auto const A = araia::generate::lattice_4d(3);
  EXPECT_EQ(A.rows, 12 * 81);
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i) {
    ASSERT_EQ(A.row_offsets[i + 1] - A.row_offsets[i], 39) << "row " << i;
    for (std::size_t k = static_cast<std::size_t>(A.row_offsets[i]); k < static_cast<std::size_t>(A.row_offsets[i + 1]);
         k += 3) {
      ASSERT_EQ(A.col_indices[k] % 3, 0) << "row " << i;
      ASSERT_EQ(A.col_indices[k + 1], A.col_indices[k] + 1) << "row " << i;
      ASSERT_EQ(A.col_indices[k + 2], A.col_indices[k] + 2) << "row " << i;
    }
  }
  auto const counts = column_counts(A);  // periodic: no site is special
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 39);
  EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), 39);
  EXPECT_THROW((void)araia::generate::lattice_4d(2), araia::Error);
}

TEST(Circuit, RowsAreShortButForTheNets) {
  auto const A = araia::generate::circuit(250000);
  std::int64_t long_rows = 0;
  std::int64_t near = 0;
  for (std::int64_t i = 0; i < A.rows; ++i) {
    auto const first = A.row_offsets[static_cast<std::size_t>(i)];
    auto const last = A.row_offsets[static_cast<std::size_t>(i) + 1];
    long_rows += last - first > 7;
    bool diagonal = false;
    for (auto k = first; k < last; ++k) {
      auto const distance = std::abs(A.col_indices[static_cast<std::size_t>(k)] - i);
      diagonal = diagonal || distance == 0;
      near += distance <= 10;
    }
    ASSERT_TRUE(diagonal) << "row " << i;
  }
  EXPECT_EQ(long_rows, 4);
  EXPECT_GT(longest_row(A), 15000);
  EXPECT_GT(static_cast<double>(near), 0.7 * static_cast<double>(A.nnz()));
  auto const counts = column_counts(A);
  EXPECT_GT(*std::max_element(counts.begin(), counts.end()), 15000);
}

TEST(LinearProgram, RowsAreWideAndColumnsShort) {
  auto const A = araia::generate::linear_program(1000, 50000);
  EXPECT_NEAR(mean_row(A), 200, 10);
  auto const counts = column_counts(A);
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 1);
  EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), 7);
}

TEST(PrunedLayer, HoldsTheShareOfWeightsThatSparsityLeaves) {
  EXPECT_NEAR(static_cast<double>(araia::generate::pruned_layer(512, 1024, 0.9).nnz()), 0.1 * 512 * 1024, 1100);
  EXPECT_EQ(araia::generate::pruned_layer(16, 16, 0).nnz(), 256);
  EXPECT_EQ(araia::generate::pruned_layer(16, 16, 1).nnz(), 0);
}

araia::generate::MeshShape small_mesh() {
  return {.nodes = 500, .nx = 8, .ny = 8, .reach = 26, .unknowns = 3, .entries_per_row = 50, .window = 16};
}

TEST(Mesh, IsSymmetricWithAHeavyDiagonal) { expect_symmetric_with_heavy_diagonal(araia::generate::mesh(small_mesh())); }

TEST(Mesh, HoldsTheMeanThatIsAskedForInFullBlocks) {
  auto shape = small_mesh();
  shape.nodes = 20000;
  auto const A = araia::generate::mesh(shape);
  expect_sorted(A);
  EXPECT_EQ(A.rows, 60000);
  EXPECT_NEAR(mean_row(A), 50, 0.5);
  EXPECT_LE(longest_row(A), 81);
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); i += 3)
    for (std::size_t d = 1; d < 3; ++d)
      for (auto k = A.row_offsets[i]; k < A.row_offsets[i + 1]; ++k)
        ASSERT_EQ(A.col_indices[static_cast<std::size_t>(A.row_offsets[i + d] + k - A.row_offsets[i])],
                  A.col_indices[static_cast<std::size_t>(k)])
            << "row " << i;
}

TEST(Mesh, EmptyNodesAreEmptyRowsAndColumns) {
  araia::generate::MeshShape const shape{.nodes = 5000, .nx = 70, .reach = 8, .entries_per_row = 5, .empty = 0.2};
  auto const A = araia::generate::mesh(shape);
  auto const counts = column_counts(A);
  std::int64_t empty = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(counts[i], A.row_offsets[i + 1] - A.row_offsets[i]) << "row " << i;
    empty += counts[i] == 0;
  }
  EXPECT_NEAR(static_cast<double>(empty), 1000, 5 * 29);  // standard deviation 28.3
  EXPECT_NEAR(mean_row(A), 5, 0.2);
}

TEST(Mesh, ALineCouplesInsideItsBand) {
  auto const A = araia::generate::mesh({.nodes = 400, .reach = 10, .entries_per_row = 100});  // more than there are
  EXPECT_EQ(A.nnz(), 400 * 11 - 2 * (1 + 2 + 3 + 4 + 5));
  for (std::int64_t i = 0; i < A.rows; ++i)
    for (auto k = A.row_offsets[static_cast<std::size_t>(i)]; k < A.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      EXPECT_LE(std::abs(A.col_indices[static_cast<std::size_t>(k)] - i), 5);
}

TEST(Mesh, OneNodeIsADenseBlock) {
  auto const A = araia::generate::mesh({.nodes = 1, .reach = 26, .unknowns = 4, .entries_per_row = 1});
  EXPECT_EQ(A.nnz(), 16);
  expect_sorted(A);
}

TEST(Mesh, PatternsAloneMayBeSymmetric) {
  auto shape = small_mesh();
  shape.symmetric = false;
  auto const A = araia::generate::mesh(shape);
  auto const B = araia::generate::mesh(small_mesh());
  EXPECT_EQ(A.col_indices, B.col_indices);
  EXPECT_NE(A.values, B.values);
}

TEST(Mesh, ShapesThatCannotBeAreRefused) {
  using araia::generate::MeshShape;
  for (MeshShape const& shape :
       {MeshShape{.nodes = 0}, MeshShape{.nodes = std::int64_t{1} << 31}, MeshShape{.nodes = 9, .ny = 3},
        MeshShape{.nodes = 9, .nx = 10}, MeshShape{.nodes = 9, .reach = 3}, MeshShape{.nodes = 9, .unknowns = 0},
        MeshShape{.nodes = 9, .entries_per_row = 0}, MeshShape{.nodes = 9, .empty = 1},
        MeshShape{.nodes = 9, .window = 0}})
    EXPECT_THROW((void)araia::generate::mesh(shape), araia::Error);
}

TEST(PeriodModel, PeriodsHaveOnePatternAndReachTheirNeighboursAlone) {
  constexpr std::int64_t equations = 100;
  auto const A = araia::generate::period_model(20, equations, 6);
  expect_sorted(A);
  EXPECT_EQ(A.rows, 2000);
  EXPECT_NEAR(mean_row(A), 6, 0.3);
  std::int64_t other_period = 0;
  for (std::int64_t i = equations; i + equations < A.rows; ++i) {
    auto const first = A.row_offsets[static_cast<std::size_t>(i)];
    auto const last = A.row_offsets[static_cast<std::size_t>(i) + 1];
    bool diagonal = false;
    for (auto k = first; k < last; ++k) {
      std::int64_t const column = A.col_indices[static_cast<std::size_t>(k)];
      diagonal = diagonal || column == i;
      EXPECT_LE(std::abs(column / equations - i / equations), 1) << "row " << i;
      other_period += column / equations != i / equations;
      if (i >= 2 * equations) {
        auto const before = A.row_offsets[static_cast<std::size_t>(i - equations)];
        ASSERT_EQ(A.col_indices[static_cast<std::size_t>(before + k - first)], column - equations) << "row " << i;
      }
    }
    EXPECT_TRUE(diagonal) << "row " << i;
  }
  EXPECT_GT(other_period, 0);
}

TEST(GridHamiltonian, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::generate::grid_hamiltonian(500));
}

TEST(GridHamiltonian, PointsFillABallAndCoresAreDense) {
  for (std::int64_t const points : {1, 8, 9, 100, 3000}) {
    auto const A = araia::generate::grid_hamiltonian(points);
    expect_sorted(A);
    EXPECT_GE(A.rows, points);
    EXPECT_EQ(A.rows, araia::generate::ball_points(points));
    EXPECT_EQ(A.rows % 8, 0);  // eight octants alike
  }
  EXPECT_EQ(araia::generate::ball_points(1), 8);
  EXPECT_EQ(araia::generate::ball_points(9), 32);  // (3, 1, 1) and its like
  auto const A = araia::generate::grid_hamiltonian(3000);
  EXPECT_GE(longest_row(A), 104);  // 1.9 sqrt(3000)
  EXPECT_LE(longest_row(A), 104 + 36 + 1);
}

TEST(Circuit, WiresAndPinsAreBounded) {
  auto const A = araia::generate::circuit(20000, 11, 100);
  EXPECT_LE(longest_row(A), 102);
  EXPECT_GT(mean_row(A), mean_row(araia::generate::circuit(20000, 5, 100)));
}

TEST(PowerLaw, TheLongestRowIsBounded) {
  auto const A = araia::generate::power_law(20000, 5, 50);
  EXPECT_LE(longest_row(A), 50 + 1);  // rounded up by chance
  EXPECT_NEAR(mean_row(A), 5, 0.5);
}

TEST(LinearProgram, ColumnsHoldFromLeastToMost) {
  auto const counts = column_counts(araia::generate::linear_program(400, 5000, 9, 12));
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 9);
  EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), 12);
  EXPECT_THROW((void)araia::generate::linear_program(256, 10, 1, 9), araia::Error);
}

// A bitmap of what is drawn and a search through it take the same columns.
TEST(UniformRandom, RowsMayBeFull) {
  auto const A = araia::generate::uniform_random(3, 130, 130);
  expect_sorted(A);
  EXPECT_EQ(A.nnz(), 3 * 130);
}

TEST(Patterns, SizesThatCannotBeAreRefused) {
  using namespace araia::generate;
  constexpr std::int64_t beyond = std::int64_t{1} << 31;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  auto const refused = [](auto const& make) { EXPECT_THROW((void)make(), araia::Error); };
  for (std::int64_t const n : {std::int64_t{0}, std::int64_t{-1}, beyond, most}) {
    refused([&] { return stencil_7_point(n, 1, 1); });
    refused([&] { return stencil_27_point(1, n, 1); });
    refused([&] { return fem_3_dof(1, 1, n); });
    refused([&] { return orbital_lattice(n, 1, 1); });
    refused([&] { return lattice_2d(n); });
    refused([&] { return lattice_4d(n); });
    refused([&] { return power_grid(n); });
    refused([&] { return banded_random(n, 1, 0); });
    refused([&] { return uniform_random(n, 1, 1); });
    refused([&] { return uniform_random(1, n, 1); });
    refused([&] { return random_lengths(1, n, 0, 1); });
    refused([&] { return pruned_layer(n, 1, 0.5); });
    refused([&] { return power_law(n, 1); });
    refused([&] { return circuit(n); });
    refused([&] { return linear_program(n, 1); });
    refused([&] { return period_model(n, 10, 2); });
    refused([&] { return grid_hamiltonian(n); });
  }
  refused([] { return stencil_7_point(1 << 20, 1 << 20, 1 << 20); });
  refused([] { return lattice_2d(1); });
  refused([] { return uniform_random(2, 3, 4); });
  refused([] { return banded_random(5, 4, 2); });
  refused([] { return pruned_layer(2, 2, std::nan("")); });
  refused([] { return random_lengths(2, 2, 0.5, 0.2); });
  refused([] { return power_law(100, 7); });
  refused([] { return power_law(1000, 5, 63); });
  refused([] { return period_model(3, 8, 3); });
}

}  // namespace
