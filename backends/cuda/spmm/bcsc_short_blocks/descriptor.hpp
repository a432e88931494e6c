// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/bcsc_spmm_short_blocks.cu. Test: tests/backends/cuda/test_bcsc_spmm_cuda.cpp.
// Price: backends/cuda/bcsc_spmm.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/storage/info.hpp"

namespace araia::kernels {

struct BcscShortBlocksSpmm {
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "bcsc", .name = "short_blocks", .runs = Runs::by_cuda};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::short_blocks};

  static std::string refuse(Problem const&, Choice const& c) {
    constexpr int most_short_rows = 32;  // of bcsc_spmm_short_blocks
    if (c.compact) return "short_blocks reads the wide form of bcsc";
    if (c.block_height < 1 || c.block_height > most_short_rows)
      return detail::outside("block_height", c.block_height, "1 to 32 with short_blocks");
    if (c.block_entries > 0 || c.block_columns > 0) return "short_blocks takes blocks of one height";
    return {};
  }
  static void propose(Problem const&, Machine const&, Proposals& list) {
    for (int const height : {4, 8}) list.add({.format = "bcsc", .kernel = "short_blocks", .block_height = height});
  }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
