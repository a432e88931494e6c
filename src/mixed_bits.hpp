// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bits of a number that are far from its neighbours'.

#include <cstdint>

namespace araia::detail {

/// What a counter advances by from one number to the next.
inline constexpr std::uint64_t mixing_step = 0x9e3779b97f4a7c15u;

/// SplitMix64 [SteeleLeaFlood2014] of a counter: every bit of it moves about half of the bits of the result.
// clang-format off
#if defined(__CUDACC__) || defined(__HIPCC__)
__host__ __device__
#endif
constexpr std::uint64_t mixed_bits(std::uint64_t counter) noexcept {
  // clang-format on
  std::uint64_t bits = counter + mixing_step;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

}  // namespace araia::detail
