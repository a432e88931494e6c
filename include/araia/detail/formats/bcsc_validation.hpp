// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// validate() of Bcsc and BcscCompact. Rules are tested in an order in which no rule reads what an earlier one refused.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/bcsc_access.hpp>
#include <araia/detail/formats/bcsc_compaction.hpp>
#include <araia/detail/formats/validation.hpp>
#include <araia/formats/bcsc.hpp>

namespace araia {

namespace detail {

/// `offsets[0..count]` ascend from 0 to `total`; strictly where no item may be empty.
template <class Exec, class Offset>
static void require_offsets(Exec const& exec, char const* format, std::string const& array, char const* place,
                            Offset const* offsets, std::int64_t count, std::int64_t total, char const* total_name,
                            bool strictly) {
  require_rule(
      exec, 1, format, (array + "(0) must be 0").c_str(), place,
      KOKKOS_LAMBDA(std::int64_t) { return offsets[0] != 0; });
  require_rule(
      exec, count, format, (array + (strictly ? " must ascend" : " must not descend")).c_str(), place,
      KOKKOS_LAMBDA(std::int64_t i) { return strictly ? offsets[i + 1] <= offsets[i] : offsets[i + 1] < offsets[i]; });
  require_rule(
      exec, 1, format, (array + " must end at " + total_name).c_str(), "offset",
      KOKKOS_LAMBDA(std::int64_t) { return static_cast<std::int64_t>(offsets[count]) != total; });
}

/// What both forms share: sizes, heights, block_offsets, permutation.
template <class Exec, class Matrix>
static void require_blocks(Exec const& exec, Matrix const& A) {
  char const* const format = Matrix::format_name;
  std::string const name(format);
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0 || A.blocks < 0 || A.block_columns < 0)
    throw_structure(name + ": rows, cols, nnz, blocks and block_columns must not be negative");
  if (A.block_height < 1) throw_structure(name + ": block_height must be 1 or more");
  if (A.blocks > std::numeric_limits<std::int32_t>::max())
    throw_structure(name + ": blocks must fit 32 bits, got " + std::to_string(A.blocks));
  auto const a = A.pointers();
  if (A.block_rows.extent(0) != 0) {
    require_extent(format, "block_rows", A.block_rows.extent(0), A.blocks + 1);
    require_offsets(exec, format, "block_rows", "block", a.block_rows, A.blocks, A.rows, "rows", true);
    require_rule(
        exec, a.blocks, format, "a block must have at most block_height rows", "block", KOKKOS_LAMBDA(std::int64_t b) {
          return static_cast<std::int64_t>(a.block_rows[b + 1]) - a.block_rows[b] > a.block_height;
        });
  } else if (A.blocks != A.rows / A.block_height + (A.rows % A.block_height != 0 ? 1 : 0)) {
    throw_structure(name + ": blocks must be rows / block_height, rounded up, got " + std::to_string(A.blocks));
  }
  if (A.blocks == 0 && (A.nnz != 0 || A.block_columns != 0))
    throw_structure(name + ": nnz and block_columns must be 0 where there are no blocks");
  if (A.blocks > 0 || A.block_offsets.extent(0) > 0) {
    require_extent(format, "block_offsets", A.block_offsets.extent(0), A.blocks + 1);
    require_offsets(exec, format, "block_offsets", "block", a.block_offsets, A.blocks, A.block_columns, "block_columns",
                    false);
  }
  require_extent(format, "row_in_block", A.row_in_block.extent(0), A.nnz);
  if (A.has_values()) require_extent(format, "values", A.values.extent(0), A.nnz);
  if (A.gather.extent(0) != 0) require_extent(format, "gather", A.gather.extent(0), A.nnz);
  if (A.split.extent(0) != 0) require_extent(format, "split", A.split.extent(0), A.blocks);
  if (A.row_permutation.extent(0) != 0) require_permutation(exec, format, A.row_permutation, A.rows);
  if (a.split)
    require_rule(
        exec, a.blocks, format, "split must lie within the block's columns", "block", KOKKOS_LAMBDA(std::int64_t b) {
          return a.split[b] < a.block_offsets[b] || a.split[b] > a.block_offsets[b + 1];
        });
}

/// Entries [first, last) of one column: rows in the block, not descending.
template <class Pointers>
KOKKOS_INLINE_FUNCTION bool breaks_row_range(Pointers const& a, std::int64_t first, std::int64_t last,
                                             std::int64_t height) {
  for (std::int64_t k = first; k < last; ++k) {
    auto const row = static_cast<std::int64_t>(a.row_in_block[k]);
    if (row < 0 || row >= height) return true;
  }
  return false;
}
template <class Pointers>
KOKKOS_INLINE_FUNCTION bool breaks_row_order(Pointers const& a, std::int64_t first, std::int64_t last) {
  for (std::int64_t k = first + 1; k < last; ++k)
    if (a.row_in_block[k] < a.row_in_block[k - 1]) return true;
  return false;
}

/// A permutation of each block's places, in which the Csr that they are of has its rows one after the other.
template <class Exec, class Pointers, class Gather>
static void require_gather(Exec const& exec, char const* format, Pointers const& a, Gather const& gather) {
  auto const seen = zeroed_view<Kokkos::View<std::int64_t*, typename Exec::memory_space>>(
      exec, "araia::validate::gather_seen", a.nnz);
  for (int const pass : {0, 1})  // first the range, as the second pass writes by it
    require_rule(
        exec, a.blocks, format,
        pass == 0 ? "gather must lie within the block's entries" : "gather must name each entry once", "block",
        KOKKOS_LAMBDA(std::int64_t b) {
          std::int64_t const first = block_first_entry(a, b);
          std::int64_t const last = b + 1 == a.blocks ? a.nnz : block_first_entry(a, b + 1);
          for (std::int64_t k = first; k < last; ++k) {
            if (pass == 0 && static_cast<std::int64_t>(gather(k)) >= last - first) return true;
            if (pass == 1 && Kokkos::atomic_fetch_add(&seen(first + gather(k)), 1) != 0) return true;
          }
          return false;
        });
  auto const row_at = seen;  // place
  require_rule(
      exec, a.blocks, format, "gather must keep the order of rows", "block", KOKKOS_LAMBDA(std::int64_t b) {
        std::int64_t const first = block_first_entry(a, b);
        std::int64_t const last = b + 1 == a.blocks ? a.nnz : block_first_entry(a, b + 1);
        for (std::int64_t k = first; k < last; ++k) row_at(first + gather(k)) = a.row_in_block[k];
        for (std::int64_t k = first + 1; k < last; ++k)
          if (row_at(k) < row_at(k - 1)) return true;
        return false;
      });
}

}  // namespace detail

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(rows + nnz + block_columns log blocks), with one thread a block for a gather; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate(Exec const& exec, Bcsc<Scalar, Ordinal, Offset, Device> const& A) {
  using detail::require_rule;
  detail::require_blocks(exec, A);
  detail::require_extent("bcsc", "block_cols", A.block_cols.extent(0), A.block_columns);
  if (A.blocks == 0) return;
  detail::require_extent("bcsc", "col_offsets", A.col_offsets.extent(0), A.block_columns + 1);
  auto const a = A.pointers();
  detail::require_offsets(exec, "bcsc", "col_offsets", "block column", a.col_offsets, a.block_columns, a.nnz, "nnz",
                          true);
  require_rule(
      exec, a.block_columns, "bcsc", "block_cols must lie in [0, cols)", "block column",
      KOKKOS_LAMBDA(std::int64_t j) { return a.block_cols[j] < 0 || a.block_cols[j] >= a.cols; });
  bool const split = a.split != nullptr;
  require_rule(
      exec, a.block_columns, "bcsc",
      split ? "columns of a block must go by descending count, then ascend, where `split` is set"
            : "block_cols must ascend within a block",
      "block column", KOKKOS_LAMBDA(std::int64_t j) {
        std::int64_t const b = detail::segment_of(a.block_offsets, a.blocks, j);
        if (j == static_cast<std::int64_t>(a.block_offsets[b])) return false;
        std::int64_t const before = split ? detail::column_count(a, j - 1) : 0;
        std::int64_t const count = split ? detail::column_count(a, j) : 0;
        return count > before || (count == before && a.block_cols[j] <= a.block_cols[j - 1]);
      });
  if (split)
    // Equal counts ascend, so a column can only come twice with two counts: look for it where longer ones lie.
    require_rule(
        exec, a.block_columns, "bcsc", "a block must name a column once", "block column",
        KOKKOS_LAMBDA(std::int64_t j) {
          std::int64_t const b = detail::segment_of(a.block_offsets, a.blocks, j);
          std::int64_t const first = a.block_offsets[b];
          std::int64_t end = j;
          while (end > first) {
            // [begin, end) have one count: binary search among its ascending columns.
            std::int64_t const count = detail::column_count(a, end - 1);
            std::int64_t low = first;
            std::int64_t high = end - 1;
            while (low < high) {
              std::int64_t const middle = low + (high - low) / 2;
              if (detail::column_count(a, middle) > count)
                low = middle + 1;
              else
                high = middle;
            }
            std::int64_t const begin = low;
            high = end;
            while (low < high) {
              std::int64_t const middle = low + (high - low) / 2;
              if (a.block_cols[middle] < a.block_cols[j])
                low = middle + 1;
              else
                high = middle;
            }
            if (low < end && a.block_cols[low] == a.block_cols[j]) return true;
            end = begin;
          }
          return false;
        });
  require_rule(
      exec, a.block_columns, "bcsc", "row_in_block must lie within the block's rows", "block column",
      KOKKOS_LAMBDA(std::int64_t j) {
        std::int64_t const b = detail::segment_of(a.block_offsets, a.blocks, j);
        return detail::breaks_row_range(a, a.col_offsets[j], a.col_offsets[j + 1],
                                        detail::block_first_row(a, b + 1) - detail::block_first_row(a, b));
      });
  require_rule(
      exec, a.block_columns, "bcsc", "row_in_block must not descend within a column", "block column",
      KOKKOS_LAMBDA(std::int64_t j) { return detail::breaks_row_order(a, a.col_offsets[j], a.col_offsets[j + 1]); });
  if (A.gather.extent(0) != 0) detail::require_gather(exec, "bcsc", a, A.gather);
}

