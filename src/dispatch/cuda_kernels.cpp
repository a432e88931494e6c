// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <araia/detail/dispatch/cuda_kernels.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <bit>
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
namespace {

static_assert(CsrPartitionPointers::chunk_items == cuda::csr_chunk_entries, "a partition has the chunks of its kernel");

/// As the backend has it: Kokkos's types of 16 bits hold CUDA's and nothing else.
template <template <class...> class Format, class A, class... Rest>
auto backend_matrix(Format<A, Rest...> const& a) {
  if constexpr (is_listed<HalfScalars, A>)
    return std::bit_cast<Format<typename A::impl_type, Rest...>>(a);
  else
    return a;
}

template <class A, class Offset>
bool supported(CsrPointers<A, std::int32_t, Offset> const& a) {
  return a.values != nullptr || a.nnz != 0;
}
template <class A, class Offset>
bool supported(SellPointers<A, std::int32_t, Offset> const& a) {
  return cuda::sell_rows_per_lane_supports(a);
}
template <class A, class Offset>
bool supported(BsrPointers<A, std::int32_t, Offset> const& a) {
  return cuda::bsr_warp_per_block_row_supports(a);
}

template <class A, class Offset, class X, class Y>
void multiply(SellPointers<A, std::int32_t, Offset> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  cuda::sell_spmv_rows_per_lane(a, {}, alpha, x, beta, y, stream);
}
template <class A, class Offset, class X, class Y>
void multiply(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  cuda::bsr_spmv_warp_per_block_row(a, alpha, x, beta, y, stream);
}

}  // namespace

template <class Matrix, class X, class Y>
bool CudaSpmv<Matrix, X, Y>::supports(Matrix const& a) {
  return supported(backend_matrix(a));
}

template <class Matrix, class X, class Y>
void CudaSpmv<Matrix, X, Y>::spmv(Matrix const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  multiply(backend_matrix(a), alpha, x, beta, y, stream);
}

template <class Matrix, class X, class Y>
void CudaSpmv<Matrix, X, Y>::sub_warp(Matrix const& a, bool atomics, Y alpha, X const* x, Y beta, Y* y,
                                      cudaStream_t stream) {
  cuda::csr_spmv_sub_warp(backend_matrix(a), {.atomics = atomics}, alpha, x, beta, y, stream);
}

template <class Matrix, class X, class Y>
void CudaSpmv<Matrix, X, Y>::equal_chunks(Matrix const& a, CsrPartitionPointers const& p, Y alpha, X const* x, Y beta,
                                          Y* y, cudaStream_t stream) {
  auto const matrix = backend_matrix(a);
  if (cuda::csr_chunk_rows_suits(a.nnz, p.longest_row))
    return cuda::csr_spmv_chunk_rows(matrix, p.first_rows, alpha, x, beta, y, stream);
  cuda::csr_spmv_equal_chunks(matrix, {const_cast<std::int32_t*>(p.first_rows), static_cast<Y*>(p.carries)}, alpha, x,
                              beta, y, stream);
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

template <class Forms, class X, class Y>
static void write_out_cuda_spmv() {
  for_types<Forms>([&]<class Matrix>() {
    using Spmv = CudaSpmv<Matrix, X, Y>;
    write_out(Spmv::supports);
    if constexpr (is_listed<typename ReadyForms<scalar_of<Matrix>, AllOffsets>::Csr, Matrix>) {
      write_out(Spmv::sub_warp);
      write_out(Spmv::equal_chunks);
    } else {
      write_out(Spmv::spmv);
    }
  });
}

[[gnu::used]] static void write_out_cuda_kernels() {
  for_types<RealProducts>([&]<class A, class X, class Y>() { write_out_cuda_spmv<CudaForms<A>, X, Y>(); });
  for_types<HalfScalars>([&]<class A>() { write_out_cuda_spmv<HalfForms<A>, float, float>(); });
}

}  // namespace araia::detail
