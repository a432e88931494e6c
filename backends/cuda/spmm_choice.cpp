// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm_choice.hpp"

#include <algorithm>

namespace araia::cuda {
namespace {

// Jamming pays for its preparation, a slice of B in every SM, from so many products on ...
constexpr std::int64_t products_to_jam = 80'000'000;
// ... where four rows share columns: at this density a column of a group has 1.13 rows.
constexpr double density_to_jam = 0.08;
constexpr std::int64_t columns_to_jam = 96;
constexpr std::int64_t wide_columns = 256;  // slices of 64 columns from here on, else of 32

// The longest chunk that shared memory holds, evened out over the chunks that A's columns need.
int chunk_for(std::int64_t cols, int vector, std::size_t shared_bytes) {
  int longest = 0;
  for (int k = 64; k <= jam_most_cols && jammed_shared_bytes(k, vector) <= shared_bytes; k += 4) longest = k;
  if (longest == 0) return 0;
  std::int64_t const chunks = std::max<std::int64_t>(1, (cols + longest - 1) / longest);
  return static_cast<int>(std::clamp<std::int64_t>(((cols + chunks - 1) / chunks + 3) / 4 * 4, 4, longest));
}

}  // namespace

SpmmChoice choose_spmm(SpmmProblem const& p) {
  SpmmChoice choice;
  double const density =
      static_cast<double>(p.nnz) / std::max(1.0, static_cast<double>(p.rows) * static_cast<double>(p.cols));
  if (p.scalar_bytes == sizeof(float) && density >= density_to_jam && p.columns >= columns_to_jam &&
      static_cast<double>(p.nnz) * static_cast<double>(p.columns) >= static_cast<double>(products_to_jam)) {
    choice.jam.vector = p.columns >= wide_columns ? 8 : 4;
    choice.chunk_cols = chunk_for(p.cols, choice.jam.vector, p.shared_bytes);
    choice.jammed = choice.chunk_cols > 0;
  }
  choice.rows = csr_spmm_row_tuning(p.rows, p.nnz, p.columns, p.scalar_bytes, p.multiprocessors);
  return choice;
}

}  // namespace araia::cuda
