// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of SpMM kernels: structs that may change the time, never the answer beyond rounding.

#include <algorithm>
#include <cstdint>

#include <araia/detail/kernels/spmv_tuning.hpp>

namespace araia {

/// Kernels for C = alpha op(A) B + beta C, A in CSR. `automatic` is the best default for the space and operands.
enum class CsrSpmmKernel {
  automatic,
  columns_on_lanes,  ///< portable: vector lanes share a row's columns of B
  transposed,        ///< portable: Op::transpose and Op::conjugate_transpose, scatters by atomics
  host_simd,         ///< host spaces: SIMD over the columns, equal entries a thread; Op::none
  host_simd_runs,    ///< the same, and rows that share columns up to a shift share loads of B; needs row_runs
  row_per_warp,      ///< CUDA: a warp a row, or some short rows, and tile of columns; Op::none, B and C row-major, one
                     ///< scalar for all
  merge_split        ///< CUDA: equal chunks of entries and rows; the same operands; needs partition
};

struct CsrSpmmTuning {
  CsrSpmmKernel kernel = CsrSpmmKernel::automatic;
  int rows_per_team = 0;     ///< rows; 0: chosen by the kernel
  int team_size = 0;         ///< threads; 0: chosen by the kernel
  int vector_length = 0;     ///< lanes over columns, a power of two up to 32; 0: from the number of columns
  int columns_per_lane = 0;  ///< columns a lane sums at once: 1, 4 or 8; 0: from the number of columns
  host::CsrRowRuns const* row_runs = nullptr;  ///< of host_simd_runs: from inspect_rows(exec, A), kept alive
  CsrPartitionPointers partition{};            ///< of merge_split: from partition_rows(exec, A, kernel, columns)
  friend bool operator==(CsrSpmmTuning const&, CsrSpmmTuning const&) = default;
};

/// ELL has one kernel an operation: columns_on_lanes, and transposed for Op::transpose.
struct EllSpmmTuning {
  int rows_per_team = 0;
  int team_size = 0;
  int vector_length = 0;
  int columns_per_lane = 0;
  friend bool operator==(EllSpmmTuning const&, EllSpmmTuning const&) = default;
};

/// COO has one kernel, atomic.
struct CooSpmmTuning {
  int entries_per_team = 0;  ///< entries; 0: chosen by the kernel
  int team_size = 0;         ///< threads; 0: chosen by the kernel
  int vector_length = 0;     ///< lanes over columns; 0: from the number of columns
  friend bool operator==(CooSpmmTuning const&, CooSpmmTuning const&) = default;
};

/// Names of descriptors: "columns_on_lanes", ...
[[nodiscard]] char const* kernel_name(CsrSpmmKernel kernel);

namespace detail {

/// Lanes over columns on a device: the power of two that covers the columns, at most a warp.
inline int column_lanes_for(std::int64_t columns) {
  int lanes = 1;
  while (lanes < device_warp && lanes < columns) lanes *= 2;
  return lanes;
}

/// Columns a lane sums at once: as many as there are, in the steps that are built.
template <class Exec>
int columns_per_lane_for(std::int64_t columns, int vector_length) {
  std::int64_t const per_lane = (columns + vector_length - 1) / vector_length;
  if constexpr (is_device_space<Exec>) return per_lane >= 4 ? 4 : 1;
  return per_lane >= 8 ? 8 : per_lane >= 4 ? 4 : 1;
}

}  // namespace detail
}  // namespace araia
