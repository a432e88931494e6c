// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conversions that the library brings compiled: those of a Csr of its own types, on its own spaces. csr_to_<format>
// hands such a matrix to ready_<format>, which is defined in src/formats alone, and is built where it is used for any
// other. nvcc takes 10 to 20 s for a conversion, g++ 1 to 3.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/formats/csr.hpp>
#include <araia/formats/written_out.hpp>

namespace araia::detail {

template <class Exec, class A>
using ReadySource = Csr<A const, std::int32_t, std::int32_t, typename Exec::device_type>;

template <class Exec, class Source>
inline constexpr bool is_ready_source = false;
template <class Exec, class A, class Device>
inline constexpr bool is_ready_source<Exec, Csr<A, std::int32_t, std::int32_t, Device>> = is_written_out_space<Exec>&&
    is_written_out_matrix<std::remove_const_t<A>>&& std::is_same_v<Device, typename Exec::device_type>;

/// The same arrays.
template <class Exec, class Scalar, class Device>
ReadySource<Exec, std::remove_const_t<Scalar>> ready_source(Csr<Scalar, std::int32_t, std::int32_t, Device> const& A) {
  return {.rows = A.rows,
          .cols = A.cols,
          .nnz = A.nnz,
          .row_offsets = A.row_offsets,
          .col_indices = A.col_indices,
          .values = A.values,
          .row_permutation = A.row_permutation};
}

}  // namespace araia::detail

/// WRITE(space, scalar) for every pair that has them, behind a definition of what is declared in the headers.
#ifdef ARAIA_TYPES_MINIMAL
#define ARAIA_WRITE_OUT_READY(WRITE) ARAIA_ON_EVERY_SPACE(WRITE, double)
#else
#define ARAIA_WRITE_OUT_READY(WRITE)  \
  ARAIA_ON_EVERY_SPACE(WRITE, double) \
  ARAIA_ON_EVERY_SPACE(WRITE, float)  \
  ARAIA_ON_EVERY_SPACE(WRITE, Kokkos::complex<double>)
#endif
