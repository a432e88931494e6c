// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmm_transposed.hpp. Test: tests/ops/test_spmm.cpp.

#include <algorithm>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrTransposedSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::transposed};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csr", .kernel = "transposed"});
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    detail::cover_columns(a, std::max(1, a.choice.vector_length) * std::max(1, a.choice.columns_per_lane), terms);
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
