// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Y := beta Y for a vector or matrix of any strides; beta == 0 writes zeros without reading.
// Mapping  range over the elements, in the order of the smaller stride
// Traffic  one write per element, and one read if beta != 0.
// Suits    products that only add: transposed, COO; and every product with alpha == 0 or without entries.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/pointers.hpp>

namespace araia::detail {

template <class Exec, class T, class Sum>
static void scale_dense(Exec const& exec, Sum beta, DenseMatrix<T> const& y) {
  if (beta == Sum(1) || y.rows == 0 || y.columns == 0) return;
  bool const rows_fast = y.row_stride < y.column_stride;
  std::int64_t const fast = rows_fast ? y.rows : y.columns;
  std::int64_t const fast_stride = rows_fast ? y.row_stride : y.column_stride;
  std::int64_t const slow_stride = rows_fast ? y.column_stride : y.row_stride;
  T* const data = y.data;
  for_each_index(
      "araia::scale_dense", IndexRange<Exec>(exec, 0, y.rows * y.columns), KOKKOS_LAMBDA(std::int64_t i) {
        T& element = data[i % fast * fast_stride + i / fast * slow_stride];
        element = beta == Sum{} ? T{} : static_cast<T>(beta * static_cast<Sum>(element));
      });
}

template <class Exec, class T, class Sum>
static void scale_dense(Exec const& exec, Sum beta, DenseVector<T> const& y) {
  scale_dense(exec, beta, DenseMatrix<T>{y.data, y.size, 1, y.stride, y.size * y.stride + 1});
}

}  // namespace araia::detail
