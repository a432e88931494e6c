// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Contiguous arrays of conversions: made, filled, copied, and one value read. Kokkos::deep_copy is for Views of any
// layout, so each pair of types of it takes g++ 0.2 s, at -O3 0.35: here bytes are copied, by one of it a pair of
// spaces, and hosts fill in a shared loop.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <araia/assembly/huge_pages.hpp>
#include <araia/error.hpp>
#include <araia/formats/loops.hpp>

namespace araia::detail {

/// An uninitialised View of `count` elements, allocated in the order of exec's work.
template <class T, class Device, class Exec>
Kokkos::View<T*, Device> new_array(Exec const& exec, char const* label, std::int64_t count) {
  Kokkos::View<T*, Device> const array(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string(label)),
                                       static_cast<std::size_t>(count));
  ask_for_huge_pages(array);
  return array;
}

template <class Space, class Byte>
using BytesOf = Kokkos::View<Byte*, Space, Kokkos::MemoryUnmanaged>;

/// The bytes of a contiguous View of any rank. \tparam Byte  unsigned char, or const
template <class Byte, class Array>
static BytesOf<typename Array::memory_space, Byte> bytes_of(Array const& array) {
  static_assert(!std::is_same_v<typename Array::array_layout, Kokkos::LayoutStride>);
  static_assert(std::is_trivially_copyable_v<typename Array::non_const_value_type>);
  return {reinterpret_cast<Byte*>(array.data()), array.size() * sizeof(typename Array::value_type)};
}

template <class To, class From>
static void require_alike(To const& to, From const& from) {
  static_assert(std::is_same_v<typename To::non_const_value_type, typename From::non_const_value_type>);
  if (to.size() != from.size())
    throw Error(ErrorKind::internal, "copy_array: " + to.label() + " holds " + std::to_string(to.size()) +
                                         " elements, " + from.label() + " " + std::to_string(from.size()));
}

/// to = from, of one length and type, in the order of exec's work.
template <class Exec, class To, class From>
static void copy_array(Exec const& exec, To const& to, From const& from) {
  require_alike(to, from);
  Kokkos::deep_copy(exec, bytes_of<unsigned char>(to), bytes_of<unsigned char const>(from));
}

/// Bytes from one space or device to another when all work before is done; complete when it returns.
template <class ToSpace, class FromSpace>
static void copy_bytes(void* to, void const* from, std::size_t bytes) {
  using To = BytesOf<ToSpace, unsigned char>;
  using From = BytesOf<FromSpace, unsigned char const>;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename To::memory_space>::accessible &&
                Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename From::memory_space>::accessible) {
    Kokkos::fence("araia::copy_bytes: they are complete");
    if (bytes > 0) std::memcpy(to, from, bytes);
  } else {
    Kokkos::deep_copy(To(static_cast<unsigned char*>(to), bytes), From(static_cast<unsigned char const*>(from), bytes));
  }
}

/// to = from, of one length and type, likewise.
template <class To, class From>
static void copy_array(To const& to, From const& from) {
  require_alike(to, from);
  copy_bytes<typename To::memory_space, typename From::memory_space>(to.data(), from.data(),
                                                                     to.size() * sizeof(typename To::value_type));
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
  static_assert(!std::is_same_v<typename Array::array_layout, Kokkos::LayoutStride>);
  fill_array(exec, array.data(), static_cast<std::int64_t>(array.size()), value);
}

/// *value, which lies in exec's memory. Fences exec.
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
