// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMV kernels, for the types they are built for.

#include <Kokkos_Core.hpp>
#include <type_traits>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/dispatch/ready_products.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/csr_partition.hpp>

namespace araia::detail {

/// Matrices of real scalars that the backend multiplies with. Of values of 16 bits, with vectors and sums in float, it
/// takes HalfForms.
template <class S>
using CudaForms = Joined<typename ReadyForms<S, AllOffsets>::Csr, typename ReadyForms<S, AllOffsets>::Sell,
                         typename ReadyForms<S, AllOffsets>::Bsr>;

template <class Exec, class Matrix, class X, class Y, class S = scalar_of<Matrix>>
inline constexpr bool has_cuda_spmv = is_cuda_space<Exec> &&
                                      ((is_listed<RealProducts, ListOf<S, X, Y>> && is_listed<CudaForms<S>, Matrix>) ||
                                       (is_listed<HalfScalars, S> && std::is_same_v<X, float> &&
                                        std::is_same_v<Y, float> && is_listed<HalfForms<S>, Matrix>));

/// y = alpha A x + beta y on contiguous x and y, asynchronous on a stream, nothing allocated. For types of
/// has_cuda_spmv, defined in src/dispatch/cuda_kernels.cpp.
template <class Matrix, class X, class Y>
struct CudaSpmv;

#ifdef KOKKOS_ENABLE_CUDA
template <class Matrix, class X, class Y>
struct CudaSpmv {
  static bool supports(Matrix const& a);
  /// Of Sell and Bsr.
  static void spmv(Matrix const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);
  // Of Csr.
  static void sub_warp(Matrix const& a, bool atomics, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);
  static void equal_chunks(Matrix const& a, CsrPartitionPointers const& partition, Y alpha, X const* x, Y beta, Y* y,
                           cudaStream_t stream);
};
#endif

/// Does the CUDA backend have a kernel for this product?
template <class Exec, class Matrix, class X, class Y>
bool cuda_supports(Op op, Matrix const& a, DenseVector<X const> const& x, DenseVector<Y> const& y) {
  if constexpr (has_cuda_spmv<Exec, Matrix, X, Y>)
    return op == Op::none && x.stride == 1 && y.stride == 1 && CudaSpmv<Matrix, X, Y>::supports(a);
  return false;
}

/// The backend's one kernel of Sell, or of Bsr, for operands that it supports.
template <class Exec, class Matrix, class X, class Y>
void cuda_spmv(Exec const& exec, Matrix const& a, accumulator_t<Y> alpha, DenseVector<X const> const& x,
               accumulator_t<Y> beta, DenseVector<Y> const& y) {
  if constexpr (has_cuda_spmv<Exec, Matrix, X, Y>)
    CudaSpmv<Matrix, X, Y>::spmv(a, alpha, x.data, beta, y.data, exec.cuda_stream());
}

}  // namespace araia::detail
