// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMM over BSR, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/precision.hpp>

namespace araia::detail {

/// C = alpha A B + beta C from BSR as it is, on the tensor cores: no packing, no allocation.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct CudaBsrSpmm {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
/// Defined in src/dispatch/cuda_bsr.cpp.
template <class T, class Offset>
struct CudaBsrSpmm<T, std::int32_t, Offset, T, T> {
  using Matrix = BsrPointers<T, std::int32_t, Offset>;
  static constexpr bool exists = is_listed<Reals, T> && is_listed<AllOffsets, Offset>;
  /// \param precision  what products may round; double has no use for it
  static bool supports(Kokkos::Cuda const& exec, Precision precision, Matrix const& a, DenseMatrix<T const> const& b,
                       DenseMatrix<T> const& c);
  static void spmm(Kokkos::Cuda const& exec, Precision precision, Matrix const& a, T alpha,
                   DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c);
};
#endif

}  // namespace araia::detail
