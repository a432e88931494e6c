// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/any_dense.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/dispatch/views.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include "src/formatted.hpp"
#include "src/plan/any_operand.hpp"

namespace araia {
namespace detail {
namespace {

/// call(T()) with the scalar of an operand.
template <class Call>
void with_scalar(char const* op, ElementType scalar, Call const& call) {
  switch (scalar) {
    case ElementType::float32: return call(float());
    case ElementType::float64: return call(double());
    case ElementType::complex_float64: return call(Kokkos::complex<double>());
    default: break;
  }
  throw Error(ErrorKind::invalid_argument,
              formatted("{}: the scalar is {}, expected one of operands: float32, float64 or complex_float64", op,
                        to_string(scalar)));
}

std::size_t alignment_of(ElementType scalar) {
  return scalar == ElementType::complex_float64 ? alignof(Kokkos::complex<double>) : bytes_of(scalar);
}

/// Elements from the first to behind the last; saturates.
std::uint64_t span_of(AnyConstView const& v) {
  if (v.rows == 0 || v.columns == 0 || v.items == 0) return 0;
  auto const along = [](std::int64_t extent, std::int64_t stride) {
    return saturating_product(static_cast<std::uint64_t>(extent - 1), static_cast<std::uint64_t>(stride));
  };
  return saturating_sum(saturating_sum(along(v.rows, v.row_stride), along(v.columns, v.column_stride)),
                        saturating_sum(along(v.items, v.item_stride), 1));
}

/// \throws araia::Error invalid_argument for negative extents
void require_extents(char const* op, std::int64_t rows, std::int64_t columns) {
  if (rows < 0 || columns < 0)
    throw Error(ErrorKind::invalid_argument,
                formatted("{}: the extents are {} x {}, expected none below 0", op, rows, columns));
}

/// The scalar, in which the values can be.
/// \throws araia::Error invalid_argument, dimension_mismatch or unsupported, as AnyDense of them
ElementType scalar_for(char const* op, ElementType scalar, HostDense const& from) {
  with_scalar(op, scalar, [](auto) {});
  require_extents(op, from.rows, from.columns);
  auto const count = std::visit([](auto const& values) { return std::uint64_t{values.size()}; }, from.values);
  auto const expected =
      saturating_product(static_cast<std::uint64_t>(from.rows), static_cast<std::uint64_t>(from.columns));
  if (count != expected)
    throw Error(ErrorKind::dimension_mismatch,
                formatted("{}: number of values is {}, expected {}", op, count, expected));
  if (std::holds_alternative<std::vector<std::complex<double>>>(from.values) && scalar != ElementType::complex_float64)
    throw Error(
        ErrorKind::unsupported,
        formatted("{}: the values are complex and the scalar is {}, expected complex_float64", op, to_string(scalar)));
  return scalar;
}

/// \param from  of values that T has: scalar_for has looked
/// \param to    of the extents of `at`, which says where elements lie
template <class T>
void write_elements(HostDense const& from, AnyConstView const& at, T* to) {
  auto const write = [&](auto const& values) {
    for (std::int64_t j = 0; j < from.columns; ++j)
      for (std::int64_t i = 0; i < from.rows; ++i)
        to[i * at.row_stride + j * at.column_stride] = T(values[static_cast<std::size_t>(i + j * from.rows)]);
  };
  if (auto const* const real = std::get_if<std::vector<double>>(&from.values)) return write(*real);
  if constexpr (is_complex_v<T>) write(std::get<std::vector<std::complex<double>>>(from.values));
}

/// \throws araia::Error resource_limit where the host has no memory for them, which leaves `values` as they were
template <class Value>
void resize(std::vector<Value>& values, std::int64_t count) {
  constexpr char const* op = "araia::AnyDense::to_host: the elements";
  auto const bytes = saturating_product(static_cast<std::uint64_t>(count), sizeof(Value));
  auto const limit = default_host_memory_limit();
  if (static_cast<std::uint64_t>(count) > values.capacity()) require_memory(op, bytes, limit);
  auto const refuse = [&] {
    throw Error(ErrorKind::resource_limit, formatted("{} need {} bytes, which the host does not have", op, bytes));
  };
  try {
    values.resize(static_cast<std::size_t>(count));
  } catch (std::bad_alloc const&) {
    refuse();
  } catch (std::length_error const&) {
    refuse();
  }
}

template <class T>
void read_elements(T const* from, AnyConstView const& at, HostDense& to) {
  using Value = std::conditional_t<is_complex_v<T>, std::complex<double>, double>;
  // Where the old ones lie, if they are of this type: a copy beside them would be one more of the operand.
  std::vector<Value> own;
  auto* const same = std::get_if<std::vector<Value>>(&to.values);
  auto& values = same ? *same : own;
  resize(values, at.rows * at.columns);
  for (std::int64_t j = 0; j < at.columns; ++j)
    for (std::int64_t i = 0; i < at.rows; ++i) {
      auto& value = values[static_cast<std::size_t>(i + j * at.rows)];
      auto const& element = from[i * at.row_stride + j * at.column_stride];
      if constexpr (is_complex_v<T>)
        value = Value(element.real(), element.imag());
      else
        value = static_cast<Value>(element);
    }
  to.rows = at.rows;
  to.columns = at.columns;
  if (!same) to.values = std::move(own);
}

/// Room on the host for elements of a device's.
Kokkos::View<unsigned char*, Kokkos::HostSpace> staged(AnyConstView const& v) {
  auto const bytes = static_cast<std::uint64_t>(v.size) * bytes_of(v.scalar);
  require_memory("araia::AnyDense: a copy on the host", bytes, default_host_memory_limit());
  return new_view<Kokkos::View<unsigned char*, Kokkos::HostSpace>>("araia::any_dense::staged", bytes);
}

template <class ToSpace, class FromSpace, class Exec>
void copy_bytes_on(Exec const& exec, void* to, void const* from, std::size_t bytes) {
  Kokkos::deep_copy(exec, BytesOf<ToSpace, unsigned char>(static_cast<unsigned char*>(to), bytes),
                    BytesOf<FromSpace, unsigned char const>(static_cast<unsigned char const*>(from), bytes));
}

/// Elements side by side, columns or rows first. A stride along an extent of one says nothing.
bool is_packed(AnyConstView const& v) {
  auto const is = [](std::int64_t extent, std::int64_t stride, std::uint64_t expected) {
    return extent <= 1 || static_cast<std::uint64_t>(stride) == expected;
  };
  auto const rows = static_cast<std::uint64_t>(v.rows);
  auto const columns = static_cast<std::uint64_t>(v.columns);
  bool const left = is(v.rows, v.row_stride, 1) && is(v.columns, v.column_stride, rows);
  bool const right = is(v.columns, v.column_stride, 1) && is(v.rows, v.row_stride, columns);
  return (left || right) && is(v.items, v.item_stride, saturating_product(rows, columns));
}

bool has_strides_of(AnyConstView const& a, AnyConstView const& b) {
  return (a.rows <= 1 || a.row_stride == b.row_stride) && (a.columns <= 1 || a.column_stride == b.column_stride);
}

}  // namespace

void require_array(char const* op, char const* name, AnyConstView const& v, ElementType scalar, AnySpace const& exec) {
  auto const refuse = [&](ErrorKind kind, std::string const& what) {
    throw Error(kind, formatted("{}: {} {}", op, name, what));
  };
  if (v.scalar != scalar)
    refuse(ErrorKind::invalid_argument,
           formatted("has elements of {}, expected {}", to_string(v.scalar), to_string(scalar)));
  if (!exec.reaches(v.memory))
    refuse(ErrorKind::invalid_argument,
           formatted("lies in memory of {}, which {} does not reach", to_string(v.memory), exec.name()));
  if (v.rows < 0 || v.columns < 0 || v.items < 0)
    refuse(ErrorKind::invalid_argument,
           formatted("has extents {} x {} in {} items, expected none below 0", v.rows, v.columns, v.items));
  if ((v.rows > 1 && v.row_stride < 0) || (v.columns > 1 && v.column_stride < 0) || (v.items > 1 && v.item_stride < 0))
    refuse(ErrorKind::invalid_argument,
           formatted("has strides {}, {} and {} (rows, columns, items), expected none below 0 along more than one "
                     "element",
                     v.row_stride, v.column_stride, v.item_stride));
  auto const needed = span_of(v);
  if (needed > 0 && !v.data) refuse(ErrorKind::invalid_argument, "has no address");
  if (auto const alignment = alignment_of(scalar); reinterpret_cast<std::uintptr_t>(v.data) % alignment != 0)
    refuse(ErrorKind::invalid_argument,
           formatted("is not aligned to {} bytes, as {} asks", alignment, to_string(scalar)));
  if (v.size >= 0 && static_cast<std::uint64_t>(v.size) < needed)
    refuse(ErrorKind::dimension_mismatch,
           formatted("is {} elements long, expected at least {} by its shape and strides", v.size, needed));
  // So that the products of what follows do not wrap.
  if (auto const most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / bytes_of(scalar);
      needed > most)
    refuse(ErrorKind::invalid_argument,
           formatted("reaches over {} elements by its shape and strides, expected at most {}", needed, most));
}

void refuse_factor(char const* op, char const* name, std::complex<double> value, char const* why) {
  throw Error(ErrorKind::invalid_argument,
              formatted("{}: {} is {} + {}i, {}", op, name, value.real(), value.imag(), why));
}

void require_one_item(char const* op, char const* name, AnyConstView const& v) {
  if (v.items != 1)
    throw Error(ErrorKind::invalid_argument,
                formatted("{}: {} is a batch of {} items, expected one", op, name, v.items));
}

void require_vector(char const* op, char const* name, AnyConstView const& v) {
  require_one_item(op, name, v);
  if (v.columns != 1)
    throw Error(ErrorKind::dimension_mismatch,
                formatted("{}: number of columns of {} is {}, expected 1", op, name, v.columns));
}

}  // namespace detail

AnyDense::AnyDense(AnySpace const& exec, ElementType scalar, std::int64_t rows, std::int64_t columns,
                   DenseLayout layout) {
  constexpr char const* op = "araia::AnyDense";
  detail::with_scalar(op, scalar, [](auto) {});
  detail::require_extents(op, rows, columns);
  if (layout == DenseLayout::strided)
    throw Error(ErrorKind::invalid_argument,
                detail::formatted("{}: the layout is strided, expected left or right", op));
  auto const bytes = detail::saturating_product(
      detail::saturating_product(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)),
      bytes_of(scalar));
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  // A host without room kills the process rather than refuse; a device refuses by itself, but Kokkos's own product of
  // extents would wrap.
  detail::require_memory(op, bytes,
                         exec.memory() == MemorySpace::host ? std::min(most, default_host_memory_limit()) : most);
  exec.visit([&](auto const& instance) {
    using Device = typename std::decay_t<decltype(instance)>::device_type;
    // In doubles, whose loop is there for all scalars: zero has the same bytes in each.
    auto const words = static_cast<std::int64_t>(bytes / sizeof(double) + (bytes % sizeof(double) != 0));
    auto const array = detail::new_array<double, Device>(instance, "araia::any_dense", words);
    detail::fill_array(instance, array, 0.0);
    owner_ = std::make_shared<Kokkos::View<double*, Device>>(array);
    view_.data = array.data();
  });
  bool const left = layout == DenseLayout::left;
  view_.scalar = scalar;
  view_.memory = exec.memory();
  view_.rows = rows;
  view_.columns = columns;
  view_.row_stride = left ? 1 : columns;
  view_.column_stride = left ? rows : 1;
  view_.size = rows * columns;
}

