// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Contiguous arrays of conversions: made, filled, copied, and one value read. Kokkos::deep_copy is for Views of any
// layout, so each pair of types of it takes g++ 0.2 s, at -O3 0.35: here bytes are copied, by one of it a pair of
// spaces, and hosts fill in a shared loop.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// An uninitialised View of `count` elements, allocated in the order of exec's work.
/// \throws araia::Error resource_limit naming label and bytes where there is no memory
template <class T, class Device, class Exec>
Kokkos::View<T*, Device> new_array(Exec const& exec, char const* label, std::int64_t count) {
  auto const array = new_view<Kokkos::View<T*, Device>>(exec, label, count);
  ask_for_huge_pages(array);
  return array;
}

template <class Space, class Byte>
using BytesOf = Kokkos::View<Byte*, Space, Kokkos::MemoryUnmanaged>;

/// Kokkos's tools are told of bytes without a label, as Views of memory that others own have none.
template <class Byte, class Array>
static BytesOf<typename Array::memory_space, Byte> bytes_of(Array const& array) {
  using T = typename Array::value_type;
  static_assert(std::is_trivially_copyable_v<T>);
  return BytesOf<typename Array::memory_space, Byte>(reinterpret_cast<Byte*>(array.data()), array.size() * sizeof(T));
}

template <class Array>
static void require_contiguous(Array const& array) {
  if (array.size() > 0 && !array.span_is_contiguous())
    throw Error(ErrorKind::internal, "array " + array.label() + " has gaps, expected none");
}

/// Both contiguous and of one type, layout and shape: their bytes then mean the same.
template <class To, class From>
static void require_alike(To const& to, From const& from) {
  static_assert(std::is_same_v<typename To::non_const_value_type, typename From::non_const_value_type>);
  static_assert(To::rank() == From::rank());
  static_assert(To::rank() < 2 || std::is_same_v<typename To::array_layout, typename From::array_layout>);
  require_contiguous(to);
  require_contiguous(from);
  for (std::size_t r = 0; r < To::rank(); ++r)
    if (to.extent(r) != from.extent(r))
      throw Error(ErrorKind::internal, "copy_array: extent " + std::to_string(r) + " of " + to.label() + " is " +
                                           std::to_string(to.extent(r)) + ", of " + from.label() + " " +
                                           std::to_string(from.extent(r)));
}

/// to = from, in the order of exec's work.
template <class Exec, class To, class From>
static void copy_array(Exec const& exec, To const& to, From const& from) {
  require_alike(to, from);
  Kokkos::deep_copy(exec, bytes_of<unsigned char>(to), bytes_of<unsigned char const>(from));
}

/// The same when all work before it is done, and complete when it returns.
template <class To, class From>
static void copy_array(To const& to, From const& from) {
  require_alike(to, from);
  Kokkos::deep_copy(bytes_of<unsigned char>(to), bytes_of<unsigned char const>(from));
}

/// A copy with the array's label on a device that exec's work reaches, in the order of that work.
template <class Device, class Exec, class Array>
static auto copy_of(Exec const& exec, Array const& array) {
  static_assert(Array::rank() == 1);
  auto const copy = new_array<typename Array::non_const_value_type, Device>(exec, array.label().c_str(),
                                                                            static_cast<std::int64_t>(array.size()));
  copy_array(exec, copy, array);
  return copy;
}

/// The same on any device, when all work before it is done, and complete when it returns.
template <class Device, class Array>
static auto copy_of(Array const& array) {
  static_assert(Array::rank() == 1);
  auto const copy = new_view<Kokkos::View<typename Array::non_const_value_type*, Device>>(array.label(), array.size());
  copy_array(copy, array);
  return copy;
}

/// copy_array, of bytes of no View. \tparam ToSpace, FromSpace  spaces or devices
template <class ToSpace, class FromSpace>
static void copy_bytes(void* to, void const* from, std::size_t bytes) {
  Kokkos::deep_copy(BytesOf<ToSpace, unsigned char>(static_cast<unsigned char*>(to), bytes),
                    BytesOf<FromSpace, unsigned char const>(static_cast<unsigned char const*>(from), bytes));
}

/// array[0, count) = value in exec's memory, in the order of exec's work.
template <class Exec, class T>
static void fill_array(Exec const& exec, T* array, std::int64_t count, std::type_identity_t<T> const& value) {
  if constexpr (shares_loops<Exec>) {
    for_each_index("araia::fill_array", IndexRange<Exec>(exec, 0, count), [=](std::int64_t i) { array[i] = value; });
  } else {
    Kokkos::deep_copy(
        exec,
        Kokkos::View<T*, typename Exec::memory_space, Kokkos::MemoryUnmanaged>(array, static_cast<std::size_t>(count)),
        value);
  }
}

/// The same of a contiguous View of any rank.
template <class Exec, class Array>
static void fill_array(Exec const& exec, Array const& array, typename Array::non_const_value_type const& value) {
  require_contiguous(array);
  fill_array(exec, array.data(), static_cast<std::int64_t>(array.size()), value);
}

/// *value, which lies in exec's memory. Fences exec: for one value a step.
/// \param why  label of the fence
template <class Exec, class T>
static std::remove_const_t<T> value_at(Exec const& exec, char const* why, T* value) {
  if constexpr (shares_loops<Exec>) {
    exec.fence(why);
    return *value;
  } else {
    std::remove_const_t<T> read{};
    Kokkos::deep_copy(exec,
                      BytesOf<Kokkos::HostSpace, unsigned char>(reinterpret_cast<unsigned char*>(&read), sizeof read),
                      BytesOf<typename Exec::memory_space, unsigned char const>(
                          reinterpret_cast<unsigned char const*>(value), sizeof read));
    exec.fence(why);
    return read;
  }
}

}  // namespace araia::detail
