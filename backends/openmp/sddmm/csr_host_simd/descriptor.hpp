// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, four entries at once with SIMD chosen at run time: one
// real scalar for all operands, rows of X and op(Y)' contiguous.
// Code: backends/openmp/sddmm/csr_host_simd/kernel.cpp, backends/openmp/sddmm/csr_host_simd/rows.cpp.
// Test: tests/backends/test_csr_sddmm_host.cpp.

#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdSddmm : detail::ProposedAsIs<CsrHostSimdSddmm>, detail::SampledAsItLies<CsrHostSimdSddmm> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "host_simd",
                                   .runs = Runs::by_host_simd,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSddmmTuning tuning{.kernel = CsrSddmmKernel::host_simd};

  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
