// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parameters of the kernels over BCSC: from a Choice to the public tuning, and from that to what the backend is asked
// for.

#include <cstddef>
#include <string>

#include <araia/detail/extend/kernel_info.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>
#include <araia/detail/plan/traffic.hpp>
#include <araia/plan/choice.hpp>

#include "backends/cuda/bcsc_shapes.hpp"

namespace araia::kernels {

inline constexpr ParameterInfo bcsc_warp_parameters[] = {
    {"warp_size", "8, 16 or 32"}, {"warps", "1 to 32"}, {"vector_width", "1 or the columns of 16 bytes"}};

inline void set_bcsc_warps(BcscSpmmTuning& t, Choice const& c) {
  t.warp_size = c.get("warp_size");
  t.warps = c.get("warps");
  t.vector_width = c.get("vector_width");
}
inline void set_bcsc_tile(BcscSpmmTuning& t, Choice const& c) {
  t.threads_x = c.get("threads_x");
  t.threads_y = c.get("threads_y");
  t.items_x = c.get("items_x");
  t.items_y = c.get("items_y");
  t.k_tile = c.get("k_tile");
  t.stages = c.get("stages");
  t.vector_width = c.get("vector_width");
  t.parts = c.get("parts");
  t.dense_percent = c.get("dense_percent");
}

inline cuda::BcscWarpAsked asked_warps(BcscSpmmTuning const& t) {
  return {.warp_size = t.warp_size, .warps = t.warps, .vector_width = t.vector_width};
}
inline cuda::BcscTileAsked asked_tile(BcscSpmmTuning const& t) {
  return {.threads_x = t.threads_x,
          .threads_y = t.threads_y,
          .items_x = t.items_x,
          .items_y = t.items_y,
          .k_tile = t.k_tile,
          .stages = t.stages,
          .vector_width = t.vector_width,
          .parts = t.parts,
          .dense_percent = t.dense_percent};
}

inline std::string why_not_bcsc_warps(Problem const& p, Choice const& c) {
  BcscSpmmTuning t;
  set_bcsc_warps(t, c);
  return cuda::why_not_bcsc_warps(asked_warps(t), static_cast<std::size_t>(p.y_bytes));
}

}  // namespace araia::kernels
