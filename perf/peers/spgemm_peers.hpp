// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of sparse matrices by others, on plain arrays: what bench_spgemm runs beside ours.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace araia::perf {

/// A square matrix, columns of every row ascending; the product is A A.
struct SpgemmProblem {
  std::int64_t rows = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(values.size()); }
};

struct SpgemmContender {
  std::string name;
  /// The whole product, C allocated and released in it, its columns sorted; returns the entries of C.
  std::function<std::int64_t()> multiply;
  /// Values of C anew in a structure that is there; empty where there is no such call.
  std::function<void()> refresh;
};

std::vector<SpgemmContender> spgemm_of_eigen(SpgemmProblem const& problem);
std::vector<SpgemmContender> spgemm_of_kokkos_kernels(SpgemmProblem const& problem);
std::vector<SpgemmContender> spgemm_of_mkl(SpgemmProblem const& problem);

}  // namespace araia::perf
