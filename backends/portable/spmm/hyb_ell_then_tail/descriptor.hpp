// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernels of ell multiply, and then those of coo the tail.
// Code: include/araia/detail/dispatch/hyb.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct HybEllThenTailSpmm : detail::ProposedAsIs<HybEllThenTailSpmm> {
  static constexpr KernelInfo info{
      .operation = OpId::spmm,
      .storage = "hyb",
      .name = "ell_then_tail",
      .sums = Sums::scattered,
      .reads = reads::rows | reads::threads | reads::lanes | reads::columns | reads::entries,
      .even_work = true};
  static constexpr HybSpmmTuning tuning{};

  static double seconds(Pricing const& a) { return detail::hyb_seconds(a, static_cast<double>(a.footprint.tail)); }
};

struct HybTransposedSpmm : detail::ProposedAsIs<HybTransposedSpmm> {
  static constexpr KernelInfo info{
      .operation = OpId::spmm,
      .storage = "hyb",
      .name = "ell_then_tail",
      .side = Side::transposed,
      .sums = Sums::scattered,
      .reads = reads::rows | reads::threads | reads::lanes | reads::columns | reads::entries,
      .even_work = true,
      .zeroes_result = true};
  static constexpr HybSpmmTuning tuning{};

  static double seconds(Pricing const& a) { return detail::hyb_seconds(a, a.nnz()); }
};

}  // namespace araia::kernels
