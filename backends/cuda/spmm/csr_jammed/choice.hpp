// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shape and seconds of the jammed product, by rule.

#include <optional>

#include "backends/cuda/lib/spmm_problem.hpp"
#include "backends/cuda/spmm/csr_jammed/packing.hpp"

namespace araia::cuda {

struct JammedChoice {
  JamShape shape;
  JammedTuning tuning;
  double seconds = 0;
};

/// Nothing where columns do not fill a slice, or a chunk of it shared memory.
std::optional<JammedChoice> choose_jammed(SpmmProblem const& p);

}  // namespace araia::cuda
