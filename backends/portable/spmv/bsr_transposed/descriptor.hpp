// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bsr_spmv_transposed.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrTransposedSpmv : detail::ProposedInBlocks<BsrTransposedSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bsr",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr BsrSpmvTuning tuning{.kernel = BsrSpmvKernel::transposed};

  /// An atomic a slot.
  static double seconds(Pricing const& a) {
    auto const atomics = static_cast<double>(a.footprint.slots);
    if (!a.machine.device) {
      auto terms = detail::bsr_host_terms(a);
      terms.atomics = atomics;
      return detail::host_seconds(a, terms);
    }
    auto terms = detail::device_terms(a);
    terms.atomics = atomics;
    terms.chain = a.longest() / detail::lanes_of_row(a.problem, a.choice) * a.prices["device/pass"];
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
