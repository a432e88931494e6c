// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, float, rows of A of like length side by side, a slice of B in shared memory:
// packing.hpp has the drawing.
// Code: backends/cuda/spmm/csr_lockstep/kernel.cu, backends/cuda/spmm/csr_lockstep/packing.cpp.
// Test: tests/backends/cuda/test_spmm_cuda.cpp. Price: backends/cuda/spmm/csr_lockstep/choice.cpp.

#include <cstdint>

#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/csr_lockstep/choice.hpp"

namespace araia::kernels {

struct CsrLockstepSpmm : cuda::PackedKernel<CsrLockstepSpmm, cuda::Floats> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "lockstep",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for lockstep"};

  static auto choose(cuda::SpmmProblem const& p) { return cuda::choose_lockstep(p); }

  static std::uint64_t packed_bytes(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    return static_cast<std::uint64_t>(nnz * 2 * sizeof(std::uint32_t) + rows * sizeof(std::int32_t));
  }
  static double thread_seconds(Problem const& p) {
    return static_cast<double>(p.stats.nnz) * 9.3e-9 + static_cast<double>(p.stats.rows) * 16e-9;
  }
};

}  // namespace araia::kernels
