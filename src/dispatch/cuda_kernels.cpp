// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/dispatch/cuda_kernels.hpp>

#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"

namespace araia::detail {

static_assert(CsrPartitionPointers::piece_items == cuda::csr_chunk_entries, "a piece of entries is a chunk");

#define ARAIA_DEFINE_CUDA_KERNELS(A, X, Y, F)                                                                          \
  bool CudaKernels<A, std::int32_t, F, X, Y>::supports(SellPointers<A, std::int32_t, F> const& a) {                    \
    return cuda::sell_rows_per_lane_supports(a);                                                                       \
  }                                                                                                                    \
  bool CudaKernels<A, std::int32_t, F, X, Y>::supports(BsrPointers<A, std::int32_t, F> const& a) {                     \
    return cuda::bsr_warp_per_block_row_supports(a);                                                                   \
  }                                                                                                                    \
  bool CudaKernels<A, std::int32_t, F, X, Y>::supports(CsrPointers<A, std::int32_t, F> const& a) {                     \
    return a.values != nullptr;                                                                                        \
  }                                                                                                                    \
  void CudaKernels<A, std::int32_t, F, X, Y>::spmv(SellPointers<A, std::int32_t, F> const& a, Y alpha, X const* x,     \
                                                   Y beta, Y* y, cudaStream_t stream) {                                \
    cuda::sell_spmv_rows_per_lane(a, {}, alpha, x, beta, y, stream);                                                   \
  }                                                                                                                    \
  void CudaKernels<A, std::int32_t, F, X, Y>::spmv(BsrPointers<A, std::int32_t, F> const& a, Y alpha, X const* x,      \
                                                   Y beta, Y* y, cudaStream_t stream) {                                \
    cuda::bsr_spmv_warp_per_block_row(a, alpha, x, beta, y, stream);                                                   \
  }                                                                                                                    \
  void CudaKernels<A, std::int32_t, F, X, Y>::spmv(CsrPointers<A, std::int32_t, F> const& a, Y alpha, X const* x,      \
                                                   Y beta, Y* y, cudaStream_t stream) {                                \
    cuda::csr_spmv_sub_warp(a, {}, alpha, x, beta, y, stream);                                                         \
  }                                                                                                                    \
  void CudaKernels<A, std::int32_t, F, X, Y>::equal_chunks(CsrPointers<A, std::int32_t, F> const& a,                   \
                                                           CsrPartitionPointers const& p, Y alpha, X const* x, Y beta, \
                                                           Y* y, cudaStream_t stream) {                                \
    cuda::csr_spmv_equal_chunks(a, {const_cast<std::int32_t*>(p.first_rows), static_cast<Y*>(p.carries)}, alpha, x,    \
                                beta, y, stream);                                                                      \
  }
ARAIA_DEFINE_CUDA_KERNELS(double, double, double, std::int32_t)
ARAIA_DEFINE_CUDA_KERNELS(double, double, double, std::int64_t)
#ifndef ARAIA_TYPES_MINIMAL
ARAIA_DEFINE_CUDA_KERNELS(float, float, float, std::int32_t)
ARAIA_DEFINE_CUDA_KERNELS(float, float, float, std::int64_t)
ARAIA_DEFINE_CUDA_KERNELS(float, double, double, std::int32_t)
ARAIA_DEFINE_CUDA_KERNELS(float, double, double, std::int64_t)
#endif
#undef ARAIA_DEFINE_CUDA_KERNELS

}  // namespace araia::detail