AnyDense::AnyDense(AnySpace const& exec, ElementType scalar, HostDense const& from, DenseLayout layout)
    : AnyDense(exec, detail::scalar_for("araia::AnyDense", scalar, from), from.rows, from.columns, layout) {
  exec.fence("araia::any_dense: the array is there before it is written");
  detail::with_scalar("araia::AnyDense", scalar, [&]<class T>(T) {
    if (exec.reaches(MemorySpace::host)) return detail::write_elements(from, view_, static_cast<T*>(view_.data));
    auto const host = detail::staged(view_);
    detail::write_elements(from, view_, reinterpret_cast<T*>(host.data()));
    copy_operand(
        exec,
        {host.data(), scalar, MemorySpace::host, view_.rows, view_.columns, view_.row_stride, view_.column_stride},
        view_);
    exec.fence("araia::any_dense: the array is copied");
  });
}

void AnyDense::to_host(AnySpace const& exec, HostDense& to) const {
  detail::with_scalar("araia::AnyDense::to_host", view_.scalar, [&]<class T>(T) {
    if (view_.memory == MemorySpace::host) {
      exec.fence("araia::any_dense: the array is complete");
      return detail::read_elements(static_cast<T const*>(view_.data), view_, to);
    }
    auto const host = detail::staged(view_);
    copy_operand(exec, view_,
                 {host.data(), view_.scalar, MemorySpace::host, view_.rows, view_.columns, view_.row_stride,
                  view_.column_stride});
    exec.fence("araia::any_dense: the array is copied");
    detail::read_elements(reinterpret_cast<T const*>(host.data()), view_, to);
  });
}

