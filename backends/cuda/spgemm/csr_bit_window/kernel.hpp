// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B for rows whose columns lie in a window: a bit a column in shared memory, a warp or half of one a row.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm::bit_window {

/// Rows of one bin, and what of the analysis concerns them.
struct Rows {
  Items items;
  Bin bin;
  int group;                       ///< rows an item stands for: 1 or group_rows
  std::int32_t words;              ///< the most of a window of these
  std::int32_t const* first_tile;  ///< (items of all bins)
  TiledRows tiled;
  TileLists lists;
};

/// Lengths of C's rows, and their tiles where there is room in the list.
void symbolic(Operands const& p, Rows const& rows, std::int32_t* lengths, Counters* counters, cudaStream_t stream);

/// Columns, ascending, and values of rows of at most most_team_entries entries; others are left out. Without groups.
/// \param entries  the most of a row of C among those
/// \param known    C's columns are there already: values alone
/// Rounding  sums in the order of A's entries: the same bits each time
void numeric(Operands const& p, Rows const& rows, std::int32_t entries, Result const& c, bool known, double mean_b_row,
             cudaStream_t stream);

}  // namespace araia::cuda::spgemm::bit_window
