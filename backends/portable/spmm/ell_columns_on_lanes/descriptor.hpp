// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmm_columns_on_lanes.hpp. Test: tests/ops/test_spmm.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct EllColumnsOnLanesSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "ell",
                                   .name = "columns_on_lanes",
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns};
  static constexpr EllSpmmTuning tuning{};

  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    detail::propose_columns_on_lanes(p, m.device, {.format = "ell", .kernel = "columns_on_lanes"}, true, list);
  }
  /// With what neighbours in lock step pass over.
  static double matrix_bytes(Problem const& p, Choice const& c, Footprint const&, Machine const& m) {
    return detail::ell_bytes(p, c, m);
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    terms.chain = a.longest() * a.prices["device/chain"];
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::others_over_padded(a));
  }
};

}  // namespace araia::kernels
