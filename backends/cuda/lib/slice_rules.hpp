// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What rules of kernels share that keep a slice of B's columns in shared memory: float alone.

#include <algorithm>

#include "backends/cuda/lib/spmm_problem.hpp"

namespace araia::cuda {

/// Columns enough for whole slices, and entries?
[[nodiscard]] inline bool fills_slices(SpmmProblem const& p) {
  constexpr std::int64_t least_columns = 96;  // fewer leave slices half empty
  return p.single() && p.columns >= least_columns && p.nnz > 0;
}

/// Thread blocks that share the rows of a slice, as many as the multiprocessors have room for.
[[nodiscard]] constexpr std::int64_t parts_of_slice(std::int64_t slices, int multiprocessors, std::int64_t most) {
  return std::clamp<std::int64_t>(multiprocessors / std::max<std::int64_t>(slices, 1), 1,
                                  std::max<std::int64_t>(most, 1));
}

/// Microseconds of the longest row, which one warp takes step by step, as a warp a row does.
[[nodiscard]] inline double longest_row_of_slice(SpmmProblem const& p) {
  return longest_row_time(p, {.lanes = 32, .vector = 4, .split = 1});
}

}  // namespace araia::cuda
