// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sizes that generators take, checked before they are multiplied.

#include <cstdint>
#include <limits>
#include <string>

#include <araia/error.hpp>

namespace araia::generate::detail {

inline constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();  ///< and columns

/// \throws araia::Error (invalid_argument) "araia::generate::<function>: <what>"
[[noreturn]] inline void refuse(std::string const& function, std::string const& what) {
  throw Error(ErrorKind::invalid_argument, "araia::generate::" + function + ": " + what);
}

/// nx ny nz, where each is 1 or more and the product times `rows_each` is most_rows at most.
inline std::int64_t checked_points(std::string const& function, std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                   std::int64_t rows_each = 1) {
  std::int64_t room = most_rows / rows_each;
  for (std::int64_t const n : {nx, ny, nz}) {
    if (n < 1 || n > room)
      refuse(function, "sizes are " + std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) +
                           ", expected 1 or more each and at most " + std::to_string(most_rows) + " rows in all");
    room /= n;
  }
  return nx * ny * nz;
}

/// \throws araia::Error (invalid_argument) where a matrix cannot have so many rows or columns
inline void require_size(std::string const& function, char const* argument, std::int64_t size, std::int64_t least) {
  if (size < least || size > most_rows)
    refuse(function, std::string(argument) + " is " + std::to_string(size) + ", expected " + std::to_string(least) +
                         " to " + std::to_string(most_rows));
}

}  // namespace araia::generate::detail
