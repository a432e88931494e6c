// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every invariant of a Sell, checked on the execution space: first that the arrays are long enough for what their
// offsets say, then what is in them.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/validation.hpp>
#include <araia/formats/sell.hpp>

namespace araia {

namespace detail {

/// Offsets of slices: from 0, not descending, to at most `elements`.
template <class Exec, class Offset>
static void require_slice_offsets(Exec const& exec, std::string const& array, Offset const* offsets,
                                  std::int64_t slices, std::int64_t elements) {
  require_rule(
      exec, 1, "sell", (array + "(0) must be 0").c_str(), "slice",
      KOKKOS_LAMBDA(std::int64_t) { return offsets[0] != 0; });
  require_rule(
      exec, slices, "sell", (array + " must not descend").c_str(), "slice",
      KOKKOS_LAMBDA(std::int64_t s) { return offsets[s + 1] < offsets[s]; });
  require_rule(
      exec, 1, "sell", (array + "(slices) must be " + std::to_string(elements)).c_str(), "slice",
      KOKKOS_LAMBDA(std::int64_t) { return static_cast<std::int64_t>(offsets[slices]) != elements; });
}

/// Which rows make a slice: heights of 1 to slice_height that cover the rows.
template <class Exec, class Matrix>
static void validate_slices(Exec const& exec, Matrix const& A) {
  auto const a = A.pointers();
  if (A.slice_rows.extent(0) == 0) {
    std::int64_t const expected = A.rows / A.slice_height + (A.rows % A.slice_height != 0);
    if (A.slices != expected)
      throw_structure("sell: slices must be rows / slice_height rounded up, " + std::to_string(expected) + ", got " +
                      std::to_string(A.slices));
    return;
  }
  require_extent("sell", "slice_rows", A.slice_rows.extent(0), A.slices + 1);
  require_rule(
      exec, 1, "sell", "slice_rows(0) must be 0", "slice",
      KOKKOS_LAMBDA(std::int64_t) { return a.slice_rows[0] != 0; });
  require_rule(
      exec, a.slices, "sell", "slice_rows must ascend by 1 to slice_height", "slice", KOKKOS_LAMBDA(std::int64_t s) {
        auto const height = static_cast<std::int64_t>(a.slice_rows[s + 1]) - static_cast<std::int64_t>(a.slice_rows[s]);
        return height < 1 || height > a.slice_height;
      });
  require_rule(
      exec, 1, "sell", "slice_rows must end with the slice of the last row", "slice", KOKKOS_LAMBDA(std::int64_t) {
        return static_cast<std::int64_t>(a.slice_rows[a.slices]) < a.rows ||
               static_cast<std::int64_t>(a.slice_rows[a.slices - (a.slices > 0)]) >= a.rows;
      });
}

/// Offsets of values, diagonals and columns, against each other and the arrays' lengths.
template <class Exec, class Matrix>
static void validate_offsets(Exec const& exec, Matrix const& A) {
  auto const a = A.pointers();
  bool const words = A.column_words.extent(0) != 0;
  require_extent("sell", "slice_offsets", A.slice_offsets.extent(0), A.slices + 1);
  require_slice_offsets(exec, "slice_offsets", a.slice_offsets, a.slices, A.slots);
  if (A.has_values()) require_extent("sell", "values", A.values.extent(0), A.slots);
  if (a.diagonal_offsets) {
    require_extent("sell", "diagonal_offsets", A.diagonal_offsets.extent(0), A.slices + 1);
    require_slice_offsets(exec, "diagonal_offsets", a.diagonal_offsets, a.slices,
                          static_cast<std::int64_t>(A.diagonals.extent(0)));
  }
  if (a.column_offsets) require_extent("sell", "column_offsets", A.column_offsets.extent(0), A.slices + 1);
  require_rule(
      exec, a.slices, "sell", "slice_offsets must ascend by height * (diagonals + steps * block_width)", "slice",
      KOKKOS_LAMBDA(std::int64_t s) {
        // By divisions, as offsets that are wrong make products that wrap.
        std::int64_t const height = a.slice_rows ? static_cast<std::int64_t>(a.slice_rows[s + 1]) - a.slice_rows[s]
                                                 : static_cast<std::int64_t>(a.slice_height);
        std::int64_t const slots = static_cast<std::int64_t>(a.slice_offsets[s + 1]) - a.slice_offsets[s];
        std::int64_t const diagonals =
            a.diagonal_offsets ? static_cast<std::int64_t>(a.diagonal_offsets[s + 1]) - a.diagonal_offsets[s] : 0;
        std::int64_t const column_slots = slots / height - diagonals;
        return slots % height != 0 || column_slots < 0 || column_slots % a.block_width != 0;
      });
  if (words && A.col_indices.extent(0) != 0)
    throw_structure("sell: columns must be col_indices or column_words, got both");
  if (!a.column_offsets) {
    if (words || (a.diagonal_offsets && a.slice_rows))
      throw_structure("sell: column_offsets must be there with column_words, or with diagonals and slice_rows");
    std::int64_t columns = 0;
    reduce_indices(
        "araia::validate::sell::columns", IndexRange<Exec>(exec, 0, a.slices),
        KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum) {
          auto const slice = sell_slice(a, a.block_width, s);
          sum += slice.steps * slice.height;
        },
        columns);
    require_extent("sell", "col_indices", A.col_indices.extent(0), columns);
    return;
  }
  require_slice_offsets(exec, "column_offsets", a.column_offsets, a.slices,
                        static_cast<std::int64_t>(words ? A.column_words.extent(0) : A.col_indices.extent(0)));
  require_rule(
      exec, a.slices, "sell", "column_offsets must ascend by the columns or words of the slice", "slice",
      KOKKOS_LAMBDA(std::int64_t s) {
        constexpr int q = Matrix::pointers_type::words_per_index;
        auto const slice = sell_slice(a, a.block_width, s);
        std::int64_t const got = static_cast<std::int64_t>(a.column_offsets[s + 1]) - slice.first_column;
        std::int64_t const columns = slice.steps * slice.height;
        if (!a.column_words) return got != columns;
        return got != columns * q && (got != columns + base_words(slice.steps, q) || got > columns * q);
      });
}

/// Stored rows, those that fill up the last slice among them where it has column steps, or of `values` any slots: these
/// are in memory, while few bytes claim tall slices of nothing.
template <class Exec, class Matrix>
static std::int64_t filled_up_rows(Exec const& exec, Matrix const& A, bool values) {
  if (A.slots == 0) return A.rows;
  auto const a = A.pointers();
  std::int64_t end = 0;
  reduce_indices(
      "araia::validate::sell::filled_up_rows", IndexRange<Exec>(exec, a.slices - 1, a.slices),
      KOKKOS_LAMBDA(std::int64_t s, std::int64_t & sum) {
        auto const slice = sell_slice(a, a.block_width, s);
        bool const filled_up = slice.steps > 0 || (values && slice.diagonals > 0);
        sum += filled_up ? slice.first_row + slice.height : a.rows;
      },
      end);
  return end;
}

/// Row lengths, columns and diagonals.
template <class Exec, class Matrix>
static void validate_entries(Exec const& exec, Matrix const& A) {
  auto const a = A.pointers();
  require_extent("sell", "row_lengths", A.row_lengths.extent(0), A.rows);
  require_rule(
      exec, a.rows, "sell", "row_lengths must lie in [0, steps of the slice]", "row", KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        return a.row_lengths[row] < 0 || static_cast<std::int64_t>(a.row_lengths[row]) > slice.steps;
      });
  // The first column of a group is an Ordinal, too.
  std::int64_t const last_column =
      std::min<std::int64_t>(A.cols - 1, std::numeric_limits<typename Matrix::ordinal_type>::max());
  std::int64_t const groups = A.cols == 0 ? 0 : last_column / A.block_width + 1;
  require_rule(
      exec, a.rows, "sell", "columns must lie in [0, cols) within a row's length", "row",
      KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(a.row_lengths[row]); ++t) {
          std::int64_t const group = sell_group(a, slice, t, row - slice.first_row);
          if (group < 0 || group >= groups) return true;
        }
        return false;
      });
  require_rule(
      exec, filled_up_rows(exec, A, false), "sell", "columns of padding must lie in [0, cols)", "row",
      KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        std::int64_t t = row < a.rows ? static_cast<std::int64_t>(a.row_lengths[row]) : 0;
        for (; t < slice.steps; ++t) {
          std::int64_t const group = sell_group(a, slice, t, row - slice.first_row);
          if (group < 0 || group >= groups) return true;
        }
        return false;
      });
  if (a.diagonal_offsets)
    require_rule(
        exec, a.slices, "sell", "diagonals must ascend in a slice and lie in (-rows, cols)", "slice",
        KOKKOS_LAMBDA(std::int64_t s) {
          for (std::int64_t t = a.diagonal_offsets[s]; t < static_cast<std::int64_t>(a.diagonal_offsets[s + 1]); ++t) {
            auto const d = static_cast<std::int64_t>(a.diagonals[t]);
            if (d <= -a.rows || d >= a.cols) return true;
            if (t > static_cast<std::int64_t>(a.diagonal_offsets[s]) && d <= a.diagonals[t - 1]) return true;
          }
          return false;
        });
}

