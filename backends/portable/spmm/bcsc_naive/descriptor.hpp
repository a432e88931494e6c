// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscNaiveSpmm {
  static constexpr detail::KernelInfo info{.operation = detail::OpId::spmm,
                                           .storage = "bcsc",
                                           .name = "naive",
                                           .reads = detail::reads::threads | detail::reads::columns};

  /// Where the host's SIMD kernel runs it is the better one.
  static void propose(Problem const& p, Machine const& m, detail::Proposals& list) {
    if (m.device || !p.host_simd || !p.b_by_rows) detail::propose_bcsc({.format = "bcsc", .kernel = "naive"}, list);
  }
  static double seconds(detail::Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
