// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csc is the Csr of its transpose, whose kernels multiply.
// Code: include/araia/detail/dispatch/csc.hpp, include/araia/detail/kernels/row_spmm_transposed.hpp.
// Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CscByColumnsSpmm : detail::ProposedAsIs<CscByColumnsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csc",
                                   .name = "by_columns",
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns,
                                   .even_work = true,
                                   .zeroes_result = true};
  static constexpr CscSpmmTuning tuning{};

  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::others_over_padded(a));
  }
};

/// The transpose of a Csc is a Csr: its product gathers, by the host's SIMD kernel of csr where that runs.
struct CscByColumnsTransposedSpmm : detail::ProposedAsIs<CscByColumnsTransposedSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csc",
                                   .name = "by_columns",
                                   .side = Side::transposed,
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns,
                                   .even_work = true};
  static constexpr CscSpmmTuning tuning{};

  static double seconds(Pricing const& a) {
    auto host = detail::host_terms(a);
    if (a.problem.host_simd) {
      host.entry = a.prices["host/simd_entry"];
      host.column = 1;
    }
    return detail::shared_rows_seconds(a, host);
  }
};

}  // namespace araia::kernels
