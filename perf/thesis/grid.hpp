// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tilings beyond those of `tilings`, for builds with Araia_PERF_THESIS_GRID; grid_absent.cpp has none.

#include "perf/thesis/bcsc_spmm_2019.hpp"

namespace araia::thesis {

/// Whether this build has the tiling, with wide loads and without prefetching.
[[nodiscard]] bool is_in_grid(Tiling const& tiling);

/// Launches it; false where the build does not have it.
bool launch_of_grid(Tiling const& tiling, Bcsc const& a, float const* b, float* c, int columns, cudaStream_t stream);

}  // namespace araia::thesis
