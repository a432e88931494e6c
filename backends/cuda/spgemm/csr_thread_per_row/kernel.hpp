// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B where no row of A or B has more than merged_entries entries, B's ascending: a thread merges a row in
// registers.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm::thread_per_row {

/// Lengths of C's rows.
void symbolic(Operands const& p, std::int32_t* lengths, Counters* counters, cudaStream_t stream);

/// Columns, ascending, and values.
/// \param entries  the most of a row of C
/// \param known    C's columns are there already: values alone
/// Rounding  sums in the order of A's entries: the same bits each time
void numeric(Operands const& p, std::int32_t entries, Result const& c, bool known, cudaStream_t stream);

}  // namespace araia::cuda::spgemm::thread_per_row
