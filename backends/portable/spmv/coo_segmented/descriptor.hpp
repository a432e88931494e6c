// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/coo_spmv_segmented.hpp. Test: tests/ops/test_spmv.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CooSegmentedSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "coo",
                                   .name = "segmented",
                                   .sums = Sums::scattered,
                                   .reads = reads::entries | reads::threads,
                                   .even_work = true,
                                   .zeroes_result = true};
  static constexpr CooSpmvTuning tuning{.kernel = CooSpmvKernel::segmented};

  static std::string refuse(Problem const& p, Choice const&) {
    return p.source_permuted ? "segmented: the matrix brings a row permutation of its own" : "";
  }
  static void propose(Problem const&, Machine const& m, Proposals& list) {
    Choice choice{.format = "coo", .kernel = "segmented"};
    list.add(choice);
    if (!m.device) return;
    for (int const entries : {4, 16}) {
      choice.entries = entries;
      list.add(choice);
    }
  }
  /// Atomics are at both ends of a thread's run, which is long on a host.
  static double seconds(Pricing const& a) {
    constexpr double usual_run = 8;
    double const run = a.choice.entries > 0 ? a.choice.entries : usual_run;
    return detail::scattered_seconds(a, detail::host_terms(a), a.machine.device ? 2 * a.nnz() / run : 0);
  }
};

}  // namespace araia::kernels
