// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What conversions may allocate, and sums of bytes that saturate.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>

namespace araia::detail {

/// The limit asked for, or by default that of the host or half of what the device has free.
template <class Space>
std::uint64_t memory_limit_or_default(std::uint64_t asked) {
  if (asked) return asked;
  return host_reaches<Space> ? default_host_memory_limit() : default_device_memory_limit();
}

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// Of a conversion with its workspace: within what the host has, or the result's own limit where that is more. A host
/// that has no room for workspace kills the process rather than refuse; a device refuses by itself.
/// \throws araia::Error resource_limit naming need and limit
template <class Space>
void require_room_beside(char const* what, std::uint64_t result, std::uint64_t workspace, std::uint64_t limit) {
  if constexpr (host_reaches<Space>)
    if (workspace > 0)
      require_memory(what, saturating_sum(result, workspace), std::max(limit, default_host_memory_limit()));
}

}  // namespace araia::detail
