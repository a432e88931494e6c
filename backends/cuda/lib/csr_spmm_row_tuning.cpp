// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/lib/csr_spmm_row_tuning.hpp"

#include <algorithm>
#include <limits>

namespace araia::cuda {
namespace {

// What was measured for the constants is in docs/lab/cuda_kernels.md.

constexpr int warp_size = 32;
constexpr std::int64_t few_entries = 16;   // a row in the mean: of stencils of 7 points
constexpr std::int64_t many_entries = 64;  // of pruned layers; 27-point stencils have less
constexpr std::int64_t most_of_int = std::numeric_limits<int>::max();

}  // namespace

CsrSpmmRowTuning csr_spmm_row_tuning(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                     std::size_t scalar_bytes, int multiprocessors, int warps_resident) {
  CsrSpmmRowTuning t;
  auto const widest = static_cast<int>(16 / scalar_bytes);
  // Little work waits for memory, not for its pipes: all lanes on columns then, and no sum over subgroups at the end.
  constexpr double little_work = 6.5e6;  // products
  bool const little =
      static_cast<double>(nnz) * static_cast<double>(columns) < (columns > 32 ? 1.0 : 0.08) * little_work;
  // Rows of B at all alignments come a word a lane.
  bool const words = columns > warp_size && columns % widest != 0;
  bool const long_rows = nnz > many_entries * rows;
  bool const in_three =
      widest == 2 && warps_resident == padded_warps_resident && (words ? long_rows : nnz > few_entries * rows);
  std::int64_t const of_lane = (columns + warp_size - 1) / warp_size;
  if (widest == 4 && ((little && columns > 8) || words) && columns <= 2 * warp_size) {
    t.vector = 2;
    t.lanes = warp_size;
  } else if ((words || (widest == 2 && !in_three)) && (of_lane == 3 || (of_lane == 5 && !long_rows) || of_lane == 6)) {
    // One tile of three or five words a lane, or two of three, where whole ones would be half idle.
    t.vector = widest == 2 && of_lane == 5 ? 5 : 3;
    t.lanes = warp_size;
  } else {
    t.vector = columns >= 8 * widest ? widest : 1;
    t.lanes = 8;
    while (t.lanes < warp_size && t.lanes * t.vector < columns) t.lanes *= 2;
    // Three tiles in place of one or two of which a quarter and more idles, but not of short rows.
    if (in_three)
      for (int const lanes : {8, 16})
        if (columns > 4 * lanes && columns <= 6 * lanes) t.lanes = lanes;
  }
  if (widest == 4 && t.vector < widest && t.lanes > 8) warps_resident = std::max(warps_resident, padded_warps_resident);
  std::int64_t const tiles = std::max<std::int64_t>(1, (columns + t.lanes * t.vector - 1) / (t.lanes * t.vector));
  std::int64_t const entries = nnz / std::max<std::int64_t>(rows, 1);
  std::int64_t const resident = static_cast<std::int64_t>(multiprocessors) * warps_resident;
  // Parts of a row as long as all warps are resident at once, down to a few entries a part.
  std::int64_t const few = t.lanes == warp_size ? entries_of_octet / 4 : entries_of_octet / 2 * warp_size / t.lanes;
  while (t.split < most_row_warps && rows * tiles * t.split * 2 <= resident && entries >= t.split * 2 * few)
    t.split *= 2;
  constexpr std::int64_t over_mean = 4;
  constexpr std::int64_t short_enough = 256;
  if (t.split == 1) t.longest = static_cast<int>(std::clamp(over_mean * entries, short_enough, most_of_int));
  // Words on one warp a row are faster by blocks of four warps.
  bool const small_blocks = words || t.vector == 3 || t.vector == 5;
  if (small_blocks)
    t.warps = t.split == 1 ? 4 : most_row_warps;
  else
    t.warps = t.split == 1 || t.vector == 2 ? most_row_warps : std::max(4, t.split);
  return t;
}

}  // namespace araia::cuda
