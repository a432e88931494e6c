// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/plan/format_options.hpp"
#include "src/storage/bsr.hpp"

namespace araia::kernels {

struct BsrSlicesSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bsr",
                                   .name = "slices",
                                   .runs = Runs::by_cuda,
                                   .needs_values = true,
                                   .packing = " in slices"};

  static std::string refuse(Problem const& p, Choice const& c) {
    if (c.block_rows != c.block_cols || c.block_rows < 2 || c.block_rows > 4)
      return detail::outside("block_rows", c.block_rows,
                             "blocks of 2 x 2, 3 x 3 or 4 x 4 with warp_per_block_row and slices");
    return p.stats.cols >= detail::most_gathered_cols ? "slices: 2^29 columns or more" : "";
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    detail::propose_bsr(p, {.format = "bsr", .kernel = "slices"}, list);
  }
  static Footprint footprint(Problem const& p, Choice const& c) {
    return detail::bsr_footprint_with(p, c, detail::bsr_packing_bytes);
  }
  /// The structure of the Bsr is kept for new values alone.
  static double matrix_bytes(Problem const& p, Choice const& c, Footprint const& f, Machine const&) {
    return static_cast<double>(f.bytes) -
           (static_cast<double>(f.pieces) + static_cast<double>(p.stats.rows) / std::max(1, c.block_rows)) *
               p.ordinal_bytes;
  }
  static double seconds(Pricing const& a) {
    auto terms = detail::device_terms(a);
    terms.chain = a.longest() / std::max(1, a.choice.block_cols) * a.prices["device/step"];
    return detail::device_seconds(a, terms);
  }
};

}  // namespace araia::kernels
