// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_lockstep/choice.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "backends/cuda/lib/slice_rules.hpp"

namespace araia::cuda {
namespace {

// Microseconds.
constexpr double lockstep_start = 1.25;
constexpr double lockstep_copy = 1.69e-3;  // of B, slices of 32 columns
constexpr double lockstep_round = 0.68;

/// Of an entry.
constexpr double lockstep_entry(int group_rows) { return group_rows == 8 ? 0.551e-3 : 0.526e-3; }

struct TimedShape {
  LockstepShape shape;
  double time = std::numeric_limits<double>::infinity();
};

/// Of all groups and warps the fastest: parts and ring stay.
template <class Time>
TimedShape fastest(LockstepShape shape, Time const& time_of) {
  TimedShape best{shape};
  for (shape.group_rows = 8; shape.group_rows <= 16; shape.group_rows *= 2)
    for (shape.warps = 8; shape.warps <= 16; shape.warps *= 2) {
      double const time = time_of(shape);
      if (time < best.time) best = {shape, time};
    }
  return best;
}

/// Rows of B come once, or once a round where not all stages fit the ring.
double copies_time(std::int64_t cols, LockstepShape const& shape, std::int64_t rounds) {
  std::int64_t const stages = quotient_up(cols, lockstep_stage_cols);
  return lockstep_copy * static_cast<double>(cols * (stages > shape.ring ? rounds : 1));
}

/// Of rows of like length.
double lockstep_time(SpmmProblem const& p, LockstepShape const& shape, double waves) {
  std::int64_t const groups =
      std::max<std::int64_t>(1, quotient_up(quotient_up(p.rows, shape.parts), shape.group_rows));
  std::int64_t const rounds = quotient_up(groups, shape.warps);
  double const idle = static_cast<double>(rounds * shape.warps) / static_cast<double>(groups) - 1;
  double const products =
      static_cast<double>(p.nnz) / shape.parts * lockstep_entry(shape.group_rows) *
      (1 + (shape.warps == 8 ? 0.24 : 0.12) * idle + 0.4 * std::max(0.0, 8.0 / static_cast<double>(groups) - 1));
  return lockstep_start +
         waves * (copies_time(p.cols, shape, rounds) + products + lockstep_round * static_cast<double>(rounds));
}

/// A record of a warp that no other keeps busy, in microseconds.
double lone_record(LockstepShape const& shape) {
  return (shape.group_rows == 8 ? 0.07 : 0.08) * (shape.warps == 16 ? 1.3 : 1.0);
}

/// \param lengths  of rows, falling
double lockstep_time(std::vector<std::int64_t> const& lengths, std::int64_t cols, LockstepShape const& shape) {
  auto const rows = static_cast<std::int64_t>(lengths.size());
  std::int64_t const parts = shape.parts;
  std::int64_t most = 0;         // records of a part
  std::int64_t most_of_one = 0;  // of a warp
  std::int64_t rounds = 1;
  std::vector<std::int64_t> of_warp(static_cast<std::size_t>(shape.warps));
  for (std::int64_t part = 0; part < std::min(parts, rows); ++part) {
    std::fill(of_warp.begin(), of_warp.end(), 0);
    std::int64_t records = 0;
    // Rows are dealt to parts there and back, groups to warps alike.
    for (std::int64_t i = 0;; i += shape.group_rows) {
      std::int64_t const row = i * parts + (i % 2 == 0 ? part : parts - 1 - part);
      if (row >= rows) break;
      std::int64_t const group = i / shape.group_rows;
      std::int64_t const round = group / shape.warps;
      std::int64_t const place = group % shape.warps;
      std::int64_t const length = (lengths[static_cast<std::size_t>(row)] + 1) / 2;
      of_warp[static_cast<std::size_t>(round % 2 == 0 ? place : shape.warps - 1 - place)] += length;
      records += length;
      rounds = std::max(rounds, round + 1);
    }
    most = std::max(most, records);
    most_of_one = std::max(most_of_one, *std::max_element(of_warp.begin(), of_warp.end()));
  }
  double const all = static_cast<double>(most * 2 * shape.group_rows) * lockstep_entry(shape.group_rows);
  return lockstep_start + copies_time(cols, shape, rounds) +
         std::max(all, static_cast<double>(most_of_one) * lone_record(shape)) +
         lockstep_round * static_cast<double>(rounds);
}

}  // namespace

std::optional<LockstepChoice> choose_lockstep(SpmmProblem const& p) {
  if (!fills_slices(p)) return {};
  int longest = 0;  // ring
  while (lockstep_shared_bytes(longest + 1) <= p.shared_bytes && longest + 1 < 1 << lockstep_release_bits) ++longest;
  if (longest < 2 || p.nnz > most_texture_records) return {};
  std::int64_t const slices = quotient_up(p.columns, lockstep_slice_columns);
  LockstepShape shape;
  shape.ring = static_cast<int>(std::clamp<std::int64_t>(quotient_up(p.cols, lockstep_stage_cols), 2, longest));
  shape.parts = static_cast<int>(parts_of_slice(slices, p.multiprocessors, quotient_up(p.rows, 8)));
  auto const waves = static_cast<double>(quotient_up(slices * shape.parts, p.multiprocessors));
  auto const best = fastest(shape, [&](LockstepShape const& s) { return lockstep_time(p, s, waves); });
  return LockstepChoice{best.shape, std::max(best.time, longest_row_of_slice(p)) * microsecond};
}

template <class Offset>
LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i)
    lengths[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(a.row_offsets[i + 1] - a.row_offsets[i]);
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return fastest(shape, [&](LockstepShape const& s) { return lockstep_time(lengths, a.cols, s); }).shape;
}

template LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, std::int32_t> const&, LockstepShape);
template LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, std::int64_t> const&, LockstepShape);

}  // namespace araia::cuda
