// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products as the library brings them: what a unit of src/dispatch defines of detail/dispatch/ready_products.hpp.

#include <araia/detail/dispatch/ready_products.hpp>

namespace araia::detail {

template <class Exec, class Tuning, class A, class X, class Y>
void spmv_ready(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y) {
  spmv_here(Here{}, exec, tuning, op, alpha, a, x, beta, y);
}

template <class Exec, class Tuning, class A, class X, class Y>
void spmm_ready(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, A const& a,
                DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  spmm_here(Here{}, exec, tuning, op, alpha, a, b, beta, c);
}

/// SpMV with matrices of one family, on every space by every triple of scalars.
template <template <class> class Forms, class Tuning>
void write_out_spmv() {
  for_types<Spaces, Products>([&]<class Exec, class S, class X, class Y>() {
    for_types<Forms<S>>([&]<class A>() { write_out(spmv_ready<Exec, Tuning, A, X, Y>); });
  });
}

/// SpMM likewise.
template <template <class> class Forms, class Tuning>
void write_out_spmm() {
  for_types<Spaces, Products>([&]<class Exec, class S, class X, class Y>() {
    for_types<Forms<S>>([&]<class A>() { write_out(spmm_ready<Exec, Tuning, A, X, Y>); });
  });
}

}  // namespace araia::detail
