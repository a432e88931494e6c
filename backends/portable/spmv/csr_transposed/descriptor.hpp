// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmv_transposed.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrTransposedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::transposed};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csr", .kernel = "transposed"});
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    double const lanes = detail::lanes_of_row(a.problem, a.choice);
    terms.waste = detail::row_waste(a, lanes).waste;
    terms.chain = detail::passes_seconds(a, lanes, a.prices["device/pass"]);
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
