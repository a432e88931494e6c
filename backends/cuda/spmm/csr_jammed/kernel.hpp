// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, float, B and C row-major, A packed for it: one load of B serves several rows.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <cstdint>

#include "backends/cuda/spmm/csr_jammed/packing.hpp"

namespace araia::cuda {

/// C = act(alpha A B + beta C + bias + R) on `stream`; asynchronous, allocates nothing, may be captured in a graph.
/// \param a      the packing, on the device
/// \param exact  the same matrix in CSR, on the device: read for results that are not finite, so that Inf and NaN of B
///               reach the rows that own their columns and no others
/// \param b,c    row-major (column_stride 1), any row stride and alignment, any number of columns
/// \param alpha  not 0 (callers scale C then); beta == 0 overwrites C
/// \param early  whether blocks may read the packing before the work ahead of them in the stream ends: not where a
///              kernel of the stream may write its values
/// \param epilogue  of any strides; R does not overlap C
/// \throws araia::Error invalid_argument on a tuning out of range, resource_limit, device
template <class Offset>
void jammed_spmm(JamPointers const& a, CsrPointers<float, std::int32_t, Offset> const& exact, float alpha,
                 DenseMatrix<float const> const& b, float beta, DenseMatrix<float> const& c, JammedTuning const& tuning,
                 int multiprocessors, cudaStream_t stream, bool early = true,
                 EpiloguePointers<float> const& epilogue = {});

}  // namespace araia::cuda
