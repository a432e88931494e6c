// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/csr_spmm_merge_split.cu. Test: tests/backends/cuda/test_csr_merge_cuda.cpp.
// Price: backends/cuda/lib/short_rows.hpp.

#include <algorithm>
#include <cstdint>

#include <araia/detail/kernels/csr_partition.hpp>
#include "backends/cuda/lib/short_rows.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrMergeSplitSpmm : detail::ProposedAsIs<CsrMergeSplitSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "merge_split",
                                   .runs = Runs::by_cuda,
                                   .writes_workspace = true,
                                   .own_row_order = true};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::merge_split};
  template <class Rows>
  static void prepare(CsrSpmmTuning& t, Problem const&, Rows const& rows) {
    t.partition = rows.partition(t.kernel);
  }

  /// The first row of each chunk, and carries.
  static std::uint64_t workspace_bytes(Problem const& p) {
    return detail::csr_spmm_partition_bytes(p.stats.rows, p.stats.nnz, std::max<std::int64_t>(1, p.columns), p.y_bytes);
  }
  static double seconds(Pricing const& a) {
    auto const& p = a.problem;
    double const over_rows = std::max(1.0, p.stats.mean_length) <= a.price("short_rows", 0)
                                 ? a.price("over_short_rows", 1)
                                 : a.price("over_long_rows", 1);
    auto terms = detail::device_terms(a);
    terms.waste *= over_rows;
    terms.in_lanes = detail::warps_seconds(a) * over_rows;
    if (detail::has_shortest_rows(p.stats.rows, p.stats.nnz))
      terms.in_lanes =
          std::max(terms.in_lanes, a.price("over_shortest_rows", 1) *
                                       detail::short_rows_seconds(p.stats.rows, p.stats.nnz, p.columns, p.x_bytes));
    terms.launches = a.machine.launch_seconds * 2;
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::warps_over_padded(a) * over_rows);
  }
};

}  // namespace araia::kernels
