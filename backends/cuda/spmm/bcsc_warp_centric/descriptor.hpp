// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/bcsc_spmm_warp_centric.cu. Test: tests/backends/cuda/test_bcsc_spmm_cuda.cpp.
// Price: backends/cuda/bcsc_spmm.cpp.

#include <string>

#include "backends/cuda/bcsc_parameters.hpp"
#include "src/kernel/pricing.hpp"

namespace araia::kernels {

struct BcscWarpCentricSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "warp_centric",
                                   .runs = Runs::by_cuda,
                                   .parameters = bcsc_warp_parameters};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::warp_centric};
  static void set(BcscSpmmTuning& t, Choice const& c) { set_bcsc_warps(t, c); }

  static std::string refuse(Problem const& p, Choice const& c) { return why_not_bcsc_warps(p, c); }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
