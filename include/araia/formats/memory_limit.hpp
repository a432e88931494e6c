// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What conversions may allocate, and sums of bytes that saturate.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>

#include <araia/assembly/checked.hpp>

namespace araia::detail {

/// The limit asked for, or by default that of the host or half of what the device has free.
template <class Space>
std::uint64_t memory_limit_or_default(std::uint64_t asked) {
  if (asked) return asked;
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible ? default_host_memory_limit()
                                                                          : default_device_memory_limit();
}

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

}  // namespace araia::detail
