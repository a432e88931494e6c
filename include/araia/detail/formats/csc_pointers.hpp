// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// CSC as plain pointers and sizes, and the same arrays seen as CSR of the transpose. No Kokkos here.

#include <cstdint>

#include <araia/detail/formats/pointers.hpp>

namespace araia {

/// CSC: entries of column j are [col_offsets[j], col_offsets[j + 1]).
template <class Scalar, class Ordinal, class Offset>
struct CscPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Offset const* col_offsets = nullptr;   // (cols + 1), may be null when cols == 0
  Ordinal const* row_indices = nullptr;  // (nnz)
  Scalar const* values = nullptr;        // (nnz), or null: all ones
};

namespace detail {
/// The arrays of A in CSC are those of its transpose in CSR.
template <class Scalar, class Ordinal, class Offset>
CsrPointers<Scalar, Ordinal, Offset> as_transpose(CscPointers<Scalar, Ordinal, Offset> const& a) {
  return {.rows = a.cols,
          .cols = a.rows,
          .nnz = a.nnz,
          .row_offsets = a.col_offsets,
          .col_indices = a.row_indices,
          .values = a.values};
}
}  // namespace detail

}  // namespace araia
