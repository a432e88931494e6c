// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CooAtomicSpmv {
  static constexpr detail::KernelInfo info{
      .operation = detail::OpId::spmv,
      .storage = "coo",
      .name = "atomic",
      .side = detail::Side::both,
      .sums = detail::Sums::scattered,
      .reads = detail::reads::entries | detail::reads::threads | detail::reads::lanes,
      .zeroes_result = true};

  static void propose(Problem const&, Machine const&, detail::Proposals& list) {
    list.add({.format = "coo", .kernel = "atomic"});
  }
  static double seconds(detail::Pricing const& a) {
    if (!a.machine.device) {
      auto terms = detail::host_terms(a);
      terms.balanced = true;
      return detail::host_seconds(a, terms);
    }
    return detail::usual_seconds(a);
  }
};

}  // namespace araia::kernels
