// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha op(A) B + beta C by textbook loops in a wider type: the reference that every other kernel is compared with.

#include <algorithm>
#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/parallel_rows.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

namespace detail {

/// Place of each row in `rows`, -1 where it is not chosen.
inline std::vector<std::int64_t> slots_of_rows(std::int64_t total_rows, std::vector<std::int64_t> const& rows) {
  std::vector<std::int64_t> slots(static_cast<std::size_t>(total_rows), -1);
  for (std::size_t s = 0; s < rows.size(); ++s) slots[static_cast<std::size_t>(rows[s])] = static_cast<std::int64_t>(s);
  return slots;
}

/// The wider type has a rounding of its own only where a scalar of A or x has more digits than y's.
template <class T, class Y>
inline constexpr int rounds_into =
    std::numeric_limits<real_t<T>>::digits > std::numeric_limits<real_t<Y>>::digits ? 1 : 0;

template <class Y, class Matrix, class X>
void accumulate(Op op, Y alpha, Matrix const& a, DenseMatrix<X const> const& b, Y beta,
                DenseMatrix<Y const> const& c_before, std::vector<std::int64_t> const& slots, Expected<Y>& out) {
  using wide = typename Expected<Y>::wide;
  using wide_real = typename Expected<Y>::wide_real;
  std::int64_t const columns = out.columns;
  bool const reads_a = alpha != Y{};
  bool const reads_c = beta != Y{};

  // out.values and out.magnitudes first hold the sums of products and of their magnitudes.
  auto const add_entry = [&](std::int64_t row, std::int64_t col, auto const& stored) {
    std::int64_t const i = transposes(op) ? col : row;
    std::int64_t const j = transposes(op) ? row : col;
    std::int64_t const slot = slots.empty() ? i : slots[static_cast<std::size_t>(i)];
    if (slot < 0) return;
    auto const value = static_cast<wide>(conjugates(op) ? conjugate(stored) : stored);
    ++out.counts[static_cast<std::size_t>(slot)];
    for (std::int64_t c = 0; c < columns; ++c) {
      auto const k = static_cast<std::size_t>(slot * columns + c);
      auto const x = static_cast<wide>(b.data[j * b.row_stride + c * b.column_stride]);
      out.values[k] += value * x;
      out.magnitudes[k] += magnitude(value) * magnitude(x);
    }
  };
  if (reads_a) {
    if constexpr (requires { for_each_entry_of_stored_row(a, 0, add_entry); }) {
      if (!transposes(op)) {  // a stored row is a row of the result, so threads share nothing
        parallel_rows(a.rows, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t i = first; i < last; ++i) {
            std::int64_t const row = a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[i]) : i;
            if (slots.empty() || slots[static_cast<std::size_t>(row)] >= 0)
              for_each_entry_of_stored_row(a, i, add_entry);
          }
        });
      } else {
        for_each_entry(a, add_entry);
      }
    } else {
      for_each_entry(a, add_entry);
    }
  }

  for (std::int64_t slot = 0; slot < out.row_count(); ++slot) {
    for (std::int64_t c = 0; c < columns; ++c) {
      auto const k = static_cast<std::size_t>(slot * columns + c);
      wide value{};
      wide_real size{};
      out.partial_peak[k] = out.magnitudes[k];
      if (reads_a) {
        value = static_cast<wide>(alpha) * out.values[k];
        size = magnitude(static_cast<wide>(alpha)) * out.magnitudes[k];
      }
      if (reads_c) {
        auto const before =
            static_cast<wide>(c_before.data[out.row(slot) * c_before.row_stride + c * c_before.column_stride]);
        value += static_cast<wide>(beta) * before;
        wide_real const part = magnitude(static_cast<wide>(beta)) * magnitude(before);
        size += part;
        out.partial_peak[k] = std::max(out.partial_peak[k], part);
      }
      out.values[k] = value;
      out.magnitudes[k] = size;
    }
  }
}

template <class Y, class Matrix, class X>
Expected<Y> spmm_of_rows(Op op, Y alpha, Matrix const& a, DenseMatrix<X const> const& b, Y beta,
                         DenseMatrix<Y const> const& c_before, bool all_rows, std::vector<std::int64_t> rows) {
  Expected<Y> out;
  out.total_rows = rows_of(op, a);
  out.columns = b.columns;
  out.all_rows = all_rows;
  out.rows = std::move(rows);
  out.alpha_magnitude = magnitude(static_cast<wider_t<Y>>(alpha));
  out.operand_roundings = rounds_into<typename Matrix::value_type, Y> + rounds_into<X, Y>;
  auto const slots = all_rows ? std::vector<std::int64_t>{} : slots_of_rows(out.total_rows, out.rows);
  auto const entries = static_cast<std::size_t>(out.row_count() * out.columns);
  out.values.resize(entries);
  out.magnitudes.resize(entries);
  out.partial_peak.resize(entries);
  out.counts.resize(static_cast<std::size_t>(out.row_count()));
  accumulate(op, alpha, a, b, beta, c_before, slots, out);
  return out;
}

}  // namespace detail

/// What C = alpha op(A) B + beta C should be, entry by entry, with magnitudes and counts for `check`.
/// \param c_before  C before the product; not read when beta == 0, so may then be empty
/// BLAS rules: beta == 0 does not read C (a NaN in it is gone), alpha == 0 reads neither A nor B.
template <class Y, class Matrix, class X>
Expected<Y> spmm(Op op, Y alpha, Matrix const& a, DenseMatrix<X const> const& b, Y beta,
                 DenseMatrix<Y const> const& c_before) {
  return detail::spmm_of_rows(op, alpha, a, b, beta, c_before, true, {});
}

/// The same for chosen rows of C alone.
/// \param rows  of C, each at most once
template <class Y, class Matrix, class X>
Expected<Y> spmm(Op op, Y alpha, Matrix const& a, DenseMatrix<X const> const& b, Y beta,
                 DenseMatrix<Y const> const& c_before, std::vector<std::int64_t> rows) {
  return detail::spmm_of_rows(op, alpha, a, b, beta, c_before, false, std::move(rows));
}

}  // namespace araia::reference
