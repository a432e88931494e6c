// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The code is include/araia/kernels/bcsc_spmm_tiled.hpp.

#include "backends/portable/spmm/bcsc_teams.hpp"

namespace araia::kernels {

struct BcscTiledTeamsSpmm : BcscTeamsKernel<BcscTiledTeamsSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "tiled",
                                   .runs = Runs::where_bound,
                                   .reads = reads::threads | reads::lanes | reads::columns};

  /// vector_length is threads_x, team_size threads_y, columns_per_lane items_x; the others are chosen.
  static BcscTiledTuning tuning_of(Choice const& c) {
    BcscTiledTuning tuning;
    tuning.threads_x = c.vector_length;
    tuning.threads_y = c.team_size;
    tuning.items_x = c.columns_per_lane;
    return tuning;
  }
};

}  // namespace araia::kernels
