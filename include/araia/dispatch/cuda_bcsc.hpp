// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMM over BCSC, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <araia/Araia_Config.hpp>
#include <cstdint>

#include <araia/dispatch/cuda_space.hpp>
#include <araia/formats/bcsc_pointers.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/kernels/bcsc_tuning.hpp>

namespace araia::detail {

/// C = alpha A B + beta C from BCSC as it is: no packing, no allocation.
template <class Matrix, class X, class Y>
struct CudaBcscSpmm {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
// Of the compact form, what dispatch/bcsc.hpp writes out.
template <class T>
using CudaBcsc32 = BcscPointers<T, std::int32_t, std::int32_t>;
template <class T>
using CudaBcsc64 = BcscPointers<T, std::int32_t, std::int64_t>;
template <class T>
using CudaBcscCompact32 = BcscCompactPointers<T, std::int32_t, std::int32_t, std::uint8_t>;
#define ARAIA_DECLARE_CUDA_BCSC(T, MATRIX)                                                                \
  template <>                                                                                             \
  struct CudaBcscSpmm<MATRIX<T>, T, T> {                                                                  \
    static constexpr bool exists = true;                                                                  \
    using Matrix = MATRIX<T>;                                                                             \
    /* Whether `kernel`, one of the CUDA backend's, takes these operands; automatic: whether any does. */ \
    static bool supports(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, Matrix const& a,                \
                         DenseMatrix<T const> const& b, DenseMatrix<T> const& c);                         \
    /* The kernel by rule. */                                                                             \
    static BcscSpmmKernel automatic(Kokkos::Cuda const& exec, Matrix const& a, DenseMatrix<T> const& c);  \
    static void spmm(Kokkos::Cuda const& exec, BcscSpmmKernel kernel, Matrix const& a, T alpha,           \
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c);                     \
  };
ARAIA_DECLARE_CUDA_BCSC(double, CudaBcsc32)
ARAIA_DECLARE_CUDA_BCSC(double, CudaBcsc64)
ARAIA_DECLARE_CUDA_BCSC(double, CudaBcscCompact32)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DECLARE_CUDA_BCSC(float, CudaBcsc32)
ARAIA_DECLARE_CUDA_BCSC(float, CudaBcsc64)
ARAIA_DECLARE_CUDA_BCSC(float, CudaBcscCompact32)
#endif
#undef ARAIA_DECLARE_CUDA_BCSC
#endif

}  // namespace araia::detail
