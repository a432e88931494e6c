// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D by textbook loops in a wider type: the truth that SDDMM kernels are held to.

#include <algorithm>
#include <araia/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>

#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/spmm.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

/// What the stored values should be, in the matrix's own order of entries, as a column of nnz rows for `check`.
/// A product with A's value is one rounding more than a sum of k products has: it is counted among operand_roundings.
/// \param x, y      (rows, k), (cols, k): op(Y)' before conjugation
/// \param d_before  (nnz) before the product; not read when beta == 0, so may then be empty
/// alpha == 0 and k == 0 read neither A nor X and Y.
template <class T, class Matrix>
Expected<T> sddmm(T alpha, Matrix const& a, DenseMatrix<T const> const& x, DenseMatrix<T const> const& y,
                  bool conjugate_y, T beta, T const* d_before) {
  using wide = typename Expected<T>::wide;
  using wide_real = typename Expected<T>::wide_real;
  Expected<T> out;
  out.total_rows = a.nnz;
  auto const entries = static_cast<std::size_t>(a.nnz);
  out.values.resize(entries);
  out.magnitudes.resize(entries);
  out.partial_peak.resize(entries);
  out.counts.assign(entries, x.columns);
  out.operand_roundings = a.values ? 1 : 0;
  bool const reads = alpha != T{} && x.columns > 0;
  wide_real largest = 1;  // factor that an underflow of a product may meet: |alpha| |a|
  std::size_t entry = 0;
  for_each_entry(a, [&](std::int64_t row, std::int64_t col, T const& stored) {
    wide sum{};
    wide_real size{};
    for (std::int64_t k = 0; reads && k < x.columns; ++k) {
      auto const left = static_cast<wide>(x.data[row * x.row_stride + k * x.column_stride]);
      auto const right = static_cast<wide>(y.data[col * y.row_stride + k * y.column_stride]);
      sum += left * (conjugate_y ? conjugate(right) : right);
      size += magnitude(left) * magnitude(right);
    }
    out.partial_peak[entry] = size;
    if (reads) {
      auto const value = static_cast<wide>(stored);
      sum = static_cast<wide>(alpha) * (value * sum);
      out.partial_peak[entry] = std::max(size, magnitude(value) * size);
      size *= magnitude(value) * magnitude(static_cast<wide>(alpha));
      largest = std::max(largest, magnitude(value));
    }
    if (beta != T{}) {
      auto const before = static_cast<wide>(d_before[entry]);
      sum += static_cast<wide>(beta) * before;
      wide_real const part = magnitude(static_cast<wide>(beta)) * magnitude(before);
      size += part;
      out.partial_peak[entry] = std::max(out.partial_peak[entry], part);
    }
    out.values[entry] = sum;
    out.magnitudes[entry] = size;
    ++entry;
  });
  out.alpha_magnitude = magnitude(static_cast<wide>(alpha)) * largest;
  return out;
}

}  // namespace araia::reference
