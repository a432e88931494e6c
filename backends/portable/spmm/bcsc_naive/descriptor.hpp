// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmm_naive.hpp. Test: tests/ops/test_bcsc.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscNaiveSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "bcsc", .name = "naive", .reads = reads::threads | reads::columns};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::naive};

  /// Where the host's SIMD kernel runs it is the better one.
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (m.device || !p.host_simd || !p.b_by_rows) detail::propose_bcsc({.format = "bcsc", .kernel = "naive"}, list);
  }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
