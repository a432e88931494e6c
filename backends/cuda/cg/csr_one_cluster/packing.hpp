// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A pattern in CSR cut into the blocks of one cluster: what csr_cg_one_cluster reads. On the host; no device is asked.
//
// Rows are dealt to `cluster` parts of equal size by recursive bisection (breadth-first order). In a part, rows that no
// other part has to do with come first, rows at a part's rim last. A block's vector in shared memory:
//
//   | own rows: rows_of_thread x threads          | halo: values of other blocks' rows, then sums of long rows |
//   | row k * threads + t belongs to thread t     | written by their owners                                    |
//
// A row's entries, the diagonal apart:
//   up to four whose columns are own rows   in registers, padded by the own column with value 0
//   own columns beyond four, halo columns   in shared memory, 32 rows a slice, padded to the slice's longest row
//   all of a row of more than `long_row`    in the blocks that own their columns: each sums its chunk by a warp and
//                                           sends the sum to the row's block, which adds it as a halo entry of value 1

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace araia::cuda::one_cluster {

inline constexpr int register_entries = 4;     ///< a row, the diagonal apart
inline constexpr int long_row = 64;            ///< entries, the diagonal apart
inline constexpr int most_threads = 256;       ///< a block
inline constexpr int most_rows_of_thread = 8;  ///< 1, 2, 4 or 8
inline constexpr int most_blocks = 16;         ///< a cluster: 1, 2, 4, 8 or 16
inline constexpr int vector_limit = 8192;      ///< elements of a block's vector, as 16 bits tell their bytes

/// In place of an entry of the matrix: a value that is always 0, or 1.
inline constexpr std::int32_t source_zero = -1;
inline constexpr std::int32_t source_one = -2;
/// In place of a target: nothing is sent.
inline constexpr std::uint32_t no_target = 0xffffffffu;

/// How rows lie on the blocks of one cluster.
struct Shape {
  int cluster = 1;         ///< blocks
  int rows_of_thread = 1;  ///< 1, 2, 4, 8
  int threads = 32;        ///< a block, a multiple of 32

  [[nodiscard]] int block_rows() const { return rows_of_thread * threads; }  ///< places, some of which may be empty
  [[nodiscard]] int slices() const { return block_rows() / 32; }
  /// "one_block", "cluster_2", ... "cluster_16"
  [[nodiscard]] std::string name() const;

  friend bool operator==(Shape const&, Shape const&) = default;
};

/// The most rows that a cluster of so many blocks takes.
constexpr std::int64_t most_rows(int cluster) { return std::int64_t{cluster} * most_threads * most_rows_of_thread; }

/// Of so many rows on so many blocks: the fewest rows a thread that at most `most_threads` threads allow.
/// \param rows  1 to most_rows(cluster)
/// \throws araia::Error (invalid_argument) for another cluster or number of rows
Shape shape_of(std::int64_t rows, int cluster);

/// Two words of each slice of 32 rows. The first: where its entries begin in the block's, in units of 32; how many each
/// row has of own columns, and of halo columns; pairs of entries in registers. The second: where its targets begin in
/// the block's, in units of 32; how many each row has.
struct SliceWords {
  static constexpr int count_bits = 8;
  static constexpr int pair_bits = 2;
  static constexpr int begin_bits = 12;
  static constexpr std::uint32_t entries(int begin, int own, int halo, int pairs) {
    return static_cast<std::uint32_t>(((((begin << count_bits) | own) << count_bits) | halo) << pair_bits | pairs);
  }
  static constexpr std::uint32_t targets(int begin, int count) {
    return static_cast<std::uint32_t>(begin << count_bits | count);
  }
};

/// Of a block, in the packing's words.
struct BlockWords {
  std::int32_t first_entry;   // of entry_sources and entry_columns
  std::int32_t entries;       // slices', then long rows'
  std::int32_t first_target;  // of targets
  std::int32_t targets;
  std::int32_t first_long;  // of longs
  std::int32_t longs;
  std::int32_t inbound;  // bytes that come from other blocks before halo columns may be read
  std::int32_t unused;
};

/// The chunk of a long row that a block has.
struct LongWords {
  std::int32_t begin;    // in the block's entries
  std::int32_t entries;  // so many
  std::uint32_t target;  // where its sum goes
  std::int32_t unused;
};

/// Where everything lies. Offsets count words of 32 bits from the packing's begin; `block_rows` entries a block where
/// no length is said.
struct Layout {
  Shape shape;
  std::int32_t rows = 0;
  std::int64_t nnz = 0;
  std::uint32_t rows_at = 0;       // row of the matrix, -1: an empty place
  std::uint32_t diagonals_at = 0;  // source of the diagonal entry
  std::uint32_t sources_at = 0;    // (register_entries) times, source of an entry in registers
  std::uint32_t columns_at = 0;    // (register_entries / 2) times, two byte offsets into the vector
  std::uint32_t slices_at = 0;     // (slices) entries' word, then (slices) targets' word
  std::uint32_t blocks_at = 0;     // (cluster) BlockWords, after all blocks' above
  std::uint32_t longs_at = 0;      // LongWords
  std::uint32_t entry_sources_at = 0;
  std::uint32_t entry_columns_at = 0;  // byte offsets into the vector
  std::uint32_t targets_at = 0;        // block's rank << 16 | byte offset into its vector

  // A block's shared memory, bytes behind what has a fixed size (shared_head).
  std::uint32_t vector_bytes = 0;
  std::uint32_t values_bytes = 0;   // of entries
  std::uint32_t columns_bytes = 0;  // of entries
  std::uint32_t targets_bytes = 0;
  std::uint32_t longs_bytes = 0;

  [[nodiscard]] std::size_t shared_bytes() const;
};

/// Barriers, sums of the cluster, words of slices and partial sums of the block's threads.
inline constexpr std::uint32_t shared_sums_at = 64;
inline constexpr std::uint32_t shared_slices_at = shared_sums_at + 2 * 3 * most_blocks * 8;
inline constexpr std::uint32_t shared_partials_at = shared_slices_at + most_threads * most_rows_of_thread / 32 * 8;
inline constexpr std::uint32_t shared_head = shared_partials_at + 3 * most_threads * 8;

struct Packing {
  Layout layout;
  std::vector<std::uint32_t> words;  ///< to be copied to the device as they are, to an address of 16 bytes' alignment

  // What results may tell.
  std::int64_t halo_values = 0;   ///< that blocks send one another an iteration
  std::int64_t halo_entries = 0;  ///< of the matrix whose columns belong to another block
  std::int64_t long_rows = 0;

  [[nodiscard]] std::size_t bytes() const { return words.size() * sizeof(std::uint32_t); }
};

/// \param rows         1 to most_rows(shape.cluster); the matrix is square
/// \param row_offsets  (rows + 1)
/// \param col_indices  (row_offsets[rows]) in any order, at most one on the diagonal. The pattern need not be
/// symmetric. \param refusal      set to the reason where the pattern does not suit the shape: the packing is empty
/// then Cost    O(nnz log cluster) time on one thread, some 60 bytes a row and 12 an entry of memory \throws
/// araia::Error (invalid_argument, invalid_structure, resource_limit)
template <class Offset>
Packing pack(std::int64_t rows, Offset const* row_offsets, std::int32_t const* col_indices, Shape const& shape,
             std::string& refusal);

}  // namespace araia::cuda::one_cluster
