// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/sell_spmm_host.cpp. Test: tests/backends/test_sell_spmm_host.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct SellHostSimdSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "sell", .name = "host_simd", .runs = Runs::by_host_simd, .even_work = true};
  static constexpr SellSpmmTuning tuning{.kernel = SellSpmmKernel::host_simd};

  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (!m.device && p.host_simd) detail::propose_sell(p, {.format = "sell", .kernel = "host_simd"}, list);
  }
  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
