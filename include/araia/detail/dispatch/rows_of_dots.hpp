// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Y of X op(Y) as SDDMM reads it.

#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/pointers.hpp>

namespace araia::detail {

/// op(Y)' as (cols, k), however Y lies: what dot products read by rows.
template <class T>
DenseMatrix<T const> rows_of_dots(Op op, DenseMatrix<T> const& y) {
  if (transposes(op)) return as_const(y);
  DenseMatrix<T const> turned{y.data, y.columns, y.rows, y.column_stride, y.row_stride};
  if (turned.columns == 1) turned.column_stride = 1;  // a stride along an extent of one says nothing
  return turned;
}

}  // namespace araia::detail
