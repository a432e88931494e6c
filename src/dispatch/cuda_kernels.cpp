// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <araia/detail/dispatch/cuda_kernels.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <numeric>
#include <vector>

#include "backends/cuda/bsr_spmv_warp_per_block_row.hpp"
#include "backends/cuda/csr_gathered_lines.hpp"
#include "backends/cuda/csr_spmv_chunk_rows.hpp"
#include "backends/cuda/csr_spmv_equal_chunks.hpp"
#include "backends/cuda/csr_spmv_sub_warp.hpp"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"
#include "src/plan/backend_support.hpp"

namespace araia::detail {

static_assert(CsrPartitionPointers::piece_items == cuda::csr_chunk_entries, "a piece of entries is a chunk");

template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Sell const& a) {
  return cuda::sell_rows_per_lane_supports(a);
}
template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Bsr const& a) {
  return cuda::bsr_warp_per_block_row_supports(a);
}
template <class A, class F, class X, class Y>
bool CudaKernels<A, std::int32_t, F, X, Y>::supports(Csr const& a) {
  return a.values != nullptr || a.nnz != 0;
}

template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::spmv(Sell const& a, Y alpha, X const* x, Y beta, Y* y,
                                                 cudaStream_t stream) {
  cuda::sell_spmv_rows_per_lane(a, {}, alpha, x, beta, y, stream);
}
template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::spmv(Bsr const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  cuda::bsr_spmv_warp_per_block_row(a, alpha, x, beta, y, stream);
}
template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::sub_warp(Csr const& a, bool atomics, Y alpha, X const* x, Y beta, Y* y,
                                                     cudaStream_t stream) {
  cuda::csr_spmv_sub_warp(a, {.atomics = atomics}, alpha, x, beta, y, stream);
}

template <class A, class F, class X, class Y>
void CudaKernels<A, std::int32_t, F, X, Y>::equal_chunks(Csr const& a, CsrPartitionPointers const& p, Y alpha,
                                                         X const* x, Y beta, Y* y, cudaStream_t stream) {
  if (cuda::csr_chunk_rows_suits(a.nnz, p.longest_row))
    return cuda::csr_spmv_chunk_rows(a, p.first_rows, alpha, x, beta, y, stream);
  cuda::csr_spmv_equal_chunks(a, {const_cast<std::int32_t*>(p.first_rows), static_cast<Y*>(p.carries)}, alpha, x, beta,
                              y, stream);
}

double gathered_lines(Kokkos::Cuda const& exec, std::int32_t const* col_indices, std::int64_t nnz) {
  constexpr std::int64_t most_samples = 128;
  auto const samples = static_cast<int>(std::min(most_samples, nnz / cuda::csr_sample_entries));
  if (samples == 0) return 0;
  auto const counts = new_array<std::int32_t, Kokkos::Cuda::device_type>(exec, "araia::plan::gathered_lines", samples);
  cuda::csr_count_gathered_lines(col_indices, nnz, samples, counts.data(), exec.cuda_stream());
  std::vector<std::int32_t> lines(static_cast<std::size_t>(samples));
  copy_array(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(lines.data(), lines.size()), counts);
  exec.fence("araia::plan::gathered_lines");
  return static_cast<double>(std::accumulate(lines.begin(), lines.end(), std::int64_t{0})) /
         static_cast<double>(samples * cuda::csr_sample_entries);
}

[[gnu::used]] static void write_out_cuda_kernels() {
  for_types<RealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    using Kernels = CudaKernels<A, std::int32_t, F, X, Y>;
    using Csr = typename Kernels::Csr;
    using Sell = typename Kernels::Sell;
    using Bsr = typename Kernels::Bsr;
    write_out<bool(Sell const&)>(Kernels::supports);
    write_out<bool(Bsr const&)>(Kernels::supports);
    write_out<bool(Csr const&)>(Kernels::supports);
    write_out<void(Sell const&, Y, X const*, Y, Y*, cudaStream_t)>(Kernels::spmv);
    write_out<void(Bsr const&, Y, X const*, Y, Y*, cudaStream_t)>(Kernels::spmv);
    write_out(Kernels::sub_warp);
    write_out(Kernels::equal_chunks);
  });
}

}  // namespace araia::detail
