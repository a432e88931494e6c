// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on the tensor cores of Hopper, float, B and C row-major, A as packed tiles.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <araia/precision.hpp>
#include <cstdint>

#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

namespace araia::cuda {

/// C = act(alpha A B + beta C + bias + R) on `stream`; asynchronous, allocates nothing, may be captured in a graph;
/// deterministic.
///
/// \param a          the packing, on the device
/// \param exact      the same matrix in CSR, on the device: read for results that are not finite, so that Inf and NaN
///                   of B reach the rows that own their columns and no others
/// \param precision  any but native
/// \param b,c        row-major (column_stride 1), any row stride and alignment, any number of columns
/// \param alpha      not 0 (callers scale C then); beta == 0 overwrites C
/// \param epilogue   of any strides; R does not overlap C
/// \throws araia::Error unsupported where it is not built; invalid_argument on a precision or tuning out of range;
///         resource_limit; device
template <class Offset>
void tile_spmm(TilePointers const& a, CsrPointers<float, std::int32_t, Offset> const& exact, Precision precision,
               float alpha, DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c,
               TileSpmmTuning const& tuning, cudaStream_t stream, EpiloguePointers<float> const& epilogue = {});

}  // namespace araia::cuda
