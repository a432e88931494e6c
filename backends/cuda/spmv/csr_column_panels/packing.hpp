// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr packed by panels of columns, as plain pointers and sizes.

#include <cstdint>

namespace araia::cuda {

/// How a matrix is cut: entries in the order of rows into chunks, columns into panels. `parts` thread blocks have the x
/// of panel p in their shared memory: p parts .. p parts + parts - 1. A band is `groups` * blocks chunks; of it, thread
/// block p parts + j multiplies those entries of panel p that are in chunks j, j + parts, ...
struct CsrPanelShape {
  int blocks = 0;        ///< of threads: panels * parts, all at work at once
  int panels = 0;        ///< at most 255
  int parts = 0;         ///< thread blocks that have the same panel
  int groups = 0;        ///< chunks that a thread block sums of a band
  int widest = 0;        ///< columns of the widest panel, at most 65536
  int chunk = 0;         ///< entries
  int bands = 0;         ///< of chunks
  int slots = 0;         ///< bands that the buffer holds at a time
  int vector_bytes = 0;  ///< of an element of x and y: 4 or 8
  std::int64_t chunks = 0;
};

/// Neighbouring columns whose x a device's shared memory holds, of all rows. A unit is 16 bytes of products, 4 float or
/// 2 double: entries of one chunk and panel, and padding. A line is 32 units. Values lie block by block, band by band,
/// chunk by chunk; positions chunk by chunk, panel by panel.
template <class Scalar>
struct CsrPanelSpan {
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t first_column = 0;
  CsrPanelShape shape{};
  // structure
  std::int32_t* panel_columns = nullptr;          // (panels + 1) first column of a panel, less the span's first
  std::int32_t* first_rows = nullptr;             // (chunks + 1) first row that begins in a chunk; rows at the end
  std::uint16_t* row_begins = nullptr;            // (rows) entry of its chunk with which a row begins
  std::int32_t* lines = nullptr;                  // (blocks * bands + 1) first line of a band of a block
  std::int32_t* slot_lines = nullptr;             // (bands * blocks) the same in the slot of the band
  std::int32_t* band_lines = nullptr;             // (bands + 1) lines of a band; the most of them at the end
  std::int32_t* chunk_units = nullptr;            // (chunks + 1) first unit of a chunk
  std::uint32_t* sources = nullptr;               // (chunks * panels) unit in the slot less unit in the chunk, mod 2^32
  std::int32_t const* row_permutation = nullptr;  // (rows), or null: identity
  std::int32_t const* entries = nullptr;          // (nnz) which of the matrix's they are, or null: all, in order
  // entries
  Scalar* values = nullptr;             // (lines * 32 * unit)
  std::uint16_t* columns = nullptr;     // (lines * 32 * unit) less the panel's first
  std::uint8_t* unit_panels = nullptr;  // (units)
  std::uint16_t* positions = nullptr;   // (units * unit) place of the product in shared memory
  // workspace of one product at a time
  void* buffer = nullptr;         // (slots * most lines of a band * 32 * 16 bytes) products
  void* carries = nullptr;        // (chunks * vector_bytes) what a chunk adds to a row that began earlier
  std::uint32_t* done = nullptr;  // (2 bands + 1) zero between products
};

/// Spans of columns that a matrix may be cut in.
inline constexpr int csr_panel_most_spans = 8;

}  // namespace araia::cuda
