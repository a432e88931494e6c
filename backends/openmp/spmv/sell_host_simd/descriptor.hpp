// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/sell_spmv_host.cpp, backends/openmp/sell_spmv_slices.cpp.
// Test: tests/backends/test_sell_spmv_host.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct SellHostSimdSpmv {
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "sell", .name = "host_simd", .runs = Runs::by_host_simd, .even_work = true};
  static constexpr SellSpmvTuning tuning{.kernel = SellSpmvKernel::host_simd};

  static std::string refuse(Problem const& p, Choice const& c) {
    if (c.slice_height % 8 != 0 || c.least_slice_height != 0)
      return "host_simd reads slices of equal height, a multiple of 8";
    if (p.value_bytes == 0 && (c.block_width > 1 || c.diagonals)) return "host_simd reads no pattern with fill";
    return {};
  }
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (!m.device && p.host_simd && p.value_bytes > 0)
      detail::propose_sell(p, {.format = "sell", .kernel = "host_simd"}, list);
  }
  static double seconds(Pricing const& a) {
    auto terms = detail::host_terms(a);
    if (a.choice.diagonals && !a.choice.rows_by_length && a.nnz() > 0)
      terms.entry +=
          (a.prices["host/diagonal_entry"] - terms.entry) * static_cast<double>(a.problem.diagonal_entries) / a.nnz();
    terms.column = 1;
    return detail::host_seconds(a, terms);
  }
  static bool fuses(Problem const&) { return true; }
};

}  // namespace araia::kernels
