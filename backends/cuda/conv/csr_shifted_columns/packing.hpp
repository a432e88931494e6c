// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Weights of a convolution by shifted columns as the CUDA kernel reads them. On the host; no device is needed.
//
// Rows are cut into chunks, one for a thread block at a time. Columns of B that a chunk's rows read are ranges of the
// planes, a tile wide; where they overlap or touch they are one span. A chunk's spans, in the order of memory, are cut
// into stages that fit in a slot of shared memory:
//
//   | a header a warp: where its records begin, how many entries each of its rows has | records | spans of the planes |
//
// A record holds two entries of a row, each the byte in the slot where its range begins, and its value. A warp's
// records stand row after row; a row of an odd number ends in half a record.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "src/kernel/shifted_columns.hpp"

namespace araia::cuda::shifted_columns {

inline constexpr int warps = 16;             ///< of a block, that multiply
inline constexpr int most_span_words = 512;  ///< of a span: longer ones are several, for several warps to copy
inline constexpr int record_bytes = 16;

/// How a block multiplies: it may change the time and the order in which a row's products are added.
struct Shape {
  int lane_columns = 4;    ///< columns that a lane adds up: 1, 2, 4 or 8
  int warp_rows = 4;       ///< rows that a warp adds up at once: 1, 2, 4 or 8
  int splits = 1;          ///< blocks of a cluster that share a chunk's columns: 1, 2, 4 or 8
  int slot_bytes = 65536;  ///< of a stage at most, where a single range is not larger
  int least_stages = 2;    ///< that a block's share is cut into, where it has so many ranges

  [[nodiscard]] constexpr int tile() const { return 32 * lane_columns; }        ///< columns of a block
  [[nodiscard]] constexpr int chunk_rows() const { return warps * warp_rows; }  ///< rows of a block
  /// Bytes of a warp's header: where its records begin, then two rows' entries a word.
  [[nodiscard]] constexpr int header_bytes() const { return warp_rows == 8 ? 32 : 16; }
  /// "columns:256,rows:128,splits:1"
  [[nodiscard]] std::string name() const;

  friend bool operator==(Shape const&, Shape const&) = default;
};

/// Of a block: stages [first, first + count).
struct ShareWords {
  std::int32_t first;
  std::int32_t count;
};

struct StageWords {
  std::int32_t first_span;
  std::int32_t spans;
  std::int32_t first_record;  ///< of headers and records, in units of 16 bytes
  std::int32_t records;       ///< so many units
};

struct SpanWords {
  std::int32_t from;   ///< element of an image's planes, a multiple of 4, plus the tile's first column
  std::int32_t to;     ///< byte of the slot, a multiple of 16
  std::int32_t words;  ///< a multiple of 4
  std::int32_t last;   ///< elements from `from` to the last range that begins in what this span is cut from
};

/// All of it in one array, to be copied to the device as it is, to an address of 16 bytes' alignment.
struct Packing {
  Shape shape;
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int32_t chunks = 0;
  int slot_bytes = 0;             ///< that the largest stage takes, a multiple of 128
  std::int32_t most_stages = 0;   ///< of a block
  std::int64_t copied_words = 0;  ///< of planes, by all blocks of a tile
  // Byte offsets into `words`, multiples of 16.
  std::size_t shares_at = 0;   ///< (chunks, splits) ShareWords
  std::size_t row_ids_at = 0;  ///< (chunks, warps, warp_rows) rows, -1 for none
  std::size_t stages_at = 0;   ///< StageWords
  std::size_t spans_at = 0;    ///< SpanWords
  std::size_t records_at = 0;  ///< headers and records
  std::vector<std::uint32_t> words;

  [[nodiscard]] std::size_t bytes() const { return words.size() * sizeof(std::uint32_t); }
};

/// \param weights  in host memory
/// \param shape    one that `check_shape` takes
/// Cost    O(nnz log nnz) on one thread; some 40 bytes an entry of memory beside the packing
/// \throws araia::Error invalid_argument (shape), invalid_structure (offsets that descend or are negative),
///         resource_limit (offsets beyond 2^31 - 1025, indices of the packing beyond 31 bits)
Packing pack(ShiftedWeights<float> const& weights, Shape const& shape);

/// \throws araia::Error invalid_argument naming the field and what is expected
void check_shape(Shape const& shape);

/// What a convolution needs of a shape.
struct Work {
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t distinct_offsets = 0;
  std::int64_t window_words[4] = {};  ///< that a tile of 32, 64, 128, 256 columns reads of an image's planes
};

/// \throws as `pack`
Work measure(ShiftedWeights<float> const& weights);

/// The shape that is expected to be fastest.
/// \param columns          of all images, surplus included
/// \param multiprocessors  of the device
/// \param shared_bytes     that a block may have
/// \param clusters         whether blocks can share a chunk's columns (compute capability 9.0)
Shape choose_shape(Work const& work, std::int64_t columns, int multiprocessors, std::size_t shared_bytes,
                   bool clusters);

/// What choose_shape expects a shape to take, in cycles of a multiprocessor.
double expected_cycles(Work const& work, std::int64_t columns, int multiprocessors, Shape const& shape);

}  // namespace araia::cuda::shifted_columns
