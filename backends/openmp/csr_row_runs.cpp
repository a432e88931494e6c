// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_row_runs.hpp"

#include <algorithm>
#include <cstddef>

namespace araia::host {

namespace {

// A change of run is a mispredicted branch, some 20 cycles, as long as it takes to read this many columns from memory.
constexpr std::int64_t least_shared_entries = 24;

/// Runs among stored rows [first, last), each piece by itself.
template <class Offset>
CsrRowRuns runs_of_rows(Offset const* row_offsets, std::int32_t const* col_indices, std::int64_t first,
                        std::int64_t last) {
  CsrRowRuns out;
  auto const begin = [&](std::int64_t row) { return static_cast<std::int64_t>(row_offsets[row]); };
  std::int64_t row = first;
  while (row < last) {
    std::int64_t const length = begin(row + 1) - begin(row);
    std::int32_t const* const columns = col_indices + begin(row);
    std::int64_t end = row + 1;
    std::int32_t shift = 0;
    for (; length > 0 && end < last && begin(end + 1) - begin(end) == length; ++end) {
      std::int32_t const* const next = col_indices + begin(end);
      if (end == row + 1) shift = next[0] - columns[0];
      std::int64_t const moved = (end - row) * shift;
      bool same = true;
      for (std::int64_t k = 0; same && k < length; k += 8) {
        std::int64_t const stop = std::min(length, k + 8);
        for (std::int64_t j = k; j < stop; ++j) same &= next[j] == columns[j] + moved;
      }
      if (!same) break;
    }
    std::int64_t const shared = (end - row - 1) * length;
    if (shared >= least_shared_entries) {
      out.runs.push_back({static_cast<std::int32_t>(row), shift});
      out.shared_entries += shared;
    } else {
      if (out.runs.empty() || out.runs.back().shift != CsrRowRun::own_columns)
        out.runs.push_back({static_cast<std::int32_t>(row), CsrRowRun::own_columns});
      end = row + 1;
    }
    row = end;
  }
  return out;
}

}  // namespace

template <class Scalar, class Offset>
CsrRowRuns csr_row_runs(CsrPointers<Scalar, std::int32_t, Offset> const& a, [[maybe_unused]] int threads) {
  // Pieces are cut by rows alone, so that the runs do not depend on the thread count.
  constexpr std::int64_t rows_per_piece = 1 << 14;
  std::int64_t const pieces = (a.rows + rows_per_piece - 1) / rows_per_piece;
  std::vector<CsrRowRuns> found(static_cast<std::size_t>(pieces));
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
  for (std::int64_t piece = 0; piece < pieces; ++piece)
    found[static_cast<std::size_t>(piece)] = runs_of_rows(a.row_offsets, a.col_indices, piece * rows_per_piece,
                                                          std::min(a.rows, (piece + 1) * rows_per_piece));
  CsrRowRuns out;
  for (auto const& part : found) {
    auto from = part.runs.begin();
    bool const joins =
        !out.runs.empty() && out.runs.back().shift == CsrRowRun::own_columns && from->shift == CsrRowRun::own_columns;
    out.runs.insert(out.runs.end(), joins ? from + 1 : from, part.runs.end());
    out.shared_entries += part.shared_entries;
  }
  return out;
}

template CsrRowRuns csr_row_runs(CsrPointers<float, std::int32_t, std::int32_t> const&, int);
template CsrRowRuns csr_row_runs(CsrPointers<float, std::int32_t, std::int64_t> const&, int);
template CsrRowRuns csr_row_runs(CsrPointers<double, std::int32_t, std::int32_t> const&, int);
template CsrRowRuns csr_row_runs(CsrPointers<double, std::int32_t, std::int64_t> const&, int);

}  // namespace araia::host
