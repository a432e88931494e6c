// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "src/kernel/held.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrCopiedColumnsSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "copied_columns",
                                   .runs = Runs::on_hosts,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .is_held = true,
                                   .reads_source = true,
                                   .packing = " with strips of B"};

  static void propose(Problem const& p, Machine const&, Proposals& list) { detail::propose_held(p, info, list); }
  static std::string refuse(Problem const& p, Choice const&) { return detail::why_not_held(p, info); }
  /// Strips of B stay in cache, and A comes once for each.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const& f, Machine const&) {
    auto const* const held = detail::held_estimate(p, info.storage, info.name);
    return held ? static_cast<double>(held->passes) * (static_cast<double>(f.bytes) - static_cast<double>(held->room))
                : static_cast<double>(f.bytes);
  }
  static double gathered_bytes(Problem const& p, Machine const& m) {
    if (!detail::held_estimate(p, info.storage, info.name)) return detail::gathered_bytes(p, m);
    return detail::operand_rows(p) * static_cast<double>(p.columns) * p.x_bytes;
  }
  /// Each strip of B starts threads that copy it and threads that multiply.
  static double seconds(Pricing const& a) {
    auto const* const held = detail::held_estimate(a.problem, info.storage, info.name);
    return detail::held_seconds(a, held ? 2.0 * static_cast<double>(held->passes) : 1);
  }
};

}  // namespace araia::kernels
