// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where each stored entry came from in the source: 32 bits an entry below 2^32 entries, 64 bits beyond.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/memory_limit.hpp>

namespace araia {

namespace detail {

/// What kernels capture of a GatherMap. One of the two is null.
struct GatherPointers {
  std::uint32_t* narrow = nullptr;
  std::uint64_t* wide = nullptr;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t at(std::int64_t i) const {
    return narrow ? static_cast<std::int64_t>(narrow[i]) : static_cast<std::int64_t>(wide[i]);
  }
  KOKKOS_INLINE_FUNCTION void set(std::int64_t i, std::int64_t source) const {
    if (narrow)
      narrow[i] = static_cast<std::uint32_t>(source);
    else
      wide[i] = static_cast<std::uint64_t>(source);
  }
};

}  // namespace detail

/// Stored entry i comes from entry at(i) of the source. Empty unless a conversion was asked to keep it; one array at
/// most is set.
template <class Device>
struct GatherMap {
  Kokkos::View<std::uint32_t*, Device> narrow{};
  Kokkos::View<std::uint64_t*, Device> wide{};

  [[nodiscard]] std::size_t size() const { return narrow.extent(0) + wide.extent(0); }
  [[nodiscard]] std::uint64_t bytes() const { return narrow.extent(0) * 4 + wide.extent(0) * 8; }
  [[nodiscard]] detail::GatherPointers pointers() const {
    return {narrow.extent(0) ? narrow.data() : nullptr, wide.extent(0) ? wide.data() : nullptr};
  }
};

namespace detail {

/// Bytes of the map of `count` entries, before it is made.
constexpr std::uint64_t gather_map_bytes(std::int64_t count) {
  bool const narrow = static_cast<std::uint64_t>(count) <= std::numeric_limits<std::uint32_t>::max();
  return saturating_product(static_cast<std::uint64_t>(count), narrow ? 4 : 8);
}

template <class Device, class Exec>
GatherMap<Device> new_gather_map(Exec const& exec, char const* label, std::int64_t count) {
  GatherMap<Device> map;
  if (static_cast<std::uint64_t>(count) <= std::numeric_limits<std::uint32_t>::max())
    map.narrow = new_view<Kokkos::View<std::uint32_t*, Device>>(exec, label, count);
  else
    map.wide = new_view<Kokkos::View<std::uint64_t*, Device>>(exec, label, count);
  return map;
}

}  // namespace detail
}  // namespace araia
