// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors of the warp-centric kernels over BCSC share.

#include <cstddef>
#include <string>

#include <araia/extend/kernel_info.hpp>
#include <araia/kernels/bcsc_tuning.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/traffic.hpp>

#include "backends/cuda/bcsc_shapes.hpp"

namespace araia::kernels {

inline constexpr ParameterInfo bcsc_warp_parameters[] = {
    {"warp_size", "8, 16 or 32"}, {"warps", "1 to 32"}, {"vector_width", "1 or the columns of 16 bytes"}};

inline std::string why_not_bcsc_warps(Problem const& p, Choice const& c) {
  return cuda::why_not_bcsc_warps(
      {.warp_size = c.get("warp_size"), .warps = c.get("warps"), .vector_width = c.get("vector_width")},
      static_cast<std::size_t>(p.y_bytes));
}

inline void set_bcsc_warps(BcscSpmmTuning& t, Choice const& c) {
  t.warp_size = c.get("warp_size");
  t.warps = c.get("warps");
  t.vector_width = c.get("vector_width");
}

}  // namespace araia::kernels
