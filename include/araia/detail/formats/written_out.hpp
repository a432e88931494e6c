// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which instantiations the library brings ready-made: the lists of type_list.hpp, for the execution spaces of this
// build and with complex scalars. Everything else is built where it is used.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>

#include <araia/detail/formats/conjugated.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>

// One thread beside several is one more copy of all there is, and an OpenMP instance of one thread does the same.
#if defined(KOKKOS_ENABLE_SERIAL) && (defined(ARAIA_SPACES_ALL) || !defined(KOKKOS_ENABLE_OPENMP))
#define ARAIA_WRITTEN_OUT_ON_SERIAL
#endif

// LIST(space, ...) for every one of Spaces below, where what is written out is a class: that must be named in full.
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
#define ARAIA_ON_EVERY_SPACE(LIST, ...) \
  ARAIA_ON_SERIAL(LIST, __VA_ARGS__)    \
  ARAIA_ON_OPENMP(LIST, __VA_ARGS__)    \
  ARAIA_ON_CUDA(LIST, __VA_ARGS__)

namespace araia::detail {

using HostSpaces = Joined<
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
    ListOf<Kokkos::Serial>,
#endif
#ifdef KOKKOS_ENABLE_OPENMP
    ListOf<Kokkos::OpenMP>,
#endif
    ListOf<>>;
using CudaSpaces = ListOf<
#ifdef KOKKOS_ENABLE_CUDA
    Kokkos::Cuda
#endif
    >;
/// The spaces that the library brings: see Araia_SPACES in CMakeLists.txt.
using Spaces = Joined<HostSpaces, CudaSpaces>;

/// Scalars of matrix, x and y, conjugated matrices apart.
using ComplexProducts = ListOf<ListOf<Kokkos::complex<double>, Kokkos::complex<double>, Kokkos::complex<double>>>;
using ConjugatedProducts =
    ListOf<ListOf<Conjugated<Kokkos::complex<double>>, Kokkos::complex<double>, Kokkos::complex<double>>>;
using PlainProducts = std::conditional_t<has_all_types, Joined<RealProducts, ComplexProducts>, RealProducts>;
using Products = std::conditional_t<has_all_types, Joined<PlainProducts, ConjugatedProducts>, PlainProducts>;
/// Scalars of a matrix.
using AllScalars = Joined<AllReals, ListOf<Kokkos::complex<double>>>;
using Scalars = std::conditional_t<has_all_types, AllScalars, Reals>;

// Values of 16 bits beside vectors of float, where Kokkos has them.
using HalfScalars = std::conditional_t<
    has_all_types,
    Joined<std::conditional_t<KOKKOS_HALF_T_IS_FLOAT, ListOf<>, ListOf<Kokkos::Experimental::half_t>>,
           std::conditional_t<KOKKOS_BHALF_T_IS_FLOAT, ListOf<>, ListOf<Kokkos::Experimental::bhalf_t>>>,
    ListOf<>>;

/// Whether the library brings anything for the execution space.
template <class Exec>
inline constexpr bool is_written_out_space = is_listed<Spaces, Exec>;

/// Whether the library brings matrices of the scalar.
template <class A>
inline constexpr bool is_written_out_scalar = is_listed<Scalars, A>;

}  // namespace araia::detail
