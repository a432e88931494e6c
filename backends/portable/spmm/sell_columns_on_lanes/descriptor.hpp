// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/sell_spmm_columns_on_lanes.hpp. Test: tests/ops/test_sell.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct SellColumnsOnLanesSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "sell",
                                   .name = "columns_on_lanes",
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns};
  static constexpr SellSpmmTuning tuning{.kernel = SellSpmmKernel::columns_on_lanes};

  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (m.device || !p.host_simd) detail::propose_sell(p, {.format = "sell", .kernel = "columns_on_lanes"}, list);
  }
  static double seconds(Pricing const& a) { return detail::lock_step_seconds(a); }
};

}  // namespace araia::kernels
