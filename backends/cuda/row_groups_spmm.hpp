// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, B and C row-major, A as a group packing: a few lanes multiply a group of rows.

#include <cuda_runtime_api.h>
#include <araia/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/group_packing.hpp"

namespace araia::cuda {

/// Shape of the product beside that of the packing. It may change the time, never the answer beyond rounding.
struct RowGroupsTuning {
  int packs = 1;  ///< pieces of 16 bytes of a row of B that a lane multiplies: 1, 2 or 4
  int words = 0;  ///< 2 to 6: so many scalars in their place, each by an access of its own (double: single rows alone)
  int parts = 1;  ///< of a group's steps, each with lanes of its own: a power of two up to 32 / slice_groups (1 row: 1)
  int block_warps = 4;  ///< 1 to 8 warps a block
  friend bool operator==(RowGroupsTuning const&, RowGroupsTuning const&) = default;
};

/// Columns of B and C that a warp multiplies at once.
template <class T>
constexpr std::int64_t row_groups_tile(GroupShape const& shape, RowGroupsTuning const& tuning) {
  return static_cast<std::int64_t>(32 / (shape.slice_groups * tuning.parts)) *
         (tuning.words > 0 ? tuning.words : tuning.packs * static_cast<int>(16 / sizeof(T)));
}

/// C = alpha A B + beta C on `stream`; asynchronous, allocates nothing, may be captured in a graph, gives the same bits
/// in every run. Sums that are not finite are made again from A's stored entries, so Inf and NaN reach the rows that
/// own them and no others.
/// \param a          the packing, on the device, complete before the call
/// \param exact      the matrix that was packed, on the device; its row_permutation holds for the rows of C
/// \param workspace  (workspace_rows, columns of C) where the packing has cut rows: one product at a time
/// \param b,c        row-major (column_stride 1), row strides of B below 4 GiB, any alignment, any number of columns
/// \param alpha      not 0 (callers scale C then); beta == 0 overwrites C
/// \throws araia::Error invalid_argument on shapes that have no kernel, resource_limit, device
template <class T, class Offset>
void row_groups_spmm(GroupPointers<T> const& a, CsrPointers<T, std::int32_t, Offset> const& exact, T alpha,
                     DenseMatrix<T const> const& b, T beta, DenseMatrix<T> const& c, T* workspace,
                     RowGroupsTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
