// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"

namespace araia::kernels {

struct BcscWarpCentricSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "bcsc", .name = "warp_centric", .runs = Runs::by_cuda};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::warp_centric};

  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
