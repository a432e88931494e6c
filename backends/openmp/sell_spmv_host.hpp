// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMV on the host with SIMD chosen at run time, A in SELL.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Slices of equal height, a multiple of this, are what sell_spmv takes: no vector reaches into the next step then.
inline constexpr std::int64_t sell_height_step = 8;

/// Does sell_spmv take this matrix? Any storage of columns, blocks and diagonals; slices as above; a pattern without
/// fill.
template <class A, class Offset>
bool sell_spmv_supports(SellPointers<A, std::int32_t, Offset> const& a) {
  return !a.slice_rows && a.slice_height % sell_height_step == 0 && (a.values || a.fill == 0);
}

/// y = alpha A x + beta y.
/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64.
/// \param a        of which sell_spmv_supports(a) holds
/// \param x,y      contiguous, not aliased; beta == 0 overwrites y, NaN included; alpha == 0 reads neither A nor x
/// \param threads  OpenMP threads, at least 1; the bits of y do not depend on it. Each gets slices of about equal slots
/// \param isa      one of supported_isas(): for tests and comparisons
/// \param gathers  whether x comes by gather instructions, on v4 alone: for tests and comparisons; same bits
/// Rounding  |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i
template <class A, class X, class Y, class Offset>
void sell_spmv(SellPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseVector<X const> const& x, Y beta,
               DenseVector<Y> const& y, int threads, Isa isa = host::isa(), bool gathers = gathers_fast());

/// The same with what follows: y = A x or b - A x, and a sum of its rows, in one pass over memory. x may be fused.w.
/// Types and matrices as above; the bits do not depend on the threads.
template <class A, class X, class Y, class Offset>
void sell_spmv_fused(SellPointers<A, std::int32_t, Offset> const& a, X const* x, FusedRows<Y> const& fused, int threads,
                     Isa isa = host::isa(), bool gathers = gathers_fast());

}  // namespace araia::host
