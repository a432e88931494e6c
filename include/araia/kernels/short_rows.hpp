// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which matrices SpMM on CUDA gives several rows a warp, and what that takes: kernels' rules and the model ask the
// same.

#include <algorithm>
#include <cstdint>

namespace araia::detail {

inline constexpr std::int64_t mean_of_shortest_rows = 8;  ///< entries, at most

constexpr bool has_shortest_rows(std::int64_t rows, std::int64_t nnz) { return nnz <= mean_of_shortest_rows * rows; }

/// Rows of more than 32 entries in the mean: of FEM, lattices, orbitals.
constexpr bool has_rows_of_many(std::int64_t rows, std::int64_t nnz) { return nnz > 32 * rows; }

/// The shortest rows take one step or two of csr_spmm_short_rows. Longer ones were measured where the matrix is very
/// sparse and blocks are enough for all multiprocessors; denser layers were not. Rows of 200 entries take 0.8 to 1.1 of
/// their time with a warp each.
/// \param row_bytes  of a row of C, of all items of a batch
constexpr bool has_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t row_bytes) {
  constexpr std::int64_t longest_mean = 100;
  constexpr double very_sparse = 0.01;           // density
  constexpr std::int64_t least_row = 32;         // bytes that a row's lanes are good for at least
  constexpr std::int64_t least_bytes = 1 << 18;  // a block of 2 KiB of C a multiprocessor of an H100
  if (has_shortest_rows(rows, nnz)) return true;
  bool const sparse = static_cast<double>(nnz) <= very_sparse * static_cast<double>(rows) * static_cast<double>(cols);
  return nnz <= longest_mean * rows && sparse && rows >= least_bytes / std::max(least_row, row_bytes);
}

inline constexpr std::int64_t entries_of_hub = 2048;      ///< more go by slices of columns, a block each
inline constexpr std::int64_t least_bytes_for_hubs = 64;  ///< of a row of C: two slices

/// A row of so many entries is one block's or two's, and by so few columns takes longer than all others.
constexpr bool has_waiting_hub(std::int64_t longest, std::int64_t row_bytes) {
  return longest > entries_of_hub && row_bytes <= least_bytes_for_hubs;
}

/// Seconds of csr_spmm_short_rows by row-major operands, one product: of rows and entries by no column, and of each
/// byte of B's rows more. An H200, 7 and 27 points, FEM by 8 to 129 columns of float and double: within a quarter. In
/// cache, 300,000 entries by 8 to 128 columns, rows of 16 entries and more take 2 to 6 us beside that, as their steps
/// come one after the other: within a third, a lattice by 32 columns within a half.
/// \param longest  entries of the longest row, or 0 where that is not known
constexpr double short_rows_seconds(std::int64_t rows, std::int64_t nnz, std::int64_t columns, int scalar_bytes,
                                    std::int64_t longest = 0) {
  constexpr double entry_of_waiting_hub = 3e-9;
  constexpr double steps_of_longer_rows = 3e-6;
  constexpr double of_row = 10e-12;
  constexpr double of_row_byte = 0.52e-12;
  constexpr double of_entry = 2e-12;
  constexpr double of_entry_of_doubles = 4.5e-12;
  constexpr double of_entry_byte = 0.037e-12;
  constexpr double of_entry_of_many = 4e-12;  // more
  constexpr std::int64_t pack_bytes = 16;
  constexpr double words_over_packs = 1.45;  // a byte, where rows of B are not whole packs
  constexpr double doubles_over_packs = 1.38;
  bool const doubles = scalar_bytes == 8;
  std::int64_t const row_bytes = columns * scalar_bytes;
  double const bytes = static_cast<double>(row_bytes) * (row_bytes % pack_bytes == 0 ? 1
                                                         : doubles                   ? doubles_over_packs
                                                                                     : words_over_packs);
  // From the shortest rows on, up to twice as many entries.
  auto const shortest = static_cast<double>(mean_of_shortest_rows * rows);
  double const longer = rows > 0 ? std::clamp(static_cast<double>(nnz) / shortest - 1, 0.0, 1.0) : 0;
  double const hub = has_waiting_hub(longest, row_bytes) ? entry_of_waiting_hub * static_cast<double>(longest) : 0;
  return hub + longer * steps_of_longer_rows + static_cast<double>(rows) * (of_row + of_row_byte * bytes) +
         static_cast<double>(nnz) * ((doubles ? of_entry_of_doubles : of_entry) +
                                     (has_rows_of_many(rows, nnz) ? of_entry_of_many : 0) + of_entry_byte * bytes);
}

}  // namespace araia::detail
