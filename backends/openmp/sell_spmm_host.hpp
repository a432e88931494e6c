// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM on the host with SIMD chosen at run time, A in SELL.

#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch. Some rows at a time are written out in CSR
/// order, to stay in L1 while the kernels of CSR multiply them; rows of 2048 slots and more some slots at a time. That
/// takes the same time for any number of columns. No allocation.
/// Types (A, B, C): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64. SELL of any storage.
/// \param b,c       csr_spmm_supports(b, c), any number of columns, not aliased; beta == 0 overwrites C, NaN included;
///                  alpha == 0 reads neither A nor B. Fill takes no part
/// \param epilogue  of any strides; R does not overlap C
/// \param threads   OpenMP threads, at least 1, each with slices of about equal slots; C's bits do not depend on it
/// \param isa       one of supported_isas(): for tests and comparisons
///
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; with an epilogue gamma(len_i + 5) and
///           |bias| + |R| more.
template <class A, class X, class Y, class Offset>
void sell_spmm(SellPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
               DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads, Isa isa = host::isa());

}  // namespace araia::host
