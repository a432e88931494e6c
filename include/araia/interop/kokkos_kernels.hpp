// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Kokkos Kernels' sparse matrices as ours and back, over the same arrays. Needs Kokkos Kernels; nothing else here does.
// Kokkos Kernels 4.4 beside a Kokkos without deprecated code: include this before Kokkos Kernels' own headers.
//   CrsMatrix <-> Csr, CcsMatrix <-> Csc, CooMatrix <-> Coo, BsrMatrix <-> Bsr (square blocks, rows and columns whole)
// From Kokkos Kernels: shares ownership of the Views, where they have any. To it: the result holds no ownership, as its
// Views of indices are not const, and must not outlive what it was made from.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/detail/interop/kokkos_kernels_headers.hpp>
#include <araia/error.hpp>
#include <araia/formats/bsr.hpp>
#include <araia/formats/coo.hpp>
#include <araia/formats/csc.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

namespace detail {

/// The first `count` elements without const and without ownership: the View that Kokkos Kernels' types want. Ours may
/// have room for more, which theirs take for entries.
template <class Target, class View>
Target unowned(View const& view, std::int64_t count) {
  return Target(const_cast<typename Target::value_type*>(view.data()), static_cast<std::size_t>(count));
}

/// The same of offsets, which end with the rows or columns; a matrix without any may come without offsets.
template <class Target, class View>
Target unowned_offsets(View const& offsets, std::int64_t along) {
  return Target(offsets.data(), offsets.extent(0) == 0 ? 0 : static_cast<std::size_t>(along) + 1);
}

inline void require_values(char const* what, bool has_values, std::int64_t nnz) {
  if (!has_values && nnz > 0)
    throw Error(ErrorKind::unsupported,
                std::string(what) + ": a pattern has no values, and Kokkos Kernels' matrices need them");
}

template <class Matrix>
void require_own_order(char const* what, Matrix const& A) {
  if (A.row_permutation.extent(0) != 0)
    throw Error(ErrorKind::unsupported, std::string(what) + ": the rows are permuted, expected their own order");
}

}  // namespace detail

/// A as a Csr over the same arrays.
/// \throws araia::Error (invalid_structure)
/// Cost    O(rows + nnz) of checking, no copy; fences exec
template <class Exec, class S, class O, class D, class M, class F>
auto from_kokkos_kernels(Exec const& exec, KokkosSparse::CrsMatrix<S, O, D, M, F> const& A) {
  using Matrix = KokkosSparse::CrsMatrix<S, O, D, M, F>;
  using Offset = typename Matrix::non_const_size_type;
  Csr<S, std::remove_const_t<O>, Offset, typename Matrix::device_type> B{.rows = static_cast<std::int64_t>(A.numRows()),
                                                                         .cols = static_cast<std::int64_t>(A.numCols()),
                                                                         .nnz = static_cast<std::int64_t>(A.nnz())};
  B.row_offsets = A.graph.row_map;
  B.col_indices = A.graph.entries;
  B.values = A.values;
  validate(exec, B);
  return B;
}

/// A as a Csc over the same arrays, as above.
template <class Exec, class S, class O, class D, class M, class F>
auto from_kokkos_kernels(Exec const& exec, KokkosSparse::CcsMatrix<S, O, D, M, F> const& A) {
  using Matrix = KokkosSparse::CcsMatrix<S, O, D, M, F>;
  Csc<S, std::remove_const_t<O>, std::remove_const_t<F>, typename Matrix::device_type> B{
      .rows = static_cast<std::int64_t>(A.numRows()),
      .cols = static_cast<std::int64_t>(A.numCols()),
      .nnz = static_cast<std::int64_t>(A.nnz())};
  B.col_offsets = A.graph.col_map;
  B.row_indices = A.graph.entries;
  B.values = A.values;
  validate(exec, B);
  return B;
}

/// A as a Coo over the same arrays, as above.
/// \param sorted  entries are ordered by row: faster products; checked
template <class Exec, class S, class O, class D, class M, class F>
auto from_kokkos_kernels(Exec const& exec, KokkosSparse::CooMatrix<S, O, D, M, F> const& A, bool sorted = false) {
  using Matrix = KokkosSparse::CooMatrix<S, O, D, M, F>;
  Coo<S, std::remove_const_t<O>, typename Matrix::device_type> B{.rows = static_cast<std::int64_t>(A.numRows()),
                                                                 .cols = static_cast<std::int64_t>(A.numCols()),
                                                                 .nnz = static_cast<std::int64_t>(A.nnz())};
  B.row_indices = A.row();
  B.col_indices = A.col();
  B.values = A.data();
  B.sorted = sorted;
  validate(exec, B);
  return B;
}

