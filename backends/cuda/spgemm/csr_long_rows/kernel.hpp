// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B for few rows of very many products: a bit window over all columns in global memory, several blocks a row.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm::long_rows {

/// Of one row's window. \param words  of all columns
constexpr std::int64_t window_bytes(std::int64_t words) { return 8 * words; }

/// Windows of some rows, numbered; lengths of C's rows where `lengths` is not null.
/// \param windows    (rows.count, words) of window_bytes, written
/// \param longest_a  of A's rows
void make_windows(Operands const& p, Items const& rows, std::int64_t longest_a, void* windows, std::int32_t* lengths,
                  Counters* counters, cudaStream_t stream);

/// Columns, ascending, and values, by windows that make_windows has left.
/// \param known  C's columns are there already: values alone
/// Rounding  p.in_order: sums in the order of A's entries, the same bits each time, by one block a row; else atomics in
///           any order
void numeric(Operands const& p, Items const& rows, std::int64_t longest_a, void const* windows, Result const& c,
             bool known, cudaStream_t stream);

}  // namespace araia::cuda::spgemm::long_rows
