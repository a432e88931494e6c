// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Random numbers by counter: a value depends on its seed and coordinates alone, so rows may be made in any order.

#include <algorithm>
#include <cstdint>

#include "src/mixed_bits.hpp"

namespace araia::generate::detail {

using araia::detail::mixed_bits;

__extension__ using uint128 = unsigned __int128;

/// A generator's own constant under the caller's seed; seed 0 leaves it as it is.
constexpr std::uint64_t seeded(std::uint64_t constant, std::uint64_t seed) noexcept {
  return seed == 0 ? constant : constant ^ mixed_bits(seed);
}

constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t i, std::uint64_t j = 0) noexcept {
  return mixed_bits(mixed_bits(mixed_bits(seed) ^ i) ^ j);
}

/// Uniform in (0, 1).
constexpr double unit(std::uint64_t bits) noexcept { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

/// Uniform in [0, n) up to a bias of n / 2^64.
constexpr std::int64_t below(std::uint64_t bits, std::int64_t n) noexcept {
  return static_cast<std::int64_t>((static_cast<uint128>(bits) * static_cast<std::uint64_t>(n)) >> 64);
}

/// In [0.5, 1.5) with a random sign: sums neither vanish nor grow one way.
constexpr double entry(std::uint64_t bits) noexcept {
  double const magnitude = 0.5 + unit(bits);
  return (bits & 1) != 0 ? magnitude : -magnitude;
}

/// The entry at (i, j).
constexpr double entry_at(std::uint64_t seed, std::int64_t i, std::int64_t j) noexcept {
  return entry(draw(seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)));
}

/// The same for (i, j) and (j, i).
constexpr double symmetric_entry(std::uint64_t seed, std::int64_t i, std::int64_t j) noexcept {
  return entry_at(seed, std::min(i, j), std::max(i, j));
}

}  // namespace araia::generate::detail
