// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products with what networks do next, where C is stored: bias, residual, ReLU; and batches of B and C that share A.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <string>
#include <type_traits>

#include <araia/detail/dispatch/epilogue_operands.hpp>
#include <araia/detail/dispatch/spmm_epilogue.hpp>
#include <araia/ops/spmm.hpp>

namespace araia {

/// C = act(alpha op(A) B + beta C + bias + R), and for Views of rank 3 the same of each item of a batch.
/// \param B, C      as for spmm; or of rank 3: (items, cols of op(A), columns), (items, rows of op(A), columns), of any
///                  strides. Items of B may be one (stride 0)
/// \param epilogue  of C's scalar, of any strides, apart from C; e.g. epilogue_t<C>{.row_bias = bias, .relu = true}
/// \throws araia::Error as spmm does; dimension_mismatch, invalid_argument for the epilogue's Views; unsupported for a
///         ReLU of complex scalars
/// Cost      as spmm, and the epilogue's operands once, where fuses_epilogue() says so; elsewhere a pass over C more.
///           No allocation. A batch is one SpMM of items * columns where its columns lie so; one launch or one parallel
///           region where its kernel fuses; elsewhere a launch an item, without a fence
/// Rounding  |error_ij| <= gamma(len_i + 5) (|alpha| |op(A)| |B| + |beta| |C| + |bias| + |R|)_ij
template <class Exec, class Matrix, class B, class C, class Scalar, class Device, int rank>
void spmm(Exec const& exec, Op op, accumulator_t<typename C::non_const_value_type> alpha, Matrix const& A, B const& b,
          accumulator_t<typename C::non_const_value_type> beta, C const& c,
          Epilogue<Scalar, Device, rank> const& epilogue, spmm_tuning_t<Matrix> const& tuning = {}) {
  static_assert((MatrixView<B, Exec> && MatrixView<C, Exec> && rank == 2) ||
                    (BatchView<B, Exec> && BatchView<C, Exec> && rank == 3),
                "araia::spmm: B, C and the epilogue must be of rank 2, or all of rank 3, in memory that exec reaches");
  static_assert(!std::is_const_v<typename C::value_type>, "araia::spmm: C must not be const");
  static_assert(std::is_same_v<Scalar, typename C::value_type>, "araia::spmm: the epilogue has the scalar of C");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Matrix::memory_space>::accessible,
                "araia::spmm: A must be in memory that exec reaches");
  auto bs = detail::as_const(detail::dense_batch(b));
  auto cs = detail::dense_batch(c);
  detail::require_batch("araia::spmm", detail::op_shape(op, A), bs, cs);
  auto pointers = detail::epilogue_operands<Exec>("araia::spmm", epilogue, cs);
  detail::join_items(bs, cs, pointers);
  static std::string const label =
      std::string("araia::spmm::") + Matrix::format_name + "::epilogue";  // once: products allocate nothing
  Kokkos::Profiling::ScopedRegion const region(label);
  detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
    detail::spmm_epilogue(exec, tuning, plain, alpha, a, bs, beta, cs, pointers,
                          [&](auto const& b_item, auto const& c_item) {
                            detail::spmm_pointers(exec, tuning, plain, alpha, a, b_item, beta, c_item);
                          });
  });
}

/// C_i = alpha op(A) B_i + beta C_i for each item of a batch.
template <class Exec, class Matrix, class B, class C>
requires(BatchView<B, Exec>&& BatchView<C, Exec>) void spmm(Exec const& exec, Op op,
                                                            accumulator_t<typename C::non_const_value_type> alpha,
                                                            Matrix const& A, B const& b,
                                                            accumulator_t<typename C::non_const_value_type> beta,
                                                            C const& c, spmm_tuning_t<Matrix> const& tuning = {}) {
  spmm(exec, op, alpha, A, b, beta, c, epilogue_t<C>{}, tuning);
}

/// Does spmm with an epilogue do it where `tuning.kernel` (automatic: the one that would run) stores C, and batches in
/// one launch or parallel region? Else the epilogue is a pass over C after the product. Never launches.
/// \param b, c  of rank 2, or of an item
template <class Exec, class Matrix, class B, class C>
bool fuses_epilogue(Exec const& exec, Op op, Matrix const& A, B const& b, C const& c,
                    spmm_tuning_t<Matrix> const& tuning = {}) {
  return detail::without_conjugate(op, A.pointers(), [&](Op plain, auto const& a) {
    return detail::stores_epilogue(exec, tuning, plain, a, detail::as_const(detail::dense_batch(b)).first,
                                   detail::dense_batch(c).first);
  });
}

}  // namespace araia
