// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the Bsr products. Portable kernels: an operation has one for op N and `transposed` for T and H.

#include <araia/precision.hpp>

namespace araia {

/// Kernels for y = alpha op(A) x + beta y, A in Bsr.
enum class BsrSpmvKernel {
  automatic,          ///< the best default for the space and operands; lanes_on_blocks where a team is described
  lanes_on_blocks,    ///< portable, Op::none
  transposed,         ///< portable, Op::transpose and Op::conjugate_transpose
  warp_per_block_row  ///< CUDA: blocks of 2 x 2, 3 x 3 and 4 x 4; contiguous x and y, Op::none
};

struct BsrSpmvTuning {
  int rows_per_team = 0;  ///< rows, rounded up to whole block rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes a row, a power of two up to 32; 0: from the mean length of a row's blocks
  BsrSpmvKernel kernel = BsrSpmvKernel::automatic;
  friend bool operator==(BsrSpmvTuning const&, BsrSpmvTuning const&) = default;
};

/// Columns from which on tensor_cores is faster than columns_on_lanes.
inline constexpr int bsr_tensor_least_columns = 4;

/// Kernels for C = alpha op(A) B + beta C, A in Bsr.
enum class BsrSpmmKernel {
  automatic,         ///< the best default for the space and operands; columns_on_lanes where a team is described
  columns_on_lanes,  ///< portable, Op::none
  transposed,        ///< portable, Op::transpose and Op::conjugate_transpose
  tensor_cores,  ///< CUDA: double, and float where `precision` is a lower one; Op::none, B and C row-major, one scalar
                 ///< for all, values there
  host_simd      ///< host spaces: SIMD over the columns; Op::none, B row-major, values there
};

struct BsrSpmmTuning {
  int rows_per_team = 0;  ///< rows, rounded up to whole block rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes over columns of B; 0: from the number of columns
  BsrSpmmKernel kernel = BsrSpmmKernel::automatic;
  Precision precision = Precision::native;  ///< what products of float may round: a permission
  friend bool operator==(BsrSpmmTuning const&, BsrSpmmTuning const&) = default;
};

/// Names of descriptors: "lanes_on_blocks", ...
[[nodiscard]] char const* kernel_name(BsrSpmvKernel kernel);
[[nodiscard]] char const* kernel_name(BsrSpmmKernel kernel);

}  // namespace araia
