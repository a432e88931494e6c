// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bcsc -> Csr: every block's entries ordered by row again.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_compaction.hpp>
#include <araia/detail/formats/bcsc_order.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/error.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

/// cols_of(k): column of every entry; lengths(row + 1): entries of every stored row.
template <class Exec, class Pointers, class Cols, class Lengths>
static void expand_entries(Exec const& exec, Pointers const& b, Cols const& cols_of, Lengths const& lengths) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Ordinal = typename Cols::non_const_value_type;
  for_each_team(
      "araia::to_csr::bcsc::entries",
      Policy(exec, static_cast<int>(b.blocks), block_team_size<Exec>(b.block_columns / b.blocks)),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first_row = block_first_row(b, team.league_rank());
        for_each_block_column(team, b, team.league_rank(),
                              [&](std::int64_t col, std::int64_t first, std::int64_t last) {
                                for (std::int64_t k = first; k < last; ++k) {
                                  cols_of(k) = static_cast<Ordinal>(col);
                                  Kokkos::atomic_inc(&lengths(first_row + b.row_in_block[k] + 1));
                                }
                              });
      });
}

/// order(k): place in its block of the entry that is k-th by row, then by column, then as it stands.
template <class Exec, class Pointers, class Cols>
static void order_by_row(Exec const& exec, Pointers const& b, Cols const& cols_of, PositionView<Exec> const& order_view,
                         PositionView<Exec> const& swap_view) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  auto const shape = team_sort_shape(exec, b.nnz / b.blocks);
  std::uint32_t* const order_data = order_view.data();
  std::uint32_t* const swap_data = swap_view.data();
  // Where columns ascend, a stable sort by row alone leaves them ascending.
  int const col_bits = b.split ? bits_for(b.cols) : 0;
  std::int64_t const height_at_most = tallest_block(b);
  if (col_bits + bits_for(height_at_most - 1) > 63)
    throw Error(ErrorKind::resource_limit, "araia::to_csr: columns by descending count: rows of blocks of " +
                                               std::to_string(height_at_most) + " and columns of " +
                                               std::to_string(b.cols) + " take more than 63 bits together");
  Policy policy(exec, static_cast<int>(b.blocks), shape.team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(shape.scratch_bytes()));
  for_each_team(
      "araia::to_csr::bcsc::order", policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const block = team.league_rank();
        std::int64_t const first = b.col_offsets[b.block_offsets[block]];
        std::int64_t const count = static_cast<std::int64_t>(b.col_offsets[b.block_offsets[block + 1]]) - first;
        std::int64_t const height = block_first_row(b, block + 1) - block_first_row(b, block);
        std::uint32_t* const counters = team_sort_counters(team, shape);
        team_sort(team, shape, counters, count, col_bits + bits_for(height), order_data + first, swap_data + first,
                  [&](std::int64_t i) {
                    std::int64_t const row = b.row_in_block[first + i];
                    return col_bits ? (row << col_bits) | static_cast<std::int64_t>(cols_of(first + i)) : row;
                  });
      });
}

/// Entry order(k) of a block goes to place k, or, with `inverse`, entry k to place order(k).
template <class Exec, class Pointers, class Order, class Cols, class Values, class FromCols, class FromValues>
static void place_entries(Exec const& exec, Pointers const& b, bool inverse, Order const& order, Cols const& cols,
                          Values const& values, FromCols const& from_cols, FromValues const& from_values) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  bool const has_values = values.extent(0) != 0;
  for_each_team(
      "araia::to_csr::bcsc::place", Policy(exec, static_cast<int>(b.blocks), block_team_size<Exec>(b.nnz / b.blocks)),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const first = b.col_offsets[b.block_offsets[team.league_rank()]];
        std::int64_t const last = b.col_offsets[b.block_offsets[team.league_rank() + 1]];
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t k) {
          std::int64_t const other = first + static_cast<std::int64_t>(order(k));
          std::int64_t const to = inverse ? other : k;
          std::int64_t const from = inverse ? k : other;
          cols(to) = from_cols(from);
          if (has_values) values(to) = from_values(from);
        });
      });
}

}  // namespace detail

/// Rows in matrix order, without a permutation. Entries of a row: in the order of the Csr that A was made from where A
/// keeps `gather`; else by ascending column, duplicates as they were, which is that same order if its columns ascended.
/// \throws araia::Error resource_limit where nnz does not fit Offset, or where columns lie by descending count, without
///         gather, and numbers of columns and of rows in a block take more than 63 bits together, or where the result
///         takes more than all memory
/// Cost    O(nnz), with 12 bytes an entry of workspace (4 with gather); allocates the result; fences exec
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(Exec const& exec,
                                                                   Bcsc<S, Ordinal, F, Device> const& A) {
  using value_type = typename Bcsc<S, Ordinal, F, Device>::value_type;
  detail::require_same_memory<Exec, Bcsc<S, Ordinal, F, Device>>();
  Kokkos::Profiling::ScopedRegion const region("araia::to_csr");
  detail::require_fits<Offset>("araia::to_csr: nnz", A.nnz);
  using Result = Csr<value_type, Ordinal, Offset, Device>;
  detail::require_csr_memory<Result>("araia::to_csr: the matrix", A.rows, A.nnz, A.has_values());
  Result B{.rows = A.rows, .cols = A.cols, .nnz = A.nnz};
  auto const b = A.pointers();
  auto const offsets = detail::zeroed_view<Kokkos::View<Offset*, Device>>(exec, "araia::csr::row_offsets", A.rows + 1);
  auto const cols = detail::new_array<Ordinal, Device>(exec, "araia::csr::col_indices", A.nnz);
  auto const values = detail::new_array<value_type, Device>(exec, "araia::csr::values", A.has_values() ? A.nnz : 0);
  if (A.nnz > 0) {
    auto const cols_of = detail::new_array<Ordinal, Device>(exec, "araia::to_csr::cols_of", A.nnz);
    detail::expand_entries(exec, b, cols_of, offsets);
    detail::counts_to_offsets(exec, offsets, A.rows);
    if (A.gather.extent(0) != 0) {
      detail::place_entries(exec, b, true, A.gather, cols, values, cols_of, A.values);
    } else {
      auto const order = detail::new_array<std::uint32_t, Device>(exec, "araia::to_csr::order", A.nnz);
      auto const swap = detail::new_array<std::uint32_t, Device>(exec, "araia::to_csr::swap", A.nnz);
      detail::order_by_row(exec, b, cols_of, order, swap);
      detail::place_entries(exec, b, false, order, cols, values, cols_of, A.values);
    }
    exec.fence("araia::to_csr: workspace is released");
  }
  B.row_offsets = offsets;
  B.col_indices = cols;
  B.values = values;
  if (A.row_permutation.extent(0) == 0) return B;
  B.row_permutation = A.row_permutation;
  return to_csr<Offset>(exec, B);
}

/// The same from the compact form.
template <class Offset = std::int32_t, class Exec, class S, class Ordinal, class F, class Device, class RowIndex>
static Csr<std::remove_const_t<S>, Ordinal, Offset, Device> to_csr(
    Exec const& exec, BcscCompact<S, Ordinal, F, Device, RowIndex> const& A) {
  return to_csr<Offset>(exec, expand_bcsc(exec, A));
}

}  // namespace araia
