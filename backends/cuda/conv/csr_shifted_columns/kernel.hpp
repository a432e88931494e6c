// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = act(A B + bias + residual) on CUDA, float: a convolution whose column indices are offsets into padded planes.

#include <cuda_runtime_api.h>

#include <cstdint>
#include "src/kernel/shifted_columns.hpp"

#include "backends/cuda/conv/csr_shifted_columns/packing.hpp"

namespace araia::cuda::shifted_columns {

/// What the current device offers.
struct Device {
  int multiprocessors = 0;
  std::size_t shared_bytes = 0;  ///< that a block may have
  bool clusters = false;         ///< compute capability 9.0
};

/// \throws araia::Error (device)
Device current_device();

/// Columns of all images as the kernel goes through them, surplus included: the images of a channel in one go where
/// they lie one after the other, else each by itself.
std::int64_t walked_columns(ShiftedOperands<float> const& operands, int tile);

/// y = act(A B + bias + residual) on `stream`; asynchronous, allocates nothing, may be captured in a graph. Every
/// product is one of stored entries, so Inf and NaN reach the outputs that own them and no others.
/// \param packing  of A; its `words` are not read
/// \param words    packing.words in device memory, at an address of 16 bytes' alignment, complete before the call
/// \param operands on the device; any alignment, but planes that 16-byte copies do not fit are copied by words
/// \param early    whether blocks may start before the work ahead of them in the stream ends
/// Cost      2 nnz flop a column; the planes once a chunk of the rows from L2, y once
/// Rounding  |error| <= gamma(entries of the row + splits + 2) (|A| |B| + |bias| + |residual|); sums in a fixed order:
///           the same bits each time
/// \throws araia::Error invalid_argument, resource_limit (more than 2^31 columns, a slot beyond the device's shared
///         memory), device
void convolve(Packing const& packing, std::uint32_t const* words, ShiftedOperands<float> const& operands,
              cudaStream_t stream, bool early = true);

}  // namespace araia::cuda::shifted_columns
