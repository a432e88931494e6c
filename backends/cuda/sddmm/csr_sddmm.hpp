// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sampled dense-dense product on the pattern of a CSR, T = float or double: two kernels behind one call.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <limits>

#include "backends/cuda/sddmm/shapes.hpp"

namespace araia::cuda {

/// Whether offsets have room for what a step reads beyond the last entry.
template <class T, class Offset>
bool csr_sddmm_supports(CsrPointers<T, std::int32_t, Offset> const& a) {
  constexpr std::int64_t room = 4096;
  return a.nnz <= std::numeric_limits<Offset>::max() - room;
}

/// Whether column_panels takes the operands too: 16-byte loads, and some rows of Y in shared memory.
template <class T>
bool csr_sddmm_panels_support(DenseMatrix<T const> const& x, DenseMatrix<T const> const& y);

/// d(p) = alpha a(p) x(i, :) y(j, :)' + beta d(p) for each stored entry p = (i, j) of a; a(p) is 1 where a has no
/// values.
/// \param x, y  (rows, k), (cols, k) of any strides. 16-byte loads where rows are contiguous and begin at multiples of
///              16 bytes; else a twin that loads single elements
/// \param d     (nnz) not overlapping x and y; may be a.values; beta == 0 overwrites
/// \throws araia::Error (invalid_argument) for a tuning out of range or for panels where csr_sddmm_panels_support is
///         false; (device) where the launch fails
/// Deterministic: a dot product's order of additions depends on k, the kernel, and whether its twin runs, alone.
template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, SddmmTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
