// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha op(A) x + beta y by textbook loops in a wider type: SpMM of one column.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/spmm.hpp"

namespace araia::reference {

/// A vector seen as a matrix of one column.
template <class T>
DenseMatrix<T> as_one_column(DenseVector<T> const& v) {
  return {.data = v.data, .rows = v.size, .columns = 1, .row_stride = v.stride, .column_stride = 1};
}

/// What y = alpha op(A) x + beta y should be, entry by entry, with magnitudes and counts for `check`.
/// \param y_before  y before the product; not read when beta == 0, so may then be empty
template <class Y, class Matrix, class X>
Expected<Y> spmv(Op op, Y alpha, Matrix const& a, DenseVector<X const> const& x, Y beta,
                 DenseVector<Y const> const& y_before) {
  return spmm(op, alpha, a, as_one_column(x), beta, as_one_column(y_before));
}

/// The same for chosen rows of y alone.
/// \param rows  of y, each at most once
template <class Y, class Matrix, class X>
Expected<Y> spmv(Op op, Y alpha, Matrix const& a, DenseVector<X const> const& x, Y beta,
                 DenseVector<Y const> const& y_before, std::vector<std::int64_t> rows) {
  return spmm(op, alpha, a, as_one_column(x), beta, as_one_column(y_before), std::move(rows));
}

}  // namespace araia::reference
