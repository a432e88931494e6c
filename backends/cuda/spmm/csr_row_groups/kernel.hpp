// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, B and C row-major, A in groups of rows: a few lanes multiply a group.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/spmm/csr_row_groups/packing.hpp"

namespace araia::cuda {

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
