// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What SpGEMM's kernels share: operands, the result, bins of rows and what is counted of them on the device.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace araia::cuda::spgemm {

/// How a row of C is made. One folder each, row groups and the window of a warp sharing their bins.
enum class Bin : std::uint8_t {
  empty,         ///< no product
  window_short,  ///< bit window in shared memory, a team of lanes a row: at most short_window words
  window_long,   ///< the same with at most long_window words
  sorted_64,     ///< at most 64 products, sorted in registers
  sorted_256,
  sorted_1024,
  block_window,  ///< bit window in shared memory, a block a row: at most block_window_words words
  long_row       ///< bit window over all columns in global memory, several blocks a row
};
inline constexpr int bins = 8;
constexpr int index(Bin bin) { return static_cast<int>(bin); }

inline constexpr int word_columns = 32;  ///< of a window's word, a tile of columns
inline constexpr std::int32_t short_window = 512;
inline constexpr std::int32_t long_window = 2048;
inline constexpr std::int32_t block_window_words = 8192;
inline constexpr std::int64_t least_window_products = 64;    ///< up to these, sorting is cheaper
inline constexpr std::int64_t most_window_products = 16384;  ///< beyond, a row keeps a warp too long
inline constexpr std::int64_t most_block_products = 16384;   ///< beyond, a row keeps a block too long
inline constexpr std::int64_t most_window_a_entries = 256;   ///< likewise, of A's row
inline constexpr std::int64_t most_sorted_a_entries = 1024;
inline constexpr std::int32_t most_team_entries = 1024;  ///< of C's row, whose values a team has in shared memory
inline constexpr std::int32_t merged_entries = 8;        ///< of rows of A and of B that one thread merges
inline constexpr int group_rows = 3;                     ///< that share their columns

struct Csr {
  std::int32_t const* row_offsets;
  std::int32_t const* col_indices;
  double const* values;
};

struct Operands {
  Csr a;
  Csr b;
  std::int64_t rows;   // of A
  std::int64_t inner;  // columns of A, rows of B
  std::int64_t words;  // that all columns of B take
  bool b_ascending;    // every row of B strictly so
  bool in_order;       // sums in a fixed order
};

/// C's, 32 bits or 64.
struct RowOffsets {
  void* data;
  bool wide;
};

struct Result {
  RowOffsets row_offsets;
  std::int32_t* col_indices;
  double* values;
};

/// Rows of a bin: list[first .. first + count), or first .. first + count - 1 where the list is null. With groups an
/// item is a group of rows.
struct Items {
  std::int32_t const* list;
  std::int64_t first;
  std::int64_t count;
};

/// Columns of a row in words: bit c % 32 of `mask` stands for column 32 tile + c.
struct Tile {
  std::int32_t tile;
  std::uint32_t mask;
};

/// Rows of B in tiles, each at its own row's offset; null: not made.
struct TiledRows {
  Tile* tiles;
  std::int32_t* counts;  // of row item * group
  int group;
};

/// Rows of C in tiles, from symbolic to numeric: positions[item] says where, no_tiles: the list was full.
struct TileLists {
  Tile* tiles;  // null: no list
  std::uint32_t* positions;
  std::uint32_t capacity;
};
inline constexpr std::uint32_t no_tiles = 0xffffffffu;

/// On the device.
struct Counters {
  // Of an analysis, which begins with zeroes.
  unsigned long long products;      // of groups, where rows are in groups
  unsigned long long list_entries;  // what rows' tile lists may need
  std::uint32_t items[bins];
  std::uint32_t words[bins];  // the most of a row's window
  std::uint32_t longest_a;
  std::uint32_t longest_b;
  std::uint32_t b_unordered;
  std::uint32_t ungrouped;

  // Of a symbolic pass, which begins with zeroes.
  struct Pass {
    unsigned long long nnz;       // of C
    std::uint32_t cursors[bins];  // of the lists being written
    std::uint32_t longest_c[bins];
    std::uint32_t list_used;
  } pass;
};

}  // namespace araia::cuda::spgemm
