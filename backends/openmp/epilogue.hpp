// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An epilogue on one element of C, and on a C without a product. Inlined and of each unit's own, as units are compiled
// for different instruction sets.

#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

namespace araia::host {

/// act(value + bias + R) for element (row, column).
template <class T>
[[gnu::always_inline]] static inline T finished(EpiloguePointers<T> const& e, std::int64_t row, std::int64_t column,
                                                T value) {
  if (e.row_bias) value += e.row_bias[row * e.row_bias_stride];
  if (e.column_bias) value += e.column_bias[column * e.column_bias_stride];
  if (e.residual) value += e.residual[row * e.residual_row_stride + column * e.residual_column_stride];
  return e.relu && value < T(0) ? T(0) : value;  // NaN stays
}

/// C = act(beta C + bias + R).
template <class T>
static void scale(T beta, DenseMatrix<T> const& c, EpiloguePointers<T> const& epilogue) {
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.columns; ++j) {
      T& entry = c.data[i * c.row_stride + j * c.column_stride];
      entry = finished(epilogue, i, j, beta == T(0) ? T(0) : beta * entry);
    }
}

}  // namespace araia::host
