// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMV and SpMM alike to the steps of a plan: their products, and what their descriptions say of x and y, B and C.

#include <cstdint>

#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/ops/spmm.hpp>
#include <araia/ops/spmv.hpp>

namespace araia::detail {

template <class Exec, class Tuning, class Pointers, class X, class Y>
void product(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, Pointers const& a,
             DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y) {
  without_conjugate(op, a, [&](Op plain, auto const& p) { spmv_pointers(exec, tuning, plain, alpha, p, x, beta, y); });
}
template <class Exec, class Tuning, class Pointers, class X, class Y>
void product(Exec const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, Pointers const& a,
             DenseMatrix<X const> const& b, accumulator_t<Y> beta, DenseMatrix<Y> const& c) {
  without_conjugate(op, a, [&](Op plain, auto const& p) { spmm_pointers(exec, tuning, plain, alpha, p, b, beta, c); });
}

inline std::int64_t columns_of(SpmvDesc const&) { return 1; }
inline std::int64_t columns_of(SpmmDesc const& d) { return d.columns; }
/// Of the matrix.
inline Op op_of_matrix(SpmvDesc const& d) { return d.op; }
inline Op op_of_matrix(SpmmDesc const& d) { return d.op; }
/// Are its values left unread?
inline bool reads_pattern(SpmvDesc const&) { return false; }
inline bool reads_pattern(SpmmDesc const&) { return false; }
inline Precision precision_of(SpmvDesc const&) { return Precision::native; }
inline Precision precision_of(SpmmDesc const& d) { return d.precision; }
inline DenseLayout layout_b(SpmvDesc const& d) { return d.strided ? DenseLayout::strided : DenseLayout::left; }
inline DenseLayout layout_c(SpmvDesc const& d) { return layout_b(d); }
inline DenseLayout layout_b(SpmmDesc const& d) { return d.layout_b; }
inline DenseLayout layout_c(SpmmDesc const& d) { return d.layout_c; }
template <class T>
DenseVector<T> operand(SpmvDesc const&, DenseMatrix<T> const& m) {
  return {m.data, m.rows, m.row_stride};
}
template <class T>
DenseMatrix<T> operand(SpmmDesc const&, DenseMatrix<T> const& m) {
  return m;
}

}  // namespace araia::detail
