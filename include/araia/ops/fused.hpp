// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products with what iterative solvers do next, in one pass over memory: r = b - A x with its norm, y = A x with x'y.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <string>

#include <araia/detail/dispatch/fused.hpp>
#include <araia/detail/dispatch/fused_operands.hpp>
#include <araia/detail/kernels/partial_sums.hpp>
#include <araia/ops/spmv.hpp>

namespace araia {

namespace detail {

// Here and not in dispatch: the products of every format are declared by now.
template <class Exec, class Tuning, class Pointers, class X, class Y>
void fused_pointers(Exec const& exec, Tuning const& tuning, Pointers const& a, DenseVector<X const> const& x,
                    FusedOperands<Y> const& f) {
  using Sum = accumulator_t<Y>;
  if (fused_in_one_pass(exec, tuning, a, x, f)) return;
  spmv_pointers(exec, tuning, Op::none, Sum(1), a, x, Sum{}, f.y);
  finish_product(exec, f);
}

}  // namespace detail

/// r = b - A x.
/// \param exec    queue of the work; a device's may return before completion, host kernels run in the caller's thread
/// \param A       any format that exec reaches, valid by validate()
/// \param b, x, r (rows), (cols), (rows), any layout and stride; neither b nor x overlaps r
/// \param tuning  the kernel and its parameters, as for spmv
/// \throws araia::Error as spmv does
/// Cost      2 nnz flop, no allocation. One pass over memory with Csr and Sell in the backends' kernels (contiguous
///           vectors); others pass twice more over r and once over b
/// Rounding  |error_i| <= gamma(len_i + 2) (|A| |x| + |b|)_i
template <class Exec, class Matrix, class B, class X, class R>
void residual(Exec const& exec, Matrix const& A, B const& b, X const& x, R const& r,
              spmv_tuning_t<Matrix> const& tuning = {}) {
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::residual: A must be in memory that exec reaches");
  auto const f = detail::residual_operands<Exec>("araia::residual", {A.rows, A.cols}, b, x, r);
  static std::string const label =
      std::string("araia::residual::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::fused_pointers(exec, tuning, A.pointers(), detail::as_const(detail::dense_vector(x)), f);
}

/// r = b - A x and norm_squared = sum of |r_i|^2, of r as stored.
/// \param norm_squared  View of rank 0 in memory that exec reaches, of r's (real) scalar; disjoint from b, x and r;
///                      written by exec, nothing waits
/// \param sums          workspace: one product at a time
/// \throws araia::Error as spmv does; invalid_argument also where sums is of too few rows or norm_squared in a vector
/// Cost      as residual; where that takes one pass, so does this
/// Rounding  of norm_squared: gamma(n) norm_squared with double's u and n the rows of a part and the parts' number
///           (rows / 16384 or 1024, the larger, and 16384 at most), then one rounding to its type. Of equal r the same
///           bits in every run, on hosts with any number of threads; r has that where the product has it
template <class Exec, class Matrix, class B, class X, class R, class Norm>
void residual(Exec const& exec, Matrix const& A, B const& b, X const& x, R const& r, Norm const& norm_squared,
              PartialSums<Exec, typename R::value_type> const& sums, spmv_tuning_t<Matrix> const& tuning = {}) {
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::residual: A must be in memory that exec reaches");
  auto f = detail::residual_operands<Exec>("araia::residual", {A.rows, A.cols}, b, x, r);
  auto const xs = detail::as_const(detail::dense_vector(x));
  f.norm_squared = detail::sum_target<Exec, typename decltype(f)::Real>(norm_squared);
  detail::require_sum_apart("araia::residual", xs, f);
  f.sums = sums.pointers();
  detail::require_room("araia::residual", f.sums, A.rows);
  static std::string const label =
      std::string("araia::residual::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::fused_pointers(exec, tuning, A.pointers(), xs, f);
}

/// y = A x and dot = x'y, the sum of conj(x_i) y_i over y as stored. A is square.
/// \param x, y  (cols), (rows), any layout and stride, not overlapping, of one scalar
/// \param dot   View of rank 0 in memory that exec reaches, of y's accumulator; disjoint from x and y; written by exec,
///              nothing waits
/// \param sums  workspace: one product at a time
/// \throws araia::Error as spmv does; dimension_mismatch where A is not square; invalid_argument where sums is of too
///         few rows or dot in x or y
/// Cost      2 nnz flop, no allocation. One pass over memory with Csr and Sell in the backends' kernels (contiguous
///           vectors); others pass once more over x and y
/// Rounding  y as spmv; dot as residual's norm, gamma(n) times sum of |x_i| |y_i|; its bits as those of the norm
template <class Exec, class Matrix, class X, class Y, class Dot>
void multiply_dot(Exec const& exec, Matrix const& A, X const& x, Y const& y, Dot const& dot,
                  PartialSums<Exec, typename Y::value_type> const& sums, spmv_tuning_t<Matrix> const& tuning = {}) {
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::multiply_dot: A must be in memory that exec reaches");
  auto f = detail::multiply_dot_operands<Exec>("araia::multiply_dot", {A.rows, A.cols}, x, y);
  f.dot = detail::sum_target<Exec, typename decltype(f)::Sum>(dot);
  detail::require_sum_apart("araia::multiply_dot", f.w, f);
  f.sums = sums.pointers();
  detail::require_room("araia::multiply_dot", f.sums, A.rows);
  static std::string const label =
      std::string("araia::multiply_dot::") + Matrix::format_name;  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::fused_pointers(exec, tuning, A.pointers(), f.w, f);
}

}  // namespace araia
