// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tests of group packings and of their product share: numbers of rows, and shapes as text.

#include <string>

#include "backends/cuda/spmm/csr_row_groups/kernel.hpp"
#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

namespace araia::test {

inline constexpr int group_rows[] = {1, 2, 3, 4};

inline std::string name_of(cuda::GroupShape const& s, cuda::RowGroupsTuning const& tuning = {}) {
  return "group_rows " + std::to_string(s.group_rows) + ", slice_groups " + std::to_string(s.slice_groups) +
         ", sort_window " + std::to_string(s.sort_window) + ", segment " + std::to_string(s.segment) + ", run_steps " +
         std::to_string(s.run_steps) + ", part " + std::to_string(s.part) + ", packs " + std::to_string(tuning.packs) +
         ", words " + std::to_string(tuning.words) + ", parts " + std::to_string(tuning.parts) + ", block_warps " +
         std::to_string(tuning.block_warps);
}

}  // namespace araia::test