HostDense AnyDense::to_host(AnySpace const& exec) const {
  HostDense to;
  to_host(exec, to);
  return to;
}

void copy_operand(AnySpace const& exec, AnyConstView const& from, AnyView const& to) {
  constexpr char const* op = "araia::copy_operand";
  detail::with_scalar(op, from.scalar, [](auto) {});
  // What lies on the host is checked as the host sees it.
  auto const require = [&](char const* name, AnyConstView v) {
    if (v.memory == MemorySpace::host) v.memory = exec.memory();
    detail::require_array(op, name, v, from.scalar, exec);
  };
  require("the source", from);
  require("the target", to);
  detail::require_extent_equal(op, "number of rows of the target", to.rows, from.rows);
  detail::require_extent_equal(op, "number of columns of the target", to.columns, from.columns);
  detail::require_extent_equal(op, "number of items of the target", to.items, from.items);
  if (!detail::is_packed(from) || !detail::is_packed(to) || !detail::has_strides_of(from, to))
    throw Error(ErrorKind::invalid_argument,
                detail::formatted("{}: the strides are {} and {} of the source, {} and {} of the target, expected the "
                                  "same without gaps",
                                  op, from.row_stride, from.column_stride, to.row_stride, to.column_stride));
  auto const bytes = static_cast<std::size_t>(detail::span_of(from)) * bytes_of(from.scalar);
  if (bytes == 0) return;
  using Bytes = DenseMatrix<unsigned char const>;
  auto const length = static_cast<std::int64_t>(bytes);
  if (detail::overlap(Bytes{static_cast<unsigned char const*>(from.data), length, 1, 1, length},
                      Bytes{static_cast<unsigned char const*>(to.data), length, 1, 1, length}))
    detail::throw_overlap(op, "the source", "the target");
  exec.visit([&](auto const& instance) {
    using Host = Kokkos::HostSpace;
    using Own = typename std::decay_t<decltype(instance)>::memory_space;
    if constexpr (std::is_same_v<Own, Host>) {
      detail::copy_bytes_on<Host, Host>(instance, to.data, from.data, bytes);
    } else if (to.memory == MemorySpace::host) {
      if (from.memory == MemorySpace::host)
        throw Error(
            ErrorKind::invalid_argument,
            detail::formatted("{}: both arrays lie on the host, expected one that {} reaches", op, exec.name()));
      detail::copy_bytes_on<Host, Own>(instance, to.data, from.data, bytes);
    } else if (from.memory == MemorySpace::host) {
      detail::copy_bytes_on<Own, Host>(instance, to.data, from.data, bytes);
    } else {
      detail::copy_bytes_on<Own, Own>(instance, to.data, from.data, bytes);
    }
  });
}

}  // namespace araia
