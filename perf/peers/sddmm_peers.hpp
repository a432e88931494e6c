// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SDDMM by others, on plain arrays in the memory of the device: what bench_sddmm runs beside ours.

#include <cstdint>
#include <functional>
#include <string>

namespace araia::perf {

/// d(p) = x(i, :) y(j, :)' for each entry p at row i and column j, rows of x and y contiguous.
template <class Scalar>
struct SddmmProblem {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t columns = 0;              // k
  std::int32_t const* row_offsets = {};  // (rows + 1)
  std::int32_t const* col_indices = {};  // (nnz)
  Scalar const* x = {};                  // (rows, k)
  Scalar const* y = {};                  // (cols, k)
  Scalar* d = {};                        // (nnz)
};

struct SddmmContender {
  std::string name;
  std::function<void()> run;  ///< one product; may return before completion
};

/// A parallel loop over rows, with dot products that the compiler vectorises.
template <class Scalar>
SddmmContender sddmm_by_loop(SddmmProblem<Scalar> const& problem);

/// cusparseSDDMM, X by rows and Y' by columns, preprocessed.
/// \param stream  cudaStream_t
template <class Scalar>
SddmmContender sddmm_of_cusparse(SddmmProblem<Scalar> const& problem, void* stream);

}  // namespace araia::perf
