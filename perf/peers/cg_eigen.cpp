// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen's ConjugateGradient on a row-major matrix of both triangles, whose product runs on several threads.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <limits>
#include <memory>

#include "cg_peers.hpp"

namespace araia::perf {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
using Solver = Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper, Eigen::DiagonalPreconditioner<double>>;

struct State {
  Sparse a;
  Eigen::VectorXd b;
  Eigen::VectorXd x;
  Solver solver;
};

}  // namespace

std::vector<CgContender> cg_of_eigen(CgSystem const& system) {
  auto const state = std::make_shared<State>();
  state->a = Eigen::Map<Sparse const>(system.rows, system.rows, system.nnz(), system.row_offsets.data(),
                                      system.col_indices.data(), system.values.data());
  state->b = Eigen::Map<Eigen::VectorXd const>(system.b.data(), system.rows);
  state->solver.setTolerance(std::numeric_limits<double>::min());
  state->solver.compute(state->a);
  return {{"eigen",
           [state](std::int64_t iterations) {
             state->solver.setMaxIterations(iterations);
             state->x = state->solver.solve(state->b);
           },
           [state] { return std::vector<double>(state->x.begin(), state->x.end()); }}};
}

}  // namespace araia::perf
