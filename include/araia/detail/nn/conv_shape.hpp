// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shapes of a convolution, of the matrices that it is a product of, and of the planes of shifted columns. No Kokkos.

#include <cstdint>
#include <string>

namespace araia {

/// A two-dimensional convolution (cross-correlation, as networks have it):
///   y(n, k, oy, ox) = sum over c, r, s of w(k, c, r, s) x(n, g C/groups + c, oy stride_h + r dilation_h - pad_h,
///                                                         ox stride_w + s dilation_w - pad_w)
/// with g = k / (K / groups) and zeros outside of x. As matrices, a group is (filters / groups) x columns() of weights,
/// columns in the order channel, r, s, by the unrolled input.
struct ConvShape {
  std::int64_t channels = 0;       ///< C, of the input
  std::int64_t height = 0;         ///< H
  std::int64_t width = 0;          ///< W
  std::int64_t filters = 0;        ///< K, channels of the output
  std::int64_t kernel_height = 1;  ///< R
  std::int64_t kernel_width = 1;   ///< S
  std::int64_t stride_h = 1;
  std::int64_t stride_w = 1;
  std::int64_t pad_h = 0;  ///< lines of zeros above, and as many below
  std::int64_t pad_w = 0;
  std::int64_t dilation_h = 1;  ///< lines from a tap to the next
  std::int64_t dilation_w = 1;
  std::int64_t groups = 1;

  [[nodiscard]] constexpr std::int64_t out_height() const {
    return (height + 2 * pad_h - dilation_h * (kernel_height - 1) - 1) / stride_h + 1;
  }
  [[nodiscard]] constexpr std::int64_t out_width() const {
    return (width + 2 * pad_w - dilation_w * (kernel_width - 1) - 1) / stride_w + 1;
  }
  [[nodiscard]] constexpr std::int64_t group_channels() const { return channels / groups; }
  /// Of a row of weights: (C / groups) R S.
  [[nodiscard]] constexpr std::int64_t columns() const { return group_channels() * kernel_height * kernel_width; }
  [[nodiscard]] constexpr std::int64_t weights() const { return filters * columns(); }
  /// Elements of an image.
  [[nodiscard]] constexpr std::int64_t input_size() const { return channels * height * width; }
  [[nodiscard]] constexpr std::int64_t output_size() const { return filters * out_height() * out_width(); }
  /// Rows of the unrolled input, of all groups: C R S.
  [[nodiscard]] constexpr std::int64_t unrolled_rows() const { return channels * kernel_height * kernel_width; }

  /// Is the input as it lies what the weights multiply? 1 x 1, stride 1, no border.
  [[nodiscard]] constexpr bool multiplies_input() const {
    return kernel_height == 1 && kernel_width == 1 && stride_h == 1 && stride_w == 1 && pad_h == 0 && pad_w == 0;
  }
  /// Does each filter see one channel alone, of several? Such layers stay dense.
  [[nodiscard]] constexpr bool depthwise() const { return groups > 1 && groups == channels; }

  friend bool operator==(ConvShape const&, ConvShape const&) = default;
};

/// "64,56,56,64,3,3,1,1,1,1", pairs that differ as 1x2: as `araia conv --layer` takes it.
[[nodiscard]] std::string to_string(ConvShape const& shape);

/// \throws araia::Error invalid_argument where an extent, a stride, a dilation, groups or the batch is not positive, a
///         pad is negative, groups do not divide channels and filters, or the kernel is larger than the padded input;
///         resource_limit where the weights, or an image, its output, its unrolled matrix or its planes have more than
///         2^31 - 1 elements, or a batch more than 2^48
void require_valid(ConvShape const& shape, std::int64_t batch = 1);

namespace detail {

/// One axis of a padded input cut into phases, so that what a tap reads for successive outputs is contiguous:
/// place p of phase a is element a_value(a) + p * stride of the padded axis; tap t reads phase tap_phase(t) from
/// place tap_shift(t) on.
struct PhasedAxis {
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t phases = 1;  ///< of which taps read any
  std::int64_t period = 1;  ///< of taps, after which phases come again
  std::int64_t extent = 0;  ///< places of a phase that taps read

  PhasedAxis() = default;
  PhasedAxis(std::int64_t out, std::int64_t taps, std::int64_t stride, std::int64_t dilation);
  [[nodiscard]] constexpr std::int64_t tap_phase(std::int64_t tap) const { return tap % period; }
  [[nodiscard]] constexpr std::int64_t tap_shift(std::int64_t tap) const { return tap * dilation / stride; }
};

/// The planes of a batch (src/kernel/shifted_columns.hpp): (image, channel, phase of lines, phase of elements,
/// line, element), or with the images of a phase one after the other: (channel, phase, phase, image, line, element). A
/// layer that multiplies its input has the input as it lies.
struct ShiftedPlanes {
  PhasedAxis h;
  PhasedAxis w;
  std::int64_t channels = 0;
  std::int64_t together = 1;  ///< images of a phase one after the other, 1 where images lie apart

  explicit ShiftedPlanes(ConvShape const& shape, std::int64_t images_together = 1);
  [[nodiscard]] constexpr std::int64_t plane() const { return h.extent * w.extent; }
  /// Elements from a phase to the next: where images are together, a multiple of 4.
  [[nodiscard]] constexpr std::int64_t of_phase() const {
    return together == 1 ? plane() : (together * plane() + 3) / 4 * 4;
  }
  [[nodiscard]] constexpr std::int64_t of_channel() const { return h.phases * w.phases * of_phase(); }
  /// Elements of an image, or of all images that are together.
  [[nodiscard]] constexpr std::int64_t size() const { return channels * of_channel(); }
  /// Elements from an image to the next.
  [[nodiscard]] constexpr std::int64_t image_stride() const { return together == 1 ? size() : plane(); }
  /// Where column (c, r, s) begins.
  [[nodiscard]] constexpr std::int64_t offset(std::int64_t channel, std::int64_t r, std::int64_t s) const {
    return channel * of_channel() + (h.tap_phase(r) * w.phases + w.tap_phase(s)) * of_phase() +
           h.tap_shift(r) * w.extent + w.tap_shift(s);
  }
};

}  // namespace detail
}  // namespace araia
