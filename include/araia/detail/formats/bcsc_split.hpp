// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The hybrid order of BCSC: a block's columns by descending count, and where the dense ones end.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

/// Share of a column's rows from which multiplying the whole column costs less than its entries one by one:
/// femtoseconds of a slot of a densely multiplied block over those of an entry taken by itself, on an H200.
inline constexpr double dense_share = 51.0 / 176.0;

/// Entries from which a column of a block of `height` rows is dense.
KOKKOS_INLINE_FUNCTION std::int64_t dense_from(std::int64_t asked, std::int64_t height) {
  if (asked > 0) return asked;
  auto const modelled = static_cast<std::int64_t>(dense_share * static_cast<double>(height)) + 1;
  return modelled < 2 ? 2 : modelled;
}

/// What moves with an entry when columns change places; absent arrays are null.
template <class Matrix>
struct EntryArrays {
  typename Matrix::ordinal_type* rows;
  typename Matrix::value_type* values;
  std::uint32_t* gather;
};

/// B with the columns of each block ordered by descending count, equal counts by column, and `split` set.
template <class Exec, class Matrix>
static Matrix order_columns_by_count(Exec const& exec, Matrix const& B, std::int64_t dense_entries) {
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::size_type;
  using Device = typename Matrix::device_type;
  using Policy = Kokkos::TeamPolicy<Exec>;
  Matrix C = B;
  auto const split = new_array<Offset, Device>(exec, "araia::bcsc::split", B.blocks);
  C.split = split;
  if (B.blocks == 0) return C;
  auto const cols = new_array<Ordinal, Device>(exec, "araia::bcsc::block_cols", B.block_columns);
  auto const offsets =
      zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::bcsc::col_offsets", B.block_columns + 1);
  auto const rows = new_array<Ordinal, Device>(exec, "araia::bcsc::row_in_block",
                                               static_cast<std::int64_t>(B.row_in_block.extent(0)));
  auto const values = new_array<typename Matrix::value_type, Device>(exec, "araia::bcsc::values",
                                                                     static_cast<std::int64_t>(B.values.extent(0)));
  auto const gather =
      new_array<std::uint32_t, Device>(exec, "araia::bcsc::gather", static_cast<std::int64_t>(B.gather.extent(0)));
  auto const order_view = new_array<std::uint32_t, Device>(exec, "araia::split_columns::order", B.block_columns);
  auto const swap_view = new_array<std::uint32_t, Device>(exec, "araia::split_columns::swap", B.block_columns);
  auto const b = B.pointers();
  EntryArrays<Matrix> const to{rows.extent(0) ? rows.data() : nullptr, values.extent(0) ? values.data() : nullptr,
                               gather.extent(0) ? gather.data() : nullptr};
  std::uint32_t const* const old_gather = B.gather.data();
  std::uint32_t* const order_data = order_view.data();
  std::uint32_t* const swap_data = swap_view.data();
  auto const shape = team_sort_shape(exec, B.block_columns / B.blocks);
  Policy policy(exec, static_cast<int>(B.blocks), shape.team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(shape.scratch_bytes()));
  for_each_team(
      "araia::split_columns", policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const block = team.league_rank();
        std::int64_t const first_column = b.block_offsets[block];
        std::int64_t const count = static_cast<std::int64_t>(b.block_offsets[block + 1]) - first_column;
        std::int64_t const first = b.col_offsets[first_column];
        std::uint32_t* const order = order_data + first_column;
        std::uint32_t* const counters = team_sort_counters(team, shape);
        std::int64_t const threshold =
            dense_from(dense_entries, block_first_row(b, block + 1) - block_first_row(b, block));
        std::int64_t most = 0;
        std::int64_t dense = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, count),
            [&](std::int64_t i, std::int64_t& largest) {
              largest = Kokkos::max<std::int64_t>(largest, column_count(b, first_column + i));
            },
            Kokkos::Max<std::int64_t>(most));
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, count),
            [&](std::int64_t i, std::int64_t& sum) { sum += column_count(b, first_column + i) >= threshold ? 1 : 0; },
            dense);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          split(block) = static_cast<Offset>(first_column + dense);
          if (block + 1 == b.blocks) offsets(b.block_columns) = static_cast<Offset>(b.nnz);
        });
        if (count == 0) return;  // the same for all threads of the team
        team_sort(team, shape, counters, count, bits_for(most), order, swap_data + first_column,
                  [&](std::int64_t i) { return most - column_count(b, first_column + i); });
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, count),
                              [&](std::int64_t i, std::int64_t& before, bool final) {
                                std::int64_t const old = first_column + order[i];
                                std::int64_t const entries = column_count(b, old);
                                if (final) {
                                  std::int64_t const from = b.col_offsets[old];
                                  std::int64_t const into = first + before;
                                  cols(first_column + i) = b.block_cols[old];
                                  offsets(first_column + i) = static_cast<Offset>(into);
                                  for (std::int64_t e = 0; e < entries; ++e) {
                                    if (to.rows) to.rows[into + e] = b.row_in_block[from + e];
                                    if (to.values) to.values[into + e] = b.values[from + e];
                                    if (to.gather) to.gather[into + e] = old_gather[from + e];
                                  }
                                }
                                before += entries;
                              });
      });
  exec.fence("araia::split_columns: workspace is released");
  if (B.block_columns == 0) return C;
  C.block_cols = cols;
  C.col_offsets = offsets;
  C.row_in_block = rows;
  C.values = values;
  C.gather = gather;
  return C;
}

}  // namespace detail

/// The hybrid of B: columns of each block by descending count, those of `dense_entries` and more before split(b).
/// \param dense_entries  entries of a dense column; 0: 0.29 of the block's rows, at least 2, where multiplying the
///                       whole column was measured to cost as much as its entries one by one (fp32, H200)
/// \throws araia::Error invalid_argument for a negative dense_entries
/// Cost    O(nnz); allocates the result and 8 bytes a block column of workspace; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static Bcsc<Scalar, Ordinal, Offset, Device> split_columns(Exec const& exec,
                                                           Bcsc<Scalar, Ordinal, Offset, Device> const& B,
                                                           std::int64_t dense_entries = 0) {
  static_assert(!std::is_const_v<Scalar>, "araia::split_columns: the result has values of its own");
  Kokkos::Profiling::ScopedRegion const region("araia::split_columns");
  if (dense_entries < 0)
    throw Error(ErrorKind::invalid_argument,
                "araia::split_columns: dense_entries is " + std::to_string(dense_entries) + ", expected 0 or more");
  return detail::order_columns_by_count(exec, B, dense_entries);
}

}  // namespace araia
