// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Block compressed sparse columns: rows are cut into blocks; a block keeps its nonempty columns, each with its entries.
// validate() is in bcsc_validation.hpp, conversions in csr_to_bcsc.hpp.
// A block's kernel fetches every row of B (or element of x) once, however many of the block's rows use it.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/formats/csr.hpp>

namespace araia {

/// Rows of a column lie together, ascending; columns of a block ascend, or, where `split` is given (the hybrid), their
/// counts descend, equal counts ascend by column, and columns before split(b) count as dense.
/// Row i of the arrays is row `row_permutation(i)` of the matrix, or row i where that View is empty.
/// Entries of a block are those of the Csr's rows it was made from, at the same places of the arrays, in another order.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice>
struct Bcsc {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = BcscPointers<value_type, Ordinal, Offset>;
  static constexpr char const* format_name = "bcsc";
  static_assert(std::is_signed_v<Offset> && std::is_signed_v<Ordinal>, "araia::Bcsc: indices are signed");

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t blocks = 0;
  std::int64_t block_columns = 0;                          // nonempty columns, summed over the blocks
  std::int64_t block_height = 1;                           // rows of a block; of the tallest where block_rows is given
  Kokkos::View<Ordinal const*, Device> block_rows{};       // (blocks + 1) ascending from 0 to rows, or empty
  Kokkos::View<Offset const*, Device> block_offsets{};     // (blocks + 1) from 0 to block_columns, not descending
  Kokkos::View<Ordinal const*, Device> block_cols{};       // (block_columns) 0 <= c < cols, distinct in a block
  Kokkos::View<Offset const*, Device> col_offsets{};       // (block_columns + 1) ascending from 0 to nnz
  Kokkos::View<Ordinal const*, Device> row_in_block{};     // (nnz) 0 <= r < rows of the block
  Kokkos::View<Scalar*, Device> values{};                  // (nnz), or empty: pattern-only, all ones
  Kokkos::View<Offset const*, Device> split{};             // (blocks) first sparse block column, or empty
  Kokkos::View<Ordinal const*, Device> row_permutation{};  // (rows) a permutation, or empty: identity
  Kokkos::View<std::uint32_t const*, Device> gather{};     // (nnz) place in the Csr's block of each entry, or empty

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }

  /// Entries kept in memory, padding included: nnz.
  [[nodiscard]] std::int64_t stored() const { return nnz; }

  /// Exact bytes of the arrays as allocated. With 32-bit indices and none of the optional arrays:
  /// (4 + scalar) nnz + 8 block_columns + 4 blocks + 8.
  [[nodiscard]] std::uint64_t bytes() const {
    return (block_rows.extent(0) + block_cols.extent(0) + row_in_block.extent(0) + row_permutation.extent(0)) *
               sizeof(Ordinal) +
           (block_offsets.extent(0) + col_offsets.extent(0) + split.extent(0)) * sizeof(Offset) +
           values.extent(0) * sizeof(value_type) + gather.extent(0) * sizeof(std::uint32_t);
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .blocks = blocks,
            .block_columns = block_columns,
            .block_height = block_height,
            .block_rows = block_rows.extent(0) != 0 ? block_rows.data() : nullptr,
            .block_offsets = block_offsets.data(),
            .block_cols = block_cols.data(),
            .col_offsets = col_offsets.data(),
            .row_in_block = row_in_block.data(),
            .values = has_values() ? values.data() : nullptr,
            .split = split.extent(0) != 0 ? split.data() : nullptr,
            .row_permutation = row_permutation.extent(0) != 0 ? row_permutation.data() : nullptr};
  }
};

/// The same matrix in fewer bytes: rows of an entry in 8 bits (16 with RowIndex = std::uint16_t), counts of a column in
/// 8 bits and one entry offset a block in place of column offsets, columns in 16 bits from a block's first column where
/// every block spans at most 65536 columns. A column of more than 256 entries is stored in parts.
/// `gather` and the order of entries are those of the Bcsc it stands for; `values` may be shared with it.
template <class Scalar, class Ordinal = std::int32_t, class Offset = std::int32_t, class Device = DefaultDevice,
          class RowIndex = std::uint8_t>
