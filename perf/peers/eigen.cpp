// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen: row-major sparse times dense, threads by OpenMP.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <common/suite.hpp>

namespace araia::perf {
namespace {

template <class Scalar>
using Sparse = Eigen::Map<Eigen::SparseMatrix<Scalar, Eigen::RowMajor, std::int32_t> const>;

template <class Scalar>
Sparse<Scalar> wrap(typename MatrixCopies<Scalar>::Matrix const& A) {
  return {A.rows, A.cols, A.nnz, A.row_offsets.data(), A.col_indices.data(), A.values.data()};
}

template <class Scalar>
Prepared of_csr(MatrixCopies<Scalar> const& problem) {
  Prepared prepared;
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  return prepared;
}

template <class Scalar>
Prepared prepare_spmv(SpmvProblem<Scalar>& problem) {
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  Prepared prepared = of_csr(problem);
  prepared.launch = [A = problem.A, x = problem.x, y = problem.y](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    Eigen::Map<Dense const> const xs(x[c].data(), A[c].cols);
    Eigen::Map<Dense> ys(y[c].data(), A[c].rows);
    ys.noalias() = wrap<Scalar>(A[c]) * xs;
  };
  return prepared;
}

template <class Scalar, int Layout, class Views>
Prepared prepare_spmm(SpmmProblem<Scalar>& problem, Views const& B, Views const& C) {
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Layout>;
  Prepared prepared = of_csr(problem);
  prepared.launch = [A = problem.A, B, C, columns = problem.columns](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    Eigen::Map<Dense const> const b(B[c].data(), A[c].cols, columns);
    Eigen::Map<Dense> result(C[c].data(), A[c].rows, columns);
    result.noalias() = wrap<Scalar>(A[c]) * b;
  };
  prepared.column_major = Layout == Eigen::ColMajor;
  return prepared;
}

}  // namespace

void add_eigen(Suite& suite) {
  for_each_scalar([&](auto scalar) {
    using Scalar = decltype(scalar);
    suite.spmv<Scalar>().push_back({"eigen", "csr", "eigen", prepare_spmv<Scalar>});
    suite.spmm<Scalar>().push_back({"eigen", "csr", "eigen_row_major", [](SpmmProblem<Scalar>& problem) {
                                      return prepare_spmm<Scalar, Eigen::RowMajor>(problem, problem.B_row,
                                                                                   problem.C_row);
                                    }});
    suite.spmm<Scalar>().push_back({"eigen", "csr", "eigen_column_major", [](SpmmProblem<Scalar>& problem) {
                                      return prepare_spmm<Scalar, Eigen::ColMajor>(problem, problem.B_column,
                                                                                   problem.C_column);
                                    }});
  });
}

}  // namespace araia::perf
