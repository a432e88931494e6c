// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA in one launch, A in CSR: blocks own the rows that begin in a chunk of entries.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

#include "backends/cuda/csr_chunk_rows_suits.hpp"

namespace araia::cuda {

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64), (__half or __nv_bfloat16, f32, f32); offsets
/// int32 or int64.
/// \param a           arrays on the device; without values, all are one; rows may be permuted; any alignment that
///                    the types allow
/// \param first_rows  (csr_chunk_count(nnz) + 1) from csr_find_chunks on this structure
/// \param x,y         (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream      of the work; nothing is allocated, may be captured
/// Cost      2 nnz flop, any length of row, but a block goes along what a long one has beyond the chunk alone
/// Rounding  |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic
template <class A, class X, class Y, class Offset>
void csr_spmv_chunk_rows(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t const* first_rows, Y alpha,
                         X const* x, Y beta, Y* y, cudaStream_t stream);

/// The same with what follows: y = A x or b - A x, and a sum of its rows, in one pass over memory and one launch.
/// Types as above but for those of 16 bits, arrays as above; x may be fused.w. The sum has the same bits on every run.
/// \throws araia::Error (unsupported) without values
/// \return false, nothing launched: without rows, or with more chunks than there is room for sums (rows longer than 128
///         in the mean)
template <class A, class X, class Y, class Offset>
bool csr_spmv_chunk_rows_fused(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t const* first_rows,
                               X const* x, FusedRows<Y> const& fused, cudaStream_t stream);

}  // namespace araia::cuda
