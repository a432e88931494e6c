// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The ways to store a SELL matrix that its tests run over, and matrices that make each of them worth while.

#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/formats/sell_validate.hpp>
#include <sstream>

#include "support/formats.hpp"
#include "support/tunings.hpp"

namespace araia::test {

template <class T>
std::string printed(T const& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Every kind of storage alone, and combinations that meet in one slice.
inline std::vector<SellOptions> sell_storages() {
  return {
      {},
      {.slice_height = 1},
      {.slice_height = 3, .sort_window = 7},
      {.slice_height = 8, .sort_window = 1000000},
      {.slice_height = 1000},
      {.slice_height = 16, .least_slice_height = 2},
      {.slice_height = 32, .sort_window = 64, .least_slice_height = 1},
      {.slice_height = 8, .block_width = 2},
      {.slice_height = 32, .sort_window = 32, .block_width = 4},
      {.slice_height = 8, .diagonals = true},
      {.slice_height = 32, .diagonals = true, .stored_mask = false},
      {.slice_height = 8, .columns = SellColumns::least_bytes},
      {.slice_height = 64, .sort_window = 128, .columns = SellColumns::least_bytes},
      {.slice_height = 16, .least_slice_height = 4, .block_width = 2, .diagonals = true},
      {.slice_height = 8,
       .sort_window = 16,
       .least_slice_height = 2,
       .block_width = 4,
       .diagonals = true,
       .columns = SellColumns::least_bytes},
      {.slice_height = 32, .block_width = 2, .stored_mask = false},
  };
}

/// A copy on the host, for the reference to read.
template <class S, class O, class F, class D>
Sell<S, O, F, HostDevice> sell_host_copy(Sell<S, O, F, D> const& A) {
  auto const copy = [](auto const& view) { return Kokkos::create_mirror_view_and_copy(HostDevice(), view); };
  Sell<S, O, F, HostDevice> B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz, .slices = A.slices};
  B.slice_height = A.slice_height;
  B.sort_window = A.sort_window;
  B.fill = A.fill;
  B.slots = A.slots;
  B.block_width = A.block_width;
  B.slice_rows = copy(A.slice_rows);
  B.slice_offsets = copy(A.slice_offsets);
  B.diagonal_offsets = copy(A.diagonal_offsets);
  B.column_offsets = copy(A.column_offsets);
  B.diagonals = copy(A.diagonals);
  B.row_lengths = copy(A.row_lengths);
  B.col_indices = copy(A.col_indices);
  B.column_words = copy(A.column_words);
  B.values = copy(A.values);
  B.stored_mask = copy(A.stored_mask);
  B.row_permutation = copy(A.row_permutation);
  return B;
}

inline bool fills(SellOptions const& options) { return options.block_width > 1 || options.diagonals; }

inline bool ascends(TestMatrix const& m) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i)
    for (auto k = m.row_offsets[i] + 1; k < m.row_offsets[i + 1]; ++k)
      if (m.col_indices[static_cast<std::size_t>(k)] <= m.col_indices[static_cast<std::size_t>(k) - 1]) return false;
  return true;
}

/// Columns of a few steps so far apart that 16 bits do not reach, among rows where they do.
inline TestMatrix far_columns() {
  auto m = random_matrix("far columns", 100, 300, 8);
  m.cols = 67000;
  for (std::int64_t i = 40; i < 43; ++i)
    for (auto k = m.row_offsets[static_cast<std::size_t>(i)]; k < m.row_offsets[static_cast<std::size_t>(i) + 1]; ++k)
      m.col_indices[static_cast<std::size_t>(k)] += 66600;
  return m;
}

inline std::vector<TestMatrix> sell_zoo() {
  auto all = zoo();
  all.push_back(with_stored_zeros(stencil(23, 17)));
  all.push_back(with_stored_zeros(node_blocks(30, 4)));
  all.push_back(far_columns());
  return all;
}

}  // namespace araia::test
