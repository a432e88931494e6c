// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/csr_spmm_host.cpp, backends/openmp/csr_spmm_rows.cpp, backends/openmp/csr_row_runs.cpp.
// Test: tests/backends/test_csr_spmm_host.cpp, tests/backends/test_csr_column_reuse.cpp,
// tests/backends/test_csr_plane_chunks.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdRunsSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "host_simd_runs",
                                   .runs = Runs::by_host_simd,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::host_simd_runs};
  template <class Rows>
  static void prepare(CsrSpmmTuning& t, Problem const&, Rows const& rows) {
    t.row_runs = rows.runs();
  }

  static void propose(Problem const& p, Machine const&, Proposals& list) {
    Choice const choice{.format = "csr", .kernel = "host_simd_runs"};
    if (p.scattered_rows)
      list.lead(choice);  // of the same bytes as the kernel that does not prefetch rows of B
    else if (p.shared_entries > 0)
      list.add(choice);
  }
  /// Columns that it passes over are not read, but for lines that they share with others.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const& f, Machine const&) {
    return detail::bytes_of_runs(p, f);
  }
  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
