// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which instantiations the library brings ready-made; everything else is built where it is used.
// Each macro names the list once, for `extern template` in headers and `template` in src.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>

#include <araia/formats/conjugated.hpp>
#include <araia/formats/pointers.hpp>

namespace araia::detail {
template <class S>
using Csr32 = CsrPointers<S, std::int32_t, std::int32_t>;
template <class S>
using Csr64 = CsrPointers<S, std::int32_t, std::int64_t>;
template <class S>
using Coo32 = CooPointers<S, std::int32_t>;
template <class S>
using Ell32 = EllPointers<S, std::int32_t>;
}  // namespace araia::detail

// One thread beside several is one more copy of all there is, and an OpenMP instance of one thread does the same.
#if defined(KOKKOS_ENABLE_SERIAL) && (defined(ARAIA_SPACES_ALL) || !defined(KOKKOS_ENABLE_OPENMP))
#define ARAIA_WRITTEN_OUT_ON_SERIAL
#endif

#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
#define ARAIA_ON_SERIAL(LIST, ...) LIST(Kokkos::Serial, __VA_ARGS__)
#else
#define ARAIA_ON_SERIAL(LIST, ...)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define ARAIA_ON_OPENMP(LIST, ...) LIST(Kokkos::OpenMP, __VA_ARGS__)
#else
#define ARAIA_ON_OPENMP(LIST, ...)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define ARAIA_ON_CUDA(LIST, ...) LIST(Kokkos::Cuda, __VA_ARGS__)
#else
#define ARAIA_ON_CUDA(LIST, ...)
#endif
/// LIST(space, ...) for every space that the library brings: see Araia_SPACES in CMakeLists.txt.
#define ARAIA_ON_EVERY_SPACE(LIST, ...) \
  ARAIA_ON_SERIAL(LIST, __VA_ARGS__)    \
  ARAIA_ON_OPENMP(LIST, __VA_ARGS__)    \
  ARAIA_ON_CUDA(LIST, __VA_ARGS__)

/// LIST(scalar, ...) for every scalar of a matrix.
#ifdef ARAIA_TYPES_MINIMAL
#define ARAIA_ON_EVERY_SCALAR(LIST, ...) LIST(double, __VA_ARGS__)
#else
#define ARAIA_ON_EVERY_SCALAR(LIST, ...) \
  LIST(double, __VA_ARGS__)              \
  LIST(float, __VA_ARGS__)               \
  LIST(Kokkos::complex<double>, __VA_ARGS__)
#endif

/// WRITE(linkage, matrix scalar, x scalar, y scalar) for complex scalars, as they are and conjugated.
#define ARAIA_COMPLEX_SCALARS(WRITE, LINKAGE)                                               \
  WRITE(LINKAGE, Kokkos::complex<double>, Kokkos::complex<double>, Kokkos::complex<double>) \
  WRITE(LINKAGE, araia::detail::Conjugated<Kokkos::complex<double>>, Kokkos::complex<double>, Kokkos::complex<double>)

/// WRITE(linkage, matrix scalar, x scalar, y scalar) for every triple of scalars, with `extern`.
#ifdef ARAIA_TYPES_MINIMAL
#define ARAIA_EXTERN_SCALARS(WRITE) WRITE(extern, double, double, double)
#define ARAIA_WIDE_OFFSETS(...)
#else
#define ARAIA_EXTERN_SCALARS(WRITE)     \
  WRITE(extern, double, double, double) \
  WRITE(extern, float, float, float)    \
  WRITE(extern, float, double, double)  \
  ARAIA_COMPLEX_SCALARS(WRITE, extern)
#define ARAIA_WIDE_OFFSETS(...) __VA_ARGS__
#endif

namespace araia::detail {
#define ARAIA_IS_ONE(TYPE, CONSTANT) \
  template <>                        \
  inline constexpr bool CONSTANT<TYPE> = true;
/// Whether the library brings anything for the execution space.
template <class Exec>
inline constexpr bool is_written_out_space = false;
ARAIA_ON_EVERY_SPACE(ARAIA_IS_ONE, is_written_out_space)

/// Whether the library brings matrices of the scalar.
template <class A>
inline constexpr bool is_written_out_scalar = false;
ARAIA_ON_EVERY_SCALAR(ARAIA_IS_ONE, is_written_out_scalar)
#undef ARAIA_IS_ONE

/// Not minimal: matrices of float beside vectors of double and 64-bit offsets too.
inline constexpr bool has_all_types = is_written_out_scalar<float>;
}  // namespace araia::detail
