// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csc products. The arrays are those of the transpose in CSR, so the CSR kernels run them, with the operation turned:
// N scatters, T gathers. H of complex scalars gathers conjugates, which no CSR kernel does.

#include <araia/dispatch/spmm.hpp>
#include <araia/dispatch/spmv.hpp>
#include <araia/dispatch/tuning_of.hpp>
#include <araia/formats/csc.hpp>
#include <araia/kernels/csc_tuning.hpp>

namespace araia::detail {

template <class S, class O, class F, class D>
struct SpmvTuningOf<Csc<S, O, F, D>> {
  using type = CscSpmvTuning;
};
template <class S, class O, class F, class D>
struct SpmmTuningOf<Csc<S, O, F, D>> {
  using type = CscSpmmTuning;
};

/// CSR whose values are read as their conjugates.
template <class Scalar, class Ordinal, class Offset>
struct ConjugatedCsrPointers : CsrPointers<Scalar, Ordinal, Offset> {};

template <class Sum, class Scalar, class Ordinal, class Offset>
KOKKOS_INLINE_FUNCTION Sum entry_value(ConjugatedCsrPointers<Scalar, Ordinal, Offset> const& a, std::int64_t k) {
  return a.values ? static_cast<Sum>(conjugate_if(true, a.values[k])) : Sum(1);
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_pointers(Exec const& exec, CscSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   CscPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  using Sum = accumulator_t<Y>;
  auto const transpose = as_transpose(a);
  if constexpr (is_complex_v<S>) {
    if (op == Op::conjugate_transpose && alpha != Sum{} && a.nnz != 0) {
      auto const shape = row_team_shape(exec, transpose.rows, tuning.cols_per_team, tuning.team_size, 1);
      ConjugatedCsrPointers<S, O, F> const conjugated{transpose};
      return with_vectors(x, y, [&](auto const& xv, auto const& yv) {
        row_spmv_thread_per_row(exec, shape, alpha, conjugated, xv, beta, yv, "araia::spmv::csc::conjugated");
      });
    }
  }
  CsrSpmvTuning const csr{
      .rows_per_team = tuning.cols_per_team, .team_size = tuning.team_size, .vector_length = tuning.vector_length};
  spmv_pointers(exec, csr, op == Op::none ? Op::transpose : Op::none, alpha, transpose, x, beta, y);
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmm_pointers(Exec const& exec, CscSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   CscPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  using Sum = accumulator_t<Y>;
  auto const transpose = as_transpose(a);
  CsrSpmmTuning const csr{.rows_per_team = tuning.cols_per_team,
                          .team_size = tuning.team_size,
                          .vector_length = tuning.vector_length,
                          .columns_per_lane = tuning.columns_per_lane};
  if constexpr (is_complex_v<S>) {
    if (op == Op::conjugate_transpose && alpha != Sum{} && a.nnz != 0 && c.columns != 0)
      return row_spmm(exec, csr, alpha, ConjugatedCsrPointers<S, O, F>{transpose}, b, beta, c,
                      "araia::spmm::csc::conjugated");
  }
  spmm_pointers(exec, csr, op == Op::none ? Op::transpose : Op::none, alpha, transpose, b, beta, c);
}

}  // namespace araia::detail
