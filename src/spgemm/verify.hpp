// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of a product of two sparse matrices held to a textbook loop.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <araia/detail/formats/scalar.hpp>
#include <araia/plan/report.hpp>
#include "src/formatted.hpp"

namespace araia::detail {

/// In long double, as the reference is.
template <class Scalar>
std::complex<long double> in_long_double(Scalar const& value) {
  if constexpr (is_complex_v<Scalar>)
    return {value.real(), value.imag()};
  else
    return static_cast<long double>(value);
}

/// Rows of C = A B, some hundred of them spread evenly, held to a textbook loop. On the host; C may be a pattern.
/// Rounding  |error| <= gamma(n + 2) (|A| |B|) of an entry of n products, four times that of complex numbers
template <class Factor, class Matrix>
VerifyReport verify_rows(Factor const& A, Factor const& B, Matrix const& C) {
  using Scalar = typename Matrix::value_type;
  using Real = typename ScalarTraits<Scalar>::real;
  constexpr std::int64_t most_rows = 128;
  struct Sum {
    std::complex<long double> value{};
    long double size = 0;
    std::int64_t count = 0;
    bool met = false;  // in C
  };
  VerifyReport report{.done = true, .ok = true, .whole = C.rows <= most_rows};
  auto const a = A.pointers();
  auto const b = B.pointers();
  auto const c = C.pointers();
  std::vector<Sum> sums(static_cast<std::size_t>(B.cols));
  std::vector<typename Matrix::ordinal_type> columns;
  auto const violate = [&](std::int64_t row, std::string const& what) {
    report.ok = false;
    if (report.violations++ == 0) report.first_violation = formatted("row {}: {}", row + 1, what);
  };
  std::int64_t const rows = std::min(C.rows, most_rows);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t const i = rows < 2 ? 0
                                    : static_cast<std::int64_t>(static_cast<double>(r) / static_cast<double>(rows - 1) *
                                                                static_cast<double>(C.rows - 1));
    columns.clear();
    for (auto p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p)
      for (auto q = b.row_offsets[a.col_indices[p]]; q < b.row_offsets[a.col_indices[p] + 1]; ++q) {
        auto& sum = sums[static_cast<std::size_t>(b.col_indices[q])];
        if (sum.count++ == 0) columns.push_back(b.col_indices[q]);
        auto const x = a.values ? in_long_double(a.values[p]) : std::complex<long double>(1);
        auto const y = b.values ? in_long_double(b.values[q]) : std::complex<long double>(1);
        sum.value += std::complex<long double>(x.real() * y.real() - x.imag() * y.imag(),
                                               x.real() * y.imag() + x.imag() * y.real());
        sum.size += std::abs(x) * std::abs(y);
      }
    ++report.rows_checked;
    auto const first = static_cast<std::int64_t>(c.row_offsets[i]);
    auto const last = static_cast<std::int64_t>(c.row_offsets[i + 1]);
    if (last - first != static_cast<std::int64_t>(columns.size()))
      violate(i, formatted("{} entries, expected {}", last - first, columns.size()));
    for (auto k = first; k < last; ++k) {
      ++report.entries_checked;
      auto& sum = sums[static_cast<std::size_t>(c.col_indices[k])];
      if (sum.met && sum.count != 0) violate(i, formatted("column {} twice", c.col_indices[k] + 1));
      sum.met = sum.count != 0;  // other columns are not cleared behind the row
      if (sum.count == 0) violate(i, formatted("an entry in column {}, expected none", c.col_indices[k] + 1));
      if (!c.values || sum.count == 0) continue;
      long double const u = static_cast<long double>(std::numeric_limits<Real>::epsilon()) / 2;
      long double const n = static_cast<long double>((is_complex_v<Scalar> ? 4 : 1) * (sum.count + 2));
      long double const bound = n * u / (1 - n * u) * sum.size + std::numeric_limits<Real>::min();
      long double const error = std::abs(in_long_double(c.values[k]) - sum.value);
      bool const overflows = !std::isfinite(static_cast<Real>(sum.size));  // says nothing of its entry
      if (overflows) continue;
      report.worst_share = std::max(report.worst_share, static_cast<double>(error / bound));
      if (!(error <= bound))
        violate(i, formatted("column {}: off by {}, the bound is {}", c.col_indices[k] + 1, static_cast<double>(error),
                             static_cast<double>(bound)));
    }
    for (auto const column : columns) sums[static_cast<std::size_t>(column)] = {};
  }
  return report;
}

}  // namespace araia::detail
