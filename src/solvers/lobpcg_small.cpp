// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/solvers/lobpcg_small.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// LAPACK's and BLAS's own names; a length behind each character argument, as Fortran compilers pass it.
extern "C" {
void dsyevd_(char const* jobz, char const* uplo, int const* n, double* a, int const* lda, double* w, double* work,
             int const* lwork, int* iwork, int const* liwork, int* info, std::size_t, std::size_t);
void dsyev_(char const* jobz, char const* uplo, int const* n, double* a, int const* lda, double* w, double* work,
            int const* lwork, int* info, std::size_t, std::size_t);
void dpotrf_(char const* uplo, int const* n, double* a, int const* lda, int* info, std::size_t);
void dpocon_(char const* uplo, int const* n, double const* a, int const* lda, double const* anorm, double* rcond,
             double* work, int* iwork, int* info, std::size_t);
void dsygst_(int const* itype, char const* uplo, int const* n, double* a, int const* lda, double const* b,
             int const* ldb, int* info, std::size_t);
void dtrsm_(char const* side, char const* uplo, char const* trans, char const* diag, int const* m, int const* n,
            double const* alpha, double const* a, int const* lda, double* b, int const* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dtrmm_(char const* side, char const* uplo, char const* trans, char const* diag, int const* m, int const* n,
            double const* alpha, double const* a, int const* lda, double* b, int const* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dgemm_(char const* transa, char const* transb, int const* m, int const* n, int const* k, double const* alpha,
            double const* a, int const* lda, double const* b, int const* ldb, double const* beta, double* c,
            int const* ldc, std::size_t, std::size_t);
}

namespace araia::detail {

namespace {

constexpr double one = 1;
constexpr double zero = 0;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// H = U'U, U in the upper triangle. \return whether H is positive definite
bool cholesky(SmallMatrix& h) {
  int info = 0;
  if (h.rows > 0) dpotrf_("U", &h.rows, h.at.data(), &h.rows, &info, 1);
  return info == 0;
}

/// B = U^-1 B.
void solve_upper(SmallMatrix const& u, SmallMatrix& b) {
  if (b.rows > 0 && b.cols > 0)
    dtrsm_("L", "U", "N", "N", &b.rows, &b.cols, &one, u.at.data(), &u.rows, b.at.data(), &b.rows, 1, 1, 1, 1);
}

/// B = U B.
void multiply_upper(SmallMatrix const& u, SmallMatrix& b) {
  if (b.rows > 0 && b.cols > 0)
    dtrmm_("L", "U", "N", "N", &b.rows, &b.cols, &one, u.at.data(), &u.rows, b.at.data(), &b.rows, 1, 1, 1, 1);
}

/// Of the Cholesky factor u of a matrix of that 1-norm.
double condition_of(SmallMatrix const& u, double norm) {
  if (u.rows == 0) return 1;
  double reciprocal = 0;
  int info = 0;
  std::vector<double> work(3 * static_cast<std::size_t>(u.rows));
  std::vector<int> integers(static_cast<std::size_t>(u.rows));
  dpocon_("U", &u.rows, u.at.data(), &u.rows, &norm, &reciprocal, work.data(), integers.data(), &info, 1);
  return info == 0 && reciprocal > 0 ? 1 / reciprocal : infinity;
}

double one_norm(SmallMatrix const& a) {
  double largest = 0;
  for (int j = 0; j < a.cols; ++j) {
    double sum = 0;
    for (int i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

double column_norm(SmallMatrix const& a, int j) {
  double sum = 0;
  for (int i = 0; i < a.rows; ++i) sum += a(i, j) * a(i, j);
  return std::sqrt(sum);
}

/// d(:, j) -= z (z'd(:, j)) for orthonormal columns of z.
void remove_from(SmallMatrix const& z, int columns, SmallMatrix& d, int j) {
  for (int q = 0; q < columns; ++q) {
    double dot = 0;
    for (int i = 0; i < d.rows; ++i) dot += z(i, q) * d(i, j);
    for (int i = 0; i < d.rows; ++i) d(i, j) -= dot * z(i, q);
  }
}

/// Makes columns of d orthonormal and orthogonal to those of z, by Gram-Schmidt with two rounds; those that vanish are
/// dropped.
void orthonormalise_beside(SmallMatrix const& z, SmallMatrix& d) {
  constexpr double vanished = 1e-8;  // of a column's norm: what is left is mostly rounding
  int kept = 0;
  for (int j = 0; j < d.cols; ++j) {
    double const before = column_norm(d, j);
    if (!(before > 0) || !std::isfinite(before)) continue;
    for (int i = 0; i < d.rows; ++i) d(i, kept) = d(i, j) / before;
    bool stays = true;
    for (int round = 0; round < 2 && stays; ++round) {
      remove_from(z, z.cols, d, kept);
      remove_from(d, kept, d, kept);
      double const norm = column_norm(d, kept);
      stays = norm > vanished;
      if (stays)
        for (int i = 0; i < d.rows; ++i) d(i, kept) /= norm;
    }
    if (stays) ++kept;
  }
  d.cols = kept;
  d.at.resize(static_cast<std::size_t>(d.rows) * static_cast<std::size_t>(kept));
}

}  // namespace

SmallMatrix small_product(SmallMatrix const& a, bool transpose_a, SmallMatrix const& b) {
  SmallMatrix c(transpose_a ? a.cols : a.rows, b.cols);
  if (c.rows > 0 && c.cols > 0 && b.rows > 0)
    dgemm_(transpose_a ? "T" : "N", "N", &c.rows, &c.cols, &b.rows, &one, a.at.data(), &a.rows, b.at.data(), &b.rows,
           &zero, c.at.data(), &c.rows, 1, 1);
  return c;
}

bool all_finite(SmallMatrix const& a) {
  return std::all_of(a.at.begin(), a.at.end(), [](double value) { return std::isfinite(value); });
}

bool symmetric_eigenpairs(SmallMatrix const& a, std::vector<double>& values, SmallMatrix& vectors) {
  int const n = a.rows;
  values.assign(static_cast<std::size_t>(n), 0.0);
  vectors = a;
  if (n == 0) return true;
  if (!all_finite(a)) return false;
  int info = 0;
  int lwork = -1;
  int liwork = -1;
  double best = 0;
  int best_integers = 0;
  dsyevd_("V", "U", &n, vectors.at.data(), &n, values.data(), &best, &lwork, &best_integers, &liwork, &info, 1, 1);
  if (info == 0) {
    lwork = std::max(static_cast<int>(best), 1 + 6 * n + 2 * n * n);
    liwork = std::max(best_integers, 3 + 5 * n);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    std::vector<int> integers(static_cast<std::size_t>(liwork));
    dsyevd_("V", "U", &n, vectors.at.data(), &n, values.data(), work.data(), &lwork, integers.data(), &liwork, &info, 1,
            1);
    if (info == 0 && all_finite(vectors)) return true;
  }
  vectors = a;  // divide and conquer gave up: QR iterations
  lwork = std::max(1, 34 * n);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dsyev_("V", "U", &n, vectors.at.data(), &n, values.data(), work.data(), &lwork, &info, 1, 1);
  return info == 0 && all_finite(vectors);
}

RitzStep ritz_step(SmallMatrix const& g, SmallMatrix const& h, int block, bool largest, std::vector<int> const& active,
                   double condition_limit, Eigenpairs const& eigenpairs) {
  RitzStep step;
  step.condition = infinity;
  int const m = g.rows;
  std::vector<int> kept;
  std::vector<double> scale;
  for (int j = 0; j < m; ++j) {
    double const square = h(j, j);
    if (!std::isfinite(square)) return step;
    if (square > std::numeric_limits<double>::min()) {
      kept.push_back(j);
      scale.push_back(1 / std::sqrt(square));
    } else if (j < block) {
      return step;  // X itself has fallen apart
    }
  }
  int const size = static_cast<int>(kept.size());
  SmallMatrix u(size, size);
  SmallMatrix reduced(size, size);
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      double const both = scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
      auto const row = kept[static_cast<std::size_t>(i)];
      auto const col = kept[static_cast<std::size_t>(j)];
      u(i, j) = h(row, col) * both;
      reduced(i, j) = g(row, col) * both;
    }
  if (!all_finite(u) || !all_finite(reduced)) return step;
  double const norm = one_norm(u);
  if (!cholesky(u)) return step;
  step.condition = condition_of(u, norm);
  if (!(step.condition <= condition_limit)) return step;
  int const itype = 1;
  int info = 0;
  dsygst_(&itype, "U", &size, reduced.at.data(), &size, u.at.data(), &size, &info, 1);
  std::vector<double> values;
  SmallMatrix z;
  if (info != 0 || !eigenpairs(reduced, values, z)) return step;

  // z has orthonormal columns in the coordinates where H is the identity.
  SmallMatrix wanted(size, block);
  step.theta.resize(static_cast<std::size_t>(block));
  for (int q = 0; q < block; ++q) {
    int const from = largest ? size - 1 - q : q;
    step.theta[static_cast<std::size_t>(q)] = values[static_cast<std::size_t>(from)];
    for (int i = 0; i < size; ++i) wanted(i, q) = z(i, from);
  }
  SmallMatrix coefficients = wanted;
  solve_upper(u, coefficients);
  SmallMatrix directions(size, static_cast<int>(active.size()));
  for (int q = 0; q < directions.cols; ++q)
    for (int i = block; i < size; ++i) directions(i, q) = coefficients(i, active[static_cast<std::size_t>(q)]);
  multiply_upper(u, directions);
  orthonormalise_beside(wanted, directions);
  SmallMatrix const in_ritz = small_product(z, true, directions);
  SmallMatrix weighted = in_ritz;
  for (int q = 0; q < weighted.cols; ++q)
    for (int i = 0; i < size; ++i) weighted(i, q) *= values[static_cast<std::size_t>(i)];
  step.g_pp = small_product(in_ritz, true, weighted);
  solve_upper(u, directions);

  step.c = SmallMatrix(m, block);
  step.d = SmallMatrix(m, directions.cols);
  for (int i = 0; i < size; ++i) {
    auto const row = kept[static_cast<std::size_t>(i)];
    for (int q = 0; q < block; ++q) step.c(row, q) = coefficients(i, q) * scale[static_cast<std::size_t>(i)];
    for (int q = 0; q < directions.cols; ++q) step.d(row, q) = directions(i, q) * scale[static_cast<std::size_t>(i)];
  }
  step.solved = all_finite(step.c) && all_finite(step.d);
  return step;
}

Orthonormaliser orthonormaliser(SmallMatrix const& m, double cutoff) {
  Orthonormaliser result;
  int const n = m.rows;
  result.w = SmallMatrix(n, 0);
  if (!all_finite(m)) return result;
  std::vector<double> scale(static_cast<std::size_t>(n), 0.0);
  for (int j = 0; j < n; ++j) {
    if (m(j, j) > std::numeric_limits<double>::min()) scale[static_cast<std::size_t>(j)] = 1 / std::sqrt(m(j, j));
    for (int i = 0; i < n; ++i) result.departure = std::max(result.departure, std::abs(m(i, j) - (i == j ? 1 : 0)));
  }
  SmallMatrix scaled(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      scaled(i, j) = m(i, j) * scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
  std::vector<double> values;
  SmallMatrix vectors;
  if (!all_finite(scaled) || !symmetric_eigenpairs(scaled, values, vectors)) return result;
  double const most = values.empty() ? 0 : values.back();
  if (most > 0) result.least = values.front() / most;
  std::vector<int> kept;
  for (int q = n - 1; q >= 0; --q)
    if (values[static_cast<std::size_t>(q)] > cutoff * most && values[static_cast<std::size_t>(q)] > 0)
      kept.push_back(q);
  result.w = SmallMatrix(n, static_cast<int>(kept.size()));
  for (int q = 0; q < result.w.cols; ++q) {
    int const from = kept[static_cast<std::size_t>(q)];
    double const root = std::sqrt(values[static_cast<std::size_t>(from)]);
    result.smallest = values[static_cast<std::size_t>(from)];
    for (int i = 0; i < n; ++i) result.w(i, q) = scale[static_cast<std::size_t>(i)] * vectors(i, from) / root;
  }
  return result;
}

bool dense_pairs(SmallMatrix const& a, SmallMatrix const& b, SmallMatrix const& y, int count, bool largest,
                 SmallMatrix& x) {
  int const n = a.rows;
  if (!all_finite(a) || !all_finite(b) || !all_finite(y)) return false;
  SmallMatrix reduced = a;
  SmallMatrix u = b;
  SmallMatrix apart = y;
  if (b.rows > 0) {
    if (!cholesky(u)) return false;
    int const itype = 1;
    int info = 0;
    dsygst_(&itype, "U", &n, reduced.at.data(), &n, u.at.data(), &n, &info, 1);
    if (info != 0) return false;
    multiply_upper(u, apart);
  }
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) reduced(i, j) = reduced(j, i);
  SmallMatrix within;  // an orthonormal basis of what is orthogonal to y
  if (apart.cols > 0) {
    orthonormalise_beside(SmallMatrix(n, 0), apart);
    // Eigenvectors of the projector's complement: 0 for y, 1 for the rest.
    SmallMatrix projector(n, n);
    SmallMatrix transposed(apart.cols, n);
    for (int j = 0; j < apart.cols; ++j)
      for (int i = 0; i < n; ++i) transposed(j, i) = apart(i, j);
    SmallMatrix const onto = small_product(apart, false, transposed);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) projector(i, j) = (i == j ? 1.0 : 0.0) - onto(i, j);
    std::vector<double> values;
    SmallMatrix vectors;
    if (!symmetric_eigenpairs(projector, values, vectors)) return false;
    within = SmallMatrix(n, n - apart.cols);
    for (int q = 0; q < within.cols; ++q)
      for (int i = 0; i < n; ++i) within(i, q) = vectors(i, apart.cols + q);
    reduced = small_product(within, true, small_product(reduced, false, within));
  }
  if (count > reduced.rows) return false;
  std::vector<double> values;
  SmallMatrix vectors;
  if (!symmetric_eigenpairs(reduced, values, vectors)) return false;
  x = SmallMatrix(reduced.rows, count);
  for (int q = 0; q < count; ++q)
    for (int i = 0; i < reduced.rows; ++i) x(i, q) = vectors(i, largest ? reduced.rows - 1 - q : q);
  if (apart.cols > 0) x = small_product(within, false, x);
  if (b.rows > 0) solve_upper(u, x);
  return all_finite(x);
}

}  // namespace araia::detail
