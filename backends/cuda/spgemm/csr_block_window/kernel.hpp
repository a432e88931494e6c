// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B for rows whose columns lie in a window, a block a row: those with too many products for a warp, or too many
// entries of C for a warp's share of shared memory.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/csr_bit_window/kernel.hpp"

namespace araia::cuda::spgemm::block_window {

/// Lengths of C's rows. No groups.
void symbolic(Operands const& p, bit_window::Rows const& rows, std::int32_t* lengths, Counters* counters,
              cudaStream_t stream);

/// Columns, ascending, and values, of rows of C of more than `above` entries; of each row of a group.
/// \param known  C's columns are there already: values alone
/// Rounding  p.in_order: sums in the order of A's entries, the same bits each time; else atomics in any order
void numeric(Operands const& p, bit_window::Rows const& rows, std::int32_t above, Result const& c, bool known,
             cudaStream_t stream);

}  // namespace araia::cuda::spgemm::block_window
