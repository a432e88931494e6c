// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution by shifted columns on CUDA against a direct one in double: shapes of every kind, every form of the
// kernel, both layouts of planes, outputs between canaries, NaN, repeats, graphs, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backends/cuda/check.hpp"
#include "backends/cuda/conv/csr_shifted_columns/kernel.hpp"
#include "backends/cuda/conv/planes/kernel.hpp"
#include "backends/cuda/device_array.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
namespace shifted = araia::cuda::shifted_columns;
using shifted::Shape;
using test::DeviceArray;

constexpr double unit = 0x1p-24;  // of float

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

struct Convolution {
  int channels = 3, height = 5, width = 5;
  int filters = 4, kernel_height = 1, kernel_width = 1;
  int stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1;
  int images = 1;
  double density = 0.3;

  [[nodiscard]] int out_height() const {
    return (height + 2 * pad_h - dilation_h * (kernel_height - 1) - 1) / stride_h + 1;
  }
  [[nodiscard]] int out_width() const {
    return (width + 2 * pad_w - dilation_w * (kernel_width - 1) - 1) / stride_w + 1;
  }
  [[nodiscard]] int taps() const { return kernel_height * kernel_width; }
  [[nodiscard]] std::int64_t input_size() const { return std::int64_t{channels} * height * width; }
  [[nodiscard]] std::int64_t output_size() const { return std::int64_t{filters} * out_height() * out_width(); }
};

std::ostream& operator<<(std::ostream& out, Convolution const& c) {
  return out << c.channels << ',' << c.height << ',' << c.width << ',' << c.filters << ',' << c.kernel_height << 'x'
             << c.kernel_width << " stride " << c.stride_h << 'x' << c.stride_w << " pad " << c.pad_h << 'x' << c.pad_w
             << " dilation " << c.dilation_h << 'x' << c.dilation_w << " images " << c.images << " density "
             << c.density;
}

/// Weights (K, C R S) with empty rows, in CSR.
struct Weights {
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> taps;  // (c, r, s)
  std::vector<float> values;
};

Weights random_weights(Convolution const& c, std::mt19937& random) {
  Weights w;
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<float> normal;
  for (int k = 0; k < c.filters; ++k) {
    double const density = k % 7 == 3 ? 0 : k % 5 == 4 ? std::min(1.0, 3 * c.density) : c.density;
    for (int t = 0; t < c.channels * c.taps(); ++t)
      if (uniform(random) < density) {
        w.taps.push_back(t);
        w.values.push_back(normal(random));
      }
    w.row_offsets.push_back(static_cast<std::int32_t>(w.taps.size()));
  }
  return w;
}

std::vector<float> random_values(std::int64_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(at(count));
  for (float& v : values) v = normal(random);
  return values;
}

/// How planes stand in memory.
enum class Planes { images_apart, images_together, input_itself };

struct Axis {
  int phases, period, extent;
};
Axis axis_of(int out, int taps, int stride, int dilation) {
  int period = 1;
  while (period * dilation % stride != 0) ++period;
  int const phases = std::min(period, taps);
  int extent = 0;
  for (int t = 0; t < taps; ++t) extent = std::max(extent, t * dilation / stride + out);
  return {phases, period, extent};
}

