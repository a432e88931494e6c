// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Passes over tensors: unrolling, padding into planes, what follows a product, depthwise convolution. Hosts go line by
// line, devices element by element.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/nn/conv_shape.hpp>
#include <araia/nn/conv_options.hpp>

namespace araia::detail {

/// Of (image, channel, line, element).
struct TensorStrides {
  std::int64_t image = 0;
  std::int64_t channel = 0;
  std::int64_t line = 0;
  std::int64_t element = 1;

  TensorStrides(TensorLayout layout, std::int64_t channels, std::int64_t height, std::int64_t width)
      : image(channels * height * width) {
    if (layout == TensorLayout::nchw) {
      channel = height * width;
      line = width;
    } else {
      channel = 1;
      line = width * channels;
      element = channels;
    }
  }
};

/// out(image, channel, a, b, q, j) = x(image, channel, q stride + begin_h(a) - pad, j stride + begin_w(b) - pad), zero
/// outside of x, with begin(a) = a dilation % modulus: the unrolled matrix where a and b are taps and the modulus is no
/// bound, and planes where they are phases and the modulus is the stride.
template <class T>
struct GatherLines {
  static constexpr std::int64_t no_modulus = std::int64_t{1} << 62;
  T const* x;
  T* out;
  TensorStrides strides;  // of x
  ConvShape s;
  std::int64_t channels;
  std::int64_t taps_h;
  std::int64_t taps_w;
  std::int64_t modulus_h;
  std::int64_t modulus_w;
  std::int64_t lines;
  std::int64_t length;

  static GatherLines unrolled(ConvShape const& s, TensorLayout layout) {
    return {nullptr,
            nullptr,
            TensorStrides(layout, s.channels, s.height, s.width),
            s,
            s.channels,
            s.kernel_height,
            s.kernel_width,
            no_modulus,
            no_modulus,
            s.out_height(),
            s.out_width()};
  }
  static GatherLines planes(ConvShape const& s, TensorLayout layout) {
    ShiftedPlanes const p(s);
    return {nullptr,    nullptr,    TensorStrides(layout, s.channels, s.height, s.width),
            s,          s.channels, p.h.phases,
            p.w.phases, s.stride_h, s.stride_w,
            p.h.extent, p.w.extent};
  }
  /// Elements of an image.
  [[nodiscard]] std::int64_t size() const { return channels * taps_h * taps_w * lines * length; }

  KOKKOS_FUNCTION T const* input_line(std::int64_t index, std::int64_t& first) const {
    std::int64_t const q = index % lines;
    index /= lines;
    std::int64_t const b = index % taps_w;
    index /= taps_w;
    std::int64_t const a = index % taps_h;
    index /= taps_h;
    std::int64_t const channel = index % channels;
    std::int64_t const image = index / channels;
    std::int64_t const y = q * s.stride_h + a * s.dilation_h % modulus_h - s.pad_h;
    first = b * s.dilation_w % modulus_w - s.pad_w;
    if (y < 0 || y >= s.height) return nullptr;
    return x + image * strides.image + channel * strides.channel + y * strides.line;
  }
  /// Of devices: element i of out.
  KOKKOS_FUNCTION void element(std::int64_t i) const {
    std::int64_t const index = i / length;
    std::int64_t first = 0;
    T const* const from = input_line(index, first);
    std::int64_t const at = first + (i - index * length) * s.stride_w;
    out[i] = from && at >= 0 && at < s.width ? from[at * strides.element] : T(0);
  }
  /// Of hosts.
  void line(std::int64_t index) const {
    T* const to = out + index * length;
    std::int64_t first = 0;
    T const* const from = input_line(index, first);
    if (!from) {
      std::fill_n(to, length, T(0));
      return;
    }
    std::int64_t const begin = std::min(length, first >= 0 ? 0 : (-first + s.stride_w - 1) / s.stride_w);
    std::int64_t const end = std::clamp(first >= s.width ? 0 : (s.width - 1 - first) / s.stride_w + 1, begin, length);
    std::fill_n(to, begin, T(0));
    std::int64_t const step = s.stride_w * strides.element;
    T const* at = from + (first + begin * s.stride_w) * strides.element;
    if (step == 1) {
      std::copy_n(at, end - begin, to + begin);
    } else if (step == 2) {  // a constant, for the compiler's shuffles
      for (std::int64_t j = 0; j < end - begin; ++j) to[begin + j] = at[2 * j];
    } else {
      for (std::int64_t j = begin; j < end; ++j, at += step) to[j] = *at;
    }
    std::fill_n(to + end, length - end, T(0));
  }
};

template <class Exec, class T>
void gather_lines(char const* label, Exec const& exec, GatherLines<T> const& g, std::int64_t images) {
  if constexpr (shares_loops<Exec>) {
    for_each_index(label, IndexRange<Exec>(exec, 0, images * g.size() / g.length), [=](std::int64_t i) { g.line(i); });
  } else {
    Kokkos::parallel_for(
        label, IndexRange<Exec>(exec, 0, images * g.size()), KOKKOS_LAMBDA(std::int64_t i) { g.element(i); });
  }
}

/// y(image, k, p) = act(z(image, k, p) + bias(k) + residual(image, k, p)), p the places of an output in order; y and
/// the residual in the layer's layout, z in NCHW. z may be y.
template <class T>
struct FinishTensor {
  T const* z;
  T* y;
  T const* bias;
  T const* residual;
  std::int64_t filters;
  std::int64_t places;
  bool channels_last;
  bool relu;

