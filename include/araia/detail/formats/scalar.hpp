// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the library asks of a scalar: its accumulator, its real part's type, conjugation.

#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>
#include <type_traits>

namespace araia {

namespace detail {
template <class T>
struct ScalarTraits {
  using accumulator = T;
  using real = T;
  static constexpr bool is_complex = false;
};
template <>
struct ScalarTraits<Kokkos::Experimental::half_t> {
  using accumulator = float;
  using real = Kokkos::Experimental::half_t;
  static constexpr bool is_complex = false;
};
// Where the machine has no bfloat16 of its own, Kokkos makes bhalf_t another name of float.
template <class T>
requires(std::is_same_v<T, Kokkos::Experimental::bhalf_t> && !std::is_same_v<T, Kokkos::Experimental::half_t> &&
         !std::is_same_v<T, float>) struct ScalarTraits<T> {
  using accumulator = float;
  using real = T;
  static constexpr bool is_complex = false;
};
template <class T>
struct ScalarTraits<Kokkos::complex<T>> {
  using accumulator = Kokkos::complex<typename ScalarTraits<T>::accumulator>;
  using real = T;
  static constexpr bool is_complex = true;
};
}  // namespace detail

/// Type in which sums for results of type T are formed: T, at least float.
template <class T>
using accumulator_t = typename detail::ScalarTraits<std::remove_cv_t<T>>::accumulator;

/// True for Kokkos::complex.
template <class T>
inline constexpr bool is_complex_v = detail::ScalarTraits<std::remove_cv_t<T>>::is_complex;

namespace detail {
/// The conjugate where asked for and where the scalar has one.
template <class T>
KOKKOS_INLINE_FUNCTION T conjugate_if(bool conjugate, T const& value) {
  if constexpr (is_complex_v<T>) return conjugate ? Kokkos::conj(value) : value;
  return value;
}
}  // namespace detail

}  // namespace araia
