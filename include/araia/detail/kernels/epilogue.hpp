// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is done to C = alpha A B + beta C where it is stored, and several B and C of one A. No Kokkos here: backends
// take it.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia {

/// C = act(alpha A B + beta C + bias + R). A null pointer: without that term.
template <class T>
struct EpiloguePointers {
  T const* row_bias = nullptr;  // (rows), added to every element of its row
  std::int64_t row_bias_stride = 1;
  T const* column_bias = nullptr;  // (columns), added to every element of its column
  std::int64_t column_bias_stride = 1;
  T const* residual = nullptr;  // (rows, columns), R
  std::int64_t residual_row_stride = 0;
  std::int64_t residual_column_stride = 1;
  std::int64_t residual_batch_stride = 0;
  bool relu = false;  // act(x) = x < 0 ? 0 : x, so that NaN stays NaN; of real scalars alone

  /// Is there anything to do?
  [[nodiscard]] constexpr bool any() const { return row_bias || column_bias || residual || relu; }

  /// That of item `i` of a batch.
  [[nodiscard]] constexpr EpiloguePointers item(std::int64_t i) const {
    auto of_item = *this;
    if (residual) of_item.residual += i * residual_batch_stride;
    return of_item;
  }
};

/// Matrices of one shape and the same strides; item i begins at first.data[i * stride].
template <class T>
struct DenseBatch {
  DenseMatrix<T> first{};
  std::int64_t count = 1;
  std::int64_t stride = 0;

  [[nodiscard]] constexpr DenseMatrix<T> item(std::int64_t i) const {
    auto of_item = first;
    of_item.data += i * stride;
    return of_item;
  }
};

}  // namespace araia
