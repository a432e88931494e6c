// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscTiledSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm, .storage = "bcsc", .name = "tiled", .runs = Runs::by_cuda};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::tiled};

  static void propose(Problem const&, Machine const&, Proposals& list) {
    for (int const height : {64, 128}) list.add({.format = "bcsc", .kernel = "tiled", .block_height = height});
  }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
