// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/convolution.hpp"

#include <cmath>
#include <cstddef>

namespace araia::test {

namespace {

/// The terms of an output.
struct Terms {
  long double sum = 0;
  long double magnitude = 0;
  void add(long double term) {
    sum += term;
    magnitude += std::abs(term);
  }
  [[nodiscard]] long double value(bool relu) const { return relu && sum < 0 ? 0 : sum; }
};

template <class T>
long double rounded(double value) {
  return static_cast<long double>(static_cast<T>(value));
}

}  // namespace

template <class T>
ExpectedOutputs expected_convolution(ConvShape const& s, std::int64_t batch, ConvWeights const& weights,
                                     std::vector<double> const& x, std::vector<double> const& residual, bool relu,
                                     TensorLayout layout) {
  std::vector<double> dense(static_cast<std::size_t>(s.weights()), 0.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.filters); ++k)
    for (auto j = static_cast<std::size_t>(weights.row_offsets[k]);
         j < static_cast<std::size_t>(weights.row_offsets[k + 1]); ++j)
      dense[k * static_cast<std::size_t>(s.columns()) + static_cast<std::size_t>(weights.col_indices[j])] =
          weights.values[j];
  auto const at = [layout](std::int64_t n, std::int64_t ch, std::int64_t i, std::int64_t j, std::int64_t channels,
                           std::int64_t height, std::int64_t width) {
    return static_cast<std::size_t>(layout == TensorLayout::nhwc ? ((n * height + i) * width + j) * channels + ch
                                                                 : ((n * channels + ch) * height + i) * width + j);
  };
  auto const size = static_cast<std::size_t>(batch * s.output_size());
  ExpectedOutputs expected{std::vector<long double>(size), std::vector<long double>(size)};
  std::int64_t const in_group = s.channels / s.groups;
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t k = 0; k < s.filters; ++k)
      for (std::int64_t oy = 0; oy < s.out_height(); ++oy)
        for (std::int64_t ox = 0; ox < s.out_width(); ++ox) {
          Terms terms;
          for (std::int64_t ch = 0; ch < in_group; ++ch)
            for (std::int64_t r = 0; r < s.kernel_height; ++r)
              for (std::int64_t t = 0; t < s.kernel_width; ++t) {
                std::int64_t const i = oy * s.stride_h + r * s.dilation_h - s.pad_h;
                std::int64_t const j = ox * s.stride_w + t * s.dilation_w - s.pad_w;
                if (i < 0 || j < 0 || i >= s.height || j >= s.width) continue;
                std::int64_t const channel = k / (s.filters / s.groups) * in_group + ch;
                auto const w =
                    dense[static_cast<std::size_t>(((k * in_group + ch) * s.kernel_height + r) * s.kernel_width + t)];
                terms.add(rounded<T>(w) * rounded<T>(x[at(n, channel, i, j, s.channels, s.height, s.width)]));
              }
          auto const place = at(n, k, oy, ox, s.filters, s.out_height(), s.out_width());
          if (!weights.bias.empty()) terms.add(rounded<T>(weights.bias[static_cast<std::size_t>(k)]));
          if (!residual.empty()) terms.add(rounded<T>(residual[place]));
          expected.values[place] = terms.value(relu);
          expected.magnitudes[place] = terms.magnitude;
        }
  return expected;
}

template <class T>
ExpectedOutputs expected_shifted_columns(ShiftedWeights<T> const& a, ShiftedOperands<T> const& b) {
  ExpectedOutputs expected;
  for (std::int64_t n = 0; n < b.images; ++n)
    for (std::int64_t k = 0; k < a.rows; ++k)
      for (std::int64_t i = 0; i < b.out_height; ++i)
        for (std::int64_t j = 0; j < b.out_width; ++j) {
          Terms terms;
          for (auto e = a.row_offsets[k]; e < a.row_offsets[k + 1]; ++e)
            terms.add(static_cast<long double>(a.values[e]) *
                      b.planes[n * b.image_stride + a.col_offsets[e] + i * b.plane_width + j]);
          if (b.bias) terms.add(b.bias[k]);
          if (b.residual)
            terms.add(b.residual[n * b.residual_strides.image + k * b.residual_strides.row +
                                 i * b.residual_strides.line + j]);
          expected.values.push_back(terms.value(b.relu));
          expected.magnitudes.push_back(terms.magnitude);
        }
  return expected;
}

template ExpectedOutputs expected_convolution<float>(ConvShape const&, std::int64_t, ConvWeights const&,
                                                     std::vector<double> const&, std::vector<double> const&, bool,
                                                     TensorLayout);
template ExpectedOutputs expected_convolution<double>(ConvShape const&, std::int64_t, ConvWeights const&,
                                                      std::vector<double> const&, std::vector<double> const&, bool,
                                                      TensorLayout);
template ExpectedOutputs expected_shifted_columns(ShiftedWeights<float> const&, ShiftedOperands<float> const&);
template ExpectedOutputs expected_shifted_columns(ShiftedWeights<double> const&, ShiftedOperands<double> const&);

}  // namespace araia::test
