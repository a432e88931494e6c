// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmv_transposed.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct EllTransposedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "ell",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr EllSpmvTuning tuning{};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add_with_order({.format = "ell", .kernel = "transposed"});
  }
  /// With what neighbours in lock step pass over.
  static double matrix_bytes(Problem const& p, Choice const& c, Footprint const&, Machine const& m) {
    return detail::ell_bytes(p, c, m);
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    terms.chain = detail::passes_seconds(a, 1, a.prices["device/step"]);
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::others_over_padded(a));
  }
};

}  // namespace araia::kernels
