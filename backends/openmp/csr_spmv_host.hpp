// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMV on the host with SIMD chosen at run time, A in CSR.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host {

/// y = alpha A x + beta y.
/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64. Values may be absent,
/// rows permuted, addresses of any alignment that their type allows.
///
/// \param x,y      contiguous, not aliased; beta == 0 overwrites y, NaN included; alpha == 0 reads neither A nor x
/// \param threads  OpenMP threads, at least 1; the bits of y do not depend on it. Each gets contiguous rows of equal
///                 work; a row is not split, so one that holds most entries bounds the speed.
/// \param runs     from csr_row_runs(A), or null: then each row reads its own columns
/// \param isa      one of supported_isas(): for tests and comparisons, as is `gathers`: rows on their own columns by
/// gathers, on v4 Rounding  |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i
template <class A, class X, class Y, class Offset>
void csr_spmv(CsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseVector<X const> const& x, Y beta,
              DenseVector<Y> const& y, int threads, CsrRowRuns const* runs = nullptr, Isa isa = host::isa(),
              bool gathers = gathers_fast());

/// The same with what follows: y = A x or b - A x, and a sum of its rows, in one pass over memory. x may be fused.w.
/// Types, rows and threads as above; the bits do not depend on the threads.
template <class A, class X, class Y, class Offset>
void csr_spmv_fused(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, FusedRows<Y> const& fused, int threads,
                    CsrRowRuns const* runs = nullptr, Isa isa = host::isa(), bool gathers = gathers_fast());

}  // namespace araia::host