/// Slots k inside the matrix, fill among them, that counts(k).
template <class Exec, class Pointers, class Counts>
static std::int64_t count_slots(Exec const& exec, char const* label, Pointers const& a, Counts const& counts) {
  std::int64_t number = 0;
  reduce_indices(
      label, IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        sell_for_each_slot(a, a.block_width, slice, row, matrix_row(a, row), 0, 1,
                           [&](std::int64_t k, std::int64_t) { sum += counts(k); });
      },
      number);
  return number;
}

/// Without a mask, zeros may be entries or fill: nnz lies between what is not zero and what is inside the matrix. What
/// is padding or outside the matrix is zero.
template <class Exec, class Matrix>
static void validate_unmarked(Exec const& exec, Matrix const& A) {
  using value_type = typename Matrix::value_type;
  auto const a = A.pointers();
  require_rule(
      exec, filled_up_rows(exec, A, true), "sell", "values must be 0 in padding and outside the matrix", "row",
      KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        std::int64_t const l = row - slice.first_row;
        std::int64_t const h = slice.height;
        bool const of_matrix = row < a.rows;
        for (std::int64_t t = 0; t < slice.diagonals; ++t) {
          std::int64_t const c = of_matrix ? matrix_row(a, row) + a.diagonals[slice.first_diagonal + t] : -1;
          if ((c < 0 || c >= a.cols) && a.values[slice.first_value + t * h + l] != value_type{}) return true;
        }
        std::int64_t const length = of_matrix ? static_cast<std::int64_t>(a.row_lengths[row]) : 0;
        std::int64_t const first_slot = slice.first_value + slice.diagonals * h + l;
        // Of the row's own groups the last columns may be outside.
        for (std::int64_t t = a.block_width == 1 ? length : 0; t < slice.steps; ++t)
          for (int w = 0; w < a.block_width; ++w) {
            bool const inside = t < length && sell_group(a, slice, t, l) * a.block_width + w < a.cols;
            if (!inside && a.values[first_slot + (t * a.block_width + w) * h] != value_type{}) return true;
          }
        return false;
      });
  std::int64_t const inside = count_slots(
      exec, "araia::validate::sell::inside", a, KOKKOS_LAMBDA(std::int64_t) { return true; });
  std::int64_t const nonzeros = count_slots(
      exec, "araia::validate::sell::nonzeros", a,
      KOKKOS_LAMBDA(std::int64_t k) { return a.values[k] != typename Matrix::value_type{}; });
  if (nonzeros > A.nnz || A.nnz > inside)
    throw_structure("sell: nnz is " + std::to_string(A.nnz) + ", of the slots inside the matrix " +
                    std::to_string(nonzeros) + " of " + std::to_string(inside) + " hold values that are not 0");
}

