// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in CSR cut in chunks of equal work whatever its rows, B and C row-major.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/cuda/check.hpp"

namespace araia::cuda {

/// Shape of the product over chunks. It may change the time, never the answer beyond rounding.
struct CsrMergeTuning {
  int lanes = 32;  ///< of a chunk, over columns: 2, 4, 8, 16 or 32
  int vector = 1;  ///< columns a lane: 1 to 4 (double: 1 to 3); 16 bytes of them by one access where operands fit it
  friend bool operator==(CsrMergeTuning const&, CsrMergeTuning const&) = default;
};

/// The shape by rule. \param neighbours  whether accesses of 16 bytes fit B and C
[[nodiscard]] CsrMergeTuning csr_merge_tuning(std::int64_t columns, std::size_t scalar_bytes, bool neighbours);

template <class T>
[[nodiscard]] CsrMergeTuning csr_merge_tuning(DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  return csr_merge_tuning(
      c.columns, sizeof(T),
      rows_fit(b.data, b.row_stride, c.columns, 16) && rows_fit(c.data, c.row_stride, c.columns, 16));
}

/// The chunks of a matrix: chunk p begins at item p * items of the path of entries and ends of rows, as CsrCut::path of
/// araia/detail/kernels/csr_partition.hpp has it. Device arrays of the caller; a plan finds first_rows once for a
/// structure.
template <class T>
struct CsrMergeChunks {
  std::int64_t items = 0;                    // of a chunk, at least 1
  std::int32_t const* first_rows = nullptr;  // (chunks + 1) first row that begins in chunk p or later; rows at the end
  T* carries = nullptr;  // (csr_merge_carries(chunks), carry_columns) of one product: what goes to an earlier row
  std::int64_t carry_columns = 0;  // at least 1; wider products go a slice of so many columns at a time
};

/// Chunks of a block at least: those that 32 lanes take each.
inline constexpr std::int64_t csr_merge_block_chunks = 8;

/// Chunks of a matrix: 1 at least.
constexpr std::int64_t csr_merge_chunk_count(std::int64_t rows, std::int64_t nnz, std::int64_t items) {
  return rows + nnz <= items ? 1 : (rows + nnz - 1) / items + 1;
}
/// Rows of carries that products over so many chunks take.
constexpr std::int64_t csr_merge_carries(std::int64_t chunks) { return (chunks - 1) / csr_merge_block_chunks + 1; }

/// B and C row-major, a row pitch of B that 32 bits of bytes hold.
template <class T>
bool csr_merge_supports(DenseMatrix<T const> const& b, DenseMatrix<T> const& c) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max() / static_cast<std::int64_t>(sizeof(T));
  return (b.column_stride == 1 || b.columns <= 1) && (c.column_stride == 1 || c.columns <= 1) && b.row_stride >= 0 &&
         b.row_stride <= most && c.row_stride >= 0;
}

/// C = alpha A B + beta C on `stream`; asynchronous, allocates nothing, may be captured in a graph, the same bits in
/// every run. T float or double, offsets int32 or int64. Any number of columns, any alignment: operands that 16-byte
/// accesses do not fit take a twin of the kernel that reads words. Every product is one of stored entries, so Inf and
/// NaN reach the rows that own them and no others.
/// \param a       arrays on the device, at most 2^31 - 1 rows; offsets and columns are in place, as blocks read them
///                before work ahead in the stream has ended; rows may be permuted, values absent
/// \param chunks  of this structure; products that overlap in time need carries of their own
/// \param alpha   not 0 (callers scale C then); beta == 0 overwrites C
/// \throws araia::Error invalid_argument on a tuning, chunks or operands out of range, resource_limit, device
/// Rounding  |error_i| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_i
template <class T, class Offset>
void csr_spmm_merge_split(CsrPointers<T, std::int32_t, Offset> const& a, CsrMergeChunks<T> const& chunks, T alpha,
                          DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, CsrMergeTuning const& tuning,
                          cudaStream_t stream);

}  // namespace araia::cuda
