// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, float, B and C row-major, A packed for it: B's slice lies in shared memory, and a
// few lanes of a warp multiply a row each.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/cuda/spmm/csr_lockstep/packing.hpp"

namespace araia::cuda {

/// C = act(alpha A B + beta C + bias + R) on `stream`; asynchronous, allocates nothing, may be captured in a graph.
/// Every product is one of stored entries, so Inf and NaN reach the rows that own them and no others.
/// \param a    the packing, on the device, complete before the call; with a texture over its records
/// \param row_permutation  (rows) of C for the rows of the packed matrix, on the device, or null: identity
/// \param b,c  row-major (column_stride 1), any row stride and alignment, any number of columns
/// \param alpha  not 0 (callers scale C then); beta == 0 overwrites C
/// \param early  whether blocks may read the packing before the work ahead of them in the stream ends: not where a
///              kernel of the stream may write its values
/// \param epilogue  of any strides; R does not overlap C
/// \throws araia::Error invalid_argument on a shape that has no kernel or without texture, resource_limit, device
void lockstep_spmm(LockstepPointers const& a, std::int32_t const* row_permutation, float alpha,
                   DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, cudaStream_t stream,
                   bool early = true, EpiloguePointers<float> const& epilogue = {});

}  // namespace araia::cuda
