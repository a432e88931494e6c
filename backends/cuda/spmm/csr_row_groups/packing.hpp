// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The packing of row groups: slices of groups of rows that have their columns in common, so that a row of B is read
// once for the rows of a group.
//
//   group   up to `group_rows` neighbouring rows and the columns that any of them has, each once, with a value a row
//   slice   `slice_groups` groups side by side, as long as its longest: what a warp multiplies at once
//   run     slices that a warp multiplies one after the other: up to 31, until they have `run_steps` steps, a slice
//           one at least; one where groups have several rows
//   step    four columns of each group of a slice
//
//   col_indices  (steps, slice_groups, 4)
//   values       (steps, value packs, slice_groups, 16 bytes): a group's (4, group_rows) values of a step cut into
//                packs of 16 bytes, so that a warp reads each pack of all its groups in one go
//
// Long groups are cut into segments of `segment` columns, each a group of its own whose sums wait in a workspace to be
// added up in a fixed order. Groups are sorted by length, longest first, inside windows. Padding repeats a column,
// value 0.
//
// A single row, or a segment of one, of more than `part` columns goes in 2, 4, 8, ... equal parts, which lie side by
// side like groups. They are as many as make them short enough, at most as many as a slice has groups. Rows of a slice
// have the same number of parts; places at its end may have none.
//
//   row_order    i, part, i + 1, part, i + 2, part, none, none      (8 groups a slice, rows in 2 parts)

#include <algorithm>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <limits>
#include <vector>

namespace araia::cuda {

inline constexpr int step_columns = 4;
inline constexpr int most_group_rows = 4;
inline constexpr int most_slices_of_run = 31;

struct GroupShape {
  int group_rows = 1;            ///< 1 to 4
  int slice_groups = 1;          ///< 1 to 32, a power of two
  std::int64_t sort_window = 0;  ///< groups that are sorted together; 0: none, -1: all
  std::int64_t segment = 128;    ///< columns, a multiple of 4: groups of more than twice as many are cut
  std::int64_t run_steps = 0;    ///< steps after which a run ends; 0: after each slice
  std::int64_t part = 0;         ///< columns, at least 4: single rows of more go in parts; 0: none does

  /// That a row, or a segment of one, of so many columns goes in: a power of two.
  [[nodiscard]] constexpr std::int32_t parts_of(std::int64_t columns) const {
    std::int32_t parts = 1;
    if (part > 0)
      while (parts < slice_groups && columns > parts * part) parts *= 2;
    return parts;
  }

  friend bool operator==(GroupShape const&, GroupShape const&) = default;
};

/// In row_order: one more part of the row before.
inline constexpr std::int32_t part_of_row_before = std::numeric_limits<std::int32_t>::min();

/// A row that was cut: sums of its segments lie in the workspace, in their order.
struct CutRow {
  std::int32_t row = 0;    ///< stored row of the matrix
  std::int32_t first = 0;  ///< row of the workspace
  std::int32_t count = 0;
  std::int32_t stride = 0;  ///< rows of the workspace from one segment to the next
};

/// On the host; the same arrays on a device are GroupPointers.
template <class T>
struct GroupPacking {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  GroupShape shape;
  std::int64_t slices = 0;
  std::int64_t group_columns = 0;  // of all groups, padding apart: entries / group_columns share a read
  std::int64_t workspace_rows = 0;
  std::int64_t runs = 0;
  std::vector<std::int32_t> run_offsets;    // (runs + 1) slices
  std::vector<std::int32_t> slice_offsets;  // (slices + 1) steps
  std::vector<std::int32_t> row_order;      // (slices, slice_groups, group_rows) stored row; -1: none; -2 - w: row w of
                                            // the workspace; part_of_row_before
  std::vector<std::int32_t> col_indices;
  std::vector<T> values;
  std::vector<std::int32_t> sources;  // (values) the entry that a value is, -1: none; empty unless asked for
  std::vector<CutRow> cut_rows;

  /// Of a cut row; 0: none is cut.
  [[nodiscard]] std::int32_t most_segments() const {
    std::int32_t most = 0;
    for (CutRow const& cut : cut_rows) most = std::max(most, cut.count);
    return most;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return (run_offsets.size() + slice_offsets.size() + row_order.size() + col_indices.size()) * sizeof(std::int32_t) +
           values.size() * sizeof(T) + cut_rows.size() * sizeof(CutRow);
  }
};

template <class T>
struct GroupPointers {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  GroupShape shape;
  std::int64_t runs = 0;
  std::int64_t steps = 0;          // of all slices
  std::int64_t cut = 0;            // rows
  std::int32_t most_segments = 0;  // of one of them
  std::int32_t const* run_offsets = nullptr;
  std::int32_t const* slice_offsets = nullptr;
  std::int32_t const* row_order = nullptr;
  std::int32_t const* col_indices = nullptr;
  T const* values = nullptr;
  CutRow const* cut_rows = nullptr;
};

/// Shape of the product beside that of the packing. It may change the time, never the answer beyond rounding.
struct RowGroupsTuning {
  int packs = 1;  ///< of 16 bytes of a row of B that a lane multiplies: 1, 2 or 4
  int words = 0;  ///< 2 to 6: so many scalars in their place, each by an access of its own (double: single rows alone)
  int parts = 1;  ///< of a group's steps, each with lanes of its own: a power of two up to 32 / slice_groups (1 row: 1)
  int block_warps = 4;  ///< 1 to 8 warps a block
  friend bool operator==(RowGroupsTuning const&, RowGroupsTuning const&) = default;
};

/// Columns of B and C that a warp multiplies at once.
template <class T>
constexpr std::int64_t row_groups_tile(GroupShape const& shape, RowGroupsTuning const& tuning) {
  return static_cast<std::int64_t>(32 / (shape.slice_groups * tuning.parts)) *
         (tuning.words > 0 ? tuning.words : tuning.packs * static_cast<int>(16 / sizeof(T)));
}

/// Columns of all groups of `group_rows` rows: nnz / this is how many entries share a read. O(nnz group_rows).
template <class T, class Offset>
std::int64_t count_group_columns(CsrPointers<T, std::int32_t, Offset> const& a, int group_rows);

/// From CSR in host memory; columns of a row in any order, duplicates stay apart.
/// O(nnz log group_rows + rows log sort_window).
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \throws araia::Error invalid_argument on a shape out of range, resource_limit beyond 2^31 - 1 steps
template <class T, class Offset>
GroupPacking<T> group_packing(CsrPointers<T, std::int32_t, Offset> const& a, GroupShape shape, int threads,
                              bool keep_sources = false);

}  // namespace araia::cuda
