// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The small dense problems of LOBPCG, by LAPACK, in double, on the host. No function here throws for what numbers are:
// it says that it failed. Matrices are column-major with as many rows as the leading dimension.

#include <cstddef>
#include <functional>
#include <vector>

namespace araia::detail {

/// A dense matrix of the small problems: element (i, j) at at[j * rows + i].
struct SmallMatrix {
  int rows = 0;
  int cols = 0;
  std::vector<double> at;

  SmallMatrix() = default;
  SmallMatrix(int r, int c) : rows(r), cols(c), at(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0.0) {}
  double& operator()(int i, int j) {
    return at[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)];
  }
  double operator()(int i, int j) const {
    return at[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)];
  }
};

/// C = op(A) B.
SmallMatrix small_product(SmallMatrix const& a, bool transpose_a, SmallMatrix const& b);

[[nodiscard]] bool all_finite(SmallMatrix const& a);

/// A = V diag(values) V' of a symmetric A, values ascending; the upper triangle is read.
/// \return whether LAPACK found them (dsyevd, and where that fails dsyev); A must be finite
/// Cost  O(rows^3)
bool symmetric_eigenpairs(SmallMatrix const& a, std::vector<double>& values, SmallMatrix& vectors);

/// Something that does what symmetric_eigenpairs does.
using Eigenpairs = std::function<bool(SmallMatrix const&, std::vector<double>&, SmallMatrix&)>;

/// What a Rayleigh-Ritz step gives: new X = S C, new P = S D.
struct RitzStep {
  bool solved = false;
  double condition = 0;       ///< estimate for H scaled to a unit diagonal; infinite where it has no Cholesky factor
  std::vector<double> theta;  ///< (block) in the order of what is wanted
  SmallMatrix c;              ///< (m x block)
  SmallMatrix d;              ///< (m x columns of P), H-orthonormal and H-orthogonal to c
  SmallMatrix g_pp;           ///< D'G D
};

/// The `block` smallest or largest pairs of G c = theta H c, and new directions.
/// \param g, h             (m x m) symmetric
/// \param block            pairs wanted, at most m; X is the first `block` of the basis
/// \param active           columns of the new X that get a direction
/// \param condition_limit  beyond it nothing is solved
/// \param eigenpairs       solves the standard problem
/// Columns of the basis behind X that are zero (H_jj = 0) take no part.
/// Cost  O(m^3)
RitzStep ritz_step(SmallMatrix const& g, SmallMatrix const& h, int block, bool largest, std::vector<int> const& active,
                   double condition_limit, Eigenpairs const& eigenpairs);

/// W for which (V W)'B (V W) = I, from M = V'B V [StathopoulosWu2002]: eigenvectors of M scaled to a unit diagonal.
struct Orthonormaliser {
  SmallMatrix w;         ///< (cols x kept); no columns where M is not finite
  double smallest = 0;   ///< eigenvalue of the scaled M that was kept, at most 1
  double departure = 0;  ///< largest |M - I|
  double least = 0;      ///< smallest eigenvalue of the scaled M over the largest: below 0 where M is not semi-definite
};
/// \param cutoff  scaled eigenvalues below cutoff times the largest one are dropped
Orthonormaliser orthonormaliser(SmallMatrix const& m, double cutoff);

/// The `count` smallest or largest pairs of A x = lambda B x, x B-orthogonal to the columns of y.
/// \param b  no rows: the identity
/// \param y  (n x constraints), may have no columns
/// \return whether it was found: B positive definite, A finite
/// Cost  O(n^3)
bool dense_pairs(SmallMatrix const& a, SmallMatrix const& b, SmallMatrix const& y, int count, bool largest,
                 SmallMatrix& x);

}  // namespace araia::detail
