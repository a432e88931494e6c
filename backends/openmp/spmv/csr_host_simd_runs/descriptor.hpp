// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/csr_spmv_host.cpp, backends/openmp/csr_spmv_rows.cpp, backends/openmp/csr_row_runs.cpp.
// Test: tests/backends/test_csr_spmv_host.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdRunsSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "host_simd_runs",
                                   .runs = Runs::by_host_simd,
                                   .even_work = true,
                                   .own_row_order = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::host_simd_runs};
  template <class Rows>
  static void prepare(CsrSpmvTuning& t, Problem const&, Rows const& rows) {
    t.row_runs = rows.runs();
  }

  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (p.shared_entries > 0) list.add({.format = "csr", .kernel = "host_simd_runs"});
  }
  /// Columns that it passes over are not read, but for lines that they share with others.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const& f, Machine const&) {
    return detail::bytes_of_runs(p, f);
  }
  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
  static bool fuses(Problem const&) { return true; }
};

}  // namespace araia::kernels
