// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The packing of the lockstep kernel: rows of like length side by side, each for a few lanes of a warp.
//
// Rows are dealt to `parts`, longest first, so that parts have equal work; a block of the kernel owns a part. In a part
// rows are sorted by length, most first, and `group_rows` neighbours are a group: a stream of records of 16 bytes a
// row, (place, value, place, value), two entries of each, in the order of their columns. Columns are cut into stages of
// `lockstep_stage_cols`, whose rows of B pass through a ring of `ring` stages in the kernel's shared memory: a place is
// a row of that ring. The events of a stream tell how many batches of records come before a stage is needed, and how
// many stages are then needed no longer. Padding has the place after the ring, a row of zeros, and value 0: so products
// are of stored entries alone.

#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/cuda/lib/row_streams.hpp"

namespace araia::cuda {

inline constexpr int lockstep_batch = 4;           ///< records, which a reader may fetch beyond a stream's end
inline constexpr int lockstep_stage_cols = 128;    ///< columns of A, rows of B
inline constexpr int lockstep_slice_columns = 32;  ///< of B and C, that a block multiplies

/// Bytes of shared memory that a block takes: a device must give so many (cudaDevAttrMaxSharedMemoryPerBlockOptin).
constexpr std::size_t lockstep_shared_bytes(int ring) {
  constexpr int stage_bytes = lockstep_stage_cols * lockstep_slice_columns * 4;
  return static_cast<std::size_t>(ring) * (stage_bytes + 16) + lockstep_slice_columns * sizeof(float);
}

/// An event: the low bits count stages to give back, the others batches of records since the event before.
inline constexpr int lockstep_release_bits = 8;
inline constexpr std::uint32_t lockstep_no_event = 0xffffffffu;

inline constexpr std::int64_t most_texture_records = (std::int64_t{1} << 27) - 64;  ///< that every device takes

/// What a kernel reads a record by: tex1Dfetch<uint4>(object, first + index).
struct RecordTexturePointers {
  unsigned long long object = 0;
  std::int32_t first = 0;  ///< a texture begins where the device wants it, before the records
};

struct LockstepShape {
  int group_rows = 16;  ///< 8 or 16
  int warps = 8;        ///< that take a group each, round by round: group i in round i / warps; 8 or 16
  int ring = 14;        ///< stages in shared memory at once, 2 to 255
  int parts = 1;        ///< blocks that share a slice of B's columns
  friend bool operator==(LockstepShape const&, LockstepShape const&) = default;
};

/// On the host; the same arrays on a device are LockstepPointers. Groups count in a part: row_order is
/// (parts, groups, group_rows), streams are in the order of parts, groups, records are
/// (records + lockstep_batch, group_rows, 4) words; `chunks` is 1.
struct LockstepPacking : RowStreams {
  LockstepShape shape;
  std::int64_t stages = 0;
  std::vector<std::uint32_t> events;  // (parts, groups, stages + 1), the last lockstep_no_event

  [[nodiscard]] std::uint64_t bytes() const { return RowStreams::bytes() + events.size() * sizeof(std::uint32_t); }
};

struct LockstepPointers : RowStreamPointers {
  LockstepShape shape;
  std::int64_t stages = 0;
  std::uint32_t const* events = nullptr;
  RecordTexturePointers texture;  // over the records
};

/// From CSR in host memory; rows and columns in any order, duplicates kept apart. O(nnz log(longest row) + rows log
/// rows + rows / group_rows * stages).
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \param keep_sources  tells also where values come from; of at most 2^31 - 1 entries
/// \throws araia::Error (invalid_argument) on a shape out of range
template <class Offset>
LockstepPacking lockstep_packing(CsrPointers<float, std::int32_t, Offset> const& a, LockstepShape shape, int threads,
                                 bool keep_sources = false);

}  // namespace araia::cuda
