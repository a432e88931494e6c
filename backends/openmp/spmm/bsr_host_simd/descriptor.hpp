// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/bsr_spmm_host.cpp, backends/openmp/bsr_spmm_blocks.cpp.
// Test: tests/backends/test_bsr_spmm_host.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BsrHostSimdSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bsr",
                                   .name = "host_simd",
                                   .runs = Runs::by_host_simd,
                                   .even_work = true,
                                   .multiplies_fill = true};
  static constexpr BsrSpmmTuning tuning{.kernel = BsrSpmmKernel::host_simd};

  static std::string refuse(Problem const& p, Choice const&) {
    if (!p.b_by_rows) return "host_simd of bsr reads B by rows";
    return p.value_bytes == 0 ? "host_simd of bsr: a pattern has no values" : "";
  }
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (!m.device && p.host_simd && p.b_by_rows && p.value_bytes > 0)
      detail::propose_bsr(p, {.format = "bsr", .kernel = "host_simd"}, list);
  }
  /// It gains by rows of B that rows of a block share; taller blocks than it sums at once took a Csr's time.
  static double seconds(Pricing const& a) {
    constexpr int most_rows_at_once = 4;
    auto terms = detail::bsr_host_terms(a);
    if (a.choice.block_rows <= 1 || a.choice.block_rows > most_rows_at_once) {
      terms.entry = a.prices["host/simd_entry"];
      terms.column = 1;
    }
    return detail::host_seconds(a, terms);
  }
};

}  // namespace araia::kernels
