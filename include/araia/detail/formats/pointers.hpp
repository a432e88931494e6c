// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats and dense operands as plain pointers and sizes: what kernels capture and what backends take.
// No Kokkos here, so that a backend builds with a bare compiler.

#include <complex>
#include <cstdint>
#include <type_traits>

namespace araia {

/// op(A): A itself, its transpose, its conjugate transpose (the transpose for real scalars), or its conjugate (A itself
/// for real scalars).
enum class Op { none, transpose, conjugate_transpose, conjugate };

/// Are rows of op(A) columns of A?
[[nodiscard]] constexpr bool transposes(Op op) { return op == Op::transpose || op == Op::conjugate_transpose; }

/// Are the entries of op(A) conjugates of those of A?
[[nodiscard]] constexpr bool conjugates(Op op) { return op == Op::conjugate || op == Op::conjugate_transpose; }

/// CSR. Row i of the arrays is row `row_permutation[i]` of the matrix, or row i where that is null.
template <class Scalar, class Ordinal, class Offset>
struct CsrPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Offset const* row_offsets = nullptr;       // (rows + 1), may be null when rows == 0
  Ordinal const* col_indices = nullptr;      // (nnz)
  Scalar const* values = nullptr;            // (nnz), or null: all ones
  Ordinal const* row_permutation = nullptr;  // (rows), or null: identity
};

/// COO in any order; `sorted` means by row (columns may be in any order inside a row).
template <class Scalar, class Ordinal>
struct CooPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  Ordinal const* row_indices = nullptr;  // (nnz)
  Ordinal const* col_indices = nullptr;  // (nnz)
  Scalar const* values = nullptr;        // (nnz), or null: all ones
  bool sorted = false;
};

/// ELL, column-major: entry j of stored row i is at i + j * ld. Reading stops at row_lengths[i].
template <class Scalar, class Ordinal>
struct EllPointers {
  using value_type = Scalar;
  using ordinal_type = Ordinal;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t width = 0;
  std::int64_t ld = 0;                       // >= rows
  Ordinal const* row_lengths = nullptr;      // (rows) 0 <= length <= width
  Ordinal const* col_indices = nullptr;      // (ld * width)
  Scalar const* values = nullptr;            // (ld * width), or null: all ones
  Ordinal const* row_permutation = nullptr;  // (rows), or null: identity
};

/// A dense vector; element i is data[i * stride].
template <class T>
struct DenseVector {
  T* data = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 1;
};

/// A dense matrix; element (i, j) is data[i * row_stride + j * column_stride].
template <class T>
struct DenseMatrix {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 1;
  std::int64_t column_stride = 1;
};

}  // namespace araia
