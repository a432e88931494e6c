// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csc is the Csr of its transpose, whose kernels multiply.
// Code: include/araia/detail/dispatch/csc.hpp, include/araia/detail/kernels/row_spmv_transposed.hpp.
// Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CscByColumnsSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csc",
                                   .name = "by_columns",
                                   .sums = Sums::scattered,
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns,
                                   .even_work = true,
                                   .zeroes_result = true};
  static constexpr CscSpmvTuning tuning{};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csc", .kernel = "by_columns"});
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) return detail::host_seconds(a, detail::host_terms(a));
    auto terms = detail::device_terms(a);
    terms.chain = detail::passes_seconds(a, detail::lanes_of_row(a.problem, a.choice), a.prices["device/pass"]);
    return detail::device_seconds(a, terms);
  }
};

/// The transpose of a Csc is a Csr: its product gathers, by the host's SIMD kernel of csr where that runs.
struct CscByColumnsTransposedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csc",
                                   .name = "by_columns",
                                   .side = Side::transposed,
                                   .reads = reads::rows | reads::threads | reads::lanes | reads::columns,
                                   .even_work = true};
  static constexpr CscSpmvTuning tuning{};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "csc", .kernel = "by_columns"});
  }
  static double seconds(Pricing const& a) {
    if (!a.machine.device) {
      auto terms = detail::host_terms(a);
      if (a.problem.host_simd) {
        terms.entry = a.prices["host/simd_entry"];
        terms.column = 1;
      }
      return detail::host_seconds(a, terms);
    }
    auto terms = detail::device_terms(a);
    double const lanes = detail::lanes_of_row(a.problem, a.choice);
    terms.waste = detail::row_waste(a, lanes).waste;
    terms.chain = detail::passes_seconds(a, lanes, a.prices["device/pass"]);
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
