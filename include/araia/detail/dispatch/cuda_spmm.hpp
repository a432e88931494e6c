// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the CUDA backend's SpMM, for the types it is built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/kernels/csr_partition.hpp>
#include <araia/detail/kernels/epilogue.hpp>

namespace araia::detail {

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, from CSR as it is: no packing, no allocation.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct CudaSpmm {
  static constexpr bool exists = false;
};

#ifdef KOKKOS_ENABLE_CUDA
/// Defined in src/dispatch/cuda_spmm.cpp.
template <class T, class Offset>
struct CudaSpmm<T, std::int32_t, Offset, T, T> {
  using Matrix = CsrPointers<T, std::int32_t, Offset>;
  static constexpr bool exists = is_listed<Reals, T> && is_listed<AllOffsets, Offset>;
  static bool supports(Matrix const& a, DenseMatrix<T const> const& b, DenseMatrix<T> const& c);
  static void spmm(Kokkos::Cuda const& exec, Matrix const& a, T alpha, DenseBatch<T const> const& b, T beta,
                   DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue);
  /// The same by csr/merge_split, on a partition by the path.
  static bool supports_merge_split(DenseMatrix<T const> const& b, DenseMatrix<T> const& c);
  static void merge_split(Kokkos::Cuda const& exec, Matrix const& a, CsrPartitionPointers const& partition, T alpha,
                          DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c);
};
#endif

}  // namespace araia::detail
