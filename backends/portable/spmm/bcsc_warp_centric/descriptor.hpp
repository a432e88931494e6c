// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmm_warp_centric.hpp. Test: tests/ops/test_bcsc_team_spmm.cpp.

#include "backends/portable/spmm/bcsc_teams.hpp"

namespace araia::kernels {

struct BcscWarpCentricTeamsSpmm : BcscTeamsKernel<BcscWarpCentricTeamsSpmm> {
  static constexpr ParameterInfo parameters[] = {{"lanes", "8, 16 or 32"}, {"warps", "lanes * warps at most 256"}};
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "warp_centric",
                                   .runs = Runs::where_bound,
                                   .reads = reads::columns,
                                   .parameters = parameters};

  static BcscWarpCentricTuning tuning_of(Choice const& c) {
    BcscWarpCentricTuning tuning;
    tuning.lanes = c.get("lanes");
    tuning.warps = c.get("warps");
    tuning.columns_per_lane = c.columns_per_lane;
    return tuning;
  }
};

}  // namespace araia::kernels
