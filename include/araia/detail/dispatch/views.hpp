// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Views of any layout as plain pointers and strides, and the checks that every operation makes on its operands.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/error.hpp>

namespace araia {

/// A Kokkos View of rank one that the execution space reaches.
template <class V, class Exec>
concept VectorView = Kokkos::is_view_v<V> &&(V::rank() == 1) &&
                     static_cast<bool>(Kokkos::SpaceAccessibility<Exec, typename V::memory_space>::accessible);

/// A Kokkos View of rank two that the execution space reaches.
template <class V, class Exec>
concept MatrixView = Kokkos::is_view_v<V> &&(V::rank() == 2) &&
                     static_cast<bool>(Kokkos::SpaceAccessibility<Exec, typename V::memory_space>::accessible);

namespace detail {

template <class View>
auto dense_vector(View const& v) {
  return DenseVector<typename View::value_type>{v.data(), static_cast<std::int64_t>(v.extent(0)),
                                                v.extent(0) > 1 ? static_cast<std::int64_t>(v.stride(0)) : 1};
}

template <class View>
auto dense_matrix(View const& m) {
  using T = typename View::value_type;
  DenseMatrix<T> d{m.data(), static_cast<std::int64_t>(m.extent(0)), static_cast<std::int64_t>(m.extent(1)),
                   static_cast<std::int64_t>(m.stride(0)), static_cast<std::int64_t>(m.stride(1))};
  // A stride along an extent of one says nothing: take it for the contiguous one, so that a fast kernel can run.
  if (d.columns == 1) d.column_stride = 1;
  return d;
}

template <class T>
DenseVector<T const> as_const(DenseVector<T> const& v) {
  return {v.data, v.size, v.stride};
}
template <class T>
DenseMatrix<T const> as_const(DenseMatrix<T> const& m) {
  return {m.data, m.rows, m.columns, m.row_stride, m.column_stride};
}

template <class T>
DenseMatrix<T> as_matrix(DenseVector<T> const& v) {
  return {v.data, v.size, 1, v.stride, 1};
}

inline void require_extent_equal(char const* op, char const* what, std::int64_t got, std::int64_t expected) {
  if (got != expected)
    throw Error(ErrorKind::dimension_mismatch, std::string(op) + ": " + what + " is " + std::to_string(got) +
                                                   ", expected " + std::to_string(expected));
}

/// Scalars from the first element of a matrix that has some to behind its last.
template <class T>
std::int64_t span(DenseMatrix<T> const& m) {
  return (m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride + 1;
}

/// Do two dense operands share an element? Exact for operands of equal strides and scalar size whose rows (columns) do
/// not reach into the next ones (columns or blocks of one parent), else by the byte ranges they span.
template <class T, class U>
bool overlap(DenseMatrix<T> a, DenseMatrix<U> b) {
  if (a.rows == 0 || a.columns == 0 || b.rows == 0 || b.columns == 0) return false;
  auto const a_first = reinterpret_cast<std::intptr_t>(a.data);
  auto const b_first = reinterpret_cast<std::intptr_t>(b.data);
  auto const a_last = a_first + span(a) * static_cast<std::int64_t>(sizeof(T));
  auto const b_last = b_first + span(b) * static_cast<std::int64_t>(sizeof(U));
  if (a_last <= b_first || b_last <= a_first) return false;
  // A stride along an extent of one says nothing: it is taken for the other's.
  auto const agree = [](std::int64_t a_extent, std::int64_t& a_stride, std::int64_t b_extent, std::int64_t& b_stride) {
    if (a_extent == 1)
      a_stride = b_stride;
    else if (b_extent == 1)
      b_stride = a_stride;
    return a_stride == b_stride;
  };
  bool const like_rows = agree(a.rows, a.row_stride, b.rows, b.row_stride);
  bool const like_columns = agree(a.columns, a.column_stride, b.columns, b.column_stride);
  std::int64_t const bytes = b_first - a_first;
  if (sizeof(T) != sizeof(U) || !like_rows || !like_columns || bytes % static_cast<std::int64_t>(sizeof(T)) != 0)
    return true;
  // Element (i, j) of a meets (p, q) of b where (i - p) row_stride + (j - q) column_stride == distance.
  bool const row_major = a.row_stride >= a.column_stride;
  std::int64_t const major = row_major ? a.row_stride : a.column_stride;
  std::int64_t const minor = row_major ? a.column_stride : a.row_stride;
  auto const majors = [&](auto const& m) { return row_major ? m.rows : m.columns; };
  auto const minors = [&](auto const& m) { return row_major ? m.columns : m.rows; };
  if (minor < 1) return true;
  std::int64_t const distance = bytes / static_cast<std::int64_t>(sizeof(T));
  if (majors(a) == 1 && majors(b) == 1) return distance % minor == 0;
  if ((std::max(minors(a), minors(b)) - 1) * minor >= major) return true;
  std::int64_t const quotient = distance / major;
  for (std::int64_t q = quotient - 1; q <= quotient + 1; ++q) {
    std::int64_t const rest = distance - q * major;
    if (rest % minor != 0) continue;
    std::int64_t const r = rest / minor;
    if (-majors(b) < q && q < majors(a) && -minors(b) < r && r < minors(a)) return true;
  }
  return false;
}

[[noreturn]] inline void throw_overlap(char const* op, char const* in, char const* out) {
  throw Error(ErrorKind::invalid_argument,
              std::string(op) + ": " + in + " and " + out + " overlap in memory, expected disjoint operands");
}

/// Do two elements of a dense operand lie at one place? Exact.
template <class T>
bool overlaps_itself(DenseMatrix<T> const& m) {
  if (m.rows == 0 || m.columns == 0) return false;
  if ((m.rows > 1 && m.row_stride == 0) || (m.columns > 1 && m.column_stride == 0)) return true;
  if (m.rows == 1 || m.columns == 1) return false;
  // The least i and j of i row_stride == j column_stride: where (0, j) and (i, 0) meet, if the matrix has both.
  std::int64_t const divisor = std::gcd(m.row_stride, m.column_stride);
  return m.column_stride / divisor < m.rows && m.row_stride / divisor < m.columns;
}

/// \throws araia::Error invalid_argument where elements of what is written share memory
template <class T>
void require_places(char const* op, char const* out, DenseMatrix<T> const& m) {
  if (overlaps_itself(m))
    throw Error(ErrorKind::invalid_argument,
                std::string(op) + ": the strides of " + out + " are " + std::to_string(m.row_stride) + " and " +
                    std::to_string(m.column_stride) + ", expected a place of its own for each element");
}

/// \throws araia::Error invalid_argument where a, which is read, and b, which is written, share an element, or elements
///         of b do
template <class T, class U>
void require_disjoint(char const* op, char const* in, DenseMatrix<T> const& a, char const* out,
                      DenseMatrix<U> const& b) {
  require_places(op, out, b);
  if (overlap(a, b)) throw_overlap(op, in, out);
}

/// Shape of op(A).
struct OpShape {
  std::int64_t rows;
  std::int64_t cols;
};
template <class Matrix>
OpShape op_shape(Op op, Matrix const& A) {
  return transposes(op) ? OpShape{A.cols, A.rows} : OpShape{A.rows, A.cols};
}

}  // namespace detail
}  // namespace araia
