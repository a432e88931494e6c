// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How precisely a product is computed: the user's choice, never the library's.

#include <iterator>
#include <span>

namespace araia {

/// What a product may round. Each holds the error bound of docs/architecture.md with its own unit roundoff u; `native`
/// is the default, and kernels of more precision than asked for may always be chosen.
enum class Precision {
  native,       ///< the scalar type's own: u = 2^-24 for float, 2^-53 for double
  fp32_3xtf32,  ///< float in two TF32 halves, three products of them: u = 2^-21
  tf32,         ///< float rounded to TF32, 11 bits, sums in float: u = 2^-11
  fp16,         ///< float rounded to half, 11 bits of 2^-14 to 65504, sums in float: u = 2^-11, and product_floor()
  bf16,         ///< float rounded to bfloat16, 8 bits, sums in float: u = 2^-8
};

/// All that a user may ask for.
inline constexpr Precision all_precisions[] = {Precision::native, Precision::fp32_3xtf32, Precision::tf32,
                                               Precision::fp16, Precision::bf16};

/// Those that round more than the scalar type does.
inline constexpr std::span<Precision const> opt_in_precisions{all_precisions + 1, std::size(all_precisions) - 1};

/// As benchmarks and reports print it.
constexpr char const* precision_name(Precision precision) {
  switch (precision) {
    case Precision::native: return "native";
    case Precision::fp32_3xtf32: return "fp32_3xtf32";
    case Precision::tf32: return "tf32";
    case Precision::fp16: return "fp16";
    case Precision::bf16: return "bf16";
  }
  return "?";
}

/// u of the error bound. \param scalar_bytes  4 for float, 8 for double
constexpr double unit_roundoff(Precision precision, int scalar_bytes) {
  switch (precision) {
    case Precision::native: return scalar_bytes == 8 ? 0x1p-53 : 0x1p-24;
    case Precision::fp32_3xtf32: return 0x1p-21;
    case Precision::tf32: return 0x1p-11;
    case Precision::fp16: return 0x1p-11;
    case Precision::bf16: return 0x1p-8;
  }
  return 1;
}

/// May operands be rounded to TF32? Its range is that of float.
constexpr bool allows_tf32(Precision precision) {
  return precision == Precision::tf32 || precision == Precision::fp16 || precision == Precision::bf16;
}

/// What a product of operands up to these magnitudes may be off beside its bound by u: rounding to a smaller range adds
/// 2^-25 to an operand however small. 0 where the range is that of float.
constexpr double product_floor(Precision precision, double largest_a, double largest_b) {
  constexpr double of_operand = 0x1p-25;
  return precision == Precision::fp16 ? of_operand * (largest_a + largest_b + of_operand) : 0.0;
}

}  // namespace araia
