// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y where A is packed for one kernel of the CUDA backend: what packings answer to spmv.

#include <Kokkos_Core.hpp>
#include <string>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/dispatch/tuning_of.hpp>
#include <araia/detail/formats/written_out.hpp>

#ifdef KOKKOS_ENABLE_CUDA
namespace araia::detail {

/// Specialised beside the owner of each packing, for its pointers:
///   static constexpr char const* name         of the kernel, for messages
///   static bool is_empty(Pointers)            without entries
///   static bool is_for(Pointers, vector_bytes)   x and y may have elements of so many bytes
///   template <class X> static void run(Pointers, X alpha, X const* x, X beta, X* y, cudaStream_t)
/// run is defined beside the kernel, for RealProducts: x and y contiguous, asynchronous, nothing allocated.
template <class Pointers>
struct PackedSpmv;

template <class Pointers>
concept PackedForSpmv = requires {
  PackedSpmv<Pointers>::name;
};

/// `automatic` alone names a packing's only kernel.
template <class Kernel, PackedForSpmv Pointers, class X, class Y>
bool supports(Kokkos::Cuda const&, Kernel kernel, Op op, Pointers const& a, DenseVector<X const> const& x,
              DenseVector<Y> const& y) {
  if constexpr (is_listed<RealProducts, ListOf<typename Pointers::value_type, X, Y>>)
    return kernel == Kernel::automatic && op == Op::none && x.stride == 1 && y.stride == 1 &&
           PackedSpmv<Pointers>::is_for(a, static_cast<int>(sizeof(Y)));
  return false;
}

template <class Tuning, PackedForSpmv Pointers, class X, class Y>
void spmv_here(Here, Kokkos::Cuda const& exec, Tuning const& tuning, Op op, accumulator_t<Y> alpha, Pointers const& a,
               DenseVector<X const> const& x, accumulator_t<Y> beta, DenseVector<Y> const& y) {
  using Packed = PackedSpmv<Pointers>;
  if (!supports(exec, tuning.kernel, op, a, x, y))
    throw_unsupported(std::string("araia::spmv: ") + Packed::name +
                      " does not run this product (kernel, operation, types or strides)");
  if (alpha == accumulator_t<Y>{} || Packed::is_empty(a)) return scale_dense(exec, beta, y);
  if constexpr (is_listed<RealProducts, ListOf<typename Pointers::value_type, X, Y>>)
    Packed::template run<X>(a, alpha, x.data, beta, y.data, exec.cuda_stream());
}

}  // namespace araia::detail
#endif
