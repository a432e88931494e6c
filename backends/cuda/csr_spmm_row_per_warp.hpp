// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in CSR, B and C row-major: a warp owns a row and a tile of columns.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>
#include <limits>

#include "backends/cuda/lib/csr_spmm_row_tuning.hpp"

namespace araia::cuda {

/// Entries that the kernels may look past the end of a row; 32-bit offsets must leave room for them.
inline constexpr std::int64_t row_look_ahead = 4096;

/// B and C row-major, a row pitch of B that 32 bits of bytes hold, offsets that leave room for row_look_ahead.
template <class T, class Offset>
bool csr_spmm_row_supports(CsrPointers<T, std::int32_t, Offset> const& a, DenseMatrix<T const> const& b,
                           DenseMatrix<T> const& c) {
  constexpr std::int64_t most = (std::int64_t{1} << 32) / static_cast<std::int64_t>(sizeof(T)) - 1;
  return (b.column_stride == 1 || b.columns <= 1) && (c.column_stride == 1 || c.columns <= 1) && b.row_stride >= 0 &&
         b.row_stride <= most && c.row_stride >= 0 &&
         a.nnz <= static_cast<std::int64_t>(std::numeric_limits<Offset>::max()) - row_look_ahead;
}

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, on `stream`; asynchronous, allocates nothing,
/// may be captured in a graph.
/// T float or double, offsets int32 or int64. Any number of columns, any alignment: operands that 16-byte accesses do
/// not fit take the scalar twin of the same kernel. beta == 0 overwrites C. alpha is not 0 (callers scale C then).
/// Every product is one of stored entries, so Inf and NaN reach the rows that own them and no others.
/// \throws araia::Error invalid_argument on a tuning out of range, resource_limit, device
/// \param epilogue  of any strides; R does not overlap C
template <class T, class Offset>
void csr_spmm_row_per_warp(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
                           DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, CsrSpmmRowTuning const& tuning,
                           cudaStream_t stream);

/// C = alpha A B + beta C.
template <class T, class Offset>
void csr_spmm_row_per_warp(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                           T beta, DenseMatrix<T> const& c, CsrSpmmRowTuning const& tuning, cudaStream_t stream) {
  csr_spmm_row_per_warp(a, alpha, DenseBatch<T const>{b}, beta, DenseBatch<T>{c}, {}, tuning, stream);
}

/// The same with rows padded to multiples of eight entries, so that no load needs to look at a row's ends: row_offsets
/// are multiples of 8, padding has column -1 and stands at the end of its row; arrays are 16-byte aligned, with values.
/// \param early  whether blocks may read the padded rows before the work ahead of them in the stream ends: not where a
///              kernel of the stream may write their values
template <class T>
void csr_spmm_padded_row_per_warp(CsrPointers<T, std::int32_t, std::int32_t> const& a, T alpha,
                                  DenseBatch<T const> const& b, T beta, DenseBatch<T> const& c,
                                  EpiloguePointers<T> const& epilogue, CsrSpmmRowTuning const& tuning,
                                  cudaStream_t stream, bool early = true);

template <class T>
void csr_spmm_padded_row_per_warp(CsrPointers<T, std::int32_t, std::int32_t> const& a, T alpha,
                                  DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c,
                                  CsrSpmmRowTuning const& tuning, cudaStream_t stream, bool early = true) {
  csr_spmm_padded_row_per_warp(a, alpha, DenseBatch<T const>{b}, beta, DenseBatch<T>{c}, {}, tuning, stream, early);
}

}  // namespace araia::cuda
