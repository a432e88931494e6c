// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_padded_rows/choice.hpp"

#include <algorithm>

namespace araia::cuda {

std::optional<PaddedRowsChoice> choose_padded_rows(SpmmProblem const& p) {
  constexpr double over_least = 1.05;  // of what short rows take packed in any way, at least
  double seconds = warp_per_row_time(p) * microsecond;
  // Fewer rows are under way all at once.
  bool const rows_wait = p.rows > std::int64_t{padded_warps_resident} * p.multiprocessors;
  if (p.nnz > 0 && rows_wait && goes_unpacked(p))
    seconds = std::max(seconds, least_of_packed_short_rows(p) * over_least);
  return PaddedRowsChoice{padded_row_tuning(p), seconds};
}

}  // namespace araia::cuda
