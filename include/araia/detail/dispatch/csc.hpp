// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csc products. The arrays are those of the transpose in CSR, so the CSR kernels run them, with the operation turned:
// none scatters, the transposes gather.

#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/kernels/csc_tuning.hpp>
#include <araia/formats/csc.hpp>

namespace araia::detail {

template <class S, class O, class F>
struct SpmvTuningOf<CscPointers<S, O, F>> {
  using type = CscSpmvTuning;
};
template <class S, class O, class F>
struct SpmmTuningOf<CscPointers<S, O, F>> {
  using type = CscSpmmTuning;
};

template <class Exec, class S, class O, class F, class X, class Y>
void spmv_pointers(Exec const& exec, CscSpmvTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   CscPointers<S, O, F> const& a, DenseVector<X const> const& x, accumulator_t<Y> beta,
                   DenseVector<Y> const& y) {
  CsrSpmvTuning const csr{
      .rows_per_team = tuning.cols_per_team, .team_size = tuning.team_size, .vector_length = tuning.vector_length};
  without_conjugate(op_on_transpose(op), as_transpose(a), [&](Op plain, auto const& transpose) {
    spmv_pointers(exec, csr, plain, alpha, transpose, x, beta, y);
  });
}

template <class Exec, class S, class O, class F, class X, class Y>
void spmm_pointers(Exec const& exec, CscSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   CscPointers<S, O, F> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  CsrSpmmTuning const csr{.rows_per_team = tuning.cols_per_team,
                          .team_size = tuning.team_size,
                          .vector_length = tuning.vector_length,
                          .columns_per_lane = tuning.columns_per_lane};
  without_conjugate(op_on_transpose(op), as_transpose(a), [&](Op plain, auto const& transpose) {
    spmm_pointers(exec, csr, plain, alpha, transpose, b, beta, c);
  });
}

}  // namespace araia::detail
