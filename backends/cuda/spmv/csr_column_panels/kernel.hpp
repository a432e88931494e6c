// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in CSR whose columns lie anywhere: panels of x stay in shared memory, and products
// reach their rows through a buffer that stays in the L2.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/spmv/csr_column_panels/choice.hpp"

namespace araia::cuda {

/// What the current device offers the kernel. \throws araia::Error (unsupported) before sm_80
CsrPanelDevice csr_panel_device();

/// Adds the entries of every csr_panel_bucket columns to buckets, which are zero.
template <class A, class Offset>
void csr_count_buckets(CsrPointers<A, std::int32_t, Offset> const& a, std::int32_t* buckets, cudaStream_t stream);

/// First half of the packing, from shape and panel_columns: all that the structure names but row_permutation and
/// entries. Lines end lines, units end chunk_units, the most lines of a band end band_lines.
/// \param a  the entries of the span alone, columns less its first; its values are those of the whole matrix
template <class A, class Offset>
void csr_panels_count(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& panels,
                      cudaStream_t stream);

/// Second half: entries, over values and columns that are zero.
template <class A, class Offset>
void csr_panels_fill(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& panels, cudaStream_t stream);

/// Values alone, of the structure that was packed.
template <class A, class Offset>
void csr_panels_fill_values(CsrPointers<A, std::int32_t, Offset> const& a, CsrPanelSpan<A> const& panels,
                            cudaStream_t stream);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64). One product at a time; its blocks wait for one
/// another, so all are resident at once (a cooperative launch).
/// \param a       packed for elements of y's size, with workspace: done is zero, and is so again afterwards
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// \throws araia::Error (invalid_argument) packed for another size; (device) where the blocks do not fit the device
/// Cost      2 nnz flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic
template <class A, class X, class Y>
void csr_spmv_column_panels(CsrPanelSpan<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);

}  // namespace araia::cuda
