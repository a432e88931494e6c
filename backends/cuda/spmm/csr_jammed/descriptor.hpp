// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, float, groups of four rows of A whose columns are sorted by which of the rows use
// them: packing.hpp has the drawing.
// Code: backends/cuda/spmm/csr_jammed/kernel.cu, backends/cuda/spmm/csr_jammed/packing.cpp,
// backends/cuda/spmm/csr_jammed/row_clusters.cpp. Test: tests/backends/cuda/test_spmm_cuda.cpp.
// Price: backends/cuda/spmm/csr_jammed/choice.cpp.

#include <algorithm>
#include <cstdint>

#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/csr_jammed/choice.hpp"

namespace araia::kernels {

struct CsrJammedSpmm : cuda::PackedKernel<CsrJammedSpmm, cuda::Floats> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "jammed",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for jammed"};

  static auto choose(cuda::SpmmProblem const& p) { return cuda::choose_jammed(p); }

  static std::uint64_t packed_bytes(Problem const& p) {
    constexpr double bytes_of_entry = 7.8;  // at 0.6 sparsity, where fewest steps are filled up
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    return static_cast<std::uint64_t>(nnz * bytes_of_entry + rows * sizeof(std::int32_t));
  }
  static double thread_seconds(Problem const& p) {
    // Rows are compared with those of a window, a bit a column.
    auto const rows = static_cast<double>(p.stats.rows);
    double const words = std::min(std::min(rows, 1024.0) * static_cast<double>(p.stats.cols) / 64, 65536.0);
    return static_cast<double>(p.stats.nnz) * 18e-9 + rows * words * 1.2e-9;
  }
};

}  // namespace araia::kernels
