// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Do the columns of every row ascend? And which rows are so long that no single lane should walk them.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/conversion_steps.hpp>
#include <araia/detail/formats/loops.hpp>

namespace araia::detail {

/// Devices: entries of a row that one lane walks; those of longer rows are spread over lanes, as 256 dependent loads
/// take a fifth of a millisecond and 100 000 a tenth of a second.
inline constexpr std::int64_t lane_row_entries = 256;

/// Do columns ascend strictly in every row? Unsorted rows are legal, an entry stored twice is not always.
enum class ColumnOrder : std::int64_t { strict, duplicates, unsorted };

struct RowOrder {
  ColumnOrder order;
  std::int64_t first;  // stored row that does not ascend strictly; the number of rows where all do
};

/// Do columns ascend strictly in every row of a Csr? All entries are compared with the one before, whichever
/// row it is of, and the first entries of rows again: where both find as many that do not ascend, rows do. So no entry
/// looks for its row.
/// Cost    O(rows + nnz); fences exec
template <class Exec, class Pointers>
static bool rows_ascend(Exec const& exec, Pointers const& a) {
  std::int64_t inside = 0;  // of rows, entries that do not ascend
  reduce_indices(
      "araia::rows_ascend", IndexRange<Exec>(exec, 0, Kokkos::max<std::int64_t>(a.nnz, a.rows)),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        if (i > 0 && i < a.nnz && a.col_indices[i] <= a.col_indices[i - 1]) ++sum;
        if (i >= a.rows) return;
        auto const first = static_cast<std::int64_t>(a.row_offsets[i]);
        bool const empty = static_cast<std::int64_t>(a.row_offsets[i + 1]) == first;
        if (!empty && first > 0 && a.col_indices[first] <= a.col_indices[first - 1]) --sum;
      },
      inside);
  exec.fence("araia::rows_ascend");
  return inside == 0;
}

/// Cost    O(rows + nnz), on devices twice where rows do not ascend; fences exec
template <class Exec, class Pointers>
static RowOrder row_order(Exec const& exec, Pointers const& a) {
  if constexpr (is_device_space<Exec> && is_csr_pointers<Pointers>)
    if (rows_ascend(exec, a)) return {ColumnOrder::strict, a.rows};
  auto const found =
      new_view<Kokkos::View<std::int64_t[2], typename Exec::memory_space>>(exec, "araia::row_order");  // worst, first
  std::int64_t result[2] = {0, a.rows};
  Kokkos::View<std::int64_t[2], Kokkos::HostSpace> const host(result);
  copy_array(exec, found, host);
  for_each_row_entry(
      exec, "araia::row_order", a, KOKKOS_LAMBDA(std::int64_t row, std::int64_t j, std::int64_t k) {
        if (j == 0 || a.col_indices[k] > a.col_indices[k - 1]) return;
        auto const here = static_cast<std::int64_t>(a.col_indices[k] == a.col_indices[k - 1] ? ColumnOrder::duplicates
                                                                                             : ColumnOrder::unsorted);
        // Looked at first: where nothing ascends, every entry comes here.
        if (Kokkos::atomic_load(&found(0)) < here) Kokkos::atomic_max(&found(0), here);
        if (Kokkos::atomic_load(&found(1)) > row) Kokkos::atomic_min(&found(1), row);
      });
  copy_array(exec, host, found);
  exec.fence("araia::row_order");
  return {static_cast<ColumnOrder>(result[0]), result[1]};
}

/// Entries of the longest row of a Csr. Fences exec.
template <class Exec, class Offset>
static std::int64_t longest_row(Exec const& exec, std::int64_t rows, Offset const* row_offsets) {
  std::int64_t longest = 0;
  if (rows == 0) return longest;
  reduce_indices(
      "araia::longest_row", IndexRange<Exec>(exec, 0, rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & most) {
        most = Kokkos::max<std::int64_t>(
            most, static_cast<std::int64_t>(row_offsets[row + 1]) - static_cast<std::int64_t>(row_offsets[row]));
      },
      Kokkos::Max<std::int64_t>(longest));
  exec.fence("araia::longest_row");
  return longest;
}

}  // namespace araia::detail
