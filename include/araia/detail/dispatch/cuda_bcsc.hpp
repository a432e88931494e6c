// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMM over BCSC, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/kernels/bcsc_tuning.hpp>

namespace araia::detail {

/// C = alpha A B + beta C from BCSC as it is: no packing, no allocation. Defined in src/dispatch/cuda_bcsc.cpp.
template <class Matrix, class X, class Y>
struct CudaBcscSpmm {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
/// Matrices of T that it takes: of the compact form, what the library brings.
template <class T>
using CudaBcscForms = ListOf<BcscPointers<T, std::int32_t, std::int32_t>, BcscPointers<T, std::int32_t, std::int64_t>,
                             BcscCompactPointers<T, std::int32_t, std::int32_t, std::uint8_t>>;
template <class Matrix, class T>
struct CudaBcscSpmm<Matrix, T, T> {
  static constexpr bool exists = is_listed<Reals, T> && is_listed<CudaBcscForms<T>, Matrix>;
  /// Whether `kernel`, one of the CUDA backend's, takes these operands; automatic: whether any does.
  static bool supports(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, Matrix const& a, DenseMatrix<T const> const& b,
                       DenseMatrix<T> const& c);
  /// The kernel by rule.
  static BcscSpmmKernel automatic(Kokkos::Cuda const& exec, Matrix const& a, DenseMatrix<T> const& c);
  /// By `kernel`, in the shape that `tuning` describes.
  /// \throws araia::Error invalid_argument with the list of what is built
  static void spmm(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, BcscSpmmTuning const& tuning, Matrix const& a,
                   T alpha, DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c);
};
#endif

}  // namespace araia::detail
