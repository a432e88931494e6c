// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmm_warp_centric.hpp. Test: tests/ops/test_bcsc_team_spmm.cpp.

#include "backends/portable/spmm/bcsc_warp_centric/descriptor.hpp"

namespace araia::kernels {

struct BcscWarpCentricAtomicTeamsSpmm : BcscTeamsKernel<BcscWarpCentricAtomicTeamsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "warp_centric_atomic",
                                   .runs = Runs::where_bound,
                                   .sums = Sums::in_scratch,
                                   .reads = reads::columns,
                                   .parameters = BcscWarpCentricTeamsSpmm::parameters};

  static BcscWarpCentricTuning tuning_of(Choice const& c) {
    auto tuning = BcscWarpCentricTeamsSpmm::tuning_of(c);
    tuning.atomic = true;
    return tuning;
  }
};

}  // namespace araia::kernels
