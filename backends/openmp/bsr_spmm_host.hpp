// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM on the host with SIMD chosen at run time, A in BSR.

#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Does bsr_spmm take these? A matrix with values, of blocks of any shape; rows of B contiguous; C of any strides.
template <class A, class Offset, class X>
bool bsr_spmm_supports(BsrPointers<A, std::int32_t, Offset> const& a, DenseMatrix<X> const& b) {
  return (a.values || a.blocks == 0) && (b.column_stride == 1 || b.columns == 1);
}

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch.
/// Types (A, B, C): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64. Addresses and leading
/// dimensions of any alignment that their type allows.
/// \param B,C       any number of columns, bsr_spmm_supports(A, B), not aliased; beta == 0 overwrites C, NaN included;
///                  alpha == 0 reads neither A nor B. Fill counts as stored, and slots beyond the matrix are not read
/// \param epilogue  of any strides; R does not overlap C
/// \param threads   OpenMP threads, at least 1, each with about equally many blocks; the bits of C do not depend on it
/// \param isa       one of supported_isas(): for tests and comparisons
///
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; with an epilogue gamma(len_i + 5) and
///           |bias| + |R| more.
template <class A, class X, class Y, class Offset>
void bsr_spmm(BsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
              DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads, Isa isa = host::isa());

}  // namespace araia::host
