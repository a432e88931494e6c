// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_lockstep/choice.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace araia::cuda {
namespace {

/// A record of a warp that no other keeps busy, in microseconds.
double lone_record(LockstepShape const& shape) {
  return (shape.group_rows == 8 ? 0.07 : 0.08) * (shape.warps == 16 ? 1.3 : 1.0);
}

/// \param lengths  of rows, falling
double shape_time(std::vector<std::int64_t> const& lengths, std::int64_t cols, LockstepShape const& shape) {
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
  std::int64_t const stages = (cols + lockstep_stage_cols - 1) / lockstep_stage_cols;
  double const all = static_cast<double>(most * 2 * shape.group_rows) * lockstep_entry(shape.group_rows);
  return lockstep_start + lockstep_copy * static_cast<double>(cols * (stages > shape.ring ? rounds : 1)) +
         std::max(all, static_cast<double>(most_of_one) * lone_record(shape)) +
         lockstep_round * static_cast<double>(rounds);
}

}  // namespace

template <class Offset>
LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i)
    lengths[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(a.row_offsets[i + 1] - a.row_offsets[i]);
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  LockstepShape best = shape;
  double least = std::numeric_limits<double>::infinity();
  for (shape.group_rows = 8; shape.group_rows <= 16; shape.group_rows *= 2)
    for (shape.warps = 8; shape.warps <= 16; shape.warps *= 2) {
      double const time = shape_time(lengths, a.cols, shape);
      if (time < least) least = time, best = shape;
    }
  return best;
}

template LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, std::int32_t> const&, LockstepShape);
template LockstepShape choose_lockstep(CsrPointers<float, std::int32_t, std::int64_t> const&, LockstepShape);

}  // namespace araia::cuda
