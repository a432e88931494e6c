// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Division by a number that is known at the launch: a product's upper half and a shift.

#include <cuda_runtime_api.h>

#include <bit>
#include <cstdint>

namespace araia::cuda {

/// n / by for 0 <= n < 2^31, 1 <= by < 2^31.
struct Divisor {
  std::int32_t by = 1;
  std::uint32_t factor = 0;
  std::uint32_t shift = 0;

  Divisor() = default;
  /// factor = floor(2^(31 + l) / by) + 1 with 2^(l - 1) < by <= 2^l: its error, at most 1, stays below 1 / by in the
  /// quotient. Source  [GranlundMontgomery1994]
  explicit Divisor(std::int32_t d) : by(d) {
    if (d == 1) return;
    auto const bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(d - 1)));
    factor = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + bits)) / static_cast<std::uint32_t>(d) + 1);
    shift = bits - 1;
  }

  __device__ __forceinline__ std::int32_t quotient(std::int32_t n) const {
    return by == 1 ? n : static_cast<std::int32_t>(__umulhi(static_cast<unsigned>(n), factor) >> shift);
  }
};

}  // namespace araia::cuda
