// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A layer's results held to a direct convolution in a wider type. No Kokkos.

#include <cstdint>

#include <araia/detail/nn/conv_weights.hpp>
#include <araia/nn/conv_options.hpp>

namespace araia {

/// Outputs held to the direct sum over c, r, s, of float in double, of double in long double.
struct ConvCheck {
  std::int64_t checked = 0;
  std::int64_t violations = 0;
  double worst_share = 0;  ///< largest error over its bound; above 1 is a violation
  [[nodiscard]] bool ok() const { return violations == 0; }
};

/// \param x, y, residual  on the host, (batch, ...) in options.layout; residual may be null
/// \param samples         outputs that are checked, drawn by seed; all where there are no more
/// Bound    gamma(len + 5) (|w| |x| + |bias| + |residual|) + (len + 5) eta, len the entries of the filter, u that of T.
///          A lower precision of options adds 2 u + u^2 of its own, and the floor of fp16 (docs/architecture.md), and
///          has gamma(5 len + 25), as tensor cores cut sums. gamma(n) is n u where n u is 1/2 or more.
/// Not finite: where the direct sum is NaN or an infinity, NaN or the same infinity must be there; where T may
///          overflow, a finite direct sum admits what is not finite. Stored weights alone are summed: where a dense
///          method multiplies a zero by an infinity of x, its NaN is a violation.
template <class T>
[[nodiscard]] ConvCheck check_convolution(ConvShape const& shape, std::int64_t batch, ConvWeights const& weights,
                                          ConvOptions const& options, T const* x, T const* y,
                                          T const* residual = nullptr, std::int64_t samples = 4096,
                                          std::uint64_t seed = 1);

}  // namespace araia