/// The same for the compact form. Rules that do not depend on the form are checked, and named, on the Bcsc it stands
/// for. Cost    as above, and the index arrays of that Bcsc as workspace; fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device, class RowIndex>
static void validate(Exec const& exec, BcscCompact<Scalar, Ordinal, Offset, Device, RowIndex> const& A) {
  using detail::require_extent, detail::require_rule;
  char const* const format = "bcsc+compact";
  detail::require_blocks(exec, A);
  require_extent(format, "col_counts", A.col_counts.extent(0), A.block_columns);
  bool const narrow = A.col_steps.extent(0) != 0;
  if (narrow) {
    require_extent(format, "col_steps", A.col_steps.extent(0), A.block_columns);
    require_extent(format, "first_cols", A.first_cols.extent(0), A.blocks);
  } else {
    require_extent(format, "block_cols", A.block_cols.extent(0), A.block_columns);
  }
  if (A.blocks == 0) return;
  require_extent(format, "entry_offsets", A.entry_offsets.extent(0), A.blocks + 1);
  auto const a = A.pointers();
  detail::require_offsets(exec, format, "entry_offsets", "block", a.entry_offsets, a.blocks, a.nnz, "nnz", false);
  require_rule(
      exec, a.blocks, format, "col_counts must add up to the block's entries", "block", KOKKOS_LAMBDA(std::int64_t b) {
        std::int64_t sum = 0;
        for (std::int64_t j = a.block_offsets[b]; j < static_cast<std::int64_t>(a.block_offsets[b + 1]); ++j)
          sum += detail::column_count(a, j);
        return sum != static_cast<std::int64_t>(a.entry_offsets[b + 1]) - a.entry_offsets[b];
      });
  require_rule(
      exec, a.block_columns, format, "columns must lie in [0, cols)", "block column", KOKKOS_LAMBDA(std::int64_t j) {
        std::int64_t const col = detail::block_column(a, detail::segment_of(a.block_offsets, a.blocks, j), j);
        return col < 0 || col >= a.cols;
      });
  require_rule(
      exec, a.block_columns, format, "only a part of 256 entries goes on in the next block column", "block column",
      KOKKOS_LAMBDA(std::int64_t j) {
        std::int64_t const b = detail::segment_of(a.block_offsets, a.blocks, j);
        return !detail::begins_column(a, b, j) && a.col_counts[j - 1] != 255;
      });
  // What is left to break does not depend on the form.
  validate(exec, expand_bcsc(exec, A));
}

/// A checked Bcsc or BcscCompact over the caller's Views (no copy): fill the struct, then pass it through here.
/// \throws araia::Error (invalid_structure)
template <class Matrix, class Exec>
Matrix checked(Exec const& exec, Matrix const& A) {
  validate(exec, A);
  return A;
}

}  // namespace araia
