// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/reference/parallel_rows.hpp"

#include <algorithm>

namespace araia::reference {

void parallel_rows(std::int64_t count, std::function<void(std::int64_t, std::int64_t)> const& body) {
  constexpr std::int64_t rows_per_piece = 512;  // small enough to balance power-law rows, large enough to hide the call
  std::int64_t const pieces = (count + rows_per_piece - 1) / rows_per_piece;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) if (pieces > 1)
#endif
  for (std::int64_t piece = 0; piece < pieces; ++piece)
    body(piece * rows_per_piece, std::min(count, (piece + 1) * rows_per_piece));
}

}  // namespace araia::reference