/// Without a mask, every slot of a pattern is an entry. By the ends of each row: few bytes claim billions of slots.
template <class Exec, class Matrix>
static void validate_unmarked_pattern(Exec const& exec, Matrix const& A) {
  auto const a = A.pointers();
  require_rule(
      exec, a.rows, "sell", "a pattern without stored_mask must have every slot inside the matrix", "row",
      KOKKOS_LAMBDA(std::int64_t row) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        if (slice.diagonals > 0) {
          auto const* const diagonals = a.diagonals + slice.first_diagonal;  // ascending
          std::int64_t const i = matrix_row(a, row);
          if (i + diagonals[0] < 0 || i + diagonals[slice.diagonals - 1] >= a.cols) return true;
        }
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(a.row_lengths[row]); ++t)
          if ((sell_group(a, slice, t, row - slice.first_row) + 1) * a.block_width > a.cols) return true;
        return false;
      });
}

/// nnz, fill and the mask: every slot in reach is one of the two.
template <class Exec, class Matrix>
static void validate_fill(Exec const& exec, Matrix const& A) {
  auto const a = A.pointers();
  std::int64_t slots = 0;
  reduce_indices(
      "araia::validate::sell::slots", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) {
        auto const slice = sell_slice(a, a.block_width, sell_slice_of(a, row));
        sum += slice.diagonals + static_cast<std::int64_t>(a.row_lengths[row]) * a.block_width;
      },
      slots);
  if (A.fill < 0 || slots != A.nnz + A.fill)
    throw_structure("sell: row_lengths and diagonals must add up to nnz + fill = " + std::to_string(A.nnz) + " + " +
                    std::to_string(A.fill) + ", got " + std::to_string(slots));
  if (!a.stored_mask) {
    if (A.fill > 0 && A.slots > 0 && !a.values) throw_structure("sell: a pattern with fill must have stored_mask");
    if (a.values)
      validate_unmarked(exec, A);
    else
      validate_unmarked_pattern(exec, A);
    return;
  }
  require_extent("sell", "stored_mask", A.stored_mask.extent(0), (A.slots + 31) / 32);
  std::int64_t marked = 0;
  reduce_indices(
      "araia::validate::sell::marked", IndexRange<Exec>(exec, 0, (A.slots + 31) / 32),
      KOKKOS_LAMBDA(std::int64_t word, std::int64_t & sum) { sum += Kokkos::popcount(a.stored_mask[word]); }, marked);
  std::int64_t const reached = count_slots(
      exec, "araia::validate::sell::reached", a, KOKKOS_LAMBDA(std::int64_t k) { return sell_is_stored(a, k); });
  if (marked != A.nnz || reached != A.nnz)
    throw_structure("sell: stored_mask must mark nnz = " + std::to_string(A.nnz) +
                    " slots of rows inside the matrix, got " + std::to_string(marked) + ", of them inside " +
                    std::to_string(reached));
  if (!a.values) return;
  require_rule(
      exec, A.slots, "sell", "values must be 0 where stored_mask is", "slot",
      KOKKOS_LAMBDA(std::int64_t k) { return !sell_is_stored(a, k) && a.values[k] != typename Matrix::value_type{}; });
}

}  // namespace detail

