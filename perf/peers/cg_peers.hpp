// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What users would take in place of araia::Cg, on one matrix: conjugate gradients with the diagonal as preconditioner.
// No Kokkos here.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace araia::perf {

/// A symmetric positive definite Csr on the host, and a right-hand side.
struct CgSystem {
  std::int64_t rows = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> col_indices;
  std::vector<double> values;
  std::vector<double> b;
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(values.size()); }
};

/// A solver that is ready: all that can be done before the first solve is done.
struct CgContender {
  std::string name;
  /// From x = 0, so many iterations, whatever the residual; complete when it returns.
  std::function<void(std::int64_t iterations)> solve;
  /// The solution of the last solve.
  std::function<std::vector<double>()> solution;
};

std::vector<CgContender> cg_of_cusparse(CgSystem const& system);
std::vector<CgContender> cg_of_eigen(CgSystem const& system);
std::vector<CgContender> cg_of_mkl(CgSystem const& system);

}  // namespace araia::perf
