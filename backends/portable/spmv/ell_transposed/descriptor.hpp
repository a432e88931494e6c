// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmv_transposed.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct EllTransposedSpmv : detail::EllInLockStep {
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
  static double seconds(Pricing const& a) { return detail::lock_step_seconds(a); }
};

}  // namespace araia::kernels
