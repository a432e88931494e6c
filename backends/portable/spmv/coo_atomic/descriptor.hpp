// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/coo_spmv_atomic.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CooAtomicSpmv : detail::ProposedAsIs<CooAtomicSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "coo",
                                   .name = "atomic",
                                   .side = Side::both,
                                   .sums = Sums::scattered,
                                   .reads = reads::entries | reads::threads | reads::lanes,
                                   .even_work = true,
                                   .zeroes_result = true};
  static constexpr CooSpmvTuning tuning{.kernel = CooSpmvKernel::atomic};

  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
