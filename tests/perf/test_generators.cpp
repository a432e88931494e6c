// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include <generators/generators.hpp>

namespace {

using araia::perf::GeneratedMatrix;

std::vector<GeneratedMatrix> one_of_each() {
  std::vector<GeneratedMatrix> all;
  for (auto const& name : araia::perf::generator_names()) all.push_back(araia::perf::generate(name, 40000));
  return all;
}

double mean_row(GeneratedMatrix const& A) { return static_cast<double>(A.nnz()) / static_cast<double>(A.rows); }

std::int64_t longest_row(GeneratedMatrix const& A) {
  std::int64_t longest = 0;
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i)
    longest = std::max(longest, A.row_offsets[i + 1] - A.row_offsets[i]);
  return longest;
}

std::vector<std::int64_t> column_counts(GeneratedMatrix const& A) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(A.cols));
  for (auto const column : A.col_indices) ++counts[static_cast<std::size_t>(column)];
  return counts;
}

void expect_symmetric_with_heavy_diagonal(GeneratedMatrix const& A) {
  std::map<std::pair<std::int64_t, std::int64_t>, double> entries;
  for (std::int64_t i = 0; i < A.rows; ++i)
    for (auto k = A.row_offsets[static_cast<std::size_t>(i)]; k < A.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      entries[{i, A.col_indices[static_cast<std::size_t>(k)]}] = A.values[static_cast<std::size_t>(k)];
  std::vector<double> others(static_cast<std::size_t>(A.rows));
  for (auto const& [place, value] : entries) {
    auto const mirrored = entries.find({place.second, place.first});
    ASSERT_NE(mirrored, entries.end()) << A.name << ": (" << place.first << ", " << place.second << ')';
    EXPECT_EQ(mirrored->second, value) << A.name << ": (" << place.first << ", " << place.second << ')';
    if (place.first != place.second) others[static_cast<std::size_t>(place.first)] += std::abs(value);
  }
  for (std::int64_t i = 0; i < A.rows; ++i) {
    auto const diagonal = entries.find({i, i});
    ASSERT_NE(diagonal, entries.end()) << A.name << ": row " << i;
    EXPECT_GT(diagonal->second, others[static_cast<std::size_t>(i)]) << A.name << ": row " << i;
  }
}

TEST(Generators, ColumnsAscendStrictlyInsideTheMatrix) {
  for (auto const& A : one_of_each()) {
    ASSERT_EQ(static_cast<std::int64_t>(A.row_offsets.size()), A.rows + 1) << A.name;
    ASSERT_EQ(A.row_offsets.front(), 0) << A.name;
    ASSERT_EQ(A.row_offsets.back(), A.nnz()) << A.name;
    ASSERT_EQ(A.values.size(), A.col_indices.size()) << A.name;
    for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i) {
      ASSERT_LE(A.row_offsets[i], A.row_offsets[i + 1]) << A.name << ": row " << i;
      std::int64_t previous = -1;
      for (auto k = A.row_offsets[i]; k < A.row_offsets[i + 1]; ++k) {
        std::int64_t const column = A.col_indices[static_cast<std::size_t>(k)];
        ASSERT_GT(column, previous) << A.name << ": row " << i;
        ASSERT_LT(column, A.cols) << A.name << ": row " << i;
        previous = column;
      }
    }
  }
}

TEST(Generators, ValuesAreFiniteAndNeverZero) {
  for (auto const& A : one_of_each())
    for (double const value : A.values) ASSERT_TRUE(std::isfinite(value) && value != 0) << A.name;
}

TEST(Generators, TheSameCallGivesTheSameBits) {
  auto const first = one_of_each();
  auto const second = one_of_each();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].row_offsets, second[i].row_offsets) << first[i].name;
    EXPECT_EQ(first[i].col_indices, second[i].col_indices) << first[i].name;
    EXPECT_EQ(first[i].values, second[i].values) << first[i].name;
  }
}

// Bits of other machines and releases too: a changed generator changes what published figures mean.
TEST(Generators, TheSeedsAreFixed) {
  auto const A = araia::perf::uniform_random(4, 100, 3);
  auto const columns = [](GeneratedMatrix const& M) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (auto const c : M.col_indices) hash = (hash ^ static_cast<std::uint64_t>(c)) * 1099511628211ULL;
    return hash;
  };
  EXPECT_EQ(columns(A), 5106988615697863646ULL);
  EXPECT_EQ(columns(araia::perf::fem_3_dof(3, 3, 3)), 9085666651768424807ULL);
  EXPECT_EQ(columns(araia::perf::orbital_lattice(3, 3, 3)), 1326920390704532655ULL);
  EXPECT_EQ(columns(araia::perf::power_grid(100)), 9020793241264783893ULL);
}

TEST(Generators, EachIsAboutAsLargeAsAskedFor) {
  for (auto const& name : araia::perf::generator_names()) {
    auto const A = araia::perf::generate(name, 400000);
    EXPECT_GT(A.nnz(), 400000 * 0.7) << A.name;
    EXPECT_LT(A.nnz(), 400000 * 1.3) << A.name;
  }
}

TEST(Generators, UnknownNamesAreRefusedWithTheKnownOnes) {
  try {
    araia::perf::generate("stencil9", 100);
    FAIL() << "accepted";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("stencil27"), std::string::npos) << error.what();
  }
}

TEST(Generators, ClassesAreKnownWithoutMakingAMatrix) {
  for (auto const& name : araia::perf::generator_names())
    EXPECT_EQ(araia::perf::class_of_generator(name), araia::perf::generate(name, 5000).klass);
}

