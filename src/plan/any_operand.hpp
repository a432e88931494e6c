// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arrays described at run time: checked, and as unmanaged Views of their types.

#include <Kokkos_Core.hpp>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/plan/any_dense.hpp>

namespace araia::detail {

/// Checks what a description says against what the callee reads, in O(1) and without allocation.
/// \param op, name  of the function and its argument, for messages
/// \throws araia::Error invalid_argument where v is of another scalar, lies where exec does not reach, has negative
///         extents, negative strides along more than one element, elements at no address or at one that their scalar
///         does not allow, or beyond what 63 bits count in bytes; dimension_mismatch where v.size is less than its
///         shape and strides need
void require_array(char const* op, char const* name, AnyConstView const& v, ElementType scalar, AnySpace const& exec);

/// Is an optional argument left out? What says that it has elements is not, and require_array wants their address.
inline bool is_left_out(AnyConstView const& v) { return !v.data && (v.rows == 0 || v.columns == 0 || v.items == 0); }

/// Throws invalid_argument: alpha or beta has a value that the plan's scalars lack.
[[noreturn]] void refuse_factor(char const* op, char const* name, std::complex<double> value, char const* why);

/// \throws araia::Error invalid_argument where v is a batch of other than one item
void require_one_item(char const* op, char const* name, AnyConstView const& v);
/// \throws araia::Error dimension_mismatch where v has other than one column; as require_one_item
void require_vector(char const* op, char const* name, AnyConstView const& v);

template <class Data, class T>
using element_t = std::conditional_t<std::is_const_v<Data>, T const, T>;

/// The stride, or 1 where there is none, as along one element.
inline std::size_t stride_of(std::int64_t stride) { return stride < 0 ? 1 : static_cast<std::size_t>(stride); }

template <class T, class Device>
using Strided = Kokkos::View<T, Kokkos::LayoutStride, Device, Kokkos::MemoryUnmanaged>;

template <class T, class Device, class Data>
auto strided_vector(AnyArray<Data> const& v) {
  using E = element_t<Data, T>;
  return Strided<E*, Device>(static_cast<E*>(v.data),
                             Kokkos::LayoutStride(static_cast<std::size_t>(v.rows), stride_of(v.row_stride)));
}
template <class T, class Device, class Data>
auto strided_matrix(AnyArray<Data> const& v) {
  using E = element_t<Data, T>;
  return Strided<E**, Device>(static_cast<E*>(v.data),
                              Kokkos::LayoutStride(static_cast<std::size_t>(v.rows), stride_of(v.row_stride),
                                                   static_cast<std::size_t>(v.columns), stride_of(v.column_stride)));
}
template <class T, class Device, class Data>
auto strided_batch(AnyArray<Data> const& v) {
  using E = element_t<Data, T>;
  return Strided<E***, Device>(static_cast<E*>(v.data),
                               Kokkos::LayoutStride(static_cast<std::size_t>(v.items), stride_of(v.item_stride),
                                                    static_cast<std::size_t>(v.rows), stride_of(v.row_stride),
                                                    static_cast<std::size_t>(v.columns), stride_of(v.column_stride)));
}

/// An array of `rows` elements that follow each other.
template <class T, class Device>
Kokkos::View<T const*, Device> contiguous(AnyConstView const& v) {
  return {static_cast<T const*>(v.data), static_cast<std::size_t>(v.rows)};
}

}  // namespace araia::detail
