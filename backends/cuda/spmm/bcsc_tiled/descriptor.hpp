// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/bcsc_spmm_tiled.cuh, backends/cuda/bcsc_spmm_thread_tiles.cu.
// Test: tests/backends/cuda/test_bcsc_spmm_cuda.cpp. Price: backends/cuda/bcsc_spmm.cpp.

#include <cstddef>
#include <string>

#include "backends/cuda/bcsc_parameters.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::kernels {

struct BcscTiledSpmm {
  static constexpr ParameterInfo parameters[] = {{"threads_x", "8, 16 or 32"},
                                                 {"threads_y", "8 to 64"},
                                                 {"items_x", "1 to 8"},
                                                 {"items_y", "1 to 16"},
                                                 {"k_tile", "16 or 32"},
                                                 {"stages", "1 to 4"},
                                                 {"vector_width", "1 or the columns of 16 bytes"},
                                                 {"parts", "1, 2, 4 or 8"},
                                                 {"dense_percent", "1 to 1000"}};
  static constexpr KernelInfo info{
      .operation = OpId::spmm, .storage = "bcsc", .name = "tiled", .runs = Runs::by_cuda, .parameters = parameters};
  static constexpr BcscSpmmTuning tuning{.kernel = BcscSpmmKernel::tiled};
  static void set(BcscSpmmTuning& t, Choice const& c) { set_bcsc_tile(t, c); }

  static std::string refuse(Problem const& p, Choice const& c) {
    BcscSpmmTuning t;
    set_bcsc_tile(t, c);
    auto const bytes = static_cast<std::size_t>(p.y_bytes);
    if (cuda::find_bcsc_tile(asked_tile(t), bytes, c.compact)) return {};
    return "no tiles of this shape, expected " + cuda::bcsc_tiles_list(bytes, c.compact);
  }
  static void propose(Problem const&, Machine const&, Proposals& list) {
    for (int const height : {64, 128}) list.add({.format = "bcsc", .kernel = "tiled", .block_height = height});
  }
  static double seconds(Pricing const& a) { return detail::usual_seconds(a); }
};

}  // namespace araia::kernels
