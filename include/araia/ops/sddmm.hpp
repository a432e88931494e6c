// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sampled dense-dense product: a product of two dense matrices at the stored entries of a sparse one. One call, no
// plan, no allocation.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include <araia/detail/dispatch/rows_of_dots.hpp>
#include <araia/detail/dispatch/sddmm.hpp>
#include <araia/detail/dispatch/views.hpp>

namespace araia {

namespace detail {

/// Checks the operands of both forms and runs: `pattern` has the structure and the values to multiply by, or none.
template <class Exec, class Pointers, class X, class Y, class Matrix>
void sddmm_checked(Exec const& exec, Op op, accumulator_t<typename Matrix::value_type> alpha, Pointers const& pattern,
                   X const& x, Y const& y, accumulator_t<typename Matrix::value_type> beta, Matrix const& D,
                   sddmm_tuning_t<Matrix> const& tuning) {
  using Scalar = typename Matrix::value_type;
  static_assert(MatrixView<X, Exec>, "araia::sddmm: X must be a View of rank 2 in memory that exec reaches");
  static_assert(MatrixView<Y, Exec>, "araia::sddmm: Y must be a View of rank 2 in memory that exec reaches");
  static_assert(!std::is_const_v<typename decltype(D.values)::value_type>,
                "araia::sddmm: the values of D must not be const");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::sddmm: D must be in memory that exec reaches");
  auto const xs = as_const(dense_matrix(x));
  auto const ys = rows_of_dots(op, dense_matrix(y));
  require_extent_equal("araia::sddmm", "number of rows of X", xs.rows, D.rows);
  require_extent_equal("araia::sddmm", transposes(op) ? "number of rows of Y" : "number of columns of Y", ys.rows,
                       D.cols);
  require_extent_equal("araia::sddmm", transposes(op) ? "number of columns of Y" : "number of rows of Y", ys.columns,
                       xs.columns);
  if (!D.has_values() && D.nnz > 0)
    throw Error(ErrorKind::invalid_argument, "araia::sddmm: D is a pattern without values, expected values for its " +
                                                 std::to_string(D.nnz) + " entries");
  DenseMatrix<Scalar> const values{D.values.data(), D.nnz, 1, 1, 1};
  require_disjoint("araia::sddmm", "X", xs, "the values of D", values);
  require_disjoint("araia::sddmm", "Y", ys, "the values of D", values);
  static std::string const label =
      std::string("araia::sddmm::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  sddmm_pointers(exec, tuning, conjugates(op), alpha, pattern, xs, ys, beta, values.data);
}

}  // namespace detail

/// D = alpha spy(D) .* (X op(Y)) + beta D: for each stored entry p of D, at row i and column j,
///   D.values(p) = alpha sum_k X(i, k) op(Y)(k, j) + beta D.values(p);
/// what D does not store is not computed. An entry stored twice gets the whole value twice.
/// \param exec   queue of the work; a device's may return before completion, host kernels run in the caller's thread
/// \param op     of Y: none where Y is (k, cols), transpose where it is (cols, k), conjugate_transpose (cols, k)
///               conjugated (transpose for real scalars), conjugate (k, cols) conjugated (none for real scalars)
/// \param X, Y   (rows, k) and op(Y) (k, cols): LayoutLeft, LayoutRight or strided, independently
/// \param D      Csr, Bcsc or BcscCompact with values of its own, valid by validate(), not overlapping X and Y; its
///               structure is read, its values are written; beta == 0 overwrites them, NaN included. alpha == 0 and
///               k == 0 read neither X nor Y
/// \param tuning the kernel and its parameters; by default the format's default kernel
/// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument where D has no values, operands overlap
///         or a tuning is out of range; unsupported where the asked kernel does not run this product
/// Cost      2 nnz k flop, no allocation; the kernel's traffic is in its file's head
/// Rounding  |error_p| <= gamma(k + 2) (|alpha| |X| |op(Y)| + |beta| |D|)_p, in the accumulator of D's scalar; the same
///           bits in every run and at any number of threads
/// Source    as cusparseSDDMM and torch.sparse.sampled_addmm define it
template <class Exec, class X, class Y, class Matrix>
requires Kokkos::is_execution_space_v<Exec> && Kokkos::is_view_v<X>
void sddmm(Exec const& exec, Op op, accumulator_t<typename Matrix::value_type> alpha, X const& x, Y const& y,
           accumulator_t<typename Matrix::value_type> beta, Matrix const& D,
           sddmm_tuning_t<Matrix> const& tuning = {}) {
  auto pattern = D.pointers();
  pattern.values = nullptr;
  detail::sddmm_checked(exec, op, alpha, pattern, x, y, beta, D, tuning);
}

/// The same for Y (cols, k): D = alpha spy(D) .* (X Y^T) + beta D.
template <class Exec, class X, class Y, class Matrix>
requires Kokkos::is_execution_space_v<Exec> && Kokkos::is_view_v<X>
void sddmm(Exec const& exec, accumulator_t<typename Matrix::value_type> alpha, X const& x, Y const& y,
           accumulator_t<typename Matrix::value_type> beta, Matrix const& D,
           sddmm_tuning_t<Matrix> const& tuning = {}) {
  sddmm(exec, Op::transpose, alpha, x, y, beta, D, tuning);
}

/// D = alpha A .* (X op(Y)) + beta D: the same times A's values, entry by entry.
/// \param A  a matrix of D's type and structure (the structure read is A's; only shape and nnz of D are compared). Its
///           values may be D's own (D is overwritten in place), but not overlap them otherwise; absent: all ones
/// Rounding  |error_p| <= gamma(k + 3) (|alpha| |A| .* |X| |op(Y)| + |beta| |D|)_p
template <class Exec, class MatrixA, class X, class Y, class Matrix>
requires Kokkos::is_execution_space_v<Exec> &&
    (!Kokkos::is_view_v<MatrixA>)void sddmm(Exec const& exec, Op op, accumulator_t<typename Matrix::value_type> alpha,
                                            MatrixA const& A, X const& x, Y const& y,
                                            accumulator_t<typename Matrix::value_type> beta, Matrix const& D,
                                            sddmm_tuning_t<Matrix> const& tuning = {}) {
  static_assert(std::is_same_v<typename MatrixA::pointers_type, typename Matrix::pointers_type>,
                "araia::sddmm: A and D must be of one format and of the same types");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename MatrixA::memory_space>::accessible,
                "araia::sddmm: A must be in memory that exec reaches");
  detail::require_extent_equal("araia::sddmm", "number of rows of A", A.rows, D.rows);
  detail::require_extent_equal("araia::sddmm", "number of columns of A", A.cols, D.cols);
  detail::require_extent_equal("araia::sddmm", "number of entries of A", A.nnz, D.nnz);
  auto const pattern = A.pointers();
  if (pattern.values && pattern.values != D.values.data()) {
    using Scalar = typename Matrix::value_type;
    detail::require_disjoint("araia::sddmm", "the values of A",
                             DenseMatrix<Scalar const>{pattern.values, A.nnz, 1, 1, 1}, "the values of D",
                             DenseMatrix<Scalar const>{D.values.data(), D.nnz, 1, 1, 1});
  }
  detail::sddmm_checked(exec, op, alpha, pattern, x, y, beta, D, tuning);
}

/// Does `tuning.kernel` (automatic: some kernel) sample X op(Y) at D's entries on exec? Never launches.
template <class Exec, class X, class Y, class Matrix>
bool supports_sddmm(Exec const& exec, Op op, X const& x, Y const& y, Matrix const& D,
                    sddmm_tuning_t<Matrix> const& tuning = {}) {
  if constexpr (requires { tuning.kernel; })
    return detail::supports_sampled(exec, tuning.kernel, D.pointers(), detail::as_const(detail::dense_matrix(x)),
                                    detail::rows_of_dots(op, detail::dense_matrix(y)), D.values.data());
  return true;
}

}  // namespace araia
