// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y += alpha A x on CUDA for the long rows of A alone, A in CSR, in chunks that all multiprocessors share.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Rows of more entries are too long for a warp. Well above the mean row, unless there are too few rows to give all
/// warps of a device one.
constexpr std::int64_t csr_long_row(std::int64_t rows, std::int64_t nnz) {
  constexpr std::int64_t least = 1024;
  constexpr std::int64_t many_rows = 4096;
  std::int64_t length = least;
  while (rows >= many_rows && length / 4 < nnz / rows) length *= 2;
  return length;
}

/// Follows a kernel that leaves those rows' beta y in y, and that lets its successor start once it has waited for what
/// was before it: what this one reads besides y is complete then, and it waits itself before it adds to y.
/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64), (__half or __nv_bfloat16, f32, f32); offsets
/// int32 or int64.
/// \param a       arrays on the device; without values, all are one; rows may be permuted; any alignment that the types
///                allow
/// \param longer  rows of more entries are meant, 256 at least
/// \param x,y     (cols), (rows), contiguous, not aliased
/// \param stream  of the work; nothing is allocated, may be captured
/// Cost      O(nnz / longer log rows) and the entries of long rows
/// Rounding  sums of chunks are added by atomics in any order, so the last bits differ between runs; sums of float that
///           are subnormal count as zero
template <class A, class X, class Y, class Offset>
void csr_add_long_rows(CsrPointers<A, std::int32_t, Offset> const& a, std::int64_t longer, Y alpha, X const* x, Y* y,
                       cudaStream_t stream);

}  // namespace araia::cuda
