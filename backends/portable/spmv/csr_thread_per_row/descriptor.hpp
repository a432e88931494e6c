// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmv_thread_per_row.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrThreadPerRowSpmv {
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "thread_per_row", .reads = reads::rows | reads::threads};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::thread_per_row};

  static void propose(Problem const&, Machine const& m, Proposals& list) {
    Choice choice{.format = "csr", .kernel = "thread_per_row"};
    list.add_with_order(choice);
    if (m.device) return;
    choice.rows_per_team = 128;  // evens out clusters of long rows at some cost a chunk
    list.add(choice);
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    terms.waste = detail::row_waste(a, 1).waste;
    terms.chain = detail::passes_seconds(a, 1, a.prices["device/step"]);
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
