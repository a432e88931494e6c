// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/csr_spmv_host.cpp, backends/openmp/csr_spmv_rows.cpp.
// Test: tests/backends/test_csr_spmv_host.cpp.

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrHostSimdSpmv : detail::ProposedAsIs<CsrHostSimdSpmv> {
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "csr", .name = "host_simd", .runs = Runs::by_host_simd, .even_work = true};
  static constexpr CsrSpmvTuning tuning{.kernel = CsrSpmvKernel::host_simd};

  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
  static bool fuses(Problem const&) { return true; }
};

}  // namespace araia::kernels
