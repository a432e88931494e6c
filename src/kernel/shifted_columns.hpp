// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operands of a convolution by shifted columns: y = act(A B + bias + residual), with B never formed. No Kokkos here.
//
// An image stands in memory as planes: each channel inside a border of zeros, and where a stride s leaves all but every
// s-th line and element out, split into s * s phases. Column (c, r, s) of the unrolled matrix B then is consecutive
// elements of one plane from an offset of its own, and A's column indices are those offsets.
//
// Column n of B and of the product stands for line n / plane_width and element n % plane_width of an output. Elements
// from out_width on are surplus: they are summed like others, or not at all, and never stored. With
//   columns = (out_height - 1) * plane_width + out_width
// no column reads behind the planes: 0 <= col_offsets[j] and col_offsets[j] + columns <= extent of an image's planes.
// A convolution by a 1 x 1 filter without padding and stride is the same with plane_width == out_width on the input as
// it lies. Groups are a matter of the offsets.

#include <cstdint>

namespace araia {

/// A: a row an output channel, K of them, in CSR.
template <class Scalar>
struct ShiftedWeights {
  std::int64_t rows = 0;                      ///< K
  std::int32_t const* row_offsets = nullptr;  ///< (rows + 1)
  std::int32_t const* col_offsets =
      nullptr;                     ///< (nnz) elements from the begin of an image's planes, ascending in a row
  Scalar const* values = nullptr;  ///< (nnz)
};

/// Strides of (images, output channels, lines, elements), the last of which lie one after the other.
struct ShiftedStrides {
  std::int64_t image = 0;
  std::int64_t row = 0;   ///< between output channels
  std::int64_t line = 0;  ///< at least out_width: out_width itself in NCHW
};

/// B, the product and what is added to it.
template <class Scalar>
struct ShiftedOperands {
  std::int64_t images = 1;
  Scalar const* planes = nullptr;  ///< of the first image; aligned to Scalar alone
  std::int64_t image_stride = 0;   ///< between the planes of images, in elements; may be less than those of an image
                                   ///< take, where the images of a channel lie one after the other
  std::int32_t plane_width = 0;    ///< elements from a line of a plane to the next, >= out_width
  std::int32_t out_height = 0;     ///< Ho
  std::int32_t out_width = 0;      ///< Wo
  Scalar* y = nullptr;             ///< (images, rows, Ho, Wo) by y_strides; apart from all else
  ShiftedStrides y_strides{};
  Scalar const* bias = nullptr;      ///< (rows), or null
  Scalar const* residual = nullptr;  ///< as y by strides of its own, or null
  ShiftedStrides residual_strides{};
  bool relu = false;  ///< act(v) = v < 0 ? 0 : v, so that NaN stays NaN and -0 stays -0; else act(v) = v

  /// Of an image.
  [[nodiscard]] constexpr std::int64_t columns() const {
    return out_height == 0 || out_width == 0 ? 0 : std::int64_t{out_height - 1} * plane_width + out_width;
  }
};

}  // namespace araia
