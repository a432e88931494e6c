// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shape and seconds of the lockstep product, by rule.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <optional>

#include "backends/cuda/lib/spmm_problem.hpp"
#include "backends/cuda/spmm/csr_lockstep/packing.hpp"

namespace araia::cuda {

struct LockstepChoice {
  LockstepShape shape;
  double seconds = 0;
};

/// By sizes alone. Nothing where columns do not fill a slice, two stages of it shared memory, or entries pass what a
/// texture holds.
std::optional<LockstepChoice> choose_lockstep(SpmmProblem const& p);

/// The shape with the groups and warps that multiply fastest by the lengths of the rows: parts and ring stay. A thread
/// block takes what its records take, but no less than a warp of it that has the most. O(rows log rows). On the host.
template <class Offset>
LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape);

}  // namespace araia::cuda