/// A convolution's operands on the device.
class Prepared {
 public:
  Prepared(Convolution const& c, Weights const& w, std::vector<float> const& x, Planes planes, std::size_t misaligned)
      : h_(axis_of(c.out_height(), c.kernel_height, c.stride_h, c.dilation_h)),
        w_(axis_of(c.out_width(), c.kernel_width, c.stride_w, c.dilation_w)),
        x_(x, misaligned) {
    operands.images = c.images;
    operands.out_height = c.out_height();
    operands.out_width = c.out_width();
    std::int64_t channel_stride = 0;
    std::int64_t plane_stride = 0;
    if (planes == Planes::input_itself) {
      operands.planes = x_.data();
      operands.image_stride = c.input_size();
      operands.plane_width = c.width;
      channel_stride = std::int64_t{c.height} * c.width;
    } else {
      std::int64_t const plane = std::int64_t{h_.extent} * w_.extent;
      std::int64_t const of_channel = std::int64_t{h_.phases} * w_.phases;
      if (planes == Planes::images_together) {
        operands.image_stride = plane;
        plane_stride = c.images * plane;
        channel_stride = of_channel * plane_stride;
      } else {
        plane_stride = plane;
        channel_stride = of_channel * plane;
        operands.image_stride = c.channels * channel_stride;
      }
      operands.plane_width = w_.extent;
      planes_ = DeviceArray<float>(
          std::vector<float>(at(c.images * c.channels * of_channel * plane), std::numeric_limits<float>::quiet_NaN()),
          misaligned);
      cuda::LaidOut laid;
      laid.images = c.images;
      laid.channels = c.channels;
      laid.h = {c.height, h_.extent, h_.phases, c.dilation_h, c.stride_h, c.stride_h, c.pad_h};
      laid.w = {c.width, w_.extent, w_.phases, c.dilation_w, c.stride_w, c.stride_w, c.pad_w};
      laid.x = x_.data();
      laid.x_image_stride = c.input_size();
      laid.x_channel_stride = std::int64_t{c.height} * c.width;
      laid.to = planes_.data();
      laid.image_stride = operands.image_stride;
      laid.channel_stride = channel_stride;
      laid.plane_stride = plane_stride;
      cuda::lay_out(laid, nullptr);
      operands.planes = planes_.data();
    }
    // Offsets ascend with taps of a row only once they are sorted.
    values_ = w.values;
    for (std::size_t row = 0; row + 1 < w.row_offsets.size(); ++row) {
      std::vector<std::pair<std::int32_t, float>> entries;
      for (auto k = at(w.row_offsets[row]); k < at(w.row_offsets[row + 1]); ++k) {
        int const s = w.taps[k] % c.kernel_width;
        int const r = w.taps[k] / c.kernel_width % c.kernel_height;
        std::int64_t offset = w.taps[k] / c.taps() * channel_stride;
        if (planes != Planes::input_itself)
          offset += (r % h_.period * w_.phases + s % w_.period) * plane_stride +
                    std::int64_t{r} * c.dilation_h / c.stride_h * w_.extent + s * c.dilation_w / c.stride_w;
        entries.emplace_back(static_cast<std::int32_t>(offset), w.values[k]);
      }
      std::ranges::sort(entries);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        offsets_.push_back(entries[i].first);
        values_[at(w.row_offsets[row]) + i] = entries[i].second;
      }
    }
    row_offsets_ = w.row_offsets;
    weights = {c.filters, row_offsets_.data(), offsets_.data(), values_.data()};
  }

  ShiftedWeights<float> weights;
  ShiftedOperands<float> operands;

  [[nodiscard]] int disturbed_bytes() const { return x_.disturbed_bytes() + planes_disturbed(); }

 private:
  [[nodiscard]] int planes_disturbed() const { return operands.planes == x_.data() ? 0 : planes_.disturbed_bytes(); }
  Axis h_, w_;
  DeviceArray<float> x_, planes_;
  std::vector<std::int32_t> row_offsets_, offsets_;
  std::vector<float> values_;
};

/// What a direct convolution gives, and the bound of a result in float.
struct Expected {
  std::vector<double> values;
  std::vector<double> bounds;
};

Expected direct(Convolution const& c, Weights const& w, std::vector<float> const& x, std::vector<float> const& bias,
                std::vector<float> const& residual, bool relu) {
  Expected e;
  for (int image = 0; image < c.images; ++image)
    for (int k = 0; k < c.filters; ++k)
      for (int oy = 0; oy < c.out_height(); ++oy)
        for (int ox = 0; ox < c.out_width(); ++ox) {
          double sum = 0;
          double magnitude = 0;
          auto const add = [&](double term) { sum += term, magnitude += std::abs(term); };
          for (auto j = at(w.row_offsets[at(k)]); j < at(w.row_offsets[at(k) + 1]); ++j) {
            int const s = w.taps[j] % c.kernel_width;
            int const r = w.taps[j] / c.kernel_width % c.kernel_height;
            int const line = oy * c.stride_h + r * c.dilation_h - c.pad_h;
            int const element = ox * c.stride_w + s * c.dilation_w - c.pad_w;
            if (line < 0 || line >= c.height || element < 0 || element >= c.width) continue;
            add(static_cast<double>(w.values[j]) *
                static_cast<double>(x[at(image * c.input_size() +
                                         (std::int64_t{w.taps[j] / c.taps()} * c.height + line) * c.width + element)]));
          }
          if (!bias.empty()) add(static_cast<double>(bias[at(k)]));
          if (!residual.empty()) add(static_cast<double>(residual[e.values.size()]));
          double const n = w.row_offsets[at(k) + 1] - w.row_offsets[at(k)] + 10;  // splits and terms
          e.values.push_back(relu && sum < 0 ? 0 : sum);
          e.bounds.push_back(n * unit / (1 - n * unit) * magnitude + n * 0x1p-149);
        }
  return e;
}

constexpr float untouched = -12345.0f;

