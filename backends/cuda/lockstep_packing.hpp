// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The storage of the lockstep SpMM kernel: rows of like length side by side, each for a few lanes of a warp.
//
// Rows are dealt to `parts`, longest first, so that parts have equal work; a block of the kernel owns a part. Columns
// are cut into chunks of `chunk_cols`. In each chunk a part's rows are sorted by their entries there, most first, and
// `group_rows` neighbours are a group: a stream of records of 16 bytes a row, (column, value, column, value), two
// entries of each, those of the chunk's first half first. Columns count from the chunk's first; padding has column
// `chunk_cols`, a row of zeros in the kernel's shared memory, and value 0: so products are of stored entries alone.

#include <araia/formats/pointers.hpp>
#include <cstdint>
#include <vector>

#include "backends/cuda/row_streams.hpp"

namespace araia::cuda {

inline constexpr int lockstep_read_ahead = 4;  // records that a reader may fetch beyond the end of a stream

/// Columns of a chunk's first half.
constexpr int lockstep_half(int chunk_cols) { return (chunk_cols + 1) / 2; }

struct LockstepShape {
  int group_rows = 8;    ///< 4, 8 or 16
  int chunk_cols = 512;  ///< columns of A, rows of B in shared memory at once
  int parts = 1;         ///< blocks that share a slice of B's columns
  friend bool operator==(LockstepShape const&, LockstepShape const&) = default;
};

/// On the host; the same arrays on a device are LockstepPointers. Groups count in a part: row_order is
/// (chunks, parts, groups, group_rows), streams are in the order of chunks, parts, groups, records are
/// (records + lockstep_read_ahead, group_rows, 4) words.
struct LockstepPacking : RowStreams {
  LockstepShape shape;
  std::vector<std::int32_t> early;  // (chunks * parts * groups) records that need the first half alone

  [[nodiscard]] std::uint64_t bytes() const { return RowStreams::bytes() + early.size() * sizeof(std::int32_t); }
};

struct LockstepPointers : RowStreamPointers {
  LockstepShape shape;
  std::int32_t const* early = nullptr;
};

/// From CSR in host memory; rows and columns in any order, duplicates kept apart. O(nnz + chunks * rows log rows).
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \param keep_sources  tells also where values come from; of at most 2^31 - 1 entries
/// \throws araia::Error (invalid_argument) on a shape out of range
template <class Offset>
LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape, int threads,
                                 bool keep_sources = false);

}  // namespace araia::cuda
