// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmv_transposed.hpp. Test: tests/ops/test_bcsc.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscTransposedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bcsc",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::threads,
                                   .zeroes_result = true};
  static constexpr BcscSpmvTuning tuning{.kernel = BcscSpmvKernel::transposed};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    detail::propose_bcsc({.format = "bcsc", .kernel = "transposed"}, list);
  }
  /// An atomic a block column.
  static double seconds(Pricing const& a) {
    return detail::scattered_seconds(a, detail::host_terms(a), static_cast<double>(a.footprint.pieces));
  }
};

}  // namespace araia::kernels
