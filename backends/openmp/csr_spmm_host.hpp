// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SpMM on the host with SIMD chosen at run time, A in CSR.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/openmp/caches.hpp"
#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/isa.hpp"

namespace araia::host {

/// Layouts that csr_spmm takes: B contiguous along rows or along columns, C of any strides.
template <class X, class Y>
bool csr_spmm_supports(DenseMatrix<X> const& b, DenseMatrix<Y> const& /*c*/) {
  return b.column_stride == 1 || b.row_stride == 1 || b.rows == 1;  // one row has no stride along it
}

/// Whether entries of a product prefetch the rows of B of later entries, where B is beyond the second-level cache.
/// \param rows,nnz  of A \param runs  of A, or null: not inspected
template <class X>
EntryPrefetch csr_spmm_entry_prefetch(std::int64_t rows, std::int64_t nnz, CsrRowRuns const* runs,
                                      DenseMatrix<X const> const& b, Isa isa = host::isa(),
                                      Caches const& of = caches());

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch.
/// Types (A, B, C): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64. Values may be absent,
/// rows permuted, addresses and leading dimensions of any alignment that their type allows.
/// \param b,c       any number of columns, csr_spmm_supports(b, c), not aliased; beta == 0 overwrites C, NaN included;
///                  alpha == 0 reads neither A nor B
/// \param epilogue  of any strides; R does not overlap C
/// \param threads   OpenMP threads, at least 1, each with rows of equal work, contiguous or in windows; the bits of C
///                  do not depend on it
/// \param isa       one of supported_isas(): for tests and comparisons
/// \param of        caches that the order of rows is for, of this machine but in tests
///
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; with an epilogue gamma(len_i + 5) and
///           |bias| + |R| more.
template <class A, class X, class Y, class Offset>
void csr_spmm(CsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
              DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads,
              CsrRowRuns const* runs = nullptr, Isa isa = host::isa(), Caches const& of = caches());

/// The same in one thread for a matrix of a few rows, which are rows of a larger one from `first_row` on, or, with a
/// permutation of that one, rows permutation[first_row] and after of C. For kernels that write rows of other formats
/// out. alpha != 0. \param epilogue  of the larger C, or null. \param past_cache  goes_past_cache() says so of that C
template <class A, class X, class Y>
void csr_spmm_chunk(CsrPointers<A, std::int32_t, std::int64_t> const& chunk, std::int64_t first_row,
                    std::int32_t const* permutation, Y alpha, DenseMatrix<X const> const& b, Y beta,
                    DenseMatrix<Y> const& c, EpiloguePointers<Y> const* epilogue, bool past_cache, Isa isa);

/// C = alpha A B + beta C.
template <class A, class X, class Y, class Offset>
void csr_spmm(CsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseMatrix<X const> const& b, Y beta,
              DenseMatrix<Y> const& c, int threads, CsrRowRuns const* runs = nullptr, Isa isa = host::isa(),
              Caches const& of = caches()) {
  csr_spmm(a, alpha, DenseBatch<X const>{b}, beta, DenseBatch<Y>{c}, {}, threads, runs, isa, of);
}

}  // namespace araia::host
