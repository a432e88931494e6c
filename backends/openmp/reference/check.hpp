// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Holds a computed y or C to the componentwise error bound against what the reference expects.

#include <algorithm>
#include <araia/detail/formats/pointers.hpp>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/openmp/reference/expected.hpp"
#include "backends/openmp/reference/spmv.hpp"
#include "backends/openmp/reference/wider.hpp"

namespace araia::reference {

namespace detail {
/// For reports, where double is enough.
template <class T>
std::complex<double> rounded(T const& z) {
  if constexpr (is_complex<T>) {
    return {static_cast<double>(z.real()), static_cast<double>(z.imag())};
  } else {
    return {static_cast<double>(z), 0.0};
  }
}
}  // namespace detail

/// The largest magnitude that is finite; 1 for a pattern, whose values are null.
template <class T>
double largest_magnitude(T const* values, std::int64_t count) {
  double most = values ? 0 : 1;
  for (std::int64_t k = 0; values && k < count; ++k)
    if (std::isfinite(values[k])) most = std::max(most, static_cast<double>(std::abs(values[k])));
  return most;
}

/// What a check found. `ratio` is error over bound: above 1 is a violation.
struct CheckReport {
  std::int64_t rows_checked = 0;
  std::int64_t entries_checked = 0;
  std::int64_t violations = 0;
  double worst_ratio = 0;
  std::int64_t first_bad_row = -1;
  std::int64_t first_bad_column = -1;
  std::complex<double> got;       ///< at the first violation, rounded to double; the imaginary part is 0 for reals
  std::complex<double> expected;  ///< likewise
  double bound = 0;               ///< likewise: the largest |got - expected| allowed

  [[nodiscard]] bool ok() const { return violations == 0; }
};

/// Holds every expected entry to
///   |got - expected| <= gamma_{k+2} (|alpha| sum |a||x| + |beta||y|) + (k + 2)((1 + |alpha|) eta + |alpha| floor)
/// with k products in the row, u the unit roundoff and eta the smallest subnormal of C's type (wider.hpp for complex
/// scalars). It holds for any order of summation, any split, with and without FMA. The reference's own rounding, in
/// its wider type, is added.
/// Not finite: where NaN is expected, NaN must be there; where an infinity, the same one. For complex scalars any value
/// that is not finite will do, as which part is NaN depends on how a product is written. Where sums may overflow C's
/// type on the way (the magnitudes do), a value that is not finite is accepted.
/// \param u      unit roundoff of the precision promised: other than C's own for a lower, opted-in precision
/// \param floor  what a product may be off beside that, before alpha: where operands are rounded to a smaller range
template <class Y>
CheckReport check(Expected<Y> const& expected, DenseMatrix<Y const> const& c,
                  long double u = unit_roundoff<real_t<Y>>(), long double floor = 0) {
  using wide = typename Expected<Y>::wide;
  using wide_real = typename Expected<Y>::wide_real;
  using real = real_t<Y>;
  CheckReport report;
  report.rows_checked = expected.row_count();
  for (std::int64_t slot = 0; slot < expected.row_count(); ++slot) {
    std::int64_t const row = expected.row(slot);
    std::int64_t const count = expected.counts[static_cast<std::size_t>(slot)] + expected.operand_roundings;
    long double const relative = bound_constant<Y>(count, u) + bound_constant<Y>(count, unit_roundoff<real_t<wide>>());
    long double const absolute =
        static_cast<long double>(is_complex<Y> ? 2 * count + 4 : count + 2) *
            (1 + static_cast<long double>(expected.alpha_magnitude)) *
            static_cast<long double>(std::numeric_limits<real>::denorm_min()) +
        static_cast<long double>(count + 2) * static_cast<long double>(expected.alpha_magnitude) * floor;
    for (std::int64_t column = 0; column < expected.columns; ++column) {
      auto const k = static_cast<std::size_t>(slot * expected.columns + column);
      Y const got = c.data[row * c.row_stride + column * c.column_stride];
      wide const want = expected.values[k];
      auto const size = static_cast<long double>(expected.magnitudes[k]);
      long double const bound = (size > 0 ? relative * size : 0) + absolute;  // relative may be infinite
      long double error = 0;
      long double ratio = 0;
      bool good = false;
      if (!is_finite(want)) {
        good = is_complex<Y> ? !is_finite(got) : (is_nan(want) ? is_nan(got) : static_cast<wide>(got) == want);
        ratio = good ? 0 : std::numeric_limits<long double>::infinity();
      } else if (!is_finite(got) && std::max(expected.magnitudes[k], expected.partial_peak[k]) * wide_real(1.0001L) >=
                                        static_cast<wide_real>(std::numeric_limits<real>::max())) {
        good = true;
      } else {
        error = static_cast<long double>(magnitude(static_cast<wide>(got) - want));
        good = error <= bound;  // false for NaN
        ratio = error == 0
                    ? 0
                    : (error <= std::numeric_limits<long double>::max() ? error / bound
                                                                        : std::numeric_limits<long double>::infinity());
      }
      ++report.entries_checked;
      report.worst_ratio = std::max(report.worst_ratio, static_cast<double>(ratio));
      if (!good) {
        if (report.violations++ == 0) {
          report.first_bad_row = row;
          report.first_bad_column = column;
          report.got = detail::rounded(got);
          report.expected = detail::rounded(want);
          report.bound = static_cast<double>(bound);
        }
      }
    }
  }
  return report;
}

template <class Y>
CheckReport check(Expected<Y> const& expected, DenseVector<Y const> const& y,
                  long double u = unit_roundoff<real_t<Y>>()) {
  return check(expected, as_one_column(y), u);
}

}  // namespace araia::reference
