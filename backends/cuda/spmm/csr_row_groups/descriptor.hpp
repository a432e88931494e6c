// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, rows of A in groups that share reads of B: packing.hpp has the drawing, kernel.cu the
// kernel.

#include <cstdint>
#include <memory>

#include "backends/cuda/lib/packed_kernel.hpp"

namespace araia::cuda {

/// Packs the source on the host and brings it to the device.
/// \throws araia::Error unsupported where the kernel does not run so many columns; resource_limit; device
template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_row_groups(Exec const& exec, Source const& source, Options const& options);

}  // namespace araia::cuda

namespace araia::kernels {

struct CsrRowGroupsSpmm : cuda::PackedKernel<CsrRowGroupsSpmm, cuda::SpmmKernel::row_groups> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "row_groups",
                                   .runs = Runs::where_bound,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .cuda_alone = true,
                                   .packing = " packed for row_groups"};

  /// Its own values, and A's for sums that are made again.
  static std::uint64_t packed_bytes(Problem const& p) {
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    auto const scalar = static_cast<std::size_t>(p.x_bytes);
    return static_cast<std::uint64_t>(nnz * static_cast<double>(2 * scalar + sizeof(std::int32_t)) +
                                      rows * 2 * sizeof(std::int32_t));
  }
  // Of one thread: fits to what two cores of Emerald Rapids took for matrices of 512 to 8192 rows, 0.6 to 0.98 sparse,
  // within 20%.
  static double thread_seconds(Problem const& p) {
    return static_cast<double>(p.stats.nnz) * 30e-9 + static_cast<double>(p.stats.rows) * 90e-9;
  }
  template <class Own, class Exec, class Source, class Options>
  requires detail::multiplies_one_real<Own, Source>
  static std::shared_ptr<Own> bind(Exec const& exec, Source const& source, Choice const&, Options const& options) {
    return cuda::bind_row_groups<Own>(exec, source, options);
  }
};

}  // namespace araia::kernels
