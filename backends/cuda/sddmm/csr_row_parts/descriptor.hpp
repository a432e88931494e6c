// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, lanes of a warp share dot products and Y comes through L1
// and L2: one real scalar for all operands, any strides.
// Code: backends/cuda/sddmm/csr_row_parts/kernel.cu. Test: tests/backends/cuda/test_sddmm_cuda.cpp.
// Price: backends/cuda/sddmm/shapes.cpp.

#include <algorithm>

#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrRowPartsSddmm : detail::ProposedAsIs<CsrRowPartsSddmm>, detail::SampledAsItLies<CsrRowPartsSddmm> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "row_parts",
                                   .runs = Runs::by_cuda,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSddmmTuning tuning{.kernel = CsrSddmmKernel::row_parts};

  /// Of an entry, its row of Y from the caches; or of memory, where that is slower.
  static double seconds(Pricing const& a) {
    double const entry = a.price("entry", 0) + a.columns() * a.problem.x_bytes * a.price("byte", 0);
    return a.machine.launch_seconds +
           std::max(detail::memory_seconds(a.traffic.bytes(), a.machine) * a.price("waste", 1), a.nnz() * entry);
  }
};

}  // namespace araia::kernels
