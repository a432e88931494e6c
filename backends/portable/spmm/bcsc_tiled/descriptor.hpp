// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: include/araia/detail/kernels/bcsc_spmm_tiled.hpp. Test: tests/ops/test_bcsc_team_spmm.cpp.

#include "backends/portable/spmm/bcsc_teams.hpp"

namespace araia::kernels {

struct BcscTiledTeamsSpmm : BcscTeamsKernel<BcscTiledTeamsSpmm> {
  static constexpr ParameterInfo parameters[] = {{"threads_x", "8, 16 or 32"}, {"threads_y", "8, 16 or 32"},
                                                 {"items_x", "1, 2, 4 or 8"},  {"items_y", "1, 4 or 8"},
                                                 {"k_tile", "8, 16 or 32"},    {"buffers", "1 or 2"},
                                                 {"parts", "1, 2, 4, 8 or 16"}};
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "bcsc",
                                   .name = "tiled",
                                   .runs = Runs::where_bound,
                                   .parameters = parameters,
                                   .writes_workspace = true};

  static BcscTiledTuning tuning_of(Choice const& c) {
    BcscTiledTuning tuning;
    tuning.threads_x = c.get("threads_x");
    tuning.threads_y = c.get("threads_y");
    tuning.items_x = c.get("items_x");
    tuning.items_y = c.get("items_y");
    tuning.k_tile = c.get("k_tile");
    tuning.buffers = c.get("buffers");
    tuning.parts = c.get("parts");
    return tuning;
  }
};

}  // namespace araia::kernels
