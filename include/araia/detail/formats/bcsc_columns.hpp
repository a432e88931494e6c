// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Csr -> Bcsc, second step: the columns of blocks, and their entries, from the order of the entries.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/assembly/sort_keys.hpp>
#include <araia/detail/assembly/sum_before.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>

namespace araia::detail {

/// Devices: entries of the order that a thread takes with its lanes.
inline constexpr std::int64_t entries_of_chunk = 512;

/// Devices: body(chunk, first, last, team) for entries [first, last) of every chunk of `nnz`.
template <class Exec, class Body>
static void for_each_chunk_of_entries(Exec const& exec, char const* label, std::int64_t nnz, Body const& body) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (nnz == 0) return;
  constexpr int threads = device_block / device_warp;
  std::int64_t const chunks = (nnz + entries_of_chunk - 1) / entries_of_chunk;
  for_each_team(
      label, Policy(exec, league_size(chunks, threads), threads, device_warp),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const chunk = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
        if (chunk < chunks)
          body(chunk, chunk * entries_of_chunk, Kokkos::min(nnz, (chunk + 1) * entries_of_chunk), team);
      });
}

/// Devices: the columns that begin before each chunk of the order, and how many there are. Fences exec.
template <class Exec, class Pointers, class Blocks, class Ordered>
static void count_columns_of_chunks(Exec const& exec, Pointers const& a, Blocks const& blocks, Ordered& ordered) {
  using Device = typename decltype(Ordered::columns_before)::device_type;
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  if (a.nnz == 0) return;
  std::int64_t const chunks = (a.nnz + entries_of_chunk - 1) / entries_of_chunk;
  auto const columns = new_array<std::int64_t, Device>(exec, "araia::csr_to_bcsc::columns_before", chunks + 1);
  auto const entries = ordered.entries(a, blocks);
  for_each_chunk_of_entries(
      exec, "araia::csr_to_bcsc::count_columns", a.nnz,
      KOKKOS_LAMBDA(std::int64_t chunk, std::int64_t first, std::int64_t last, Team const& team) {
        int found = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, static_cast<int>(last - first)),
            [&](int i, int& sum) { sum += entries.begins_column(first + i) ? 1 : 0; }, found);
        Kokkos::single(Kokkos::PerThread(team), [&] { columns(chunk) = found; });
      });
  fill_array(exec, columns.data() + chunks, 1, 0);
  sum_before(exec, columns.data(), chunks + 1);
  ordered.block_columns = value_at(exec, "araia::csr_to_bcsc::count_columns", columns.data() + chunks);
  ordered.columns_before = columns;
}

/// fill_blocks for devices: entries in equal numbers, so that a block with many delays none; block_offsets as well.
template <class Exec, class Pointers, class Blocks, class Order, class Cols, class Offsets, class Rows, class Values>
static void fill_blocks_together(Exec const& exec, Pointers const& a, Blocks const& blocks, Order const& ordered,
                                 Cols const& block_cols, Offsets const& col_offsets, Rows const& row_in_block,
                                 Values const& values) {
  using Offset = typename Offsets::non_const_value_type;
  using Ordinal = typename Cols::non_const_value_type;
  using RowIndex = typename Rows::non_const_value_type;
  using Team = typename Kokkos::TeamPolicy<Exec>::member_type;
  auto const entries = ordered.entries(a, blocks);
  auto const columns_before = ordered.columns_before;
  auto const block_offsets = ordered.offsets;
  std::int64_t const block_columns = ordered.block_columns;
  bool const rows_too = row_in_block.extent(0) != 0;
  bool const values_too = values.extent(0) != 0;
  for_each_chunk_of_entries(
      exec, "araia::csr_to_bcsc::entries", a.nnz,
      KOKKOS_LAMBDA(std::int64_t chunk, std::int64_t first, std::int64_t last, Team const& team) {
        std::int64_t const first_column = columns_before(chunk);
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, static_cast<int>(last - first)),
                              [&](int place, int& before, bool final) {
                                std::int64_t const i = first + place;
                                bool const begins = entries.begins_column(i);
                                if (final) {
                                  std::int64_t const block = entries.block(i);
                                  if (begins) {
                                    block_cols(first_column + before) = static_cast<Ordinal>(entries.col(i, block));
                                    col_offsets(first_column + before) = static_cast<Offset>(i);
                                  }
                                  if (rows_too) row_in_block(i) = static_cast<RowIndex>(entries.row(i, block));
                                  if (values_too) values(i) = a.values[entries.source(i, block)];
                                }
                                before += begins ? 1 : 0;
                              });
      });
  // The first column that does not begin before the block's entries do.
  for_each_index(
      "araia::csr_to_bcsc::block_offsets", IndexRange<Exec>(exec, 0, blocks.blocks + 1), KOKKOS_LAMBDA(std::int64_t b) {
        auto const first_entry = static_cast<Offset>(entries.first_entry(b));
        block_offsets(b) = static_cast<Offset>(first_not_below<Offset>(col_offsets.data(), block_columns, first_entry));
        if (b == 0) col_offsets(block_columns) = static_cast<Offset>(a.nnz);
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
  using RowIndex = typename Rows::non_const_value_type;
  std::uint32_t const* const order_data = ordered.order.data();
  std::uint32_t const* const row_data = ordered.row_of.data();
  auto const block_offsets = ordered.offsets;
  std::int64_t const block_columns = ordered.block_columns;
  bool const rows_too = row_in_block.extent(0) != 0;
  bool const values_too = values.extent(0) != 0;
  for_each_team("araia::csr_to_bcsc::structure", Policy(exec, static_cast<int>(blocks.blocks), 1),
                [=](typename Policy::member_type const& team) {
                  std::int64_t const first = a.row_offsets[block_first_row(blocks, team.league_rank())];
                  std::int64_t const last = a.row_offsets[block_first_row(blocks, team.league_rank() + 1)];
                  std::int64_t const first_column = block_offsets(team.league_rank());
                  auto const* const cols = a.col_indices + first;
                  std::uint32_t const* const order = order_data + first;
                  auto const gather = [&](std::int64_t i) {
                    if (rows_too) row_in_block(first + i) = static_cast<RowIndex>(row_data[first + order[i]]);
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
                  if (team.league_rank() + 1 == blocks.blocks) col_offsets(block_columns) = static_cast<Offset>(last);
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
    fill_array(exec, col_offsets, Offset{0});
  else if constexpr (is_device_space<Exec>)
    fill_blocks_together(exec, a, blocks, ordered, block_cols, col_offsets, row_in_block, values);
  else
    fill_blocks_one_by_one(exec, a, blocks, ordered, block_cols, col_offsets, row_in_block, values);
}

}  // namespace araia::detail
