// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/cuda_kernels.hpp>

#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"

namespace araia::detail {
namespace {

// Kokkos' types hold CUDA's and nothing else.
template <class A>
using backend_t = typename A::impl_type;

template <class A>
backend_t<A> const* backend_values(A const* values) {
  static_assert(sizeof(A) == sizeof(backend_t<A>) && sizeof(A) == 2);
  return reinterpret_cast<backend_t<A> const*>(values);
}

template <class A, class Offset>
CsrPointers<backend_t<A>, std::int32_t, Offset> backend_matrix(CsrPointers<A, std::int32_t, Offset> const& a) {
  return {a.rows, a.cols, a.nnz, a.row_offsets, a.col_indices, backend_values(a.values), a.row_permutation};
}

template <class A, class Offset>
SellPointers<backend_t<A>, std::int32_t, Offset> backend_matrix(SellPointers<A, std::int32_t, Offset> const& a) {
  return {a.rows,
          a.cols,
          a.nnz,
          a.slices,
          a.slice_height,
          a.fill,
          a.block_width,
          a.slice_rows,
          a.slice_offsets,
          a.diagonal_offsets,
          a.column_offsets,
          a.diagonals,
          a.row_lengths,
          a.col_indices,
          a.column_words,
          backend_values(a.values),
          a.stored_mask,
          a.row_permutation};
}

}  // namespace

template <class A, class F>
bool CudaHalfKernels<A, F>::supports(Sell const& a) {
  return cuda::sell_rows_per_lane_supports(backend_matrix(a));
}

template <class A, class F>
void CudaHalfKernels<A, F>::spmv(Sell const& a, float alpha, float const* x, float beta, float* y,
                                 cudaStream_t stream) {
  cuda::sell_spmv_rows_per_lane(backend_matrix(a), {}, alpha, x, beta, y, stream);
}

template <class A, class F>
void CudaHalfKernels<A, F>::sub_warp(Csr const& a, bool atomics, float alpha, float const* x, float beta, float* y,
                                     cudaStream_t stream) {
  cuda::csr_spmv_sub_warp(backend_matrix(a), {.atomics = atomics}, alpha, x, beta, y, stream);
}

template <class A, class F>
void CudaHalfKernels<A, F>::equal_chunks(Csr const& a, CsrPartitionPointers const& p, float alpha, float const* x,
                                         float beta, float* y, cudaStream_t stream) {
  if (cuda::csr_chunk_rows_suits(a.nnz, p.longest_row))
    return cuda::csr_spmv_chunk_rows(backend_matrix(a), p.first_rows, alpha, x, beta, y, stream);
  cuda::csr_spmv_equal_chunks(backend_matrix(a),
                              {const_cast<std::int32_t*>(p.first_rows), static_cast<float*>(p.carries)}, alpha, x, beta,
                              y, stream);
}

[[gnu::used]] static void write_out_cuda_half_kernels() {
  for_types<HalfScalars, AllOffsets>([&]<class A, class F>() {
    using Kernels = CudaHalfKernels<A, F>;
    using Sell = typename Kernels::Sell;
    write_out<bool(Sell const&)>(Kernels::supports);
    write_out<void(Sell const&, float, float const*, float, float*, cudaStream_t)>(Kernels::spmv);
    write_out(Kernels::sub_warp);
    write_out(Kernels::equal_chunks);
  });
}

}  // namespace araia::detail
