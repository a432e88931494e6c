// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sparse matrix times vector: one call, no plan, no allocation.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/dispatch/bcsc.hpp>
#include <araia/detail/dispatch/bsr.hpp>
#include <araia/detail/dispatch/csc.hpp>
#include <araia/detail/dispatch/hyb.hpp>
#include <araia/detail/dispatch/sell.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/ops/csr_partition.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csr.hpp>
#include <araia/formats/ell.hpp>

namespace araia {

/// y = alpha op(A) x + beta y.
/// \param exec   queue of the work; a device's may return before completion, host kernels run in the caller's thread
/// \param op     none, transpose, conjugate_transpose (the transpose for real scalars), conjugate (none for them)
/// \param A      any format that exec reaches, valid by validate(); values absent: all ones
/// \param x, y   (cols of op(A)), (rows of op(A)), any layout and stride, not overlapping; beta == 0 overwrites y, NaN
///               included; alpha == 0 reads neither A nor x
/// \param tuning the kernel and its parameters; by default the format's default kernel. Those of Op::none run
///               Op::conjugate, of complex A the portable ones
/// \throws araia::Error dimension_mismatch naming both sizes; invalid_argument where x and y overlap or a tuning is out
///         of range; unsupported where the asked kernel does not run this product (there is no silent fallback)
/// Cost      2 nnz flop, no allocation; the kernel's traffic is in its file's head
/// Rounding  |error_i| <= gamma(len_i + 2) (|alpha| |op(A)| |x| + |beta| |y|)_i, summation order unspecified
template <class Exec, class Matrix, class X, class Y>
void spmv(Exec const& exec, Op op, accumulator_t<typename Y::non_const_value_type> alpha, Matrix const& A, X const& x,
          accumulator_t<typename Y::non_const_value_type> beta, Y const& y, spmv_tuning_t<Matrix> const& tuning = {}) {
  static_assert(VectorView<X, Exec>, "araia::spmv: x must be a View of rank 1 in memory that exec reaches");
  static_assert(VectorView<Y, Exec>, "araia::spmv: y must be a View of rank 1 in memory that exec reaches");
  static_assert(!std::is_const_v<typename Y::value_type>, "araia::spmv: y must not be const");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::spmv: A must be in memory that exec reaches");
  auto const shape = detail::op_shape(op, A);
  auto const xs = detail::as_const(detail::dense_vector(x));
  auto const ys = detail::dense_vector(y);
  detail::require_extent_equal("araia::spmv", "length of x", xs.size, shape.cols);
  detail::require_extent_equal("araia::spmv", "length of y", ys.size, shape.rows);
  detail::require_disjoint("araia::spmv", "x", detail::as_matrix(xs), "y", detail::as_matrix(ys));
  static std::string const label =
      std::string("araia::spmv::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
    detail::spmv_pointers(exec, tuning, plain, alpha, a, xs, beta, ys);
  });
}

/// The same for a plain product on the matrix's own execution space, default instance.
template <class Matrix, class X, class Y>
requires(!Kokkos::is_execution_space_v<Matrix>) void spmv(Op op, accumulator_t<typename Y::non_const_value_type> alpha,
                                                          Matrix const& A, X const& x,
                                                          accumulator_t<typename Y::non_const_value_type> beta,
                                                          Y const& y) {
  spmv(typename Matrix::execution_space(), op, alpha, A, x, beta, y);
}

/// Does `tuning.kernel` (automatic: some kernel) run y = op(A) x for these operands on exec? Never launches.
template <class Exec, class Matrix, class X, class Y>
bool supports_spmv(Exec const& exec, Op op, Matrix const& A, X const& x, Y const& y,
                   spmv_tuning_t<Matrix> const& tuning = {}) {
  if constexpr (requires { tuning.kernel; })
    return detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
      return detail::supports(exec, tuning.kernel, plain, a, detail::as_const(detail::dense_vector(x)),
                              detail::dense_vector(y));
    });
  return true;
}

namespace detail {
/// Does inspect_rows take a matrix of so many rows?
constexpr bool can_inspect_rows(std::int64_t rows) { return rows <= std::numeric_limits<std::int32_t>::max(); }
}  // namespace detail

/// What csr/host_simd_runs needs to know of A: which rows share their columns up to a shift, as the rows of a stencil
/// along a grid line or of one finite-element node do, and for SpMM how scattered the rows of B are that entries read.
/// Null where that kernel does not exist for the types or space.
/// Valid while the structure of A is unchanged; put its address into the tuning and keep it alive.
/// \param for_spmm  false where A is for SpMV alone
/// \throws araia::Error (resource_limit) from 2^31 rows on: runs count rows in 32 bits
/// Cost      O(nnz), about SpMV; for SpMM at most 5 ms more, in 4 bytes a column for the time of the call; 40 bytes a
/// run
template <class Exec, class Scalar, class Ordinal, class Offset, class Device, class X = std::remove_const_t<Scalar>,
          class Y = X>
std::shared_ptr<host::CsrRowRuns const> inspect_rows(Exec const& exec, Csr<Scalar, Ordinal, Offset, Device> const& A,
                                                     bool for_spmm = true) {
  using Pointers = typename Csr<Scalar, Ordinal, Offset, Device>::pointers_type;
  using Simd = detail::HostSimd<typename Pointers::value_type, Ordinal, typename Pointers::size_type, X, Y>;
  if constexpr (detail::is_host_backend_space<Exec> && Simd::exists) {
    detail::require_fits<std::int32_t>("araia::inspect_rows: rows", A.rows);
    exec.fence("araia::inspect_rows: reads the columns");
    return Simd::inspect(A.pointers(), exec.concurrency(), for_spmm);
  }
  return nullptr;
}

}  // namespace araia
