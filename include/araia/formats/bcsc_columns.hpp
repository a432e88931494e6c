// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Bcsc, second step: the columns of blocks, and their entries, from the order of the entries.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/assembly/sort_keys.hpp>
#include <araia/formats/bcsc_access.hpp>
#include <araia/formats/bcsc_order.hpp>
#include <araia/formats/conversion_steps.hpp>

namespace araia::detail {

/// Where the entries of blocks begin in a Csr.
template <class Blocks, class Offset>
struct BlockEntryOffsets {
  Blocks blocks;
  Offset const* row_offsets;
  KOKKOS_INLINE_FUNCTION std::int64_t operator[](std::int64_t b) const {
    return static_cast<std::int64_t>(row_offsets[block_first_row(blocks, b)]);
  }
};

/// Devices: starts(i) is 1 where entry i of the order is the first of a column in its block. Returns how many there
/// are; fences exec.
template <class Exec, class Pointers, class Blocks, class Order, class Starts>
static std::int64_t mark_starts(Exec const& exec, Pointers const& a, Blocks const& blocks, Order const& order,
                                Starts const& starts) {
  using Offset = typename Pointers::size_type;
  for_each_in_segments(
      exec, "araia::csr_to_bcsc::starts", BlockEntryOffsets<Blocks, Offset>{blocks, a.row_offsets}, blocks.blocks,
      a.nnz, KOKKOS_LAMBDA(std::int64_t, std::int64_t first, std::int64_t i) {
        starts(i) = starts_column(a.col_indices + first, order.data() + first, i - first) ? 1 : 0;
      });
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "araia::csr_to_bcsc::count_starts", IndexRange<Exec>(exec, 0, a.nnz),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += starts(i); }, total);
  exec.fence("araia::csr_to_bcsc::count_starts");
  return total;
}

/// fill_blocks for devices: entries in equal numbers, so that a block with many delays none; block_offsets as well.
template <class Exec, class Pointers, class Blocks, class Order, class Cols, class Offsets, class Rows, class Values>
static void fill_blocks_together(Exec const& exec, Pointers const& a, Blocks const& blocks, Order const& ordered,
                                 Cols const& block_cols, Offsets const& col_offsets, Rows const& row_in_block,
                                 Values const& values) {
  using Offset = typename Offsets::non_const_value_type;
  using Ordinal = typename Cols::non_const_value_type;
  BlockEntryOffsets<Blocks, typename Pointers::size_type> const firsts{blocks, a.row_offsets};
  auto const order = ordered.order;
  auto const row_of = ordered.row_of;
  auto const starts = ordered.starts;
  auto const block_offsets = ordered.offsets;
  std::int64_t const block_columns = ordered.block_columns;
  std::int64_t const nnz = a.nnz;
  std::int64_t const block_count = blocks.blocks;
  Kokkos::parallel_scan(
      "araia::csr_to_bcsc::col_offsets", IndexRange<Exec>(exec, 0, nnz + 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & before, bool final) {
        bool const begins = i == nnz || starts(i) != 0;
        if (final && begins) col_offsets(before) = static_cast<Offset>(i);
        before += begins ? 1 : 0;
      });
  // The first column that does not begin before the block's entries do.
  Kokkos::parallel_for(
      "araia::csr_to_bcsc::block_offsets", IndexRange<Exec>(exec, 0, block_count + 1), KOKKOS_LAMBDA(std::int64_t b) {
        auto const first_entry = static_cast<Offset>(firsts[b]);
        block_offsets(b) = static_cast<Offset>(first_not_below<Offset>(col_offsets.data(), block_columns, first_entry));
      });
  Kokkos::parallel_for(
      "araia::csr_to_bcsc::block_cols", IndexRange<Exec>(exec, 0, block_columns), KOKKOS_LAMBDA(std::int64_t j) {
        std::int64_t const b = segment_of(block_offsets.data(), block_count, j);
        block_cols(j) = static_cast<Ordinal>(a.col_indices[firsts[b] + order(col_offsets(j))]);
      });
  bool const rows_too = row_in_block.extent(0) != 0;
  bool const values_too = values.extent(0) != 0;
  if (rows_too || values_too)
    for_each_in_segments(
        exec, "araia::csr_to_bcsc::entries", firsts, block_count, nnz,
        KOKKOS_LAMBDA(std::int64_t, std::int64_t first, std::int64_t i) {
          std::int64_t const k = first + order(i);
          if (rows_too) row_in_block(i) = static_cast<Ordinal>(row_of(k));
          if (values_too) values(i) = a.values[k];
        });
}

