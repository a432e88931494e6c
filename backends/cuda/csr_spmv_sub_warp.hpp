// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in CSR: lanes of a warp share a row and read several consecutive entries each.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

namespace araia::cuda {

struct CsrSubWarpTuning {
  int lanes = 0;             ///< lanes a row: 2, 4, 8, 16 or 32; 0: from the mean row length
  int entries_per_lane = 0;  ///< consecutive entries a lane reads at once: 1, 2 or 4; 0: from the mean row length
  bool atomics = false;      ///< very long rows may be summed by a second launch, in chunks and in any order
  friend bool operator==(CsrSubWarpTuning const&, CsrSubWarpTuning const&) = default;
};

/// lanes * entries_per_lane near the mean row length, 16 bytes of values a lane where the arrays are so aligned.
template <class A, class Offset>
CsrSubWarpTuning csr_sub_warp_tuning(CsrPointers<A, std::int32_t, Offset> const& a);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64), (__half or __nv_bfloat16, f32, f32); offsets
/// int32 or int64.
/// \param a       arrays on the device; without values, all are one; rows may be permuted; any alignment that the types
///                allow
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// \throws araia::Error (invalid_argument) on a tuning outside its values
/// Cost      2 nnz flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic but for
///           tuning.atomics, where in float subnormal parts of very long rows count as zero too
template <class A, class X, class Y, class Offset>
void csr_spmv_sub_warp(CsrPointers<A, std::int32_t, Offset> const& a, CsrSubWarpTuning const& tuning, Y alpha,
                       X const* x, Y beta, Y* y, cudaStream_t stream);

/// The same with what follows: y = A x or b - A x, and a sum of its rows, in one pass over memory and one launch.
/// Types as above but for those of 16 bits, arrays and errors as above, and (unsupported) without values; x may be
/// fused.w. The sum has the same bits on every run with one tuning. Rows of any length are a warp's.
template <class A, class X, class Y, class Offset>
void csr_spmv_sub_warp_fused(CsrPointers<A, std::int32_t, Offset> const& a, CsrSubWarpTuning const& tuning, X const* x,
                             FusedRows<Y> const& fused, cudaStream_t stream);

}  // namespace araia::cuda
