// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in BSR of small square blocks: a warp owns a block row.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/bsr_pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Is there a kernel for these blocks? 2 x 2, 3 x 3 and 4 x 4, with values.
template <class A, class Offset>
bool bsr_warp_per_block_row_supports(BsrPointers<A, std::int32_t, Offset> const& a);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64.
/// \param a       arrays on the device; see bsr_warp_per_block_row_supports
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// \throws araia::Error (unsupported) on other blocks
/// Cost      2 stored flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i, len_i with fill;
///           deterministic
template <class A, class X, class Y, class Offset>
void bsr_spmv_warp_per_block_row(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, X const* x, Y beta, Y* y,
                                 cudaStream_t stream);

}  // namespace araia::cuda
