// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sparse matrix times dense matrix: one call, no plan, no allocation.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <type_traits>

#include <araia/detail/dispatch/bcsc.hpp>
#include <araia/detail/dispatch/bsr.hpp>
#include <araia/detail/dispatch/csc.hpp>
#include <araia/detail/dispatch/hyb.hpp>
#include <araia/detail/dispatch/sell.hpp>
#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/conjugated.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>

namespace araia {

/// C = alpha op(A) B + beta C.
/// \param exec   queue of the work; a device's may return before completion, host kernels run in the caller's thread
/// \param op     none, transpose, conjugate_transpose (the transpose for real scalars), conjugate (none for them)
/// \param A      any format that exec reaches, valid by validate(); values absent: all ones
/// \param B, C   (cols of op(A), columns), (rows of op(A), columns): LayoutLeft, LayoutRight or strided, independently,
///               not overlapping; beta == 0 overwrites C, NaN included; alpha == 0 reads neither A nor B
/// \param tuning the kernel and its parameters; by default the format's default kernel. Those of Op::none run
///               Op::conjugate, of complex A the portable ones
/// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument where B and C overlap or a tuning is out
///         of range; unsupported where the asked kernel does not run this product (there is no silent fallback)
/// Cost      2 nnz columns flop, no allocation; the kernel's traffic is in its file's head. No row is looked at
///           beforehand: where some are much longer than the others, a plan is faster on CUDA, by up to ten times
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |op(A)| |B| + |beta| |C|)_ij, summation order unspecified
template <class Exec, class Matrix, class B, class C>
void spmm(Exec const& exec, Op op, accumulator_t<typename C::non_const_value_type> alpha, Matrix const& A, B const& b,
          accumulator_t<typename C::non_const_value_type> beta, C const& c, spmm_tuning_t<Matrix> const& tuning = {}) {
  static_assert(MatrixView<B, Exec>, "araia::spmm: B must be a View of rank 2 in memory that exec reaches");
  static_assert(MatrixView<C, Exec>, "araia::spmm: C must be a View of rank 2 in memory that exec reaches");
  static_assert(!std::is_const_v<typename C::value_type>, "araia::spmm: C must not be const");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::spmm: A must be in memory that exec reaches");
  auto const shape = detail::op_shape(op, A);
  auto const bs = detail::as_const(detail::dense_matrix(b));
  auto const cs = detail::dense_matrix(c);
  detail::require_extent_equal("araia::spmm", "number of rows of B", bs.rows, shape.cols);
  detail::require_extent_equal("araia::spmm", "number of rows of C", cs.rows, shape.rows);
  detail::require_extent_equal("araia::spmm", "number of columns of C", cs.columns, bs.columns);
  detail::require_disjoint("araia::spmm", "B", bs, "C", cs);
  static std::string const label =
      std::string("araia::spmm::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
    detail::spmm_pointers(exec, tuning, plain, alpha, a, bs, beta, cs);
  });
}

/// The same on the matrix's own execution space, default instance.
template <class Matrix, class B, class C>
requires(!Kokkos::is_execution_space_v<Matrix>) void spmm(Op op, accumulator_t<typename C::non_const_value_type> alpha,
                                                          Matrix const& A, B const& b,
                                                          accumulator_t<typename C::non_const_value_type> beta,
                                                          C const& c) {
  spmm(typename Matrix::execution_space(), op, alpha, A, b, beta, c);
}

/// Does `tuning.kernel` (automatic: some kernel) run C = op(A) B for these operands on exec? Never launches.
template <class Exec, class Matrix, class B, class C>
bool supports_spmm(Exec const& exec, Op op, Matrix const& A, B const& b, C const& c,
                   spmm_tuning_t<Matrix> const& tuning = {}) {
  if constexpr (requires { tuning.kernel; })
    return detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
      return detail::supports(exec, tuning.kernel, plain, a, detail::as_const(detail::dense_matrix(b)),
                              detail::dense_matrix(c));
    });
  return true;
}

}  // namespace araia
