// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the tables of kinds and of look-alikes share.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <araia/generate/matrix.hpp>

namespace araia::generate::detail {

/// The size, and what makes the matrix.
struct Planned {
  Size size;
  std::function<GeneratedMatrix()> make;
};

/// A published matrix and its look-alike.
struct LookAlike {
  std::string_view name;
  char const* klass;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t entries;
  /// \param rows  at least
  Planned (*plan)(LookAlike const& original, std::int64_t rows, std::uint64_t seed);
};

[[nodiscard]] std::span<LookAlike const> look_alikes();

/// The least n from `least` on with points(n) >= rows, where points grows with n.
template <class Points>
std::int64_t least_edge(std::int64_t least, std::int64_t rows, Points const& points) {
  std::int64_t n = least;
  while (points(n) < rows) ++n;
  return n;
}

}  // namespace araia::generate::detail
