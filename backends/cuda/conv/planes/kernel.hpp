// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The input of a convolution laid out anew on CUDA, float: padded planes by phases of the stride, or the unrolled
// matrix.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace araia::cuda {

/// One axis of what is laid out: place p of plane a is element a * step % period + p * stride - pad of the input, zero
/// outside of it. Padded planes: a plane is a phase, step the dilation and period the stride. Unrolled matrix: a plane
/// is a tap of the filter, step the dilation and period beyond all taps.
struct LaidAxis {
  std::int32_t input = 0;   ///< elements of the input
  std::int32_t places = 0;  ///< of a plane
  std::int32_t planes = 1;  ///< along this axis
  std::int32_t step = 1;
  std::int32_t period = 1;
  std::int32_t stride = 1;
  std::int32_t pad = 0;
};

/// (images, channels, planes of lines, planes of elements, places of lines, places of elements); the places of a plane
/// lie one line after the other.
struct LaidOut {
  std::int64_t images = 1;
  std::int64_t channels = 0;
  LaidAxis h;
  LaidAxis w;
  float const* x = nullptr;  ///< (images, channels, h.input, w.input), lines one after the other
  std::int64_t x_image_stride = 0;
  std::int64_t x_channel_stride = 0;
  float* to = nullptr;
  std::int64_t image_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t plane_stride = 0;  ///< from (a, b) to (a, b + 1)
};

/// Writes every place, borders included, on `stream`; asynchronous, allocates nothing, may be captured.
/// Cost    as many words written, at most as many read
/// \throws araia::Error invalid_argument, resource_limit (a plane of more than 2^31 places), device
void lay_out(LaidOut const& operands, cudaStream_t stream);

}  // namespace araia::cuda