/// fill_blocks for hosts: a block is one thread's.
template <class Exec, class Pointers, class Blocks, class Order, class Cols, class Offsets, class Rows, class Values>
static void fill_blocks_one_by_one(Exec const& exec, Pointers const& a, Blocks const& blocks, Order const& ordered,
                                   Cols const& block_cols, Offsets const& col_offsets, Rows const& row_in_block,
                                   Values const& values) {
  using Policy = BlockPolicy<Exec>;
  using Offset = typename Offsets::non_const_value_type;
  using Ordinal = typename Cols::non_const_value_type;
  std::uint32_t const* const order_data = ordered.order.data();
  std::uint32_t const* const row_data = ordered.row_of.data();
  auto const block_offsets = ordered.offsets;
  std::int64_t const block_columns = ordered.block_columns;
  bool const rows_too = row_in_block.extent(0) != 0;
  bool const values_too = values.extent(0) != 0;
  Kokkos::parallel_for("araia::csr_to_bcsc::structure", Policy(exec, static_cast<int>(blocks.blocks), 1),
                       [=](typename Policy::member_type const& team) {
                         std::int64_t const first = a.row_offsets[block_first_row(blocks, team.league_rank())];
                         std::int64_t const last = a.row_offsets[block_first_row(blocks, team.league_rank() + 1)];
                         std::int64_t const first_column = block_offsets(team.league_rank());
                         auto const* const cols = a.col_indices + first;
                         std::uint32_t const* const order = order_data + first;
                         auto const gather = [&](std::int64_t i) {
                           if (rows_too) row_in_block(first + i) = static_cast<Ordinal>(row_data[first + order[i]]);
                           if (values_too) values(first + i) = a.values[first + order[i]];
                         };
                         auto const start = [&](std::int64_t column, std::int64_t i) {
                           block_cols(column) = static_cast<Ordinal>(cols[order[i]]);
                           col_offsets(column) = static_cast<Offset>(first + i);
                         };
                         if (first < last) {
                           // Each entry writes its column, and where the next one would start: the last to do so is
                           // right. There is no branch on whether a column starts, which no predictor foresees.
                           std::int64_t const last_column =
                               static_cast<std::int64_t>(block_offsets(team.league_rank() + 1)) - 1;
                           std::int64_t column = first_column;
                           Ordinal current = cols[order[0]];
                           start(column, 0);
                           gather(0);
                           std::int64_t i = 1;
                           for (; column < last_column; ++i) {
                             Ordinal const next = cols[order[i]];
                             col_offsets(column + 1) = static_cast<Offset>(first + i);
                             column += next != current ? 1 : 0;
                             block_cols(column) = current = next;
                             gather(i);
                           }
                           for (; i < last - first; ++i) gather(i);
                         }
                         if (team.league_rank() + 1 == blocks.blocks)
                           col_offsets(block_columns) = static_cast<Offset>(last);
                       });
}

/// block_cols, col_offsets and, where their arrays are not empty, row_in_block and values of B from the order of its
/// entries.
template <class Exec, class Pointers, class Blocks, class Order, class Cols, class Offsets, class Rows, class Values>
static void fill_blocks(Exec const& exec, Pointers const& a, Blocks const& blocks, Order const& ordered,
                        Cols const& block_cols, Offsets const& col_offsets, Rows const& row_in_block,
                        Values const& values) {
  using Offset = typename Offsets::non_const_value_type;
  if (blocks.blocks == 0)
    Kokkos::deep_copy(exec, col_offsets, Offset{0});
  else if constexpr (is_device_space<Exec>)
    fill_blocks_together(exec, a, blocks, ordered, block_cols, col_offsets, row_in_block, values);
  else
    fill_blocks_one_by_one(exec, a, blocks, ordered, block_cols, col_offsets, row_in_block, values);
}

}  // namespace araia::detail
