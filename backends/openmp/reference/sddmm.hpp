// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// D = alpha A .* (X op(Y)) + beta D by textbook loops in a wider type: the truth that SDDMM kernels are held to.

#include <algorithm>
#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/parallel_rows.hpp"
#include "backends/openmp/reference/spmm.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

namespace detail {

/// An SDDMM whose entries are worked out one by one.
template <class T>
struct SampledProduct {
  using wide = typename Expected<T>::wide;
  using wide_real = typename Expected<T>::wide_real;
  T alpha;
  DenseMatrix<T const> x;  // (rows, k)
  DenseMatrix<T const> y;  // (cols, k)
  bool conjugate_y;
  T beta;
  T const* d_before;  // (nnz)

  [[nodiscard]] bool reads() const { return alpha != T{} && x.columns > 0; }

  /// Room for so many entries.
  [[nodiscard]] Expected<T> room(std::int64_t total, std::size_t entries, bool has_values) const {
    Expected<T> out;
    out.total_rows = total;
    out.values.resize(entries);
    out.magnitudes.resize(entries);
    out.partial_peak.resize(entries);
    out.counts.assign(entries, x.columns);
    out.operand_roundings = has_values ? 1 : 0;
    return out;
  }

  /// What d[entry], at row and col, should be, at the slot of `out`.
  void expect(Expected<T>& out, std::size_t slot, std::int64_t row, std::int64_t col, wide value,
              std::int64_t entry) const {
    wide sum{};
    wide_real size{};
    for (std::int64_t k = 0; reads() && k < x.columns; ++k) {
      auto const left = static_cast<wide>(x.data[row * x.row_stride + k * x.column_stride]);
      auto const right = static_cast<wide>(y.data[col * y.row_stride + k * y.column_stride]);
      sum += left * (conjugate_y ? conjugate(right) : right);
      size += magnitude(left) * magnitude(right);
    }
    out.partial_peak[slot] = size;
    if (reads()) {
      sum = static_cast<wide>(alpha) * (value * sum);
      out.partial_peak[slot] = std::max(size, magnitude(value) * size);
      size *= magnitude(value) * magnitude(static_cast<wide>(alpha));
    }
    if (beta != T{}) {
      auto const before = static_cast<wide>(d_before[entry]);
      sum += static_cast<wide>(beta) * before;
      wide_real const part = magnitude(static_cast<wide>(beta)) * magnitude(before);
      size += part;
      out.partial_peak[slot] = std::max(out.partial_peak[slot], part);
    }
    out.values[slot] = sum;
    out.magnitudes[slot] = size;
  }

  /// \param largest  finite magnitude of a value of A: a factor that an underflow of a product may meet
  void finish(Expected<T>& out, wide_real largest) const {
    out.alpha_magnitude = magnitude(static_cast<wide>(alpha)) * std::max<wide_real>(1, largest);
  }
};

/// |z|, 0 where it is not finite: such a value tells nothing of the entries that are.
template <class T>
real_t<T> finite_magnitude(T const& z) {
  return is_finite(z) ? magnitude(z) : real_t<T>{};
}

}  // namespace detail

/// What the stored values should be, in the matrix's own order of entries, as a column of nnz rows for `check`.
/// A product with A's value is one rounding more than a sum of k products has: it is counted among operand_roundings.
/// \param x, y      (rows, k), (cols, k): op(Y)' before conjugation
/// \param d_before  (nnz) before the product; not read when beta == 0, so may then be empty
/// alpha == 0 and k == 0 read neither A nor X and Y.
template <class T, class Matrix>
Expected<T> sddmm(T alpha, Matrix const& a, DenseMatrix<T const> const& x, DenseMatrix<T const> const& y,
                  bool conjugate_y, T beta, T const* d_before) {
  using wide = typename Expected<T>::wide;
  using wide_real = typename Expected<T>::wide_real;
  detail::SampledProduct<T> const product{alpha, x, y, conjugate_y, beta, d_before};
  auto out = product.room(a.nnz, static_cast<std::size_t>(a.nnz), a.values != nullptr);
  wide_real largest = 0;
  std::int64_t entry = 0;
  for_each_entry(a, [&](std::int64_t row, std::int64_t col, auto const& stored) {
    auto const value = product.reads() ? static_cast<wide>(stored) : wide{};
    largest = std::max(largest, detail::finite_magnitude(value));
    product.expect(out, static_cast<std::size_t>(entry), row, col, value, entry);
    ++entry;
  });
  product.finish(out, largest);
  return out;
}

/// The same of the entries of some stored rows of a Csr alone.
/// \param stored_rows  ascending
template <class T, class S, class O, class Z>
Expected<T> sddmm(T alpha, CsrPointers<S, O, Z> const& a, DenseMatrix<T const> const& x, DenseMatrix<T const> const& y,
                  bool conjugate_y, T beta, T const* d_before, std::vector<std::int64_t> const& stored_rows) {
  using wide = typename Expected<T>::wide;
  using wide_real = typename Expected<T>::wide_real;
  detail::SampledProduct<T> const product{alpha, x, y, conjugate_y, beta, d_before};
  std::vector<std::int64_t> entries;
  std::vector<std::int64_t> first_slots;  // of each of the rows
  wide_real largest = 0;
  for (std::int64_t const row : stored_rows) {
    first_slots.push_back(static_cast<std::int64_t>(entries.size()));
    for (auto k = static_cast<std::int64_t>(a.row_offsets[row]); k < static_cast<std::int64_t>(a.row_offsets[row + 1]);
         ++k) {
      entries.push_back(k);
      if (product.reads() && a.values)
        largest = std::max(largest, detail::finite_magnitude(static_cast<wide>(a.values[k])));
    }
  }
  auto out = product.room(a.nnz, entries.size(), a.values != nullptr);
  out.rows = std::move(entries);
  out.all_rows = false;
  parallel_rows(static_cast<std::int64_t>(stored_rows.size()), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      auto slot = static_cast<std::size_t>(first_slots[static_cast<std::size_t>(r)]);
      for_each_entry_of_stored_row(a, stored_rows[static_cast<std::size_t>(r)],
                                   [&](std::int64_t row, std::int64_t col, auto const& stored) {
                                     auto const value = product.reads() ? static_cast<wide>(stored) : wide{};
                                     product.expect(out, slot, row, col, value, out.rows[slot]);
                                     ++slot;
                                   });
    }
  });
  product.finish(out, largest);
  return out;
}

}  // namespace araia::reference
