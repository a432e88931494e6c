// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in CSR whose columns are packed as steps of 10 bits along the rows.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/spmv/csr_column_steps/packing.hpp"

namespace araia::cuda {

/// First half of the packing: bases, lengths, step_offsets and group_offsets, whose last elements are sizes. Columns of
/// a row may come in any order, duplicates too.
/// \pre  A has values, and fewer than 2^29 columns: x is gathered by 32-bit offsets in bytes
/// Cost  O(nnz), of a row whose columns do not ascend the square of its length; asynchronous on stream
template <class A, class Offset>
void csr_steps_count(CsrPointers<A, std::int32_t, Offset> const& a, CsrSteps<A> const& packed, cudaStream_t stream);

/// Second half: steps and values; again where only the values of A have changed.
template <class A, class Offset>
void csr_steps_fill(CsrPointers<A, std::int32_t, Offset> const& a, CsrSteps<A> const& packed, cudaStream_t stream);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64).
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// Cost      2 slots flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic
template <class A, class X, class Y>
void csr_spmv_column_steps(CsrSteps<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);

}  // namespace araia::cuda