struct BcscCompact {
  using value_type = std::remove_const_t<Scalar>;
  using ordinal_type = Ordinal;
  using size_type = Offset;
  using row_index_type = RowIndex;
  using device_type = typename Kokkos::View<int*, Device>::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using pointers_type = BcscCompactPointers<value_type, Ordinal, Offset, RowIndex>;
  static constexpr char const* format_name = "bcsc+compact";
  static_assert(std::is_signed_v<Offset> && std::is_signed_v<Ordinal>, "araia::BcscCompact: indices are signed");
  static_assert(std::is_same_v<RowIndex, std::uint8_t> || std::is_same_v<RowIndex, std::uint16_t>,
                "araia::BcscCompact: RowIndex is std::uint8_t or std::uint16_t");

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t blocks = 0;
  std::int64_t block_columns = 0;                          // as stored: parts of long columns count each
  std::int64_t block_height = 1;                           // rows of a block; of the tallest where block_rows is given
  Kokkos::View<Ordinal const*, Device> block_rows{};       // (blocks + 1) ascending from 0 to rows, or empty
  Kokkos::View<Offset const*, Device> block_offsets{};     // (blocks + 1) from 0 to block_columns, not descending
  Kokkos::View<Offset const*, Device> entry_offsets{};     // (blocks + 1) from 0 to nnz
  Kokkos::View<Ordinal const*, Device> block_cols{};       // (block_columns) 0 <= c < cols, or empty: col_steps
  Kokkos::View<Ordinal const*, Device> first_cols{};       // (blocks) lowest column of a block, or empty: block_cols
  Kokkos::View<std::uint16_t const*, Device> col_steps{};  // (block_columns) column less first_cols, or empty
  Kokkos::View<std::uint8_t const*, Device> col_counts{};  // (block_columns) entries of the column, less one
  Kokkos::View<RowIndex const*, Device> row_in_block{};    // (nnz) 0 <= r < rows of the block
  Kokkos::View<Scalar*, Device> values{};                  // (nnz), or empty: pattern-only, all ones
  Kokkos::View<Offset const*, Device> split{};             // (blocks) first sparse block column, or empty
  Kokkos::View<Ordinal const*, Device> row_permutation{};  // (rows) a permutation, or empty: identity
  Kokkos::View<std::uint32_t const*, Device> gather{};     // (nnz) place in the Csr's block of each entry, or empty

  [[nodiscard]] bool has_values() const { return values.extent(0) != 0; }
  [[nodiscard]] std::int64_t stored() const { return nnz; }

  /// Exact bytes of the arrays as allocated. With 8-bit rows, 32-bit indices and none of the optional arrays:
  /// (1 + scalar) nnz + 3 block_columns + 12 blocks + 8, or 5 block_columns + 8 blocks where columns have 32 bits.
  [[nodiscard]] std::uint64_t bytes() const {
    return (block_rows.extent(0) + block_cols.extent(0) + first_cols.extent(0) + row_permutation.extent(0)) *
               sizeof(Ordinal) +
           (block_offsets.extent(0) + entry_offsets.extent(0) + split.extent(0)) * sizeof(Offset) +
           col_steps.extent(0) * sizeof(std::uint16_t) + col_counts.extent(0) +
           row_in_block.extent(0) * sizeof(RowIndex) + values.extent(0) * sizeof(value_type) +
           gather.extent(0) * sizeof(std::uint32_t);
  }

  /// What kernels capture. Valid while the Views live.
  [[nodiscard]] pointers_type pointers() const {
    return {.rows = rows,
            .cols = cols,
            .nnz = nnz,
            .blocks = blocks,
            .block_columns = block_columns,
            .block_height = block_height,
            .block_rows = block_rows.extent(0) != 0 ? block_rows.data() : nullptr,
            .block_offsets = block_offsets.data(),
            .entry_offsets = entry_offsets.data(),
            .block_cols = block_cols.extent(0) != 0 ? block_cols.data() : nullptr,
            .first_cols = first_cols.extent(0) != 0 ? first_cols.data() : nullptr,
            .col_steps = col_steps.extent(0) != 0 ? col_steps.data() : nullptr,
            .col_counts = col_counts.data(),
            .row_in_block = row_in_block.data(),
            .values = has_values() ? values.data() : nullptr,
            .split = split.extent(0) != 0 ? split.data() : nullptr,
            .row_permutation = row_permutation.extent(0) != 0 ? row_permutation.data() : nullptr};
  }
};

}  // namespace araia
