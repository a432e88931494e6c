// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sizes that are checked before anything is allocated: products that would wrap, bytes beyond a limit.

#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/io/memory_limit.hpp>
#include <araia/error.hpp>

namespace araia {

/// Half of what is free on the current CUDA device; the host's limit where the build has no CUDA.
[[nodiscard]] std::uint64_t default_device_memory_limit();

namespace detail {

/// a * b, or the largest value where that would wrap.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a ? std::numeric_limits<std::uint64_t>::max()
                                                                     : a * b;
}

/// Throws resource_limit naming need and limit.
inline void require_memory(char const* what, std::uint64_t need, std::uint64_t limit) {
  if (need > limit)
    throw Error(ErrorKind::resource_limit, std::string(what) + " needs " + std::to_string(need) +
                                               " bytes, the limit is " + std::to_string(limit) + " bytes");
}

/// Throws resource_limit where `value` does not fit Integer.
template <class Integer>
void require_fits(char const* what, std::int64_t value) {
  if (value < 0 || static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()))
    throw Error(ErrorKind::resource_limit, std::string(what) + " is " + std::to_string(value) +
                                               ", the index type holds at most " +
                                               std::to_string(std::numeric_limits<Integer>::max()));
}

}  // namespace detail
}  // namespace araia
