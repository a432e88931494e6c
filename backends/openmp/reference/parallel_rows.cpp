// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/reference/parallel_rows.hpp"

#include <algorithm>

namespace araia::reference {

void parallel_rows(std::int64_t count, std::function<void(std::int64_t, std::int64_t)> const& body) {
  constexpr std::int64_t rows_per_chunk = 512;  // small enough to balance power-law rows, large enough to hide the call
  std::int64_t const chunks = (count + rows_per_chunk - 1) / rows_per_chunk;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) if (chunks > 1)
#endif
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
    body(chunk * rows_per_chunk, std::min(count, (chunk + 1) * rows_per_chunk));
}

}  // namespace araia::reference
