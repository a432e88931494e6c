// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/csr_spmv_balanced.hpp. Test: tests/ops/test_spmv.cpp.

#include <cstdint>

#include <araia/detail/kernels/csr_partition.hpp>
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrBalancedSpmv : detail::ProposedAsIs<CsrBalancedSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "balanced",
                                   .reads = reads::threads,
                                   .even_work = true,
                                   .writes_workspace = true,
                                   .own_row_order = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::balanced};
  template <class Rows>
  static void prepare(CsrSpmvTuning& t, Problem const&, Rows const& rows) {
    t.partition = rows.partition(t.kernel);
  }

  /// The first row of each chunk, and carries.
  static std::uint64_t workspace_bytes(Problem const& p) {
    return detail::csr_partition_bytes(CsrCut::path, p.stats.rows, p.stats.nnz);
  }
  static double seconds(Pricing const& a) {
    constexpr double launches = 2;
    if (!a.machine.device) {
      auto terms = detail::host_terms(a);
      terms.launches = launches;
      return detail::host_seconds(a, terms);
    }
    auto terms = detail::device_terms(a);
    terms.chain = a.price("chunk", 0);
    terms.launches = a.machine.launch_seconds * launches;
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
