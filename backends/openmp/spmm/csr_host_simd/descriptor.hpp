// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/csr_spmm_host.cpp, backends/openmp/csr_spmm_rows.cpp.
// Test: tests/backends/test_csr_spmm_host.cpp, tests/backends/test_csr_spmm_host_wide.cpp.

#include "backends/openmp/rows_to_sort.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "csr", .name = "host_simd", .runs = Runs::by_host_simd, .even_work = true};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::host_simd};

  /// May an order of all rows by length spare branches that are not foreseen? docs/kernels/csr_spmm_host_simd.md.
  static bool may_gain_by_order(Problem const& p) {
    // Of rows of two lengths one apart, of which every eighth is unlike the one before: from there on kernels of
    // AVX-512 order them.
    constexpr double least_deviation = 0.25;
    return p.host_simd && p.b_by_rows && p.stats.nnz <= host::longest_to_sort * p.stats.rows &&
           p.columns * p.y_bytes <= host::bytes_to_sort && p.stats.length_deviation >= least_deviation &&
           2 * p.shared_entries < p.stats.nnz;
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    Choice const choice{.format = "csr", .kernel = "host_simd"};
    list.add(choice);
    if (may_gain_by_order(p)) list.add_with_order(choice);
  }
  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
