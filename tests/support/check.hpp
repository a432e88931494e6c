// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Results held to the library's error bound, computed by the reference loops in a wider type.

#include <gtest/gtest.h>

#include <complex>
#include <string>

#include "support/device.hpp"
#include "support/reference.hpp"

namespace araia::test {

inline constexpr Op all_ops[] = {Op::none, Op::transpose, Op::conjugate_transpose, Op::conjugate};

/// Kokkos::complex and std::complex lie alike in memory; the reference speaks the standard's.
template <class T>
struct StdScalar {
  using type = T;
};
template <class T>
struct StdScalar<Kokkos::complex<T>> {
  using type = std::complex<T>;
};
template <class T>
using std_scalar_t = typename StdScalar<T>::type;

template <class T>
auto std_matrix(DenseMatrix<T const> const& m) {
  using S = std_scalar_t<T>;
  return DenseMatrix<S const>{reinterpret_cast<S const*>(m.data), m.rows, m.columns, m.row_stride, m.column_stride};
}
template <class S, class O, class F>
auto std_csr(CsrPointers<S, O, F> const& a) {
  using T = std_scalar_t<S>;
  return CsrPointers<T, O, F>{
      a.rows, a.cols, a.nnz, a.row_offsets, a.col_indices, reinterpret_cast<T const*>(a.values), a.row_permutation};
}

template <class Y>
std_scalar_t<Y> std_value(Y const& v) {
  if constexpr (is_complex_v<Y>)
    return {v.real(), v.imag()};
  else
    return v;
}

/// What alpha op(A) B + beta C must be, and how far a result may be from it.
template <class Y, class Matrix, class B, class C>
auto expected_product(Op op, Y alpha, Matrix const& host_csr, B const& b, Y beta, C const& c_before) {
  return reference::spmm(op, std_value(alpha), std_csr(host_csr), std_matrix(b), std_value(beta), std_matrix(c_before));
}

template <class Expected, class C>
void expect_within_bound(Expected const& expected, C const& got, std::string const& what) {
  auto const report = reference::check(expected, std_matrix(got));
  EXPECT_TRUE(report.ok()) << what << ": " << report.violations << " of " << report.entries_checked
                           << " entries beyond the bound, worst " << report.worst_ratio << " of it, first at ("
                           << report.first_bad_row << ", " << report.first_bad_column << "): got " << report.got
                           << ", expected " << report.expected << " +- " << report.bound;
}

}  // namespace araia::test
