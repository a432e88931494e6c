// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The shape in which row groups multiply fastest, and the seconds that they take, by rule. Measured on an H200:
// docs/kernels/spmm_very_sparse.md.

#include <array>
#include <cstdint>
#include <optional>

#include "backends/cuda/lib/spmm_problem.hpp"
#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

namespace araia::cuda {

/// What the rule looks at beside sizes.
struct GroupStats {
  std::array<double, most_group_rows> shared{1, 1, 1, 1};  ///< nnz / group columns in groups of 1, 2, ... rows
  std::int64_t longest = 0;                                ///< entries of a row
  double deviation = 0;                                    ///< of the rows' lengths, in mean lengths
  double distance = 0;  ///< mean of an entry's distance from the diagonal, in numbers of rows; columns scaled to them
};

/// From CSR in host memory: lengths of all rows, the rest from some windows of rows.
template <class T, class Offset>
GroupStats group_stats(CsrPointers<T, std::int32_t, Offset> const& a);

struct GroupChoice {
  GroupShape shape;
  RowGroupsTuning tuning;
};

/// \param columns          of B and C
/// \param multiprocessors  of the device
/// \param cache_bytes      of its L2
GroupChoice choose_groups(GroupStats const& stats, std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                          std::size_t scalar_bytes, int multiprocessors, std::int64_t cache_bytes);

struct RowGroupsPrice {
  double seconds = 0;
};

/// By what is known before packing; the shape is choose_groups', from the rows themselves.
std::optional<RowGroupsPrice> price_row_groups(SpmmProblem const& p);

}  // namespace araia::cuda
