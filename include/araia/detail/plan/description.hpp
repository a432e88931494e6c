// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a plan is for: the operation with everything that is fixed before the values come.

#include <cstdint>

#include <araia/detail/formats/pointers.hpp>
#include <araia/precision.hpp>

namespace araia {

/// What a plan runs: the operation of its description, but for SpGEMM, whose plans are SpgemmPlan.
enum class OpId {
  spmv,   ///< y = alpha op(A) x + beta y
  spmm,   ///< C = alpha op(A) B + beta C
  sddmm,  ///< D = alpha A .* (X op(Y)) + beta D
  spgemm  ///< C = alpha op(A) op(B), all three sparse
};

/// As prices, commands and JSON name it.
[[nodiscard]] constexpr char const* to_string(OpId operation) {
  switch (operation) {
    case OpId::spmv: return "spmv";
    case OpId::spmm: return "spmm";
    case OpId::sddmm: return "sddmm";
    case OpId::spgemm: return "spgemm";
  }
  return "unknown";
}

/// Layout of a dense operand. A plan for `strided` takes any strides, the others only their own.
enum class DenseLayout {
  left,    ///< columns contiguous, any leading dimension
  right,   ///< rows contiguous, any leading dimension
  strided  ///< any two strides
};

/// y = alpha op(A) x + beta y.
struct SpmvDesc {
  static constexpr OpId operation = OpId::spmv;
  Op op = Op::none;
  bool strided = false;  ///< x or y may have a stride other than one
  /// residual and multiply_dot are what will run most: kernels that form them in one pass are preferred, and measuring
  /// times multiply_dot where op(A) is square.
  bool fused = false;
  friend bool operator==(SpmvDesc const&, SpmvDesc const&) = default;
};

/// C = alpha op(A) B + beta C with `columns` columns in B and C.
struct SpmmDesc {
  static constexpr OpId operation = OpId::spmm;
  Op op = Op::none;
  std::int64_t columns = 1;
  DenseLayout layout_b = DenseLayout::right;
  DenseLayout layout_c = DenseLayout::right;
  /// What products may round: a permission. Kernels of more precision are candidates too, and for scalars other than
  /// float the only ones.
  Precision precision = Precision::native;
  friend bool operator==(SpmmDesc const&, SpmmDesc const&) = default;
};

/// D = alpha A .* (X op(Y)) + beta D: the product of two dense matrices at the entries of A, times A's values. D is a
/// value an entry of A, in the order of A's entries.
struct SddmmDesc {
  static constexpr OpId operation = OpId::sddmm;
  Op op = Op::transpose;     ///< of Y, which is (k, cols) for none and conjugate, (cols, k) for the others
  std::int64_t columns = 1;  ///< of X, which is (rows, k): k, the length of the dot products
  DenseLayout layout_x = DenseLayout::right;
  DenseLayout layout_y = DenseLayout::right;  ///< of Y as it is given
  /// D = alpha spy(A) .* (X op(Y)) + beta D: of A the pattern alone is read.
  bool pattern = false;
  friend bool operator==(SddmmDesc const&, SddmmDesc const&) = default;
};

[[nodiscard]] constexpr char const* to_string(DenseLayout layout) {
  switch (layout) {
    case DenseLayout::left: return "left";
    case DenseLayout::right: return "right";
    case DenseLayout::strided: return "strided";
  }
  return "unknown";
}

[[nodiscard]] constexpr char const* to_string(Op op) {
  switch (op) {
    case Op::none: return "none";
    case Op::transpose: return "transpose";
    case Op::conjugate_transpose: return "conjugate_transpose";
    case Op::conjugate: return "conjugate";
  }
  return "unknown";
}

}  // namespace araia
