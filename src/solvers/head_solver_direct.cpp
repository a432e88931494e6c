// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/solvers/hydraulics.hpp>

#include "head_solver.hpp"

#ifdef ARAIA_HAVE_EIGEN
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#endif

namespace araia {

#ifdef ARAIA_HAVE_EIGEN

bool has_direct_heads() noexcept { return true; }

namespace detail {
namespace {

class DirectHeads final : public HeadSolver {
 public:
  explicit DirectHeads(HeadGraph const& graph) : size_(static_cast<Eigen::Index>(graph.rows)), rows_(graph) {
    solver_.analyzePattern(matrix_of(std::vector<double>(rows_.columns().size(), 1.0)));
  }

  std::int64_t solve(HeadCoefficients const& A, std::vector<double> const& right, std::vector<double>& x) override {
    solver_.factorize(matrix_of(rows_.values(A)));
    // Eigen names as success what has no zero pivot, be it negative.
    if (solver_.info() != Eigen::Success || (size_ > 0 && !(solver_.vectorD().minCoeff() > 0))) return -1;
    Eigen::Map<Eigen::VectorXd>(x.data(), size_) =
        solver_.solve(Eigen::Map<Eigen::VectorXd const>(right.data(), size_));
    return 0;
  }

 private:
  using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;

  // Rows of a symmetric matrix are its columns.
  [[nodiscard]] Eigen::Map<Matrix const> matrix_of(std::vector<double> const& values) const {
    return {
        size_,        size_, static_cast<Eigen::Index>(values.size()), rows_.offsets().data(), rows_.columns().data(),
        values.data()};
  }

  Eigen::Index size_;
  HeadRows rows_;
  Eigen::SimplicialLDLT<Matrix> solver_;
};

}  // namespace

std::unique_ptr<HeadSolver> make_direct_heads(HeadGraph const& graph) { return std::make_unique<DirectHeads>(graph); }

}  // namespace detail

#else

bool has_direct_heads() noexcept { return false; }

std::unique_ptr<detail::HeadSolver> detail::make_direct_heads(HeadGraph const&) {
  throw Error(
      ErrorKind::unsupported,
      "araia::solve_hydraulics: this build has no direct method, as Eigen was not found; expected HeadMethod::cg");
}

#endif

}  // namespace araia
