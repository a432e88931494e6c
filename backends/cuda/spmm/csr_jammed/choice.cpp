// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_jammed/choice.hpp"

#include <algorithm>
#include <cmath>

#include "backends/cuda/lib/slice_rules.hpp"

namespace araia::cuda {
namespace {

constexpr double launch_and_first_copy = 2.5;     // us
constexpr double copy_of_a_row = 0.9 / 512 / 32;  // us, and column
constexpr double chunk_change = 1.9;              // us: sums go to C and come back
constexpr double group_column = 0.65e-3;          // us, of a group, slices of 32 columns
constexpr double few_columns_of_lane = 1.17;      // times as long: more of A for each row of B

/// Columns of A that lie in shared memory at once: as few chunks as `longest` allows, of even length.
int even_chunk(std::int64_t cols, int longest) {
  std::int64_t const chunks = std::max<std::int64_t>(1, quotient_up(cols, longest));
  return static_cast<int>(std::clamp<std::int64_t>(quotient_up(quotient_up(cols, chunks), 4) * 4, 4, longest));
}

/// Its `seconds` are microseconds of usual rows.
std::optional<JammedChoice> with_shape(SpmmProblem const& p, JamShape shape, int vector) {
  int longest = 0;
  int const most = 1024;  // so that counts of steps fit, and more than one chunk has not paid
  for (shape.chunk_cols = 64; shape.chunk_cols <= most && jammed_shared_bytes(shape, vector) <= p.shared_bytes;
       shape.chunk_cols += 4)
    longest = shape.chunk_cols;
  if (longest == 0) return {};
  shape.chunk_cols = even_chunk(p.cols, longest);
  int const slice_columns = 32 / shape.step_columns * vector;
  std::int64_t const slices = quotient_up(p.columns, slice_columns);
  std::int64_t const groups = quotient_up(p.rows, jam_rows);
  std::int64_t const parts = parts_of_slice(slices, p.multiprocessors, quotient_up(groups, jammed_warps));
  auto const waves = static_cast<double>(quotient_up(slices * parts, p.multiprocessors));
  // Groups come to all warps at once; columns that do not fill a mask's last step are zeros for some of the rows.
  std::int64_t const rounds = quotient_up(quotient_up(groups, parts), jammed_warps);
  double const used = 1 - std::pow(1 - std::min(p.density(), 1.0), jam_rows);
  double const filling = 1 + 7.5 * shape.step_columns / std::max(1.0, used * shape.chunk_cols);
  double const start =
      launch_and_first_copy + copy_of_a_row * static_cast<double>(p.cols) * slice_columns +
      chunk_change * static_cast<double>(std::max<std::int64_t>(quotient_up(p.cols, shape.chunk_cols), 1) - 1);
  double const time = start + waves * static_cast<double>(rounds * jammed_warps) * used * static_cast<double>(p.cols) *
                                  group_column * slice_columns / 32 * filling * (vector == 8 ? few_columns_of_lane : 1);
  return JammedChoice{shape, {vector, 0}, time};
}

}  // namespace

std::optional<JammedChoice> choose_jammed(SpmmProblem const& p) {
  if (!fills_slices(p)) return {};
  struct Mapping {
    int step_columns;
    int vector;
  };
  std::optional<JammedChoice> best;
  for (auto const mapping : {Mapping{16, 16}, Mapping{8, 16}, Mapping{8, 8}}) {
    auto const made = with_shape(p, {0, mapping.step_columns}, mapping.vector);
    if (made && (!best || made->seconds < best->seconds)) best = made;
  }
  if (best) best->seconds = std::max(best->seconds, longest_row_of_slice(p)) * microsecond;
  return best;
}

}  // namespace araia::cuda
