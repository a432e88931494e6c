// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmm_columns_on_lanes.hpp. Test: tests/ops/test_spmm.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrColumnsOnLanesSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "columns_on_lanes",
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::columns_on_lanes};

  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    detail::propose_columns_on_lanes(p, m.device, {.format = "csr", .kernel = "columns_on_lanes"}, m.device, list);
  }
  static double seconds(Pricing const& a) { return detail::shared_rows_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
