// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/csr_spmv_sub_warp.cu, backends/cuda/spmv/csr_long_rows/kernel.cu.
// Test: tests/backends/cuda/test_spmv_cuda.cpp.

#include <algorithm>
#include <cmath>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrSubWarpSpmv {
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "sub_warp", .runs = Runs::by_cuda};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::sub_warp};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.lead({.format = "csr", .kernel = "sub_warp"});
  }
  /// Rows of more than some passes go to the warp, and longer ones to the block.
  static double seconds(Pricing const& a) {
    auto const& s = a.problem.stats;
    constexpr double most_deviations = 4;
    auto terms = detail::device_terms(a);
    terms.waiting =
        1 + a.price("uneven", 0) * std::min(most_deviations, s.length_deviation / std::max(1.0, s.mean_length));
    terms.waste *= terms.waiting;
    double const pass = 2 * detail::lanes_of_row(a.problem, a.choice);
    double const pass_seconds = a.prices["device/pass"];
    terms.chain = a.longest() <= a.price("passes", 0) * pass
                      ? std::ceil(a.longest() / pass) * pass_seconds
                      : a.price("take_over", 0) + std::ceil(a.longest() / a.price("block_entries", 1)) * pass_seconds;
    return detail::device_seconds(a, terms);
  }
  static bool fuses(Problem const& p) { return p.value_bytes != 0; }
};

}  // namespace araia::kernels
