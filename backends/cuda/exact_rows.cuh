// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The matrix entry by entry, for sums that are not finite: kernels that multiply zeros which A does not own make those
// again, so that Inf and NaN of B reach the rows that own their columns and no others.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda {

template <class T>
__device__ __forceinline__ bool is_finite(T v) {
  return v - v == T{};
}

/// CSR on the device. One type for both widths of offsets: it is hardly used.
template <class T>
struct ExactRowsOf {
  void const* row_offsets;
  std::int32_t const* col_indices;
  T const* values;  // or null: all ones
  std::int32_t const* row_permutation;
  bool wide_offsets;

  ExactRowsOf() = default;
  template <class Offset>
  explicit ExactRowsOf(CsrPointers<T, std::int32_t, Offset> const& a)
      : row_offsets(a.row_offsets),
        col_indices(a.col_indices),
        values(a.values),
        row_permutation(a.row_permutation),
        wide_offsets(sizeof(Offset) == 8) {}

  __device__ std::int64_t offset(std::int64_t i) const {
    return wide_offsets ? static_cast<std::int64_t const*>(row_offsets)[i]
                        : static_cast<std::int32_t const*>(row_offsets)[i];
  }
};
using ExactRows = ExactRowsOf<float>;

/// What columns [first, last) of A give one entry of C.
template <class T>
static __device__ __noinline__ T exact_sum(ExactRowsOf<T> const exact, T const* b, std::int64_t b_stride,
                                           std::int64_t row, std::int64_t column, std::int64_t first,
                                           std::int64_t last) {
  T sum{};
  for (std::int64_t k = exact.offset(row); k < exact.offset(row + 1); ++k) {
    std::int64_t const col = exact.col_indices[k];
    if (col >= first && col < last) sum += (exact.values ? exact.values[k] : T{1}) * b[col * b_stride + column];
  }
  return sum;
}

}  // namespace araia::cuda
