// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM on the host with SIMD chosen at run time, A in BCSC of any form.

#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Does bcsc_spmm take this B? Rows contiguous.
template <class X>
bool bcsc_spmm_supports(DenseMatrix<X const> const& b) {
  return b.column_stride == 1 || b.columns == 1;
}

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch.
/// Types (A, B, C): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); columns int32, offsets int32 or int64, compact
/// rows of 8 or 16 bits. Addresses and leading dimensions of any alignment that their type allows.
/// \tparam Matrix   BcscPointers or BcscCompactPointers: blocks of any heights, split, permuted, patterns
/// \param b, c      any number of columns, bcsc_spmm_supports(b), c of any strides, not aliased; beta == 0 overwrites
///                  c, NaN included; alpha == 0 reads neither a nor b
/// \param epilogue  of any strides; R does not overlap C
/// \param threads   OpenMP threads, at least 1, each with blocks of about equal work; the bits of C do not depend on it
/// \param isa       one of supported_isas(): for tests and comparisons
///
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; with an epilogue gamma(len_i + 5) and
///           |bias| + |R| more.
template <class Matrix, class X, class Y>
void bcsc_spmm(Matrix const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
               EpiloguePointers<Y> const& epilogue, int threads, Isa isa = host::isa());

}  // namespace araia::host
