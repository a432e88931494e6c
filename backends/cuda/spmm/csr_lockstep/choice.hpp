// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What lockstep_spmm takes, in microseconds on an H200: fits to the sweep of docs/kernels/spmm_cuda.md.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/spmm/csr_lockstep/packing.hpp"

namespace araia::cuda {

inline constexpr double lockstep_start = 1.25;
inline constexpr double lockstep_copy = 1.69e-3;  ///< of a row of B, slices of 32 columns
inline constexpr double lockstep_round = 0.68;
/// Of an entry, in groups of 8 or 16 rows.
constexpr double lockstep_entry(int group_rows) { return group_rows == 8 ? 0.551e-3 : 0.526e-3; }

/// The shape with the groups and warps that multiply fastest by the lengths of the rows: parts and ring stay. A block
/// takes what its records take, but no less than a warp of it that has the most. O(rows log rows). On the host.
template <class Offset>
LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape);

}  // namespace araia::cuda
