// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Values of C = A B where three rows each have the same columns, as with three unknowns a node; the symbolic pass is
// bit_window's for one row of each group.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/csr_bit_window/kernel.hpp"

namespace araia::cuda::spgemm::row_groups {

/// As bit_window::numeric, items being groups.
/// Rounding  sums in the order of A's entries, three at a time: the same bits each time
void numeric(Operands const& p, bit_window::Rows const& rows, std::int32_t entries, Result const& c, bool known,
             cudaStream_t stream);

}  // namespace araia::cuda::spgemm::row_groups
