// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B for rows of few products: expanded, sorted in registers, duplicates dropped.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm::sorted_rows {

/// Lengths of C's rows. \param bin  sorted_64, sorted_256 or sorted_1024
void symbolic(Operands const& p, Items const& items, Bin bin, std::int32_t* lengths, Counters* counters,
              cudaStream_t stream);

/// Columns, ascending, and values.
/// \param known  C's columns are there already: values alone
/// Rounding  p.in_order: sums in the order of A's entries, the same bits each time; else in any order
void numeric(Operands const& p, Items const& items, Bin bin, Result const& c, bool known, cudaStream_t stream);

}  // namespace araia::cuda::spgemm::sorted_rows
