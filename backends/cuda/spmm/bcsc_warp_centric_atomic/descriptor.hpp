// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"

namespace araia::kernels {

struct BcscWarpCentricAtomicSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "warp_centric_atomic",
                                   .runs = Runs::by_cuda,
                                   .sums = Sums::scattered,
                                   .zeroes_result = true};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::warp_centric_atomic};

  static double seconds(Pricing const& a) {
    return detail::scattered_seconds(a, detail::host_terms(a), static_cast<double>(a.footprint.pieces));
  }
};

}  // namespace araia::kernels