struct Options {
  bool bias = false, residual = false, relu = false;
  std::size_t misaligned = 0;
  int line_gap = 0, image_gap = 0;  ///< of the output's strides
};

void expect_right(Convolution const& c, Shape const* shape, Planes planes, Options const& options, unsigned seed) {
  SCOPED_TRACE(testing::Message() << c << " seed " << seed << (shape ? " " + shape->name() : std::string())
                                  << " planes " << static_cast<int>(planes) << " misaligned " << options.misaligned);
  std::mt19937 random(seed);
  Weights const w = random_weights(c, random);
  auto const x = random_values(c.images * c.input_size(), random);
  auto const bias = options.bias ? random_values(c.filters, random) : std::vector<float>();
  auto const residual = options.residual ? random_values(c.images * c.output_size(), random) : std::vector<float>();
  Prepared prepared(c, w, x, planes, options.misaligned);

  auto& o = prepared.operands;
  o.y_strides.line = c.out_width() + options.line_gap;
  o.y_strides.row = c.out_height() * o.y_strides.line;
  o.y_strides.image = c.filters * o.y_strides.row + options.image_gap;
  DeviceArray<float> const y(std::vector<float>(at(c.images * o.y_strides.image), untouched), options.misaligned);
  DeviceArray<float> const device_bias(bias), device_residual(residual, options.misaligned);
  o.y = y.data();
  if (options.bias) o.bias = device_bias.data();
  if (options.residual) {
    o.residual = device_residual.data();
    o.residual_strides = {c.output_size(), std::int64_t{c.out_height()} * c.out_width(), c.out_width()};
  }
  o.relu = options.relu;

  auto const device = shifted::current_device();
  Shape const chosen = shape ? *shape
                             : shifted::choose_shape(shifted::measure(prepared.weights),
                                                     std::max<std::int64_t>(o.images * o.columns(), 1),
                                                     device.multiprocessors, device.shared_bytes, device.clusters);
  if (chosen.splits > 1 && !device.clusters) GTEST_SKIP() << "no clusters on this device";
  auto const packing = shifted::pack(prepared.weights, chosen);
  EXPECT_EQ(packing.nnz, static_cast<std::int64_t>(w.values.size()));
  DeviceArray<std::uint32_t> const words(packing.words);
  shifted::convolve(packing, words.data(), o, nullptr);
  cuda::check(cudaDeviceSynchronize(), "convolve");
  auto const first = y.download();
  shifted::convolve(packing, words.data(), o, nullptr);
  cuda::check(cudaDeviceSynchronize(), "convolve");
  auto const second = y.download();
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0) << "not the same bits twice";
  EXPECT_EQ(y.disturbed_bytes(), 0);
  EXPECT_EQ(prepared.disturbed_bytes(), 0);

  Expected const e = direct(c, w, x, bias, residual, options.relu);
  std::vector<char> written(first.size());
  std::size_t n = 0;
  int wrong = 0;
  for (int image = 0; image < c.images; ++image)
    for (int k = 0; k < c.filters; ++k)
      for (int oy = 0; oy < c.out_height(); ++oy)
        for (int ox = 0; ox < c.out_width(); ++ox, ++n) {
          std::size_t const place = at(image * o.y_strides.image + k * o.y_strides.row + oy * o.y_strides.line + ox);
          written[place] = 1;
          double const error = std::abs(static_cast<double>(first[place]) - e.values[n]);
          if (!(error <= e.bounds[n]) && ++wrong <= 3)
            ADD_FAILURE() << "image " << image << " row " << k << " line " << oy << " element " << ox << ": "
                          << first[place] << ", expected " << e.values[n] << " +- " << e.bounds[n];
        }
  EXPECT_EQ(wrong, 0);
  int touched = 0;
  for (std::size_t i = 0; i < first.size(); ++i) touched += !written[i] && first[i] != untouched;
  EXPECT_EQ(touched, 0) << "places between outputs";
}

