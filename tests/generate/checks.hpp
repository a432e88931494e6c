// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of generated matrices look at.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::testing {

inline double mean_row(GeneratedMatrix const& A) { return static_cast<double>(A.nnz()) / static_cast<double>(A.rows); }

inline std::int64_t longest_row(GeneratedMatrix const& A) {
  std::int64_t longest = 0;
  for (std::size_t i = 0; i + 1 < A.row_offsets.size(); ++i)
    longest = std::max(longest, A.row_offsets[i + 1] - A.row_offsets[i]);
  return longest;
}

inline std::vector<std::int64_t> column_counts(GeneratedMatrix const& A) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(A.cols));
  for (auto const column : A.col_indices) ++counts[static_cast<std::size_t>(column)];
  return counts;
}

inline void expect_symmetric_with_heavy_diagonal(GeneratedMatrix const& A) {
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

/// Columns ascend strictly inside the matrix, and the arrays fit each other.
inline void expect_sorted(GeneratedMatrix const& A) {
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

/// Of the offsets, the columns and the bits of the values.
inline std::uint64_t checksum(GeneratedMatrix const& A) {
  std::uint64_t hash = 14695981039346656037ULL;
  auto const add = [&](std::uint64_t bits) { hash = (hash ^ bits) * 1099511628211ULL; };
  for (auto const offset : A.row_offsets) add(static_cast<std::uint64_t>(offset));
  for (auto const column : A.col_indices) add(static_cast<std::uint64_t>(column));
  for (double const value : A.values) add(std::bit_cast<std::uint64_t>(value));
  return hash;
}

}  // namespace araia::testing
