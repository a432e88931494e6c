// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/conv_check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace araia {
namespace {

/// gamma_n of n roundings by u, and n u where that is not small.
double growth(double n, double u) { return n * u < 0.5 ? n * u / (1 - n * u) : n * u; }

/// Of the magnitude of a sum of n roundings. Operands that are rounded to u change a product by 2 u + u^2 at most,
/// however many there are; the sums are in T, on tensor cores with all addends cut to its bits: up to five units each
/// (docs/architecture.md).
template <class T>
double relative_bound(Precision precision, double n) {
  double const u = std::numeric_limits<T>::epsilon() / 2;
  if (!std::is_same_v<T, float> || precision == Precision::native) return growth(n, u);
  double const of_operand = unit_roundoff(precision, sizeof(T));
  double const product = of_operand * (2 + of_operand);
  double const sum = growth(5 * n, u);
  return product + sum + product * sum;
}

}  // namespace

template <class T>
ConvCheck check_convolution(ConvShape const& s, std::int64_t batch, ConvWeights const& weights,
                            ConvOptions const& options, T const* x, T const* y, T const* residual, std::int64_t samples,
                            std::uint64_t seed) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  require_valid(s, batch);
  require_valid(s, weights);
  bool const channels_last = options.layout == TensorLayout::nhwc;
  std::int64_t const ho = s.out_height();
  std::int64_t const wo = s.out_width();
  std::int64_t const outputs = batch * s.output_size();
  bool const all = samples >= outputs;
  double largest_x = 0;
  double largest_w = 0;
  if (product_floor(options.precision, 1, 1) != 0) {
    for (std::int64_t i = 0; i < batch * s.input_size(); ++i)
      largest_x = std::max(largest_x, std::abs(static_cast<double>(x[i])));
    for (double const value : weights.values) largest_w = std::max(largest_w, std::abs(value));
  }
  double const floor = product_floor(options.precision, largest_w, largest_x);
  std::mt19937_64 engine(seed);
  ConvCheck check;
  check.checked = all ? outputs : samples;
  for (std::int64_t i = 0; i < check.checked; ++i) {
    auto const output = all ? i : static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(outputs));
    // As (image, filter, oy, ox), whatever the layout.
    std::int64_t const ox = output % wo;
    std::int64_t const oy = output / wo % ho;
    std::int64_t const k = output / (wo * ho) % s.filters;
    std::int64_t const image = output / s.output_size();
    std::int64_t const place = channels_last ? ((image * ho + oy) * wo + ox) * s.filters + k : output;
    Wide sum = 0;
    Wide magnitude = 0;
    auto const row = static_cast<std::size_t>(k);
    std::int64_t const first_channel = k / (s.filters / s.groups) * s.group_channels();
    for (auto j = weights.row_offsets[row]; j < weights.row_offsets[row + 1]; ++j) {
      std::int64_t const column = weights.col_indices[static_cast<std::size_t>(j)];
      std::int64_t const tap = column % (s.kernel_height * s.kernel_width);
      std::int64_t const c = first_channel + column / (s.kernel_height * s.kernel_width);
      std::int64_t const line = oy * s.stride_h + tap / s.kernel_width * s.dilation_h - s.pad_h;
      std::int64_t const element = ox * s.stride_w + tap % s.kernel_width * s.dilation_w - s.pad_w;
      if (line < 0 || line >= s.height || element < 0 || element >= s.width) continue;
      auto const value = x[channels_last ? ((image * s.height + line) * s.width + element) * s.channels + c
                                         : ((image * s.channels + c) * s.height + line) * s.width + element];
      Wide const product = Wide(static_cast<T>(weights.values[static_cast<std::size_t>(j)])) * Wide(value);
      sum += product;
      magnitude += std::abs(product);
    }
    for (Wide const added : {weights.bias.empty() ? Wide(0) : Wide(static_cast<T>(weights.bias[row])),
                             residual ? Wide(residual[place]) : Wide(0)}) {
      sum += added;
      magnitude += std::abs(added);
    }
    if (options.relu && sum < 0) sum = 0;
    auto const roundings = static_cast<double>(weights.row_offsets[row + 1] - weights.row_offsets[row] + 5);
    // The reference rounds too.
    double const relative = relative_bound<T>(options.precision, roundings) +
                            growth(roundings, static_cast<double>(std::numeric_limits<Wide>::epsilon()) / 2);
    Wide const bound = Wide(relative) * magnitude +
                       Wide(roundings * (floor + static_cast<double>(std::numeric_limits<T>::denorm_min())));
    Wide const got = y[place];
    bool good = false;
    double share = 0;
    if (!std::isfinite(magnitude)) {  // and so no sum was, before the activation
      good = std::isnan(sum) ? std::isnan(got) : got == sum;
    } else if (!std::isfinite(got) && magnitude + bound >= Wide(std::numeric_limits<T>::max())) {
      // T overflows at the sum, or on the way to it where it may come back.
      good =
          std::abs(sum) <= Wide(std::numeric_limits<T>::max()) + bound || (std::isinf(got) && (got > 0) == (sum > 0));
    } else {
      Wide const error = std::abs(got - sum);
      good = error <= bound;  // false for NaN
      share = static_cast<double>(error / bound);
    }
    if (!good) {
      ++check.violations;
      share = std::isfinite(share) ? std::max(share, 1.0000001) : 2;
    }
    check.worst_share = std::max(check.worst_share, std::isfinite(share) ? share : 0);
  }
  return check;
}

template ConvCheck check_convolution(ConvShape const&, std::int64_t, ConvWeights const&, ConvOptions const&,
                                     double const*, double const*, double const*, std::int64_t, std::uint64_t);
template ConvCheck check_convolution(ConvShape const&, std::int64_t, ConvWeights const&, ConvOptions const&,
                                     float const*, float const*, float const*, std::int64_t, std::uint64_t);

}  // namespace araia