Convolution random_convolution(std::mt19937& random, int largest) {
  auto const draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Convolution c;
  c.channels = draw(1, largest);
  c.filters = draw(1, 3 * largest);
  int const kernels[] = {1, 1, 3, 3, 5, 7};
  c.kernel_height = kernels[draw(0, 5)];
  c.kernel_width = draw(0, 3) == 0 ? kernels[draw(0, 5)] : c.kernel_height;
  c.stride_h = draw(1, 3);
  c.stride_w = draw(0, 2) == 0 ? draw(1, 3) : c.stride_h;
  c.dilation_h = draw(0, 3) == 0 ? 2 : 1;
  c.dilation_w = draw(0, 5) == 0 ? 3 : c.dilation_h;
  c.pad_h = draw(0, c.kernel_height);
  c.pad_w = draw(0, c.kernel_width);
  c.height = std::max(draw(1, 20), c.dilation_h * (c.kernel_height - 1) + 1 - 2 * c.pad_h);
  c.width = std::max(draw(1, 20), c.dilation_w * (c.kernel_width - 1) + 1 - 2 * c.pad_w);
  c.images = draw(1, 5);
  c.density = draw(0, 9) == 0 ? 0.0 : 0.02 * draw(1, 20);
  return c;
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (int const columns : {1, 2, 4, 8})
    for (int const rows : {1, 2, 4, 8})
      for (int const splits : {1, 2, 4, 8}) shapes.push_back({columns, rows, splits, 4096 << (columns + rows) % 4, 3});
  return shapes;
}

class ConvShiftedColumns : public test::OnCudaDevice {};

TEST_F(ConvShiftedColumns, RandomShapesAgreeWithADirectConvolution) {
  std::mt19937 random(1);
  auto const shapes = all_shapes();
  for (unsigned i = 0; i < 200; ++i) {
    Convolution const c = random_convolution(random, 24);
    Options options;
    options.bias = random() % 2;
    options.residual = random() % 2;
    options.relu = random() % 2;
    options.misaligned = random() % 3 == 0 ? 1 + random() % 3 : 0;
    options.line_gap = static_cast<int>(random() % 3);
    options.image_gap = static_cast<int>(random() % 2) * 5;
    Shape const& shape = shapes[random() % shapes.size()];
    Planes const planes = random() % 2 ? Planes::images_together : Planes::images_apart;
    expect_right(c, random() % 4 == 0 ? nullptr : &shape, planes, options, i);
    if (HasFailure()) break;
  }
}

TEST_F(ConvShiftedColumns, EveryFormOfTheKernel) {
  Convolution c{.channels = 19, .height = 13, .width = 11, .filters = 150, .kernel_height = 3, .kernel_width = 3};
  c.pad_h = c.pad_w = 1;
  c.images = 2;
  c.density = 0.15;
  Options options;
  options.bias = options.relu = options.residual = true;
  unsigned seed = 7;
  for (Shape const& shape : all_shapes()) {
    expect_right(c, &shape, seed % 2 ? Planes::images_together : Planes::images_apart, options, seed);
    ++seed;
    if (HasFailure()) break;
  }
}

TEST_F(ConvShiftedColumns, OneByOneReadsTheInputAsItLies) {
  for (int const images : {1, 3})
    for (int const width : {7, 8}) {
      Convolution c{.channels = 40, .height = 7, .width = width, .filters = 33};
      c.images = images;
      c.density = 0.1;
      expect_right(c, nullptr, Planes::input_itself, {}, 3);
    }
}

TEST_F(ConvShiftedColumns, NothingToDo) {
  Convolution c;
  c.density = 0;  // bias and residual alone
  Options options;
  options.bias = options.residual = true;
  expect_right(c, nullptr, Planes::images_apart, options, 1);
  c.images = 0;
  expect_right(c, nullptr, Planes::images_apart, {}, 1);
  c.images = 1;
  c.filters = 0;
  expect_right(c, nullptr, Planes::images_apart, {}, 1);
  Convolution one{.channels = 1, .height = 1, .width = 1, .filters = 1};
  one.density = 1;
  expect_right(one, nullptr, Planes::images_apart, {}, 1);
}

TEST_F(ConvShiftedColumns, LargeLayers) {
  Convolution c{.channels = 256, .height = 14, .width = 14, .filters = 256, .kernel_height = 3, .kernel_width = 3};
  c.pad_h = c.pad_w = 1;
  c.images = 3;
  c.density = 0.1;
  Options options;
  options.bias = options.relu = true;
  expect_right(c, nullptr, Planes::images_together, options, 5);
  Shape const wide{.lane_columns = 8, .warp_rows = 8};
  expect_right(c, &wide, Planes::images_together, options, 6);
}