/// A as a Bsr over the same arrays, every slot of a block an entry, as above.
template <class Exec, class S, class O, class D, class M, class F>
auto from_kokkos_kernels(Exec const& exec, KokkosSparse::Experimental::BsrMatrix<S, O, D, M, F> const& A) {
  using Matrix = KokkosSparse::Experimental::BsrMatrix<S, O, D, M, F>;
  using Offset = typename Matrix::non_const_size_type;
  auto const dim = static_cast<std::int64_t>(A.blockDim());
  Bsr<S, std::remove_const_t<O>, Offset, typename Matrix::device_type> B{
      .rows = static_cast<std::int64_t>(A.numRows()) * dim,
      .cols = static_cast<std::int64_t>(A.numCols()) * dim,
      .nnz = static_cast<std::int64_t>(A.nnz()) * dim * dim,
      .block_rows = static_cast<int>(dim),
      .block_cols = static_cast<int>(dim),
      .blocks = static_cast<std::int64_t>(A.nnz())};
  B.block_offsets = A.graph.row_map;
  B.block_col_indices = A.graph.entries;
  B.values = A.values;
  validate(exec, B);
  return B;
}

/// A over the same arrays as a KokkosSparse::CrsMatrix.
/// \throws araia::Error unsupported for a pattern or permuted rows
template <class S, class O, class F, class D>
auto to_kokkos_kernels(Csr<S, O, F, D> const& A) {
  using Matrix = KokkosSparse::CrsMatrix<S, O, D, Kokkos::MemoryUnmanaged, F>;
  detail::require_values("araia::to_kokkos_kernels: csr", A.has_values(), A.nnz);
  detail::require_own_order("araia::to_kokkos_kernels: csr", A);
  return Matrix("araia::csr", static_cast<O>(A.rows), static_cast<O>(A.cols), static_cast<F>(A.nnz),
                detail::unowned<typename Matrix::values_type>(A.values, A.nnz),
                detail::unowned_offsets<typename Matrix::row_map_type>(A.row_offsets, A.rows),
                detail::unowned<typename Matrix::index_type>(A.col_indices, A.nnz));
}

/// A over the same arrays as a KokkosSparse::CcsMatrix, as above.
template <class S, class O, class F, class D>
auto to_kokkos_kernels(Csc<S, O, F, D> const& A) {
  using Matrix = KokkosSparse::CcsMatrix<S, O, D, Kokkos::MemoryUnmanaged, F>;
  detail::require_values("araia::to_kokkos_kernels: csc", A.has_values(), A.nnz);
  return Matrix("araia::csc", static_cast<O>(A.rows), static_cast<O>(A.cols), static_cast<F>(A.nnz),
                detail::unowned<typename Matrix::values_type>(A.values, A.nnz),
                detail::unowned_offsets<typename Matrix::col_map_type>(A.col_offsets, A.cols),
                detail::unowned<typename Matrix::index_type>(A.row_indices, A.nnz));
}

/// A over the same arrays as a KokkosSparse::CooMatrix, as above.
template <class S, class O, class D>
auto to_kokkos_kernels(Coo<S, O, D> const& A) {
  using Matrix = KokkosSparse::CooMatrix<S, O, D, Kokkos::MemoryUnmanaged, std::size_t>;
  detail::require_values("araia::to_kokkos_kernels: coo", A.has_values(), A.nnz);
  return Matrix(static_cast<std::size_t>(A.rows), static_cast<std::size_t>(A.cols),
                detail::unowned<typename Matrix::row_view>(A.row_indices, A.nnz),
                detail::unowned<typename Matrix::column_view>(A.col_indices, A.nnz),
                detail::unowned<typename Matrix::scalar_view>(A.values, A.nnz));
}

/// A over the same arrays as a KokkosSparse::Experimental::BsrMatrix.
/// \throws araia::Error unsupported for a pattern, for blocks that are not square, or that reach beyond the matrix
template <class S, class O, class F, class D>
auto to_kokkos_kernels(Bsr<S, O, F, D> const& A) {
  using Matrix = KokkosSparse::Experimental::BsrMatrix<S, O, D, Kokkos::MemoryUnmanaged, F>;
  detail::require_values("araia::to_kokkos_kernels: bsr", A.has_values(), A.nnz);
  if (A.block_rows != A.block_cols || A.rows % A.block_rows != 0 || A.cols % A.block_cols != 0)
    throw Error(ErrorKind::unsupported, "araia::to_kokkos_kernels: bsr: " + std::to_string(A.block_rows) + " x " +
                                            std::to_string(A.block_cols) + " blocks of a " + std::to_string(A.rows) +
                                            " x " + std::to_string(A.cols) +
                                            " matrix, expected square blocks that divide rows and columns");
  return Matrix("araia::bsr", static_cast<O>(A.rows / A.block_rows), static_cast<O>(A.cols / A.block_cols),
                static_cast<F>(A.blocks),
                detail::unowned<typename Matrix::values_type>(A.values, A.blocks * A.block_rows * A.block_cols),
                detail::unowned_offsets<typename Matrix::row_map_type>(A.block_offsets, A.rows / A.block_rows),
                detail::unowned<typename Matrix::index_type>(A.block_col_indices, A.blocks),
                static_cast<O>(A.block_rows));
}

}  // namespace araia
