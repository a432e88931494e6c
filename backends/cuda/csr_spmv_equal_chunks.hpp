// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in CSR cut in chunks of equally many entries, whatever the rows.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Entries of a chunk.
inline constexpr std::int64_t csr_chunk_entries = 1024;

/// Chunks of a matrix of nnz entries: 1 at least.
constexpr std::int64_t csr_chunk_count(std::int64_t nnz) {
  return nnz <= csr_chunk_entries ? 1 : (nnz - 1) / csr_chunk_entries + 1;
}

/// Where the chunks of a matrix meet its rows. A plan finds it once for a structure; device arrays of the caller.
template <class Sum>
struct CsrChunks {
  std::int32_t* first_rows = nullptr;  // (chunks + 1) first row that begins in chunk c; rows at the end
  Sum* carries = nullptr;              // (chunks) of one product: what a chunk adds to a row that began earlier
};

/// Fills chunks.first_rows from the structure of A. Cost  O(chunks log rows), asynchronous on stream
template <class A, class Sum, class Offset>
void csr_find_chunks(CsrPointers<A, std::int32_t, Offset> const& a, CsrChunks<Sum> const& chunks, cudaStream_t stream);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64), (__half or __nv_bfloat16, f32, f32); offsets
/// int32 or int64.
/// \param a       arrays on the device; without values, all are one; rows may be permuted; any alignment that the
///                types allow
/// \param chunks  from csr_find_chunks on this structure; products that overlap in time need carries of their own
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// Cost      2 nnz flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic
template <class A, class X, class Y, class Offset>
void csr_spmv_equal_chunks(CsrPointers<A, std::int32_t, Offset> const& a, CsrChunks<Y> const& chunks, Y alpha,
                           X const* x, Y beta, Y* y, cudaStream_t stream);

}  // namespace araia::cuda
