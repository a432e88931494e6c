// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmv_block_per_team.hpp. Test: tests/ops/test_bcsc.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscBlockPerTeamSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bcsc",
                                   .name = "block_per_team",
                                   .sums = Sums::in_scratch,
                                   .reads = reads::threads};
  static constexpr BcscSpmvTuning tuning{.kernel = BcscSpmvKernel::block_per_team};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    detail::propose_bcsc({.format = "bcsc", .kernel = "block_per_team"}, list);
  }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