/// Checks every invariant of the format on the execution space.
/// \throws araia::Error (invalid_structure) naming the broken rule and its first place
/// Cost    O(stored); fences exec
template <class Exec, class Scalar, class Ordinal, class Offset, class Device>
static void validate(Exec const& exec, Sell<Scalar, Ordinal, Offset, Device> const& A) {
  if (A.rows < 0 || A.cols < 0 || A.nnz < 0 || A.slices < 0 || A.slots < 0)
    detail::throw_structure("sell: rows, cols, nnz, slices and slots must not be negative");
  if (A.slice_height < 1 || A.sort_window < 1)
    detail::throw_structure("sell: slice_height and sort_window must be 1 or more");
  if (A.slice_height > sell_tallest_slice)
    detail::throw_structure("sell: slice_height must be at most 2^40, got " + std::to_string(A.slice_height));
  if (A.block_width != 1 && A.block_width != 2 && A.block_width != 4)
    detail::throw_structure("sell: block_width must be 1, 2 or 4, got " + std::to_string(A.block_width));
  detail::validate_slices(exec, A);
  detail::validate_offsets(exec, A);
  detail::validate_entries(exec, A);
  if (A.row_permutation.extent(0) != 0) detail::require_permutation(exec, "sell", A.row_permutation, A.rows);
  detail::validate_fill(exec, A);
}

}  // namespace araia
