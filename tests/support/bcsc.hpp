// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The options and matrices that tests of BCSC run over.

#include <algorithm>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/zoo.hpp"

namespace araia::test {

inline std::vector<std::pair<std::string, BcscOptions>> const& all_bcsc_options() {
  static std::vector<std::pair<std::string, BcscOptions>> const all{
      {"default", {}},
      {"height 1", {.block_height = 1}},
      {"height 8", {.block_height = 8}},
      {"height 32, gather", {.block_height = 32, .keep_gather = true}},
      {"height 256", {.block_height = 256}},
      {"height 1000", {.block_height = 1000}},
      {"height 32, split", {.block_height = 32, .split = true}},
      {"height 64, split at 3, gather", {.block_height = 64, .split = true, .dense_entries = 3, .keep_gather = true}},
      {"by entries", {.block_height = 16, .heights = BcscHeights::by_entries}},
      {"by entries, split", {.block_height = 16, .heights = BcscHeights::by_entries, .split = true}},
      {"by columns", {.block_height = 16, .heights = BcscHeights::by_columns}},
      {"by 50 columns, at most 40 rows", {.heights = BcscHeights::by_columns, .per_block = 50, .tallest = 40}},
  };
  return all;
}

/// Each row's entries by ascending column, duplicates in their order.
inline TestMatrix with_ascending_columns(TestMatrix m) {
  TestMatrix const old = m;
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i) {
    std::vector<std::size_t> order(static_cast<std::size_t>(m.row_offsets[i + 1] - m.row_offsets[i]));
    std::iota(order.begin(), order.end(), static_cast<std::size_t>(m.row_offsets[i]));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return old.col_indices[a] < old.col_indices[b]; });
    for (std::size_t j = 0; j < order.size(); ++j) {
      m.col_indices[static_cast<std::size_t>(m.row_offsets[i]) + j] = old.col_indices[order[j]];
      m.values[static_cast<std::size_t>(m.row_offsets[i]) + j] = old.values[order[j]];
    }
  }
  return m;
}

/// The zoo, and what BCSC finds hard: stored zeros, one column that fills a tall block, one row longer than a sort's
/// runs, rows that share all columns.
inline std::vector<TestMatrix> const& bcsc_zoo() {
  static std::vector<TestMatrix> const matrices = [] {
    std::vector<TestMatrix> all = zoo();
    auto zeros = random_matrix("stored zeros", 60, 40, 5);
    for (std::size_t k = 0; k < zeros.values.size(); k += 2) zeros.values[k] = 0;
    all.push_back(zeros);
    all.push_back(with_row_lengths("600 x 1, one column", 1, std::vector<std::int64_t>(600, 1)));
    all.push_back(with_row_lengths("a row of 5000", 20000, {1, 5000, 0, 3}));
    all.push_back(with_row_lengths("full", 30, std::vector<std::int64_t>(300, 30)));
    TestMatrix repeated{"one entry many times", 2, 3, {0, 600, 601}, std::vector<std::int32_t>(601, 1), {}};
    for (int k = 0; k < 601; ++k) repeated.values.push_back(k);
    all.push_back(repeated);
    return all;
  }();
  return matrices;
}

/// The wide form and both compact ones, as far as the height allows. Rows of 16 bits with one type of matrix: what
/// counts rows within a block has nothing to do with what is multiplied.
template <class Exec, class Matrix, class Run>
void with_every_form(Exec const& exec, Matrix const& A, BcscOptions const& options, Run const& run) {
  auto const B = csr_to_bcsc(exec, A, options);
  run(B);
  if (B.block_height <= 256 || B.rows <= 256) {
    run(compact_bcsc(exec, B));
    run(compact_bcsc(exec, B, BcscColumns::wide));
  } else if constexpr (std::is_same_v<Matrix, Csr<double, std::int32_t, std::int32_t, typename Exec::device_type>>) {
    run(compact_bcsc<std::uint16_t>(exec, B));
  }
}

}  // namespace araia::test
