// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, rows of A in groups that share reads of B: packing.hpp has the drawing.
// Code: backends/cuda/spmm/csr_row_groups/kernel.cu, backends/cuda/spmm/csr_row_groups/packing.cpp.
// Test: tests/backends/cuda/test_row_groups.cpp, tests/backends/cuda/test_group_packing.cpp.
// Price: backends/cuda/spmm/csr_row_groups/price.cpp, backends/cuda/spmm/csr_row_groups/choice.cpp.

#include <cstdint>

#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"

namespace araia::kernels {

struct CsrRowGroupsSpmm : cuda::PackedKernel<CsrRowGroupsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "row_groups",
                                   .runs = Runs::where_bound,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for row_groups"};

  static auto choose(cuda::SpmmProblem const& p) { return cuda::price_row_groups(p); }

  /// Its own values, and A's for sums that are made again.
  static std::uint64_t packed_bytes(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    auto const scalar = static_cast<std::size_t>(p.x_bytes);
    return static_cast<std::uint64_t>(nnz * static_cast<double>(2 * scalar + sizeof(std::int32_t)) +
                                      rows * 2 * sizeof(std::int32_t));
  }
  static double thread_seconds(Problem const& p) {
    return static_cast<double>(p.stats.nnz) * 30e-9 + static_cast<double>(p.stats.rows) * 90e-9;
  }
};

}  // namespace araia::kernels
