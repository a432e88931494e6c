// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/sell_spmv_rows_per_lane.cu. Test: tests/backends/cuda/test_spmv_cuda.cpp.

#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/storage/info.hpp"

namespace araia::kernels {

struct SellRowsPerLaneSpmv {
  static constexpr KernelInfo info{
      .operation = OpId::spmv, .storage = "sell", .name = "rows_per_lane", .runs = Runs::by_cuda};
  static constexpr SellSpmvTuning tuning{.kernel = SellSpmvKernel::rows_per_lane};

  static std::string refuse(Problem const& p, Choice const& c) {
    if (c.diagonals && p.value_bytes == 0) return "rows_per_lane: a pattern has no values";
    if (c.slice_height != 0 && c.slice_height != 32 && c.slice_height != 64 && c.slice_height != 128)
      return detail::outside("slice_height", c.slice_height, "0, 32, 64 or 128 with rows_per_lane");
    if (c.block_width > 1 || c.least_slice_height != 0)
      return "rows_per_lane reads neither blocks nor slices of unlike height";
    if (c.diagonals && (c.rows_by_length || p.source_permuted))
      return "rows_per_lane: diagonals of rows in another order";
    return p.stats.cols >= detail::most_gathered_cols ? "rows_per_lane: 2^29 columns or more" : "";
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    if (!p.cuda_kernels) return;
    for (int const height : {32, 64}) {  // one row a lane, and two
      list.add_with_order({.format = "sell", .kernel = "rows_per_lane", .slice_height = height});
      list.add({.format = "sell", .narrow = true, .kernel = "rows_per_lane", .slice_height = height});
      list.add({.format = "sell", .diagonals = true, .kernel = "rows_per_lane", .slice_height = height});
      list.add(
          {.format = "sell", .diagonals = true, .narrow = true, .kernel = "rows_per_lane", .slice_height = height});
    }
  }
  /// One row a lane leaves few loads in flight where a slot takes few bytes.
  static double seconds(Pricing const& a) {
    constexpr int one_row_a_lane = 32;
    auto terms = detail::device_terms(a);
    if (a.choice.slice_height == one_row_a_lane && (a.choice.diagonals || a.choice.narrow))
      terms.waste *= a.price("one_row_a_lane", 1);
    terms.chain = detail::passes_seconds(a, 1, a.prices["device/step"]);
    return detail::device_seconds(a, terms);
  }
  static bool fuses(Problem const&) { return true; }
};

}  // namespace araia::kernels
