// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The matrices that every format and kernel is tested on: degenerate shapes, and row lengths at the edges of tiles.

#include <cstdint>
#include <string>
#include <vector>

namespace araia::test {

/// CSR in host vectors; columns of a row in any order, duplicates allowed where the name says so.
struct TestMatrix {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<std::int32_t> col_indices{};
  std::vector<double> values{};

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(col_indices.size()); }
};

inline constexpr std::uint64_t zoo_seed = 20261120;  // printed by failing tests through the matrix's name

/// Rows of the given lengths with distinct sorted random columns, and random values.
TestMatrix with_row_lengths(std::string name, std::int64_t cols, std::vector<std::int64_t> const& lengths,
                            std::uint64_t seed = zoo_seed);

TestMatrix random_matrix(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t mean,
                         std::uint64_t seed = zoo_seed);

/// Small integers: every sum of products is exact, so that all kernels must agree bit for bit.
TestMatrix with_integer_values(TestMatrix m);

/// Five-point stencil on a grid: rows along a grid line have the same columns up to a shift.
TestMatrix stencil(std::int64_t nx, std::int64_t ny);

/// Rows of one node, `dofs` of them, have the same columns, as in a finite-element matrix.
TestMatrix node_blocks(std::int64_t nodes, std::int64_t dofs);

/// Columns of every row in reverse order, and one duplicate in rows of two entries or more.
TestMatrix unsorted_with_duplicates(TestMatrix m);

std::vector<TestMatrix> const& zoo();

/// Blocks and diagonals hold an entry once, and diagonals need ascending columns: `unsupported` is right where a row
/// has neither.
bool has_strict_rows(TestMatrix const& m);

/// The same matrix with its entries as coordinates in random order: (row, col, value) triples as three vectors.
struct TestCoo {
  std::vector<std::int32_t> row_indices;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
};

TestCoo coordinates(TestMatrix const& m, bool shuffled);

}  // namespace araia::test
