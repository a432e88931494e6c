// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/sell_spmv_thread_per_row.hpp. Test: tests/ops/test_sell.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct SellThreadPerRowSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "sell",
                                   .name = "thread_per_row",
                                   .reads = reads::rows | reads::threads | reads::lanes};
  static constexpr SellSpmvTuning tuning{.kernel = SellSpmvKernel::thread_per_row};

  /// Where the host's SIMD kernel runs it is the better one; that needs values where there may be fill.
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (m.device || !p.host_simd || p.value_bytes == 0)
      detail::propose_sell(p, {.format = "sell", .kernel = "thread_per_row"}, list);
  }
  static double seconds(Pricing const& a) { return detail::lock_step_seconds(a); }
};

}  // namespace araia::kernels
