// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A product as the rules of packings for SpMM see it, and what several of these rules share. Each kernel has its rule
// in its own folder; constants are fits to what an H200 took: docs/lab/cuda_kernels.md.

#include <cstddef>
#include <cstdint>

#include <araia/precision.hpp>
#include "backends/cuda/lib/csr_spmm_row_tuning.hpp"

namespace araia::cuda {

struct SpmmProblem {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t columns = 0;                 ///< of B and C
  std::size_t scalar_bytes = 4;             ///< 4 or 8
  int multiprocessors = 132;                ///< of the device
  std::size_t shared_bytes = 0;             ///< most that a thread block may have
  Precision precision = Precision::native;  ///< other than native: the device has wgmma
  double shared = 1;                        ///< entries a nonempty column of blocks of four rows, where that is known
  std::int64_t longest = 0;                 ///< entries of the longest row, where that is known
  std::int64_t long_rows = 0;               ///< beyond detail::longest_of_lanes; 0: none, or not known
  std::int64_t cache_bytes = 50 << 20;      ///< of the device's L2

  [[nodiscard]] bool single() const { return scalar_bytes == sizeof(float); }
  [[nodiscard]] double density() const;
  /// A, B and C.
  [[nodiscard]] double operand_bytes() const;
  /// Of B.
  [[nodiscard]] std::int64_t row_bytes() const { return columns * static_cast<std::int64_t>(scalar_bytes); }
  /// Are rows of B whole packs of 16 bytes?
  [[nodiscard]] bool has_rows_of_packs() const { return row_bytes() % 16 == 0; }
  [[nodiscard]] bool has_much_longer_row() const;
  /// Is the matrix sparse, and do four neighbouring rows share so many columns that a group of them pays? Such rows lie
  /// in blocks or bands.
  [[nodiscard]] bool rows_share_columns() const;
};

inline constexpr double microsecond = 1e-6;

constexpr std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// What an entry takes in groups of so many rows that share so many entries a column, in reads of a row of B.
[[nodiscard]] double reads_of_entry(int group_rows, double shared, bool is_double);

/// A group must take less than this of the reads of single rows: those come in runs.
inline constexpr double gain_of_groups = 0.85;

/// Does a group of four rows that share so many entries a column take less than single rows?
[[nodiscard]] bool groups_of_four_pay(double shared, std::size_t scalar_bytes);

/// The shape of a warp a row where rows are padded to multiples of eight entries.
[[nodiscard]] CsrSpmmRowTuning padded_row_tuning(SpmmProblem const& p);

/// Microseconds by a warp a row, rows padded: of all rows, but no less than of the longest one.
[[nodiscard]] double warp_per_row_time(SpmmProblem const& p);

/// Microseconds of a row much longer than the mean, whose entries a warp takes one step after the other; 0: none is.
[[nodiscard]] double longest_row_time(SpmmProblem const& p, CsrSpmmRowTuning const& tuning);

/// Fewer entries, and a packing for groups of rows is behind a warp a row and a Csr as it is.
inline constexpr std::int64_t entries_worth_grouping = 60000;

/// Is a matrix of short rows multiplied sooner as the Csr that it is than by any packing? The shortest rows share few
/// columns, and longer ones where rows of B are no whole packs are, unless they share columns or wait for a long row.
[[nodiscard]] bool goes_unpacked(SpmmProblem const& p);

inline constexpr double shortest_group_start = 2;  ///< microseconds, of single rows of a step or two

/// Seconds that a packing takes at least where goes_unpacked.
[[nodiscard]] double least_of_packed_short_rows(SpmmProblem const& p);

}  // namespace araia::cuda
