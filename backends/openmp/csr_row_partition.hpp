// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows for each thread: contiguous, of about equal work, or windows of such. Found by binary search on the offsets,
// nothing is stored.

#include <algorithm>
#include <cstdint>

#include "backends/openmp/caches.hpp"

namespace araia::host {

/// First row of chunk `chunk` of `chunks`; chunk `chunks` begins at `rows`. A row counts as its entries and
/// `entries_per_row` more, for its offset, its sum and its store. \tparam Offsets  a pointer, or what has []
template <class Offsets>
std::int64_t first_row_of_chunk(Offsets const& row_offsets, std::int64_t rows, std::int64_t chunk, std::int64_t chunks,
                                std::int64_t entries_per_row) {
  if (chunk <= 0) return 0;
  if (chunk >= chunks) return rows;
  auto const work_before = [&](std::int64_t row) {
    return static_cast<double>(row_offsets[row] - row_offsets[0]) + static_cast<double>(row * entries_per_row);
  };
  double const target = work_before(rows) * static_cast<double>(chunk) / static_cast<double>(chunks);
  std::int64_t low = 0;
  std::int64_t high = rows;
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (work_before(middle) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Where B is beyond a last-level cache that the whole machine shares, threads take windows of rows by turns, each
// reading so many times the second-level cache of B, rather than one chunk of all rows each: what one of them fetches
// the others find. Rows of few entries find little there and would lose where threads meet. Machines of several such
// caches keep chunks: nothing tells which threads share one, and memory may be near to some of them.
inline constexpr std::int64_t window_of_l2 = 2;
inline constexpr std::int64_t least_entries_of_windows = 12;  // of a row, in the mean

/// Windows of rows of each thread; 1: all its rows at once.
inline std::int64_t windows_of_thread(std::int64_t rows, std::int64_t nnz, std::int64_t bytes_of_b, int threads,
                                      Caches const& of) {
  if (!of.whole || threads < 2 || bytes_of_b <= of.last || nnz < least_entries_of_windows * rows) return 1;
  return std::max<std::int64_t>(1, bytes_of_b / threads / (window_of_l2 * of.l2));
}

/// f(chunk, chunks) for the windows of a thread in order, which go by turns.
template <class F>
void each_window(int thread, int threads, std::int64_t windows, F const& f) {
  for (std::int64_t w = 0; w < windows; ++w) f(w * threads + thread, threads * windows);
}

}  // namespace araia::host