/// Infinity and NaN reach the outputs whose filters have an entry there, and no others.
TEST_F(ConvShiftedColumns, NaNStaysWithItsOutputs) {
  Convolution const c{.channels = 2, .height = 3, .width = 40, .filters = 2};
  Weights w;
  w.row_offsets = {0, 1, 2};  // row 0 has channel 0, row 1 channel 1
  w.taps = {0, 1};
  w.values = {1.0f, 1.0f};
  std::vector<float> x(at(c.input_size()), 1.0f);
  x[5] = std::numeric_limits<float>::quiet_NaN();
  x[6] = std::numeric_limits<float>::infinity();
  Prepared prepared(c, w, x, Planes::input_itself, 0);
  auto& o = prepared.operands;
  DeviceArray<float> const y(std::vector<float>(at(c.output_size()), untouched));
  o.y = y.data();
  o.y_strides = {c.output_size(), 120, 40};
  o.relu = true;
  for (int const rows : {1, 8}) {
    auto const packing = shifted::pack(prepared.weights, Shape{.lane_columns = 2, .warp_rows = rows});
    DeviceArray<std::uint32_t> const words(packing.words);
    shifted::convolve(packing, words.data(), o, nullptr);
    cuda::check(cudaDeviceSynchronize(), "convolve");
    auto const got = y.download();
    for (std::size_t n = 0; n < got.size(); ++n)
      if (n == 5)
        EXPECT_TRUE(std::isnan(got[n]));
      else
        EXPECT_EQ(got[n], n == 6 ? std::numeric_limits<float>::infinity() : 1.0f) << n;
  }
}

TEST_F(ConvShiftedColumns, RefusesWhatIsNotOne) {
  std::vector<std::int32_t> row_offsets{0, 2};
  std::vector<std::int32_t> offsets{4, 4};
  std::vector<float> values{1, 2};
  ShiftedWeights<float> const w{1, row_offsets.data(), offsets.data(), values.data()};
  std::string message;
  EXPECT_EQ(test::kind_of([&] { static_cast<void>(shifted::pack(w, {})); }, &message), ErrorKind::invalid_structure);
  EXPECT_NE(message.find("col_offsets[1] is 4"), std::string::npos) << message;
  offsets = {-1, 4};
  EXPECT_EQ(test::kind_of([&] { static_cast<void>(shifted::pack(w, {})); }), ErrorKind::invalid_structure);
  constexpr std::int32_t most = 0x7fffffff - 1024;
  offsets = {0, most + 1};  // a layer's other methods may still hold it
  EXPECT_EQ(test::kind_of([&] { static_cast<void>(shifted::pack(w, {})); }, &message), ErrorKind::resource_limit);
  EXPECT_NE(message.find("col_offsets[1] is 2147482624, expected at most 2147482623"), std::string::npos) << message;
  EXPECT_EQ(test::kind_of([&] { static_cast<void>(shifted::measure(w)); }), ErrorKind::resource_limit);
  offsets = {0, most};
  EXPECT_EQ(shifted::pack(w, {}).nnz, 2);
  offsets = {0, 4};
  EXPECT_EQ(test::kind_of([&] { static_cast<void>(shifted::pack(w, {.lane_columns = 3})); }, &message),
            ErrorKind::invalid_argument);
  EXPECT_NE(message.find("lane_columns is 3"), std::string::npos) << message;
  auto const packing = shifted::pack(w, {});
  ShiftedOperands<float> o;
  o.out_height = o.out_width = 2;
  o.plane_width = 1;
  EXPECT_EQ(test::kind_of([&] { shifted::convolve(packing, nullptr, o, nullptr); }), ErrorKind::invalid_argument);
  o.plane_width = 2;
  EXPECT_EQ(test::kind_of([&] { shifted::convolve(packing, nullptr, o, nullptr); }), ErrorKind::invalid_argument);
}

// A plane's first element is a product of more than 31 bits, taken modulo the stride.
TEST_F(ConvShiftedColumns, PlanesBeginWhereProductsOf64BitsSay) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  DeviceArray<float> const x({1, 2, 3, 4});
  for (bool const lines : {false, true}) {
    DeviceArray<float> to(std::vector<float>(12, nan));
    // Planes begin at 0, 1500000000 and 3000000000 % 2000000001 = 999999999.
    cuda::LaidAxis const wide{4, 4, 3, 1500000000, 2000000001, 1, 999999998};
    cuda::LaidAxis const narrow{1, 1, 1, 1, 1, 1, 0};
    cuda::LaidOut laid;
    laid.channels = 1;
    laid.h = lines ? wide : narrow;
    laid.w = lines ? narrow : wide;
    laid.x = x.data();
    laid.x_image_stride = laid.x_channel_stride = 4;
    laid.to = to.data();
    laid.image_stride = laid.channel_stride = 12;
    laid.plane_stride = 4;
    cuda::lay_out(laid, nullptr);
    cuda::check(cudaDeviceSynchronize(), "lay_out");
    EXPECT_EQ(to.download(), (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0}))
        << (lines ? "lines" : "elements");
  }
}

}  // namespace
