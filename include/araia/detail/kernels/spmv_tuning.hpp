// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of SpMV kernels: structs that may change the time, never the answer beyond rounding.

#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/csr_partition.hpp>

namespace araia {

namespace host {
struct CsrRowRuns;  // of backends/openmp/csr_row_runs.hpp
}

/// Kernels for y = alpha op(A) x + beta y, A in CSR. `automatic` is the best default for the space and operands.
enum class CsrSpmvKernel {
  automatic,
  thread_per_row,  ///< portable
  vector_per_row,  ///< portable: vector lanes share a row
  transposed,      ///< portable: Op::transpose and Op::conjugate_transpose, scatters by atomics
  host_simd,       ///< host spaces: SIMD, equal entries a thread; contiguous x and y, Op::none
  host_simd_runs,  ///< the same, and rows that share columns up to a shift read them once; needs row_runs
  sub_warp,        ///< CUDA: lanes share a row, several entries a lane at a time; contiguous x and y, Op::none
  balanced,        ///< portable: teams own equal chunks of the merge path; needs partition; Op::none
  equal_chunks     ///< CUDA: blocks own equally many entries; needs partition; contiguous x and y, Op::none
};

struct CsrSpmvTuning {
  CsrSpmvKernel kernel = CsrSpmvKernel::automatic;
  int rows_per_team = 0;                       ///< rows; 0: chosen by the kernel
  int team_size = 0;                           ///< threads; 0: chosen by the kernel
  int vector_length = 0;                       ///< lanes a row, a power of two up to 32; 0: from the mean row length
  host::CsrRowRuns const* row_runs = nullptr;  ///< of host_simd_runs: from inspect_rows(exec, A), kept alive
  CsrPartitionPointers partition{};            ///< of balanced and equal_chunks: from partition_rows(exec, A, kernel)
  bool deterministic = false;                  ///< of automatic: no atomics, so the same bits on every run. On CUDA a
                                               ///< block then sums a row of any length; sub_warp by name always does so
  friend bool operator==(CsrSpmvTuning const&, CsrSpmvTuning const&) = default;
};

enum class CooSpmvKernel {
  automatic,
  atomic,    ///< portable: an atomic an entry (none on one thread); any order
  segmented  ///< portable: runs of equal rows summed first; needs `sorted`
};

struct CooSpmvTuning {
  CooSpmvKernel kernel = CooSpmvKernel::automatic;
  int entries_per_thread = 0;  ///< consecutive entries of one thread; 0: chosen by the kernel
  int team_size = 0;           ///< threads; 0: chosen by the kernel
  friend bool operator==(CooSpmvTuning const&, CooSpmvTuning const&) = default;
};

/// ELL has one kernel an operation: thread_per_row, in a form for devices and one for hosts, and transposed for
/// Op::transpose.
struct EllSpmvTuning {
  int rows_per_team = 0;  ///< rows; 0: chosen by the kernel
  int team_size = 0;      ///< threads; 0: chosen by the kernel
  friend bool operator==(EllSpmvTuning const&, EllSpmvTuning const&) = default;
};

/// Names as printed by plans and accepted by the command, which descriptors in backends say: "thread_per_row", ...
[[nodiscard]] char const* kernel_name(CsrSpmvKernel kernel);
[[nodiscard]] char const* kernel_name(CooSpmvKernel kernel);

namespace detail {
/// Which items the kernel's chunks have equally many of.
constexpr CsrCut cut_of(CsrSpmvKernel kernel) {
  return kernel == CsrSpmvKernel::equal_chunks ? CsrCut::entries : CsrCut::path;
}
}  // namespace detail

}  // namespace araia
