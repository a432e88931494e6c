// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The packing of the kernel on tensor cores: tiles of 32 rows and 32 columns, entries with their places in it.
//
// An entry is its value and 16 bits: its byte in a (32, 32) tile of floats that a warpgroup MMA reads as a K-major
// operand swizzled by 128 bytes, 4 (32 row + 4 ((column / 4) xor (row % 8)) + column % 4). A kernel expands a tile by
// storing values at their words. The entries of a tile are ordered so that 32 lanes store to 32 banks: granules of 64,
// slot 2 lane + j for the j-th store of a lane. A tile's last granule is filled by repeating an entry (the same value
// at the same word). 6 bytes an entry and 4 a tile: 6.5, 7.2 and 8 bytes an entry at 0.6, 0.8 and 0.9 sparsity.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <vector>

namespace araia::cuda {

inline constexpr int tile_side = 32;
inline constexpr int tile_granule = 64;  // entries

/// On the host; the same arrays on a device are TilePointers.
struct TilePacking {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t row_tiles = 0;
  std::int64_t col_tiles = 0;
  std::vector<std::int32_t> tile_offsets;  // (row_tiles * col_tiles + 1) granules, a row of tiles after the other
  std::vector<float> values;               // (granules * 64)
  std::vector<std::uint16_t> positions;    // (granules * 64)
  std::vector<std::int32_t> sources;       // (granules * 64) the first entry of a value; empty unless asked for
  std::vector<std::int32_t> next;          // (nnz) the entry to be added to this one's value, -1: none; empty without
                                           // duplicates

  /// Of what a product reads.
  [[nodiscard]] std::uint64_t bytes() const {
    return tile_offsets.size() * sizeof(std::int32_t) + values.size() * sizeof(float) +
           positions.size() * sizeof(std::uint16_t);
  }
};

struct TilePointers {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_tiles = 0;
  std::int64_t col_tiles = 0;
  std::int32_t const* tile_offsets = nullptr;
  float const* values = nullptr;             // aligned to 16 bytes
  std::uint16_t const* positions = nullptr;  // aligned to 16 bytes
};

/// Shape of the product.
struct TileSpmmTuning {
  int rows = 128;     ///< of C, of a block: 64 or 128
  int columns = 128;  ///< of C, of a block: 128, or 64 where rows are 64
  int split = 1;      ///< blocks of a cluster that share the columns of A: 1, 2, 4 or 8
  friend bool operator==(TileSpmmTuning const&, TileSpmmTuning const&) = default;
};

/// Is tile_spmm built for devices of this compute capability? Hopper's instructions are in no other.
bool tile_spmm_runs_on(int major, int minor);

/// From CSR in host memory; rows and columns in any order, duplicates summed. O(nnz + tiles).
/// \param threads  that share the work, at least 1; the result does not depend on them
/// \param keep_sources  tells also where values come from; of at most 2^31 - 1 entries
/// \throws araia::Error (resource_limit) where granules or tiles of a row pass 32 bits
template <class Offset>
TilePacking tile_packing(CsrPointers<float, std::int32_t, Offset> const& a, int threads, bool keep_sources = false);

}  // namespace araia::cuda
