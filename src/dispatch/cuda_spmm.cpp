// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/cuda_spmm.hpp>

#include "backends/cuda/csr_spmm.hpp"
#include "backends/cuda/csr_spmm_merge_split.hpp"

namespace araia::detail {
constexpr bool partition_is_the_kernels() {
  for (std::int64_t const items : {16, 64, 128, 256})
    for (std::int64_t nnz = 0; nnz < 600; nnz += 7) {
      std::int64_t const chunks = csr_chunks(CsrCut::path, nnz / 5, nnz, items);
      if (chunks != cuda::csr_merge_chunk_count(nnz / 5, nnz, items)) return false;
      if (csr_spmm_carries(chunks) != cuda::csr_merge_carries(chunks)) return false;
    }
  return true;
}
static_assert(partition_is_the_kernels(), "a partition has the chunks and the carries of its kernel");

template <class T, class F>
bool CudaSpmm<T, std::int32_t, F, T, T>::supports(Matrix const& a, DenseMatrix<T const> const& b,
                                                  DenseMatrix<T> const& c) {
  return cuda::csr_spmm_row_supports(a, b, c);
}

template <class T, class F>
void CudaSpmm<T, std::int32_t, F, T, T>::spmm(Kokkos::Cuda const& exec, Matrix const& a, T alpha,
                                              DenseBatch<T const> const& b, T beta, DenseBatch<T> const& c,
                                              EpiloguePointers<T> const& epilogue) {
  cuda::csr_spmm(a, alpha, b, beta, c, epilogue, exec.cuda_device_prop().multiProcessorCount, exec.cuda_stream());
}

template <class T, class F>
bool CudaSpmm<T, std::int32_t, F, T, T>::supports_merge_split(DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  return cuda::csr_merge_supports(b, c);
}

template <class T, class F>
void CudaSpmm<T, std::int32_t, F, T, T>::merge_split(Kokkos::Cuda const& exec, Matrix const& a,
                                                     CsrPartitionPointers const& partition, T alpha,
                                                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c) {
  cuda::csr_spmm_merge_split(a,
                             {.items = partition.items,
                              .first_rows = partition.first_rows,
                              .carries = static_cast<T*>(partition.carries),
                              .carry_columns = partition.carry_bytes / static_cast<std::int64_t>(sizeof(T))},
                             alpha, b, beta, c, cuda::csr_merge_tuning(b, c), exec.cuda_stream());
}

[[gnu::used]] static void write_out_cuda_spmm() {
  for_types<Reals, AllOffsets>([&]<class T, class F>() {
    using Spmm = CudaSpmm<T, std::int32_t, F, T, T>;
    write_out(Spmm::supports);
    write_out(Spmm::spmm);
    write_out(Spmm::supports_merge_split);
    write_out(Spmm::merge_split);
  });
}

}  // namespace araia::detail
