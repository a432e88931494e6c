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

  static double seconds(Pricing const& a) {
    auto terms = detail::device_terms(a);
    terms.atomics = static_cast<double>(a.footprint.pieces);
    return detail::not_below_padded(a, detail::device_seconds(a, terms), detail::others_over_padded(a));
  }
};

}  // namespace araia::kernels
