// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on the tensor cores of Hopper, float, A as packed tiles that are made dense in shared memory:
// packing.hpp has the drawing.
// Code: backends/cuda/spmm/csr_tensor_tiles/kernel.cu, backends/cuda/spmm/csr_tensor_tiles/packing.cpp.
// Test: tests/backends/cuda/test_tile_spmm_cuda.cpp. Price: backends/cuda/spmm/csr_tensor_tiles/choice.cpp.

#include <algorithm>
#include <cstdint>

#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/choice.hpp"

namespace araia::kernels {

struct CsrTensorTilesSpmm : cuda::PackedKernel<CsrTensorTilesSpmm, cuda::Floats> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "tensor_tiles",
                                   .runs = Runs::where_bound,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for tensor_tiles"};

  static auto choose(cuda::SpmmProblem const& p) { return cuda::choose_tiles(p); }

  /// Has the build the kernel?
  static bool is_built() { return cuda::tile_spmm_runs_on(9, 0); }
  static Precision precision(Problem const& p) { return p.precision; }
  static std::uint64_t packed_bytes(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    double const cells = static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols);
    return static_cast<std::uint64_t>(nnz * (sizeof(float) + sizeof(std::uint16_t)) +
                                      cells / (cuda::tile_side * cuda::tile_side) * sizeof(std::int32_t));
  }
  static double thread_seconds(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    double const tiles =
        static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols) / (cuda::tile_side * cuda::tile_side);
    return nnz * 25e-9 + std::min(tiles, nnz / cuda::tile_granule) * 3e-6 + tiles * 80e-9;
  }
};

}  // namespace araia::kernels
