// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D on the pattern of a CSR, equal entries a thread: any types, any strides, rows of
// any lengths.
// Code: include/araia/detail/kernels/csr_sddmm_equal_chunks.hpp. Test: tests/ops/test_sddmm.cpp.

#include "backends/portable/sddmm/bound_csr.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrEqualChunksSddmm : detail::ProposedAsIs<CsrEqualChunksSddmm>, detail::SampledAsItLies<CsrEqualChunksSddmm> {
  static constexpr KernelInfo info{.operation = OpId::sddmm,
                                   .storage = "csr",
                                   .name = "equal_chunks",
                                   .reads = reads::entries | reads::threads | reads::lanes,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSddmmTuning tuning{.kernel = CsrSddmmKernel::equal_chunks};

  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
