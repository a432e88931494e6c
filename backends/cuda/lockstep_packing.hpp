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

/// On the host; the same arrays on a device are LockstepPointers.
struct LockstepPacking {
  LockstepShape shape;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t groups = 0;  // of a part
  std::int64_t chunks = 0;
  std::vector<std::int32_t> row_order;       // (chunks, parts, groups, group_rows) stored rows, -1: none
  std::vector<std::int64_t> stream_offsets;  // (chunks * parts * groups + 1) records
  std::vector<std::int32_t> early;           // (chunks * parts * groups) records that need the first half alone
  std::vector<std::uint32_t> records;        // (records + lockstep_read_ahead, group_rows, 4)

  [[nodiscard]] std::uint64_t bytes() const {
    return (row_order.size() + early.size()) * sizeof(std::int32_t) + stream_offsets.size() * sizeof(std::int64_t) +
           records.size() * sizeof(std::uint32_t);
  }
};

struct LockstepPointers {
  LockstepShape shape;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t groups = 0;
  std::int64_t chunks = 0;
  std::int32_t const* row_order = nullptr;
  std::int64_t const* stream_offsets = nullptr;
  std::int32_t const* early = nullptr;
  std::uint32_t const* records = nullptr;
};

/// From CSR in host memory; rows and columns in any order, duplicates kept apart. O(nnz + chunks * rows log rows).
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \throws araia::Error (invalid_argument) on a shape out of range
template <class Offset>
LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape, int threads);

}  // namespace araia::cuda
