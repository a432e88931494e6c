// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The kernels of ell multiply, and then those of coo the tail.
// Code: include/araia/detail/dispatch/hyb.hpp. Test: tests/ops/test_csc_hyb_bsr.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

/// Of a lane's row up to the width that most rows fill; then the tail.
inline double hyb_spmm_seconds(Pricing const& a, double atomics) {
  double const launches = a.footprint.tail > 0 ? 3 : 1;
  if (!a.machine.device) {
    auto terms = detail::host_terms(a);
    terms.atomics = atomics;
    terms.launches = launches;
    return detail::host_seconds(a, terms);
  }
  auto terms = detail::device_terms(a);
  terms.atomics = atomics;
  terms.launches = a.machine.launch_seconds * launches;
  return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::others_over_padded(a));
}

struct HybEllThenTailSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm,
      .storage = "hyb",
      .name = "ell_then_tail",
      .sums = Sums::scattered,
      .reads = reads::rows | reads::threads | reads::lanes | reads::columns | reads::entries,
      .even_work = true};
  static constexpr HybSpmmTuning tuning{};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "hyb", .kernel = "ell_then_tail"});
  }
  static double seconds(Pricing const& a) { return hyb_spmm_seconds(a, static_cast<double>(a.footprint.tail)); }
};

struct HybTransposedSpmm {
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

  static void propose(Problem const&, Machine const&, Proposals& list) {
    list.add({.format = "hyb", .kernel = "ell_then_tail"});
  }
  static double seconds(Pricing const& a) { return hyb_spmm_seconds(a, a.nnz()); }
};

}  // namespace araia::kernels
