// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bsr_spmm_columns_on_lanes.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrColumnsOnLanesSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bsr",
                                   .name = "columns_on_lanes",
                                   .reads = reads::rows | reads::threads | reads::lanes};
  static constexpr BsrSpmmTuning tuning{.kernel = BsrSpmmKernel::columns_on_lanes};

  /// Where the host's SIMD kernel runs it is the better one.
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (m.device || !p.host_simd || !p.b_by_rows || p.value_bytes == 0)
      detail::propose_bsr(p, {.format = "bsr", .kernel = "columns_on_lanes"}, list);
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::bsr_host_terms(a));
    return detail::usual_seconds(a);
  }
};

}  // namespace araia::kernels
