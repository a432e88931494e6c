// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscBlockPerTeamSpmv {
  static constexpr detail::KernelInfo info{.operation = detail::OpId::spmv,
                                           .storage = "bcsc",
                                           .name = "block_per_team",
                                           .sums = detail::Sums::in_scratch,
                                           .reads = detail::reads::threads};

  static void propose(Problem const&, Machine const&, detail::Proposals& list) {
    detail::propose_bcsc({.format = "bcsc", .kernel = "block_per_team"}, list);
  }
  static double seconds(detail::Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
