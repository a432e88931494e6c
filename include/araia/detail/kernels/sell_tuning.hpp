// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of the SELL kernels: structs that may change the time, never the answer beyond rounding.

#include <araia/detail/kernels/spmm_tuning.hpp>

namespace araia {

/// Kernels for y = alpha op(A) x + beta y, A in SELL.
enum class SellSpmvKernel {
  automatic,       ///< the best default for the space and operands; thread_per_row where a team is described
  thread_per_row,  ///< portable, Op::none
  transposed,      ///< portable, Op::transpose and Op::conjugate_transpose: scatters by atomics
  host_simd,       ///< host spaces: a lane a row; contiguous x and y, Op::none, equal heights, a multiple of 8
  rows_per_lane    ///< CUDA: slices of 32, 64 or 128 rows; contiguous x and y, Op::none
};

struct SellSpmvTuning {
  SellSpmvKernel kernel = SellSpmvKernel::automatic;
  int rows_per_team = 0;  ///< rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  int vector_length = 0;  ///< lanes that share the steps of a row, a power of two up to 32; 0: one
  friend bool operator==(SellSpmvTuning const&, SellSpmvTuning const&) = default;
};

/// Kernels for C = alpha op(A) B + beta C, A in SELL.
enum class SellSpmmKernel {
  automatic,         ///< the best default for the space and operands; columns_on_lanes where a team is described
  columns_on_lanes,  ///< portable, Op::none
  transposed,        ///< portable, Op::transpose and Op::conjugate_transpose: scatters by atomics
  host_simd          ///< host spaces: rows in CSR order on the way, SIMD over the columns; Op::none, B of a unit stride
};

struct SellSpmmTuning {
  int rows_per_team = 0;     ///< rows; 0: chosen by the kernel
  int team_size = 0;         ///< threads; 0: chosen by the kernel
  int vector_length = 0;     ///< lanes over columns, a power of two up to 32; 0: from the number of columns
  int columns_per_lane = 0;  ///< columns a lane sums at once: 1 or 4; 0: from the number of columns
  SellSpmmKernel kernel = SellSpmmKernel::automatic;
  friend bool operator==(SellSpmmTuning const&, SellSpmmTuning const&) = default;
};

/// Names of descriptors: "thread_per_row", ...
[[nodiscard]] char const* kernel_name(SellSpmvKernel kernel);
[[nodiscard]] char const* kernel_name(SellSpmmKernel kernel);

}  // namespace araia
