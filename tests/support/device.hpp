// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Test data on a device and back: formats from host vectors, dense operands of any strides with canaries in the gaps.

#include <Kokkos_Core.hpp>
#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <bit>
#include <cstring>
#include <type_traits>

#include "support/dense.hpp"
#include "support/zoo.hpp"

namespace araia::test {

template <class T>
T scalar_from(double v) {
  if constexpr (is_complex_v<T>)
    return T(static_cast<typename T::value_type>(v), static_cast<typename T::value_type>(0.5 - v * v));
  else
    return static_cast<T>(v);
}

template <class T, class Device, class From>
Kokkos::View<T*, Device> upload(char const* label, std::vector<From> const& from) {
  std::vector<T> host(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    if constexpr (std::is_same_v<From, double>)
      host[k] = scalar_from<T>(from[k]);
    else
      host[k] = static_cast<T>(from[k]);
  }
  Kokkos::View<T*, Device> const view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), from.size());
  detail::copy_bytes<Device, Kokkos::HostSpace>(view.data(), host.data(), host.size() * sizeof(T));
  return view;
}

template <class T, class View>
std::vector<T> download(View const& view) {
  std::vector<typename View::non_const_value_type> host(view.size());
  detail::copy_bytes<Kokkos::HostSpace, typename View::device_type>(host.data(), view.data(),
                                                                    host.size() * sizeof(host[0]));
  std::vector<T> to(host.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<T>(host[k]);
  return to;
}

template <class Scalar, class Offset, class Exec>
auto device_csr(TestMatrix const& m, bool values = true) {
  using Device = typename Exec::device_type;
  Csr<Scalar, std::int32_t, Offset, Device> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_offsets = upload<Offset, Device>("row_offsets", m.row_offsets);
  A.col_indices = upload<std::int32_t, Device>("col_indices", m.col_indices);
  if (values) A.values = upload<Scalar, Device>("values", m.values);
  return A;
}

template <class Scalar, class Exec>
auto device_coo(TestMatrix const& m, bool shuffled) {
  using Device = typename Exec::device_type;
  auto const coo = coordinates(m, shuffled);
  Coo<Scalar, std::int32_t, Device> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_indices = upload<std::int32_t, Device>("row_indices", coo.row_indices);
  A.col_indices = upload<std::int32_t, Device>("col_indices", coo.col_indices);
  A.values = upload<Scalar, Device>("values", coo.values);
  A.sorted = !shuffled;
  return A;
}

/// A device other than Exec's: the host's of a device build, the other host space else.
template <class Exec>
using other_device =
    std::conditional_t<std::is_same_v<typename Exec::device_type, HostDevice>, Kokkos::Serial::device_type, HostDevice>;

/// Of the vectors of a product.
struct Strides {
  std::int64_t x;
  std::int64_t y;
  std::int64_t offset;  // elements: vectors that begin off any vector load's alignment
};

/// A dense operand inside a larger buffer, at any offset and strides; what lies between its elements is a canary.
template <class T, class Exec>
class Operand {
 public:
  using Device = typename Exec::device_type;
  using VectorView = Kokkos::View<T*, Kokkos::LayoutStride, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using MatrixView = Kokkos::View<T**, Kokkos::LayoutStride, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Operand(std::int64_t rows, std::int64_t columns, std::int64_t row_stride, std::int64_t column_stride,
          std::int64_t offset = 0)
      : shape_{nullptr, rows, columns, row_stride, column_stride}, offset_(offset) {
    std::int64_t const span = rows > 0 && columns > 0 ? (rows - 1) * row_stride + (columns - 1) * column_stride + 1 : 0;
    buffer_ = Kokkos::View<T*, Device>("operand", static_cast<std::size_t>(offset + span + 8));
    host_ = Kokkos::create_mirror(Kokkos::HostSpace(), buffer_);
    std::memset(static_cast<void*>(host_.data()), canary_byte, host_.size() * sizeof(T));
    elements_ = host_.data() + offset_;
  }

  T& operator()(std::int64_t i, std::int64_t j = 0) {
    return elements_[i * shape_.row_stride + j * shape_.column_stride];
  }

  void fill(std::uint64_t seed, bool integers = false) {
    std::int64_t const count = shape_.rows * shape_.columns;
    auto const numbers = integers ? small_integers(seed, count) : uniform_numbers(seed, count);
    double const* next = numbers.data();
    for (std::int64_t i = 0; i < shape_.rows; ++i)
      for (std::int64_t j = 0; j < shape_.columns; ++j, ++next)
        (*this)(i, j) = integers ? static_cast<T>(*next) : scalar_from<T>(*next);
  }
  void fill_with(T const& v) {
    for (std::int64_t i = 0; i < shape_.rows; ++i)
      for (std::int64_t j = 0; j < shape_.columns; ++j) (*this)(i, j) = v;
  }

  void to_device() {
    detail::copy_bytes<Device, Kokkos::HostSpace>(buffer_.data(), host_.data(), host_.size() * sizeof(T));
  }
  void from_device() {
    detail::copy_bytes<Kokkos::HostSpace, Device>(host_.data(), buffer_.data(), host_.size() * sizeof(T));
  }

  [[nodiscard]] VectorView vector() const {
    return VectorView(buffer_.data() + offset_, Kokkos::LayoutStride(static_cast<std::size_t>(shape_.rows),
                                                                     static_cast<std::size_t>(shape_.row_stride)));
  }
  [[nodiscard]] MatrixView matrix() const {
    return MatrixView(
        buffer_.data() + offset_,
        Kokkos::LayoutStride(static_cast<std::size_t>(shape_.rows), static_cast<std::size_t>(shape_.row_stride),
                             static_cast<std::size_t>(shape_.columns), static_cast<std::size_t>(shape_.column_stride)));
  }
  /// The host copy, as the reference reads it.
  [[nodiscard]] DenseMatrix<T const> host() const {
    return {elements_, shape_.rows, shape_.columns, shape_.row_stride, shape_.column_stride};
  }

  /// Bytes outside the operand's elements that no longer hold the canary, in the host copy.
  [[nodiscard]] std::int64_t disturbed_bytes() const {
    unsigned char canary[sizeof(T)];
    std::memset(canary, canary_byte, sizeof(T));
    DenseMatrix<void const> const matrix{elements_, shape_.rows, shape_.columns, shape_.row_stride,
                                         shape_.column_stride};
    return test::disturbed_bytes(host_.data(), host_.size(), sizeof(T), matrix, canary);
  }

 private:
  static constexpr unsigned char canary_byte = 0x5c;
  DenseMatrix<T> shape_;
  std::int64_t offset_;
  Kokkos::View<T*, Device> buffer_;
  typename Kokkos::View<T*, Device>::HostMirror host_;
  T* elements_;  // of host_, from the first one on
};

/// A copy of a device's Csr on the host, for the reference to read.
template <class S, class O, class F, class D>
Csr<S, O, F, HostDevice> host_copy(Csr<S, O, F, D> const& A) {
  return copy_to<HostDevice>(typename Csr<S, O, F, D>::execution_space(), A);
}

}  // namespace araia::test
