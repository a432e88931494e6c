// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, rows of A padded to multiples of eight entries, a warp a row: packing.hpp has the
// packing.
// Code: backends/cuda/csr_spmm_row_per_warp.cu, backends/cuda/spmm/csr_padded_rows/packing.cpp.
// Test: tests/backends/cuda/test_spmm_cuda.cpp. Price: backends/cuda/spmm/csr_padded_rows/choice.cpp.

#include <cstdint>

#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/csr_padded_rows/choice.hpp"

namespace araia::kernels {

struct CsrPaddedRowsSpmm : cuda::PackedKernel<CsrPaddedRowsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "padded_rows",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for padded_rows"};

  static auto choose(cuda::SpmmProblem const& p) { return cuda::choose_padded_rows(p); }

  static std::uint64_t packed_bytes(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    auto const scalar = static_cast<std::size_t>(p.x_bytes);
    return static_cast<std::uint64_t>(nnz * static_cast<double>(scalar + sizeof(std::int32_t)) +
                                      rows * sizeof(std::int32_t));
  }
  static double thread_seconds(Problem const& p) {
    return static_cast<double>(p.stats.nnz) * 1.5e-9 + static_cast<double>(p.stats.rows) * 5e-9;
  }
  static double conversion_seconds(Problem const& p, Machine const&) {
    return cuda::packing_seconds(p, thread_seconds(p), 1, packed_bytes(p));
  }
};

}  // namespace araia::kernels
