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

/// The shortest rows take one step or two of csr_spmm_short_rows. Longer ones of very sparse matrices want blocks
/// enough for all multiprocessors.
/// \param row_bytes  of a row of C, of all items of a batch
constexpr bool has_sparse_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t row_bytes) {
  constexpr std::int64_t longest_mean = 100;
  constexpr double very_sparse = 0.01;           // density
  constexpr std::int64_t least_row = 32;         // bytes that a row's lanes are good for at least
  constexpr std::int64_t least_bytes = 1 << 18;  // a block of 2 KiB of C a multiprocessor of an H100
  if (has_shortest_rows(rows, nnz)) return true;
  bool const sparse = static_cast<double>(nnz) <= very_sparse * static_cast<double>(rows) * static_cast<double>(cols);
  return nnz <= longest_mean * rows && sparse && rows >= least_bytes / std::max(least_row, row_bytes);
}

/// Those of very sparse matrices, and of denser ones (pruned layers) where blocks are many more, as a row is its own
/// lanes'.
constexpr bool has_short_rows(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t row_bytes) {
  constexpr std::int64_t many_rows = 1 << 14;
  constexpr std::int64_t many_bytes = 1 << 21;  // of C
  constexpr std::int64_t widest_row = 1 << 12;  // measured
  if (has_sparse_short_rows(rows, cols, nnz, row_bytes)) return true;
  return !has_rows_of_many(rows, nnz) && row_bytes <= widest_row &&
         rows >= std::min(many_rows, many_bytes / std::max<std::int64_t>(1, row_bytes));
}

/// A row of more goes by slices of columns, blocks of their own each. The kernel begins with half as many in matrices
/// of few blocks, which prices leave out.
inline constexpr std::int64_t entries_of_sliced_row = 2048;
inline constexpr std::int64_t bytes_of_few_slices = 64;  ///< of a row of C: two

/// Entries that a row's own lanes multiply: rows beside it wait so long at most, and one of usual length goes by no
/// other way.
constexpr std::int64_t longest_of_lanes(std::int64_t rows, std::int64_t nnz) {
  constexpr std::int64_t over_mean = 4;
  constexpr std::int64_t least = 64;
  return rows > 0 ? std::clamp(over_mean * (nnz / rows), least, entries_of_sliced_row) : least;
}

/// What is known of rows beyond longest_of_lanes: nothing by default.
struct LongRows {
  std::int64_t longest = 0;  ///< entries of the longest row of all
  std::int64_t count = 0;    ///< of them; 0 where `longest` is one: not known
};

/// Seconds that long rows keep one block busy, while all others end: where a matrix is small or by few columns, what
/// csr_spmm_short_rows waits for. Where rows lie is not known, so some are taken to lie side by side, where they are
/// shared: right within a factor of five.
constexpr double wait_for_long_rows(std::int64_t rows, std::int64_t nnz, LongRows const& rows_beyond,
                                    std::int64_t row_bytes) {
  constexpr double entry_of_sliced_row = 4.5e-9;
  constexpr double entry_of_sliced_row_byte = 5e-12;
  constexpr double entry_of_row = 4.5e-9;
  constexpr double entry_of_row_byte = 28e-12;
  constexpr double of_longest = 0.06;            // entries of a row beside it
  constexpr std::int64_t bytes_of_block = 4096;  // of rows of C
  constexpr std::int64_t fewest_rows = 4;        // of a block
  constexpr std::int64_t most_rows = 64;
  std::int64_t const shorter = longest_of_lanes(rows, nnz);
  auto const& [longest, count] = rows_beyond;
  if (longest <= shorter) return 0;
  auto const bytes = static_cast<double>(row_bytes);
  std::int64_t const of_block =
      std::clamp(bytes_of_block / std::max<std::int64_t>(row_bytes, 1), fewest_rows, most_rows);
  std::int64_t const side_by_side = std::min(of_block, count > 0 ? count : nnz / longest);
  auto const entries = static_cast<double>(std::min(longest, entries_of_sliced_row) - shorter);
  double const of_rows = std::max(1.0, of_longest * static_cast<double>(side_by_side)) * entries *
                         (entry_of_row + entry_of_row_byte * bytes);
  if (longest <= entries_of_sliced_row) return of_rows;
  return std::max(of_rows, static_cast<double>(longest) * (entry_of_sliced_row + entry_of_sliced_row_byte * bytes));
}

/// Seconds, in a stream, as prices of packed kernels have theirs.
inline constexpr double start_of_short_rows = 2.6e-6;

/// Seconds of csr_spmm_short_rows by row-major operands, one product without its start: of rows and entries by no
/// column, of each byte of B's rows more, and of a row's steps one after the other. Right within a quarter in the mean
/// of most classes; too little for random rows, whose B is read all over.
constexpr double short_rows_seconds(std::int64_t rows, std::int64_t nnz, std::int64_t columns, int scalar_bytes,
                                    LongRows const& rows_beyond = {}) {
  constexpr double step_of_entry = 0.047e-6;  // of a row, one after the other
  constexpr double of_row = 3.2e-12;
  constexpr double of_row_byte = 0.47e-12;
  constexpr double of_entry = 2.2e-12;
  constexpr double of_entry_of_doubles = 3.2e-12;
  constexpr double of_entry_byte = 0.033e-12;
  constexpr double of_entry_of_many = 2e-12;  // more
  constexpr std::int64_t pack_bytes = 16;
  constexpr double words_over_packs = 1.58;  // a byte, where rows of B are not whole packs
  constexpr double doubles_over_packs = 1.28;
  bool const doubles = scalar_bytes == 8;
  std::int64_t const row_bytes = columns * scalar_bytes;
  double const bytes = static_cast<double>(row_bytes) * (row_bytes % pack_bytes == 0 ? 1
                                                         : doubles                   ? doubles_over_packs
                                                                                     : words_over_packs);
  // Lanes go over a row of their own step by step.
  constexpr double entry_of_own_row = 0.045e-6;
  std::int64_t const own = std::min(rows_beyond.longest, longest_of_lanes(rows, nnz));
  double const mean = rows > 0 ? static_cast<double>(nnz) / static_cast<double>(rows) : 0;
  double const steps = (static_cast<double>(own) - 2 * mean) * entry_of_own_row;
  double const all_rows =
      mean * step_of_entry + static_cast<double>(rows) * (of_row + of_row_byte * bytes) +
      static_cast<double>(nnz) * ((doubles ? of_entry_of_doubles : of_entry) +
                                  (has_rows_of_many(rows, nnz) ? of_entry_of_many : 0) + of_entry_byte * bytes);
  double const all = std::max(all_rows, steps);
  // Long rows wait for the short ones of their block, and by few columns a long row is one block's beside the others,
  // which slow it; else it is under way as long as they are.
  double const wait = wait_for_long_rows(rows, nnz, rows_beyond, row_bytes);
  bool const beside = rows_beyond.longest <= entries_of_sliced_row || row_bytes <= bytes_of_few_slices;
  return beside ? all + wait : std::max(all, wait);
}

}  // namespace araia::detail
