// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM on CUDA over a Csr as it is, nothing packed: by the kernel that suits its rows.

#include "backends/cuda/lib/short_rows.hpp"

#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/csr_spmm_short_rows.hpp"
#include "backends/cuda/packs_fit.hpp"

namespace araia::cuda {

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, on `stream`; as csr_spmm_row_per_warp says, or
/// csr_spmm_short_rows where rows are short. Shapes follow from sizes, strides and alignment alone.
template <class T, class Offset>
void csr_spmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
              DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, int multiprocessors, cudaStream_t stream) {
  std::int64_t const row_bytes = c.first.columns * c.count * static_cast<std::int64_t>(sizeof(T));
  if (detail::has_short_rows(a.rows, a.cols, a.nnz, row_bytes)) {
    auto const shape =
        csr_spmm_short_tuning(a.rows, a.nnz, c.first.columns, sizeof(T), rows_of_whole_packs(b, c), b.first.row_stride);
    return csr_spmm_short_rows(a, alpha, b, beta, c, epilogue, shape, stream);
  }
  auto const tuning = csr_spmm_row_tuning(a.rows * c.count, a.nnz * c.count, c.first.columns, sizeof(T),
                                          multiprocessors, csr_warps_resident);
  csr_spmm_row_per_warp(a, alpha, b, beta, c, epilogue, tuning, stream);
}

}  // namespace araia::cuda
