// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shape and seconds of the product on tensor cores, by rule.

#include <optional>

#include "backends/cuda/lib/spmm_problem.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

namespace araia::cuda {

struct TileChoice {
  TileSpmmTuning tuning;
  double seconds = 0;
};

/// Nothing but in a lower precision of float.
std::optional<TileChoice> choose_tiles(SpmmProblem const& p);

}  // namespace araia::cuda
