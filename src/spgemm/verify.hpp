// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of a product of two sparse matrices held to a textbook loop.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <araia/detail/formats/scalar.hpp>
#include <araia/plan/report.hpp>
#include "backends/openmp/reference/wider.hpp"
#include "src/formatted.hpp"
#include "src/mixed_bits.hpp"
#include "src/plan/measuring_price.hpp"

namespace araia::detail {

/// In long double, as the reference is.
template <class Scalar>
auto in_long_double(Scalar const& value) {
  if constexpr (is_complex_v<Scalar>)
    return std::complex<long double>(value.real(), value.imag());
  else
    return static_cast<long double>(value);
}

/// Sums of a row of C by their columns: a hash table, so that a wide C takes no more memory than its fullest row.
template <class Wide>
class RowOfSums {
 public:
  struct Sum {
    std::int64_t column = 0;
    std::int64_t count = 0;  ///< of products
    Wide value{};
    long double size = 0;  ///< of their magnitudes
    bool met = false;      ///< in C
  };

  void clear() {
    std::fill(places_.begin(), places_.end(), none);
    sums_.clear();
  }
  void add(std::int64_t column, Wide const& product, long double size) {
    std::size_t place = place_of(column);
    if (places_[place] == none) {
      if (2 * (sums_.size() + 1) > places_.size()) {
        grow();
        place = place_of(column);
      }
      places_[place] = static_cast<std::int64_t>(sums_.size());
      sums_.push_back({.column = column});
    }
    auto& sum = sums_[static_cast<std::size_t>(places_[place])];
    ++sum.count;
    sum.value += product;
    sum.size += size;
  }
  /// Null where nothing was added to it.
  [[nodiscard]] Sum* find(std::int64_t column) {
    auto const place = places_[place_of(column)];
    return place == none ? nullptr : &sums_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(sums_.size()); }

 private:
  static constexpr std::int64_t none = -1;

  /// The column's place, or the free one where it goes. Columns at equal distances are mixed: they would lie together.
  [[nodiscard]] std::size_t place_of(std::int64_t column) const {
    std::size_t const mask = places_.size() - 1;
    std::size_t place = static_cast<std::size_t>(mixed_bits(static_cast<std::uint64_t>(column))) & mask;
    while (places_[place] != none && sums_[static_cast<std::size_t>(places_[place])].column != column)
      place = (place + 1) & mask;
    return place;
  }
  void grow() {
    places_.assign(2 * places_.size(), none);
    for (std::size_t i = 0; i < sums_.size(); ++i) places_[place_of(sums_[i].column)] = static_cast<std::int64_t>(i);
  }

  std::vector<std::int64_t> places_ = std::vector<std::int64_t>(64, none);  // in sums_
  std::vector<Sum> sums_;
};

/// Rows of C = A B, sampled_sparse_rows of them spread evenly, held to a textbook loop. On the host; C may be a
/// pattern. \param sorted  whether the columns of C's rows are to ascend
/// Memory    some 100 bytes for each entry of the fullest row that is checked
/// Rounding  |error| <= the reference's bound_constant(n) (|A| |B|) of an entry of n products
template <class Factor, class Matrix>
VerifyReport verify_rows(Factor const& A, Factor const& B, Matrix const& C, bool sorted) {
  using Scalar = typename Matrix::value_type;
  using Real = typename ScalarTraits<Scalar>::real;
  using Plain = std::conditional_t<is_complex_v<Scalar>, std::complex<Real>, Real>;
  using Wide = decltype(in_long_double(Scalar()));
  VerifyReport report{.done = true, .ok = true, .whole = C.rows <= sampled_sparse_rows};
  auto const a = A.pointers();
  auto const b = B.pointers();
  auto const c = C.pointers();
  RowOfSums<Wide> sums;
  auto const violate = [&](std::int64_t row, std::string const& what) {
    report.ok = false;
    if (report.violations++ == 0) report.first_violation = formatted("row {}: {}", row + 1, what);
  };
  std::int64_t const rows = std::min(C.rows, sampled_sparse_rows);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t const i = rows < 2 ? 0
                                    : static_cast<std::int64_t>(static_cast<double>(r) / static_cast<double>(rows - 1) *
                                                                static_cast<double>(C.rows - 1));
    sums.clear();
    for (auto p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p)
      for (auto q = b.row_offsets[a.col_indices[p]]; q < b.row_offsets[a.col_indices[p] + 1]; ++q) {
        Wide const x = a.values ? in_long_double(a.values[p]) : Wide(1);
        Wide const y = b.values ? in_long_double(b.values[q]) : Wide(1);
        sums.add(b.col_indices[q], x * y, std::abs(x) * std::abs(y));
      }
    ++report.rows_checked;
    auto const first = static_cast<std::int64_t>(c.row_offsets[i]);
    auto const last = static_cast<std::int64_t>(c.row_offsets[i + 1]);
    if (last - first != sums.size()) violate(i, formatted("{} entries, expected {}", last - first, sums.size()));
    for (auto k = first; k < last; ++k) {
      ++report.entries_checked;
      std::int64_t const column = c.col_indices[k];
      if (sorted && k > first && c.col_indices[k - 1] >= column)
        violate(i, formatted("column {} behind column {}", column + 1, c.col_indices[k - 1] + 1));
      auto* const sum = sums.find(column);
      if (!sum) {
        violate(i, formatted("an entry in column {}, expected none", column + 1));
        continue;
      }
      if (std::exchange(sum->met, true)) violate(i, formatted("column {} twice", column + 1));
      if (!c.values) continue;
      long double const constant = reference::bound_constant<Plain>(sum->count, reference::unit_roundoff<Real>());
      bool const overflows = !std::isfinite(static_cast<Real>(sum->size));  // says nothing of its entry
      if (overflows || !std::isfinite(constant)) continue;                  // nor do so many roundings
      long double const bound = constant * sum->size + std::numeric_limits<Real>::min();
      long double const error = std::abs(in_long_double(c.values[k]) - sum->value);
      report.worst_share = std::max(report.worst_share, static_cast<double>(error / bound));
      if (!(error <= bound))
        violate(i, formatted("column {}: off by {}, the bound is {}", column + 1, static_cast<double>(error),
                             static_cast<double>(bound)));
    }
  }
  return report;
}

}  // namespace araia::detail
