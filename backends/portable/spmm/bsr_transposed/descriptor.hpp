// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bsr_spmm_transposed.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrTransposedSpmm : detail::ProposedInBlocks<BsrTransposedSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bsr",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr BsrSpmmTuning tuning{.kernel = BsrSpmmKernel::transposed};

  /// An atomic a slot.
  static double seconds(Pricing const& a) {
    return detail::scattered_seconds(a, detail::bsr_host_terms(a), static_cast<double>(a.footprint.slots));
  }
};

}  // namespace araia::kernels
