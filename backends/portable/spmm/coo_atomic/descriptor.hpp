// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/coo_spmm_atomic.hpp. Test: tests/ops/test_spmm.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CooAtomicSpmm : detail::ProposedAsIs<CooAtomicSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "coo",
                                   .name = "atomic",
                                   .side = Side::both,
                                   .sums = Sums::scattered,
                                   .reads = reads::entries | reads::threads | reads::lanes,
                                   .even_work = true,
                                   .zeroes_result = true};
  static constexpr CooSpmmTuning tuning{};

  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
