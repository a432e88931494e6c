// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen's product of two row-major matrices, which runs on one thread.
#include <Eigen/SparseCore>
#include <memory>

#include "spgemm_peers.hpp"

namespace araia::perf {

std::vector<SpgemmContender> spgemm_of_eigen(SpgemmProblem const& problem) {
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
  auto const a = std::make_shared<Sparse>(Eigen::Map<Sparse const>(problem.rows, problem.rows, problem.nnz(),
                                                                   problem.row_offsets.data(),
                                                                   problem.col_indices.data(), problem.values.data()));
  return {{"eigen",
           [a] {
             Sparse const c = *a * *a;
             return static_cast<std::int64_t>(c.nonZeros());
           },
           {}}};
}

}  // namespace araia::perf
