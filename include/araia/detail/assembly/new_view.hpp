// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one door to Kokkos's memory. Kokkos throws std::runtime_error where a space has none left; what leaves from here
// is araia::Error (resource_limit), or std::bad_alloc where the host had none for what Kokkos notes of the array.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/assembly/checked.hpp>

namespace araia::detail {

/// Inside a handler: throws what an allocation that Kokkos refused means, and anything else as it is.
/// \param label    of the array
/// \param bytes    of the array
/// \param on_host  in memory of the host, not of a device
/// \throws araia::Error resource_limit naming label, bytes and what there is; device where that cannot be asked
[[noreturn]] void rethrow_allocation(std::string const& label, std::uint64_t bytes, bool on_host);

/// Does the host reach memory of this space or device?
template <class Space>
inline constexpr bool host_reaches =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

/// Bytes of the elements of a View of these extents.
template <class View, class... Extents>
std::uint64_t bytes_of_view(Extents... extents) {
  static_assert(sizeof...(Extents) == View::rank_dynamic);
  std::uint64_t bytes = sizeof(typename View::value_type);
  ((bytes = saturating_product(bytes, static_cast<std::uint64_t>(extents))), ...);
  if constexpr (View::rank_dynamic < View::rank())  // nvcc warns of a loop without a turn
    for (std::size_t r = View::rank_dynamic; r < View::rank(); ++r)
      bytes = saturating_product(bytes, View::static_extent(r));
  return bytes;
}

/// make(), which allocates one array of so many bytes in memory of Space.
template <class Space, class Make>
auto allocated(std::string const& label, std::uint64_t bytes, Make const& make) {
  try {
    return make();
  } catch (...) {
    rethrow_allocation(label, bytes, host_reaches<Space>);
  }
}

/// An uninitialised View, allocated in the order of exec's work.
/// \throws araia::Error resource_limit where there is no memory
template <class View, class Exec, class... Extents>
requires Kokkos::is_execution_space_v<Exec> View new_view(Exec const& exec, std::string const& label,
                                                          Extents... extents) {
  return allocated<typename View::memory_space>(label, bytes_of_view<View>(extents...), [&] {
    return View(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), static_cast<std::size_t>(extents)...);
  });
}

/// The same when all work before it is done.
template <class View, class... Extents>
View new_view(std::string const& label, Extents... extents) {
  return allocated<typename View::memory_space>(label, bytes_of_view<View>(extents...), [&] {
    return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), static_cast<std::size_t>(extents)...);
  });
}

/// A View of zeros, allocated and filled in the order of exec's work.
/// \throws araia::Error resource_limit where there is no memory
template <class View, class Exec, class... Extents>
View zeroed_view(Exec const& exec, std::string const& label, Extents... extents) {
  return allocated<typename View::memory_space>(label, bytes_of_view<View>(extents...), [&] {
    return View(Kokkos::view_alloc(exec, label), static_cast<std::size_t>(extents)...);
  });
}

/// The View itself where the host reaches it, else a copy of it there, complete when this returns.
/// \throws araia::Error resource_limit where there is no memory
template <class View>
auto host_copy_of(View const& view) {
  return allocated<Kokkos::HostSpace>(view.label(), view.span() * sizeof(typename View::value_type),
                                      [&] { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); });
}

}  // namespace araia::detail
