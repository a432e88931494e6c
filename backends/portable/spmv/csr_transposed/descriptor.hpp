// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/row_spmv_transposed.hpp. Test: tests/ops/test_spmv.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrTransposedSpmv : detail::ProposedAsIs<CsrTransposedSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "transposed",
                                   .side = Side::transposed,
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes,
                                   .zeroes_result = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::transposed};

  static double seconds(Pricing const& a) { return detail::shared_rows_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
