// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SDDMM on the host with SIMD chosen at run time, on the pattern of a CSR.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Layouts that csr_sddmm takes: rows of X and Y contiguous, any leading dimensions.
template <class T>
bool csr_sddmm_supports(DenseMatrix<T const> const& x, DenseMatrix<T const> const& y) {
  return x.column_stride == 1 && y.column_stride == 1;
}

/// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) for each stored entry p = (i, j) of a; a(p) is 1 where a has no
/// values. T is float or double, offsets are int32 or int64, rows may be permuted.
/// \param x, y     (rows, k), (cols, k), csr_sddmm_supports(x, y)
/// \param d        (nnz) not overlapping x and y; may be a.values; beta == 0 overwrites
/// \param threads  OpenMP threads, at least 1; the bits of d do not depend on it. Each gets equal entries.
/// \param isa      one of supported_isas(): for tests and comparisons
/// Rounding  |error_p| <= gamma(k + 3) (|alpha| |a(p)| |x| |y|' + |beta| |d(p)|)
template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, int threads, Isa isa = host::isa());

}  // namespace araia::host
