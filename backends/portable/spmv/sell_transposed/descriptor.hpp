// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/sell_spmv_transposed.hpp. Test: tests/ops/test_sell.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct SellTransposedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "sell",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr SellSpmvTuning tuning{.kernel = SellSpmvKernel::transposed};

  static void propose(Problem const& p, Machine const&, Proposals& list) {
    detail::propose_sell(p, {.format = "sell", .kernel = "transposed"}, list);
  }
  static double seconds(Pricing const& a) { return detail::lock_step_seconds(a); }
};

}  // namespace araia::kernels
