// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Biases and residuals of a batch, for kernels that take plain pointers.

#include <araia/detail/kernels/epilogue.hpp>

#include <algorithm>
#include <cstdint>

#include "backends/dense_fill.hpp"

namespace araia::test {

template <class X>
class EpilogueOperands {
 public:
  /// \param contiguous  neighbours of a row of R, and biases, lie side by side
  EpilogueOperands(std::int64_t items, std::int64_t rows, std::int64_t columns, bool contiguous)
      : rows_(rows),
        bias_stride_(contiguous ? 1 : 2),
        residual_(items * rows, columns, contiguous, 2, 0, not_a_number<X>),
        biases_(bias_stride_, std::max(rows, columns), false, 0, 0, not_a_number<X>) {
    residual_.fill([](auto i, auto j) { return wave(i + 7, j); });
    biases_.fill([](auto i, auto j) { return wave(i + 3, j); });
  }

  /// \param parts  bits: 1 a bias of rows, 2 of columns, 4 a residual, 8 ReLU. Valid while this lives
  [[nodiscard]] EpiloguePointers<X> pointers(int parts) const {
    EpiloguePointers<X> e;
    if (parts & 1) e.row_bias = biases_.buffer.data();
    if (parts & 2) e.column_bias = biases_.buffer.data();
    e.row_bias_stride = e.column_bias_stride = bias_stride_;
    if (parts & 4) e.residual = residual_.buffer.data();
    e.residual_row_stride = residual_.row_stride;
    e.residual_column_stride = residual_.column_stride;
    e.residual_batch_stride = rows_ * residual_.row_stride;
    e.relu = parts & 8;
    return e;
  }

 private:
  std::int64_t rows_;
  std::int64_t bias_stride_;
  Dense<X> residual_;
  Dense<X> biases_;
};

}  // namespace araia::test