  /// i: of y.
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const row = i / (channels_last ? filters : places);
    std::int64_t const inner = i - row * (channels_last ? filters : places);
    std::int64_t const k = channels_last ? inner : row % filters;
    std::int64_t from = i;
    if (channels_last) {
      std::int64_t const image = row / places;
      from = (image * filters + k) * places + (row - image * places);
    }
    T value = z[from];
    if (bias) value += bias[k];
    if (residual) value += residual[i];
    y[i] = relu && value < T(0) ? T(0) : value;
  }
};

template <class Exec, class T>
void finish_tensor(Exec const& exec, FinishTensor<T> const& f, std::int64_t images) {
  for_each_index("araia::conv::finish", IndexRange<Exec>(exec, 0, images * f.filters * f.places), f);
}

/// y = act(w * x + bias + residual) where each filter sees one channel: dense taps.
template <class T>
struct DepthwiseLines {
  T const* x;
  T* y;
  T const* weights;  // (filters, taps)
  T const* bias;
  T const* residual;
  ConvShape s;
  std::int64_t out_height;
  std::int64_t out_width;
  TensorStrides from;
  TensorStrides to;
  bool relu;

  KOKKOS_FUNCTION T finished(std::int64_t place, T value) const {
    if (residual) value += residual[place];
    return relu && value < T(0) ? T(0) : value;
  }
  /// Of devices: outputs in the layout's own order.
  KOKKOS_FUNCTION void element(std::int64_t i) const {
    std::int64_t const image = i / to.image;
    std::int64_t const rest = i - image * to.image;
    std::int64_t const k = rest / to.channel % s.filters;
    std::int64_t const oy = rest / to.line % out_height;
    std::int64_t const ox = rest / to.element % out_width;
    T const* const plane = x + image * from.image + k / (s.filters / s.groups) * from.channel;
    T sum = bias ? bias[k] : T(0);
    for (std::int64_t r = 0; r < s.kernel_height; ++r) {
      std::int64_t const line = oy * s.stride_h + r * s.dilation_h - s.pad_h;
      if (line < 0 || line >= s.height) continue;
      for (std::int64_t t = 0; t < s.kernel_width; ++t) {
        std::int64_t const at = ox * s.stride_w + t * s.dilation_w - s.pad_w;
        if (at >= 0 && at < s.width)
          sum += weights[(k * s.kernel_height + r) * s.kernel_width + t] * plane[line * from.line + at * from.element];
      }
    }
    y[i] = finished(i, sum);
  }
  /// Of hosts: line (image, filter, oy).
  void line(std::int64_t index) const {
    std::int64_t const oy = index % out_height;
    std::int64_t const k = index / out_height % s.filters;
    std::int64_t const image = index / out_height / s.filters;
    T const* const plane = x + image * from.image + k / (s.filters / s.groups) * from.channel;
    std::int64_t const begin = image * to.image + k * to.channel + oy * to.line;
    T const start = bias ? bias[k] : T(0);
    for (std::int64_t j = 0; j < out_width; ++j) y[begin + j * to.element] = start;
    for (std::int64_t r = 0; r < s.kernel_height; ++r) {
      std::int64_t const line = oy * s.stride_h + r * s.dilation_h - s.pad_h;
      if (line < 0 || line >= s.height) continue;
      for (std::int64_t t = 0; t < s.kernel_width; ++t) {
        T const weight = weights[(k * s.kernel_height + r) * s.kernel_width + t];
        std::int64_t const first = t * s.dilation_w - s.pad_w;
        std::int64_t const from_j = first >= 0 ? 0 : (-first + s.stride_w - 1) / s.stride_w;
        std::int64_t const to_j = first >= s.width ? 0 : std::min(out_width, (s.width - 1 - first) / s.stride_w + 1);
        T const* at = plane + line * from.line + (first + from_j * s.stride_w) * from.element;
        T* out = y + begin + from_j * to.element;
        std::int64_t const step = s.stride_w * from.element;
        if (step == 1 && to.element == 1) {
          for (std::int64_t j = 0; j < to_j - from_j; ++j) out[j] += weight * at[j];
        } else {
          for (std::int64_t j = from_j; j < to_j; ++j, at += step, out += to.element) *out += weight * *at;
        }
      }
    }
    if (residual || relu)
      for (std::int64_t j = 0; j < out_width; ++j) {
        std::int64_t const place = begin + j * to.element;
        y[place] = finished(place, y[place]);
      }
  }
};

template <class Exec, class T>
void depthwise_lines(Exec const& exec, DepthwiseLines<T> const& d, std::int64_t images) {
  constexpr char const* label = "araia::conv::depthwise";
  if constexpr (shares_loops<Exec>) {
    for_each_index(label, IndexRange<Exec>(exec, 0, images * d.s.filters * d.out_height),
                   [=](std::int64_t i) { d.line(i); });
  } else {
    Kokkos::parallel_for(
        label, IndexRange<Exec>(exec, 0, images * d.to.image), KOKKOS_LAMBDA(std::int64_t i) { d.element(i); });
  }
}

}  // namespace araia::detail
