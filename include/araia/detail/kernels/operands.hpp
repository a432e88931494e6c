// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dense operands as kernels read them: a pointer and at most two strides, so that functors stay small.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/detail/formats/scalar.hpp>

namespace araia::detail {

/// Element i at data[i].
template <class T>
struct ContiguousVector {
  using value_type = std::remove_const_t<T>;
  T* data;
  explicit ContiguousVector(DenseVector<T> const& v) : data(v.data) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t i) const { return data[i]; }
};

/// Element i at data[i * stride].
template <class T>
struct StridedVector {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::int64_t stride;
  explicit StridedVector(DenseVector<T> const& v) : data(v.data), stride(v.stride) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t i) const { return data[i * stride]; }
};

/// Rows contiguous (LayoutRight, any leading dimension): element (i, j) at data[i * ld + j].
template <class T>
struct RowMajorMatrix {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::int64_t ld;
  explicit RowMajorMatrix(DenseMatrix<T> const& m) : data(m.data), ld(m.row_stride) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t i, std::int64_t j) const { return data[i * ld + j]; }
};

/// Any two strides: LayoutLeft and subviews.
template <class T>
struct StridedMatrix {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::int64_t row_stride;
  std::int64_t column_stride;
  explicit StridedMatrix(DenseMatrix<T> const& m)
      : data(m.data), row_stride(m.row_stride), column_stride(m.column_stride) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_stride + j * column_stride];
  }
};

/// y := alpha sum + beta y, where beta == 0 overwrites (a NaN in y does not survive).
template <class Sum, class T>
KOKKOS_INLINE_FUNCTION void store_scaled(T& y, Sum const& alpha, Sum const& sum, Sum const& beta) {
  y = static_cast<T>(beta == Sum{} ? alpha * sum : alpha * sum + beta * static_cast<Sum>(y));
}

/// y += part, by an atomic where other threads may write the same element. Kernels that scatter pass alpha (a x): of
/// the three factors the product of two may leave the range of Sum, and the error bound allows for that of a and x
/// alone.
template <class T, class Sum>
KOKKOS_INLINE_FUNCTION void add_into(T& y, Sum const& part, bool atomic) {
  if (atomic)
    Kokkos::atomic_add(&y, static_cast<T>(part));
  else
    y = static_cast<T>(static_cast<Sum>(y) + part);
}

/// A Kokkos functor of 512 bytes or more would be launched through constant memory, which synchronises.
template <class Functor>
constexpr void check_functor_size() {
  static_assert(sizeof(Functor) < 512, "araia: kernel functors must stay under 512 bytes");
}

}  // namespace araia::detail
