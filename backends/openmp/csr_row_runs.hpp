// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs of rows that share one list of columns up to a shift: a product then need not read the columns again.
// Rows of a stencil along a grid line are shifted by 1, the rows of one finite-element node by 0.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/openmp/csr_column_reuse.hpp"
#include "backends/openmp/csr_plane_chunks.hpp"

namespace araia::host {

/// Rows from `first_row` to the next run's. Row first_row + r has the columns of the run's list, plus r * shift. The
/// list is a copy: looking it up in the matrix is two dependent misses a run.
struct CsrRowRun {
  static constexpr std::int32_t own_columns = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int64_t no_groups = -1;
  static constexpr std::int64_t group_width = 3;
  std::int64_t first_entry = 0;      ///< of the matrix
  std::int64_t list = 0;             ///< where the columns begin in CsrRowRuns::columns
  std::int64_t groups = no_groups;   ///< where they begin in CsrRowRuns::groups, or no_groups
  std::int32_t first_row = 0;        ///< stored row
  std::int32_t shift = own_columns;  ///< or own_columns: the rows share nothing, and there is no list
  std::int32_t length = 0;           ///< entries of each row, 0 without a list
  friend bool operator==(CsrRowRun const&, CsrRowRun const&) = default;
};

/// What inspecting a CSR matrix gives. Valid while its structure is unchanged, whatever its values.
struct CsrRowRuns {
  std::vector<CsrRowRun> runs;        ///< ascending, covers all rows
  std::vector<std::int32_t> columns;  ///< the runs' lists, one after the other
  /// Of lists of shift 0 that are groups of group_width columns side by side, such as those of nodes of three unknowns:
  /// the first columns of the groups. One more entry and one more column after each group are there to be read.
  std::vector<std::int32_t> groups;
  std::int64_t shared_entries = 0;  ///< entries whose column need not be read, of nnz
  /// Those of them in rows shifted by 1, where 32 rows and more are on the same diagonals.
  std::int64_t diagonal_entries = 0;
  PlaneChunks plane_chunks{};  ///< an order of rows for products of several columns
  ColumnReuse reuse{};         ///< in the order that rows have, of SpMM

  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(runs.size() * sizeof(CsrRowRun) +
                                     (columns.size() + groups.size()) * sizeof(std::int32_t));
  }
};

/// Finds the runs; those that share few entries are left out. One parallel pass over the columns, about the time of
/// SpMV. The same for any thread count. \param for_spmm  column_reuse too, at most 5 ms, in 4 bytes a column
/// \pre rows < 2^31
template <class Scalar, class Offset>
CsrRowRuns csr_row_runs(CsrPointers<Scalar, std::int32_t, Offset> const& a, int threads, bool for_spmm = true);

}  // namespace araia::host
