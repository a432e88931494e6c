// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "src/kernel/held.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct DenseCublasSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "dense",
                                   .name = "cublas",
                                   .runs = Runs::by_cuda,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .is_held = true};

  static Precision precision(Problem const& p) {
    return allows_tf32(p.precision) && p.value_bytes == 4 ? Precision::tf32 : Precision::native;
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) { detail::propose_held(p, info, list); }
  static std::string refuse(Problem const& p, Choice const&) {
    if (auto why = detail::why_not_held(p, info); !why.empty()) return why;
    // cuBLAS may cut operands to 11 bits instead of rounding: beyond the bound where an entry is alone in its row.
    return precision(p) == Precision::tf32 && p.stats.length_histogram[1] > 0 ? "dense in tf32: rows of one entry" : "";
  }
  /// All but the workspace.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const&, Machine const&) {
    return static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols) * p.value_bytes;
  }
  static double seconds(Pricing const& a) { return detail::held_seconds(a); }
};

}  // namespace araia::kernels
