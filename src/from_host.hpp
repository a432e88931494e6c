// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arrays of the host's for an execution space.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include <araia/detail/formats/arrays.hpp>

namespace araia::detail {

/// A copy in exec's memory, complete when it returns.
template <class Exec, class T>
static Kokkos::View<T*, typename Exec::device_type> array_from_host(Exec const& exec, char const* label, T const* from,
                                                                    std::int64_t count) {
  using Device = typename Exec::device_type;
  auto const array = new_array<T, Device>(exec, label, count);
  exec.fence("araia: the array is there before it is copied to");
  copy_bytes<Device, Kokkos::HostSpace>(array.data(), from, static_cast<std::size_t>(count) * sizeof(T));
  return array;
}

}  // namespace araia::detail