TEST(Stencil, InnerPointsHaveSevenOrTwentySevenEntries) {
  auto const seven = araia::perf::stencil_7_point(5, 4, 3);
  auto const twenty_seven = araia::perf::stencil_27_point(5, 4, 3);
  EXPECT_EQ(seven.rows, 60);
  EXPECT_EQ(seven.nnz(), 60 + 2 * (4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2));  // diagonal and both ends of every edge
  EXPECT_EQ(longest_row(seven), 7);
  EXPECT_EQ(twenty_seven.nnz(), (3 * 5 - 2) * (3 * 4 - 2) * (3 * 3 - 2));  // product of the three 1-D stencils
  EXPECT_EQ(longest_row(twenty_seven), 27);
}

TEST(Stencil, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::perf::stencil_7_point(5, 4, 3));
  expect_symmetric_with_heavy_diagonal(araia::perf::stencil_27_point(5, 4, 3));
}

TEST(Fem, IsSymmetricWithAHeavyDiagonal) { expect_symmetric_with_heavy_diagonal(araia::perf::fem_3_dof(6, 5, 4)); }

TEST(Fem, EntriesComeInFullBlocksOfThreeByThree) {
  auto const A = araia::perf::fem_3_dof(5, 5, 5);
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
  auto const A = araia::perf::fem_3_dof(20, 20, 20);
  EXPECT_GT(mean_row(A), 65);
  EXPECT_LT(mean_row(A), 95);
  EXPECT_GT(longest_row(A), 81);
  std::map<std::int64_t, int> lengths;
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i) ++lengths[A.row_offsets[i + 1] - A.row_offsets[i]];
  EXPECT_GT(lengths.size(), 10U);
}

TEST(Orbitals, IsSymmetricWithAHeavyDiagonal) {
  expect_symmetric_with_heavy_diagonal(araia::perf::orbital_lattice(4, 3, 3));
}

TEST(Orbitals, RowsOfAnAtomShareTheirColumnsAndAtomsHaveFourToTen) {
  auto const A = araia::perf::orbital_lattice(6, 6, 6);
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

TEST(PowerGrid, IsSymmetricWithAHeavyDiagonal) { expect_symmetric_with_heavy_diagonal(araia::perf::power_grid(300)); }

TEST(PowerGrid, NodesHaveFewLines) {
  auto const A = araia::perf::power_grid(20000);
  EXPECT_NEAR(mean_row(A), 3.7, 0.2);
  EXPECT_LT(longest_row(A), 60);
}

TEST(Banded, EntriesStayInsideTheBandAndRowsAreFull) {
  auto const A = araia::perf::banded_random(500, 7, 20);
  for (std::int64_t i = 0; i < A.rows; ++i) {
    auto const first = A.row_offsets[static_cast<std::size_t>(i)];
    EXPECT_EQ(A.row_offsets[static_cast<std::size_t>(i) + 1] - first, 7) << "row " << i;
    for (auto k = first; k < first + 7; ++k)
      EXPECT_LE(std::abs(A.col_indices[static_cast<std::size_t>(k)] - i), 20) << "row " << i;
  }
}

TEST(UniformRandom, EveryColumnIsReachedAboutEquallyOften) {
  auto const A = araia::perf::uniform_random(8000, 1000, 16);
  auto const counts = column_counts(A);  // mean 128, standard deviation 11.3
  EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 128 - 6 * 12);
  EXPECT_LT(*std::max_element(counts.begin(), counts.end()), 128 + 6 * 12);
}

TEST(PowerLaw, MostEntriesLieInFewRowsAndColumns) {
  auto const A = araia::perf::power_law(20000, 15);
  EXPECT_NEAR(mean_row(A), 15, 3);
  EXPECT_GT(longest_row(A), 300);
  auto counts = column_counts(A);
  std::sort(counts.rbegin(), counts.rend());
  std::int64_t top = 0;
  for (std::size_t c = 0; c < counts.size() / 100; ++c) top += counts[c];
  EXPECT_GT(static_cast<double>(top), 0.15 * static_cast<double>(A.nnz()));  // 0.01^(1/3) = 22% before repeats drop out
}

TEST(RandomLengths, LengthsCoverTheSharesEvenly) {
  auto const A = araia::perf::random_lengths(2000, 1000, 0.01, 0.2);
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
  auto const A = araia::perf::lattice_2d(5);
  EXPECT_EQ(A.rows, 25);
  EXPECT_EQ(A.nnz(), 4 * 5 * 4);  // both ends of 2 n (n - 1) edges
  EXPECT_EQ(longest_row(A), 4);
}

TEST(Lattice, EveryRowHasThirteenBlocksOfThree) {
  auto const A = araia::perf::lattice_4d(3);
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
  EXPECT_THROW(araia::perf::lattice_4d(2), std::invalid_argument);
}

TEST(Circuit, RowsAreShortButForTheNets) {
  auto const A = araia::perf::circuit(250000);
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
  auto const A = araia::perf::linear_program(1000, 50000);
  EXPECT_NEAR(mean_row(A), 200, 10);
  auto const counts = column_counts(A);
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 1);
  EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), 7);
}

TEST(PrunedLayer, HoldsTheShareOfWeightsThatSparsityLeaves) {
  EXPECT_NEAR(static_cast<double>(araia::perf::pruned_layer(512, 1024, 0.9).nnz()), 0.1 * 512 * 1024, 1100);
  EXPECT_EQ(araia::perf::pruned_layer(16, 16, 0).nnz(), 256);
  EXPECT_EQ(araia::perf::pruned_layer(16, 16, 1).nnz(), 0);
}

}  // namespace
