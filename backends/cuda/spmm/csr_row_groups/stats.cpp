// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <araia/detail/formats/type_list.hpp>
#include <array>
#include <cmath>
#include <cstdlib>

#include "backends/cuda/spmm/csr_row_groups/choice.hpp"

namespace araia::cuda {
namespace {

constexpr std::int64_t windows = 64;       // that the sample has
constexpr std::int64_t window_rows = 256;  // of each
constexpr std::int64_t window_entries = 1 << 16;

}  // namespace

template <class T, class Offset>
GroupStats group_stats(CsrPointers<T, std::int32_t, Offset> const& a) {
  GroupStats stats;
  if (a.rows == 0 || a.nnz == 0) return stats;
  double const mean = static_cast<double>(a.nnz) / static_cast<double>(a.rows);
  double squares = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::int64_t const length = a.row_offsets[i + 1] - a.row_offsets[i];
    double const off = static_cast<double>(length) - mean;
    squares += off * off;
    stats.longest = std::max(stats.longest, length);
  }
  stats.deviation = std::sqrt(squares / static_cast<double>(a.rows)) / mean;

  std::array<std::int64_t, most_group_rows> columns{};
  std::int64_t entries = 0;
  double distance = 0;
  double const rows_of_column = static_cast<double>(a.rows) / static_cast<double>(a.cols);
  std::int64_t const count = std::min<std::int64_t>(windows, (a.rows + window_rows - 1) / window_rows);
  for (std::int64_t w = 0; w < count; ++w) {
    std::int64_t const first = a.rows * w / count;
    std::int64_t last = std::min(first + window_rows, a.rows);
    while (last > first && a.row_offsets[last] - a.row_offsets[first] > window_entries) last -= (last - first + 1) / 2;
    if (last == first) continue;
    // Offsets stay those of the whole matrix.
    CsrPointers<T, std::int32_t, Offset> const window{last - first, a.cols, a.nnz, a.row_offsets + first,
                                                      a.col_indices};
    entries += a.row_offsets[last] - a.row_offsets[first];
    for (int g = 1; g <= most_group_rows; ++g)
      columns[static_cast<std::size_t>(g - 1)] += count_group_columns(window, g);
    for (std::int64_t i = first; i < last; ++i)
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        distance += std::abs(static_cast<double>(a.col_indices[k]) * rows_of_column - static_cast<double>(i));
  }
  if (entries == 0) return stats;
  for (std::size_t g = 0; g < columns.size(); ++g)
    stats.shared[g] = static_cast<double>(entries) / static_cast<double>(std::max<std::int64_t>(columns[g], 1));
  stats.distance = distance / static_cast<double>(entries);
  return stats;
}

[[gnu::used]] static void write_out_group_stats() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class T, class F>() { write_out(group_stats<T, F>); });
}

}  // namespace araia::cuda
