// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The wider scalars that the reference computes in, and the constants of the error bound.

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace araia::reference {

/// The real type under a real or complex scalar.
template <class T>
struct RealOf {
  using type = T;
  static constexpr bool is_complex = false;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
  static constexpr bool is_complex = true;
};
template <class T>
using real_t = typename RealOf<T>::type;
template <class T>
inline constexpr bool is_complex = RealOf<T>::is_complex;

/// What the reference accumulates in. `long double` holds 64 bits of significand on x86 and 113 on others; where it is
/// no wider than double, the check allows for the reference's own rounding (bound_constant below), so it stays a proof.
template <class T>
struct Wider {
  using type = long double;
};
template <>
struct Wider<float> {
  using type = double;
};
template <class T>
struct Wider<std::complex<T>> {
  using type = std::complex<typename Wider<T>::type>;
};
template <class T>
using wider_t = typename Wider<T>::type;

/// conj(z), and z itself for reals (std::conj would make them complex).
template <class T>
T conjugate(T const& z) {
  if constexpr (is_complex<T>) {
    return std::conj(z);
  } else {
    return z;
  }
}

/// |z|, a NaN or infinity in either part kept.
template <class T>
real_t<T> magnitude(T const& z) {
  return std::abs(z);
}

template <class T>
bool is_nan(T const& z) {
  if constexpr (is_complex<T>) {
    return std::isnan(z.real()) || std::isnan(z.imag());
  } else {
    return std::isnan(z);
  }
}

template <class T>
bool is_finite(T const& z) {
  if constexpr (is_complex<T>) {
    return std::isfinite(z.real()) && std::isfinite(z.imag());
  } else {
    return std::isfinite(z);
  }
}

/// Half the spacing of numbers just above 1: what one rounding to nearest costs, relatively.
template <class Real>
constexpr long double unit_roundoff() {
  return static_cast<long double>(std::numeric_limits<Real>::epsilon()) / 2;
}

/// gamma_n = n u / (1 - n u), the cost of n roundings; infinite where n u >= 1, as nothing can be promised there.
inline long double gamma(std::int64_t n, long double u) {
  long double const nu = static_cast<long double>(n) * u;
  return nu < 1 ? nu / (1 - nu) : std::numeric_limits<long double>::infinity();
}

/// Relative constant of the bound for a sum of `count` products, scaled by alpha and added to beta y, in scalars T.
/// Real: gamma(count + 2): a product, count - 1 additions, the scaling, the last addition.
/// Complex: sqrt(2) gamma(2 count + 4). The real part of a sum of complex products is a real sum of 2 count products
/// whose magnitudes add up to at most sum |a||x|, the imaginary part likewise, and for one product the two magnitudes
/// |ar xr| + |ai xi| and |ar xi| + |ai xr| have squares that add up to at most 2 |a|^2 |x|^2, hence sqrt(2); the
/// products with alpha and beta are two more roundings and their sum two.
template <class T>
long double bound_constant(std::int64_t count, long double u) {
  if constexpr (is_complex<T>) {
    return 1.41421356237309504880L * gamma(2 * count + 4, u);
  } else {
    return gamma(count + 2, u);
  }
}

}  // namespace araia::reference
