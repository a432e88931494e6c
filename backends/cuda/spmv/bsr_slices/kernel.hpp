// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in BSR of small square blocks, packed for a lane a block row.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/bsr_pointers.hpp>
#include <cstdint>

namespace araia::cuda {

/// Block rows of a slice, a lane each.
inline constexpr std::int64_t bsr_slice_height = 32;
/// Block rows inside which they are sorted by length, longest first, so that slices hold block rows of like length.
inline constexpr std::int64_t bsr_sort_window = 512;

/// Slices of a matrix: those of its last window are all there.
template <class A, class Offset>
std::int64_t bsr_slice_count(BsrPointers<A, std::int32_t, Offset> const& a) {
  std::int64_t const block_rows = a.rows == 0 ? 0 : (a.rows - 1) / a.block_rows + 1;
  return (block_rows + bsr_sort_window - 1) / bsr_sort_window * (bsr_sort_window / bsr_slice_height);
}

/// Step t of slice s holds block t of each of its block rows: element e of lane l's block at
/// ((step_offsets[s] + t) R^2 + e) 32 + l. Its column is bases[step_offsets[s] + t] plus an offset of 1, 2 or 4 bytes,
/// whatever the slice needs: those of step t from byte 32 (column_offsets[s] + t bytes an offset) on, side by side.
/// Blocks behind a block row's length are zero, their offset is 0. Device arrays of the caller.
template <class A>
struct BsrSlices {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t slices = 0;
  int block_size = 1;                      // R: 2, 3 or 4
  std::int64_t* step_offsets = nullptr;    // (slices + 1)
  std::int64_t* column_offsets = nullptr;  // (slices + 1) in 32 bytes; steps times bytes an offset of each slice
  std::int32_t* block_rows = nullptr;      // (32 slices) of the lanes, -1: none
  std::int32_t* lengths = nullptr;         // (32 slices) blocks of the lanes
  std::int32_t* bases = nullptr;           // (steps) least column
  std::uint8_t* columns = nullptr;         // (32 column_offsets[slices])
  A* values = nullptr;                     // (32 R^2 steps)
};

/// Square blocks of 2 to 4 with values, fewer than 2^29 columns.
template <class A, class Offset>
bool bsr_slices_supports(BsrPointers<A, std::int32_t, Offset> const& a) {
  return a.values && a.block_rows == a.block_cols && a.block_rows >= 2 && a.block_rows <= 4 &&
         a.cols < (std::int64_t{1} << 29);
}

/// First half of the packing: block_rows, lengths, step_offsets and column_offsets, whose last elements are sizes.
/// Cost  O(blocks + window block rows), asynchronous on stream
template <class A, class Offset>
void bsr_slices_count(BsrPointers<A, std::int32_t, Offset> const& a, BsrSlices<A> const& slices, cudaStream_t stream);

/// Second half: bases, columns and values; again where only the values of A have changed.
template <class A, class Offset>
void bsr_slices_fill(BsrPointers<A, std::int32_t, Offset> const& a, BsrSlices<A> const& slices, cudaStream_t stream);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64).
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// Cost      2 R^2 blocks flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i, len_i with
///           fill; deterministic
template <class A, class X, class Y>
void bsr_spmv_slices(BsrSlices<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);

}  // namespace araia::cuda
