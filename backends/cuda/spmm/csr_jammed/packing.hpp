// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The packing of the jammed kernel: groups of a few rows, whose columns are sorted by which of the rows use them, so
// that one load of B serves several rows.
//
// Rows come in an order that brings rows with common columns together (row_clusters.hpp), in groups of four. Columns
// are cut into chunks of `chunk_cols`. A chunk and a group have a stream of records, 16 bytes a place, in the order of
// row masks 1, 2, ... 15. The streams of a chunk follow each other by group, so that a reader of neighbouring groups
// reads memory from one end to the other. A step is `step_columns` columns of one mask, one for each place. Beside the
// stream stand 16 counts of 8 bits, count m that of mask m.
//   mask of one row       a record for two steps: (column, value, column, value) a place; counts are of records
//   of two or three rows  a record a step: (column, value, value, value or 0)
//   of four rows          two: (column, value, value, value), then (value, 0, 0, 0)
// Columns count from the chunk's first. Columns that do not fill a mask's last step move to a mask of one row more,
// with a value of 0; the last mask is padded. So a few products 0 * B are made that A has no entry for: the kernel
// makes sums that are not finite again.

#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/cuda/lib/row_streams.hpp"

namespace araia::cuda {

inline constexpr int jam_rows = 4;          // of a group: with 5 or 6 their masks' loops are too much code
inline constexpr int jam_read_ahead = 48;   // records that a reader may fetch beyond the end of a stream
inline constexpr int jam_most_steps = 255;  // of a mask in a chunk: a count fits 8 bits

struct JamShape {
  int chunk_cols = 512;  ///< columns of A, rows of B in shared memory at once: a multiple of 4, jam_most_steps steps
  int step_columns = 8;  ///< columns of A at a time, each for 32 / step_columns lanes: 8 or 16
  [[nodiscard]] constexpr int record_words() const { return 4 * step_columns; }
  friend bool operator==(JamShape const&, JamShape const&) = default;
};

/// On the host; the same arrays on a device are JamPointers. row_order is (groups, 4), streams are in the order of
/// chunks, then of groups, records are (records + jam_read_ahead, step_columns, 4) words.
struct JamPacking : RowStreams {
  JamShape shape;
  std::vector<std::uint32_t> counts;  // (chunks * groups, 4)

  [[nodiscard]] std::uint64_t bytes() const { return RowStreams::bytes() + counts.size() * sizeof(std::uint32_t); }
};

struct JamPointers : RowStreamPointers {
  JamShape shape;
  std::uint32_t const* counts = nullptr;
};

inline constexpr int jammed_warps = 16;       ///< of a block
inline constexpr int jammed_ring_blocks = 4;  ///< of records, of a warp
/// Of a block of records: enough of them that two blocks hold all that a step looks at.
/// \param lanes  that share a column of A
constexpr int jammed_block_bytes(int lanes) { return 32 * 16 * (lanes == 2 ? 2 : 1); }

/// Shape of the jammed product beside that of its packing.
struct JammedTuning {
  int vector = 16;  ///< columns a lane: 8 (steps of 8) or 16; a slice has 32 / step_columns times as many
  int parts = 0;    ///< blocks a slice of columns, which share the rows; 0: what fills the device
  friend bool operator==(JammedTuning const&, JammedTuning const&) = default;
};

/// Bytes of shared memory that a block takes: a device must give so many (cudaDevAttrMaxSharedMemoryPerBlockOptin).
constexpr std::size_t jammed_shared_bytes(JamShape const& shape, int vector) {
  int const lanes = 32 / shape.step_columns;
  return static_cast<std::size_t>(shape.chunk_cols) * static_cast<std::size_t>(lanes * vector) * 4 +
         static_cast<std::size_t>(jammed_warps * jammed_ring_blocks * jammed_block_bytes(lanes));
}

/// From CSR in host memory; rows and columns in any order, duplicates kept apart. O(nnz + chunks * rows), and
/// O(65536) words a row for the order.
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \param keep_sources  tells also where values come from; of at most 2^31 - 1 entries
/// \throws araia::Error (invalid_argument) on a shape out of range, (unsupported) where a mask has too many
///         steps: only duplicates bring that about
template <class Offset>
JamPacking jam_packing(CsrPointers<float, std::int32_t, Offset> const& a, JamShape shape, int threads,
                       bool keep_sources = false);

}  // namespace araia::cuda
