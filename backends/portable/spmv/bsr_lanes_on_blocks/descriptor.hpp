// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bsr_spmv_lanes_on_blocks.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrLanesOnBlocksSpmv : detail::ProposedInBlocks<BsrLanesOnBlocksSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bsr",
                                   .name = "lanes_on_blocks",
                                   .reads = reads::rows | reads::threads | reads::lanes};
  static constexpr BsrSpmvTuning tuning{.kernel = BsrSpmvKernel::lanes_on_blocks};

  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::bsr_host_terms(a));
    auto terms = detail::device_terms(a);
    terms.chain = a.longest() / detail::lanes_of_row(a.problem, a.choice) * a.prices["device/pass"];
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
