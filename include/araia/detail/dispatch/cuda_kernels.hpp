// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMV kernels, for the types they are built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/kernels/csr_partition.hpp>
#include <araia/error.hpp>

namespace araia::detail {

/// y = alpha A x + beta y on contiguous x and y, asynchronous on a stream, nothing allocated.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct CudaKernels {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
/// Of real scalars, defined in src/dispatch/cuda_kernels.cpp.
template <class A, class Offset, class X, class Y>
struct CudaKernels<A, std::int32_t, Offset, X, Y> {
  using Csr = CsrPointers<A, std::int32_t, Offset>;
  using Sell = SellPointers<A, std::int32_t, Offset>;
  using Bsr = BsrPointers<A, std::int32_t, Offset>;
  static constexpr bool exists = is_listed<RealProducts, ListOf<A, X, Y>> && is_listed<AllOffsets, Offset>;
  static bool supports(Sell const& a);
  static bool supports(Bsr const& a);
  static bool supports(Csr const& a);
  static void spmv(Sell const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);
  static void spmv(Bsr const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);
  static void sub_warp(Csr const& a, bool atomics, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);
  static void equal_chunks(Csr const& a, CsrPartitionPointers const& partition, Y alpha, X const* x, Y beta, Y* y,
                           cudaStream_t stream);
};

/// Of values of 16 bits with vectors and sums in float: Csr of both offset widths, Sell of 32-bit ones; other formats
/// run portable kernels. Defined in src/dispatch/cuda_kernels_half.cpp.
template <class A, class Offset>
struct CudaHalfKernels {
  using Csr = CsrPointers<A, std::int32_t, Offset>;
  using Sell = SellPointers<A, std::int32_t, std::int32_t>;
  static constexpr bool exists = true;
  template <class Other>
  static bool supports(Other const&) {
    return false;
  }
  static bool supports(Csr const& a) { return a.values != nullptr || a.nnz != 0; }
  static bool supports(Sell const& a);
  template <class Other>
  static void spmv(Other const&, float, float const*, float, float*, cudaStream_t) {
    throw Error(ErrorKind::unsupported, "araia::spmv: no CUDA kernel takes this format with 16-bit values");
  }
  static void spmv(Sell const& a, float alpha, float const* x, float beta, float* y, cudaStream_t stream);
  static void sub_warp(Csr const& a, bool atomics, float alpha, float const* x, float beta, float* y,
                       cudaStream_t stream);
  static void equal_chunks(Csr const& a, CsrPartitionPointers const& partition, float alpha, float const* x, float beta,
                           float* y, cudaStream_t stream);
};
template <class A, class Offset>
requires(
    is_listed<HalfScalars, A>&& is_listed<AllOffsets, Offset>) struct CudaKernels<A, std::int32_t, Offset, float, float>
    : CudaHalfKernels<A, Offset> {
};
#endif

/// Does the CUDA backend have a kernel for this product?
template <class Exec, template <class, class, class> class Pointers, class S, class O, class F, class X, class Y>
bool cuda_supports(Op op, Pointers<S, O, F> const& a, DenseVector<X const> const& x, DenseVector<Y> const& y) {
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, O, F, X, Y>::exists)
    return op == Op::none && x.stride == 1 && y.stride == 1 && CudaKernels<S, O, F, X, Y>::supports(a);
  return false;
}

/// Runs it; only where cuda_supports said so.
template <class Exec, template <class, class, class> class Pointers, class S, class O, class F, class X, class Y>
void cuda_spmv(Exec const& exec, Pointers<S, O, F> const& a, Y alpha, DenseVector<X const> const& x, Y beta,
               DenseVector<Y> const& y) {
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, O, F, X, Y>::exists)
    CudaKernels<S, O, F, X, Y>::spmv(a, alpha, x.data, beta, y.data, exec.cuda_stream());
}

/// csr/sub_warp; only where cuda_supports said so. \param atomics  whether very long rows may be summed by atomics, in
/// any order
template <class Exec, class S, class O, class F, class X, class Y>
void cuda_spmv_sub_warp(Exec const& exec, CsrPointers<S, O, F> const& a, bool atomics, Y alpha,
                        DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y) {
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, O, F, X, Y>::exists)
    CudaKernels<S, O, F, X, Y>::sub_warp(a, atomics, alpha, x.data, beta, y.data, exec.cuda_stream());
}

/// csr/equal_chunks on a partition of its own cut; only where cuda_supports said so.
template <class Exec, class S, class O, class F, class X, class Y>
void cuda_spmv_equal_chunks(Exec const& exec, CsrPointers<S, O, F> const& a, CsrPartitionPointers const& partition,
                            Y alpha, DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y) {
  if constexpr (is_cuda_space<Exec> && CudaKernels<S, O, F, X, Y>::exists)
    CudaKernels<S, O, F, X, Y>::equal_chunks(a, partition, alpha, x.data, beta, y.data, exec.cuda_stream());
}

}  // namespace araia::detail
