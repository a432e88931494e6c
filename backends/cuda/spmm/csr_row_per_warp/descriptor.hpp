// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/csr_spmm_row_per_warp.cu, backends/cuda/csr_spmm_short_rows.cu.
// Test: tests/backends/cuda/test_spmm_cuda.cpp, tests/backends/cuda/test_short_rows_cuda.cpp.
// Price: backends/cuda/lib/short_rows.hpp, backends/cuda/csr_short_choice.cpp,
// backends/cuda/lib/csr_spmm_row_tuning.cpp.

#include <algorithm>

#include "backends/cuda/lib/short_rows.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrRowPerWarpSpmm : detail::ProposedAsIs<CsrRowPerWarpSpmm> {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "csr", .name = "row_per_warp", .runs = Runs::by_cuda};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::row_per_warp};

  /// Rows are short and share warps.
  static bool shares_warps(Problem const& p) {
    return detail::has_short_rows(p.stats.rows, p.stats.cols, p.stats.nnz, p.columns * p.y_bytes);
  }
  static double seconds(Pricing const& a) {
    constexpr double warp = 32;
    auto const& p = a.problem;
    auto terms = detail::device_terms(a);
    if (shares_warps(p)) {  // priced as what a backend holds, whose rule knows its start in a stream
      terms.waste = a.price("waste", 0) * std::max(1.0, std::min(a.columns(), warp) / a.columns());
      terms.in_lanes =
          detail::short_rows_seconds(p.stats.rows, p.stats.nnz, p.columns, p.x_bytes, detail::long_rows(p.stats));
      terms.launches = detail::start_of_short_rows;
      return detail::device_seconds(a, terms);
    }
    detail::cover_columns(a, std::max(warp, a.columns()), terms);
    terms.in_lanes = detail::warps_seconds(a);
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::warps_over_padded(a));
  }
};

}  // namespace araia::kernels
