// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in CSR with short rows, B and C row-major: several rows a warp.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>
#include <vector>

namespace araia::cuda {

/// How lanes read B and write C.
enum class ShortRowAccess {
  packs,  ///< 16 bytes at a time: rows of B and C start at multiples of 16 bytes and hold whole ones
  words,  ///< a scalar at a time, `lanes` apart: rows that start anywhere
};

/// Shape of the product of short rows. It may change the time, and of rows longer than `longest` the order in which a
/// row is summed; never the answer beyond rounding.
struct CsrSpmmShortTuning {
  int lanes = 0;     ///< of a row, a power of two up to 32, or 10: 32 / lanes rows a warp. 0: no shape yet, refused
  int accesses = 1;  ///< of a lane: packs of 16 bytes or words, `lanes` apart
  ShortRowAccess access = ShortRowAccess::words;
  /// Entries of a row that its own lanes multiply, at least 0; longer ones are multiplied by all lanes of their block,
  /// or with their long group.
  int longest = 64;
  /// Entries: a long group is up to 32 rows side by side that have more in all. Its rows of more than `longest` entries
  /// go by slices of columns, of blocks at the front of the grid, a warp each, or a block where they have more alone;
  /// 0: there are no long groups.
  std::int64_t long_group = 0;
  int shares = 1;  ///< blocks that take a long group's rows by turns, of each slice; 1 to 16
  /// Distance between the rows of a warp, a power of two up to 32: 1 for neighbours. Neighbouring rows of B that begin
  /// anywhere may lie on the same banks of L1, those `lanes` apart, by an odd stride, do not.
  int rows_apart = 1;
  friend bool operator==(CsrSpmmShortTuning const&, CsrSpmmShortTuning const&) = default;
};

/// The shape for these operands by rule, from measurements on an H200.
/// \pre detail::has_short_rows
/// \param whole  whether rows of B and C may be read and written by 16 bytes
/// \param b_stride  elements from one row of B to the next
CsrSpmmShortTuning csr_spmm_short_tuning(std::int64_t rows, std::int64_t nnz, std::int64_t columns,
                                         std::size_t scalar_bytes, bool whole, std::int64_t b_stride);

/// All shapes that there are kernels of, for operands that may be read by 16 bytes (`whole`) and for others, which
/// packs do not suit; each with the defaults of what else there is.
std::vector<CsrSpmmShortTuning> csr_spmm_short_shapes(std::size_t scalar_bytes, bool whole);

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, on `stream`; asynchronous, allocates nothing,
/// may be captured in a graph.
/// T float or double, offsets int32 or int64. Any number of columns, any alignment. beta == 0 overwrites C. alpha is
/// not 0 (callers scale C then). Every product is one of stored entries, so Inf and NaN reach the rows that own them
/// and no others.
/// \pre csr_spmm_row_supports(a, b, c)
/// \throws araia::Error invalid_argument on a tuning out of range or that operands do not suit, resource_limit, device
/// \param epilogue  of any strides; R does not overlap C
template <class T, class Offset>
void csr_spmm_short_rows(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseBatch<T const> const& b, T beta,
                         DenseBatch<T> const& c, EpiloguePointers<T> const& epilogue, CsrSpmmShortTuning const& tuning,
                         cudaStream_t stream);

}  // namespace araia::cuda
