// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/openmp/bcsc_spmm_host.cpp, backends/openmp/bcsc_spmm_tiles.cpp.
// Test: tests/backends/test_bcsc_spmm_host.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscHostSimdSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "bcsc", .name = "host_simd", .runs = Runs::by_host_simd};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::host_simd};

  static std::string refuse(Problem const& p, Choice const&) {
    return p.b_by_rows ? "" : "host_simd of bcsc reads B by rows";
  }
  static void propose(Problem const& p, Machine const& m, Proposals& list) {
    if (!m.device && p.host_simd && p.b_by_rows) detail::propose_bcsc({.format = "bcsc", .kernel = "host_simd"}, list);
  }
  static double seconds(Pricing const& a) { return detail::host_seconds(a, detail::host_terms(a)); }
};

}  // namespace araia::kernels
