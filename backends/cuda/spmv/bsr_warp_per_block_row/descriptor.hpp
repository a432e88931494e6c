// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/bsr_spmv_warp_per_block_row.cu. Test: tests/backends/cuda/test_spmv_cuda.cpp.

#include <algorithm>
#include <cmath>
#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/storage/info.hpp"

namespace araia::kernels {

struct BsrWarpPerBlockRowSpmv : detail::ProposedInBlocks<BsrWarpPerBlockRowSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bsr",
                                   .name = "warp_per_block_row",
                                   .runs = Runs::by_cuda,
                                   .needs_values = true};
  static constexpr BsrSpmvTuning tuning{.kernel = BsrSpmvKernel::warp_per_block_row};

  static std::string refuse(Problem const&, Choice const& c) {
    if (c.block_rows != c.block_cols || c.block_rows < 2 || c.block_rows > 4)
      return detail::outside("block_rows", c.block_rows,
                             "blocks of 2 x 2, 3 x 3 or 4 x 4 with warp_per_block_row and slices");
    return {};
  }

  static double seconds(Pricing const& a) {
    constexpr double warp = 32;
    double const block = std::max(1, a.choice.block_rows) * std::max(1, a.choice.block_cols);
    double const lanes = std::max(1.0, std::floor(warp / block)) * a.choice.block_cols;
    auto terms = detail::device_terms(a);
    terms.chain = a.longest() / lanes * a.prices["device/pass"];
    terms.meeting = a.rows() / std::max(1, a.choice.block_rows) * a.price("block_row", 0);
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
