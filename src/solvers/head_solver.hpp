// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Who solves the linear system of a trial.

#include <cstdint>
#include <memory>
#include <vector>

namespace araia::detail {

/// The entries of a symmetric matrix, both triangles and all of the diagonal, columns ascending within a row.
struct HeadPattern {
  std::vector<std::int32_t> offsets;  // (rows + 1)
  std::vector<std::int32_t> columns;  // (nnz)
  [[nodiscard]] std::size_t rows() const { return offsets.size() - 1; }
};

class HeadSolver {
 public:
  HeadSolver() = default;
  HeadSolver(HeadSolver const&) = delete;
  HeadSolver& operator=(HeadSolver const&) = delete;
  virtual ~HeadSolver() = default;
  /// x with A x = right, as near as rounding allows.
  /// \param values  (nnz) of A, symmetric positive definite, on the pattern that the solver was made with
  /// \return iterations, 0 of a direct method; -1 where A is not positive definite in this arithmetic
  virtual std::int64_t solve(std::vector<double> const& values, std::vector<double> const& right,
                             std::vector<double>& x) = 0;
};

/// Eigen's SimplicialLDLT.
/// \throws araia::Error (unsupported) in a build without Eigen
std::unique_ptr<HeadSolver> make_direct_heads(HeadPattern const& pattern);
/// Conjugate gradients on Kokkos's default execution space, which must be initialised.
std::unique_ptr<HeadSolver> make_cg_heads(HeadPattern const& pattern);

}  // namespace araia::detail
