// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "src/kernel/held.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct CsrLockstepSpmm {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "csr",
                                   .name = "lockstep",
                                   .runs = Runs::by_cuda,
                                   .own_row_order = true,
                                   .is_held = true,
                                   .packing = " packed for lockstep"};

  static void propose(Problem const& p, Machine const&, Proposals& list) { detail::propose_held(p, info, list); }
  static std::string refuse(Problem const& p, Choice const&) { return detail::why_not_held(p, info); }
  static double seconds(Pricing const& a) { return detail::held_seconds(a); }
};

}  // namespace araia::kernels
