// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution layers by every method held to a direct convolution in a wider type: random shapes, groups, layouts,
// epilogues; weights pruned and folded; shapes that cannot be.
#include <araia/nn/conv_layer.hpp>  // alone, as users may include it

#include <gtest/gtest.h>

#include <araia/detail/io/memory_limit.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/nn/conv_check.hpp>
#include <araia/nn/conv_net.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "backends/openmp/conv/csr_shifted_columns/kernel.hpp"
#include "backends/portable/conv/csr_shifted_columns/kernel_impl.hpp"
#include "src/nn/conv_paths.hpp"
#include "support/convolution.hpp"
#include "support/data.hpp"
#include "support/device.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;

constexpr ConvMethod all_methods[] = {ConvMethod::shifted_columns, ConvMethod::im2col, ConvMethod::in_place,
                                      ConvMethod::dense, ConvMethod::depthwise};

/// Random tensors and weights of a layer, on the host.
struct Case {
  ConvShape shape;
  std::int64_t batch = 1;
  ConvWeights weights;
  ConvOptions options;
  std::vector<double> x;
  std::vector<double> residual;  // empty: none
};

std::vector<double> numbers(std::mt19937_64& engine, std::int64_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = normal(engine);
  return values;
}

ConvShape random_shape(std::mt19937_64& engine) {
  auto const pick = [&](std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(last - first + 1));
  };
  ConvShape s;
  s.groups = pick(0, 3) == 0 ? pick(2, 4) : 1;
  s.channels = s.groups * pick(1, s.groups > 1 ? 3 : 9);
  s.filters = s.groups * pick(1, s.groups > 1 ? 3 : 9);
  bool const pointwise = pick(0, 3) == 0;
  s.kernel_height = pointwise ? 1 : pick(1, 5);
  s.kernel_width = pointwise ? 1 : pick(1, 5);
  s.stride_h = pick(0, 1) == 0 ? 1 : pick(1, 3);
  s.stride_w = pick(0, 1) == 0 ? s.stride_h : pick(1, 3);
  s.dilation_h = pick(0, 2) == 0 ? pick(1, 3) : 1;
  s.dilation_w = pick(0, 2) == 0 ? pick(1, 3) : 1;
  s.pad_h = pointwise && pick(0, 1) ? 0 : pick(0, 3);
  s.pad_w = pointwise && pick(0, 1) ? 0 : pick(0, 3);
  auto const least = [](std::int64_t kernel, std::int64_t dilation, std::int64_t pad) {
    return std::max<std::int64_t>(1, dilation * (kernel - 1) + 1 - 2 * pad);
  };
  s.height = least(s.kernel_height, s.dilation_h, s.pad_h) + pick(0, 12);
  s.width = least(s.kernel_width, s.dilation_w, s.pad_w) + pick(0, 40);
  return s;
}

Case random_case(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Case c;
  c.shape = random_shape(engine);
  c.batch = 1 + static_cast<std::int64_t>(engine() % 3);
  double const sparsities[] = {0, 0.5, 0.9, 1};
  c.weights = random_weights(c.shape, sparsities[engine() % 4], seed);
  if (engine() % 2) c.weights.bias = numbers(engine, c.shape.filters);
  c.options.relu = engine() % 2;
  c.options.measure = false;
  c.options.layout = engine() % 3 == 0 ? TensorLayout::nhwc : TensorLayout::nchw;
  if (engine() % 4 == 0) c.options.unrolled_bytes = 1;  // an image at a time
  c.x = numbers(engine, c.batch * c.shape.input_size());
  if (engine() % 2) c.residual = numbers(engine, c.batch * c.shape.output_size());
  return c;
}

template <class T>
ExpectedOutputs expected_of(Case const& c) {
  return expected_convolution<T>(c.shape, c.batch, c.weights, c.x, c.residual, c.options.relu, c.options.layout);
}

/// Outputs held to the definition, within a bound on rounding; independent of check_convolution.
template <class T>
void expect_direct(Case const& c, ExpectedOutputs const& expected, std::vector<T> const& y, std::string const& what) {
  ASSERT_EQ(y.size(), expected.values.size()) << what;
  double const u = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  double const n_roundings = static_cast<double>(c.shape.columns() + 5);
  for (std::size_t at = 0; at < y.size(); ++at) {
    double const bound = n_roundings * u / (1 - n_roundings * u) * static_cast<double>(expected.magnitudes[at]) +
                         n_roundings * static_cast<double>(std::numeric_limits<T>::denorm_min());
    ASSERT_LE(std::abs(static_cast<double>(static_cast<long double>(y[at]) - expected.values[at])), bound)
        << what << ", " << to_string(c.shape) << ", element " << at;
  }
}

template <class T>
std::vector<T> run(Exec const& exec, Case const& c, ConvLayer<Exec, T> const& layer) {
  auto const x = upload<T, Device>("x", c.x);
  auto const y = upload<T, Device>("y", std::vector<double>(static_cast<std::size_t>(c.batch * c.shape.output_size()),
                                                            std::numeric_limits<double>::quiet_NaN()));
  if (c.residual.empty()) {
    layer.execute(exec, x, y);
  } else {
    layer.execute(exec, x, y, upload<T, Device>("residual", c.residual));
  }
  exec.fence();
  return download<T>(y);
}

/// Every method that takes the shape. \return those that did
template <class T>
std::set<ConvMethod> expect_all_methods(Exec const& exec, Case c) {
  std::set<ConvMethod> done;
  auto const expected = expected_of<T>(c);
  for (auto const method : all_methods) {
    c.options.method = method;
    try {
      ConvLayer<Exec, T> const layer(exec, c.shape, c.batch, c.weights, c.options);
      EXPECT_EQ(layer.report().winner().method, method);
      auto const y = run(exec, c, layer);
      expect_direct(c, expected, y, to_string(method));
      std::vector<T> x(c.x.begin(), c.x.end());
      std::vector<T> const r(c.residual.begin(), c.residual.end());
      auto const check = check_convolution(c.shape, c.batch, c.weights, c.options, x.data(), y.data(),
                                           r.empty() ? nullptr : r.data(), 50);
      EXPECT_TRUE(check.ok()) << to_string(method) << " " << to_string(c.shape) << " " << check.worst_share;
      done.insert(method);
    } catch (Error const& e) {
      EXPECT_EQ(e.kind(), ErrorKind::unsupported) << e.what();
    }
  }
  return done;
}

#if !defined(ARAIA_TYPES_MINIMAL) || defined(KOKKOS_ENABLE_CUDA)
/// Layers of float run this path; on CUDA its kernel is there in builds of double alone too.
TEST(ConvShiftedColumns, FloatInEveryBuildThatHasItsKernel) {
  Exec const exec;
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) cases.push_back(random_case(seed));
  // Larger ones: more than a tile of columns, parts of rows and stages; images together.
  auto const shape_of = [](std::int64_t channels, std::int64_t extent, std::int64_t filters, std::int64_t kernel,
                           std::int64_t stride) {
    ConvShape shape;
    shape.channels = channels;
    shape.height = shape.width = extent;
    shape.filters = filters;
    shape.kernel_height = shape.kernel_width = kernel;
    shape.stride_h = shape.stride_w = stride;
    shape.pad_h = shape.pad_w = kernel / 2;
    return shape;
  };
  for (std::int64_t const batch : {std::int64_t{1}, std::int64_t{3}, std::int64_t{8}}) {
    for (auto const& shape : {shape_of(40, 30, 70, 3, 1), shape_of(130, 14, 200, 1, 1), shape_of(24, 28, 48, 3, 2)}) {
      std::mt19937_64 engine(static_cast<std::uint64_t>(batch + shape.channels));
      Case c;
      c.shape = shape;
      c.batch = batch;
      c.weights = random_weights(shape, 0.9, 7);
      c.weights.bias = numbers(engine, shape.filters);
      c.options.relu = true;
      c.x = numbers(engine, batch * shape.input_size());
      c.residual = numbers(engine, batch * shape.output_size());
      cases.push_back(c);
    }
  }
  for (auto const& c : cases) {
    detail::ConvShiftedPath<Exec, float> const path({exec, c.shape, c.batch, c.weights, c.options});
    auto const x = upload<float, Device>("x", c.x);
    auto const y =
        upload<float, Device>("y", std::vector<double>(static_cast<std::size_t>(c.batch * c.shape.output_size()),
                                                       std::numeric_limits<double>::quiet_NaN()));
    auto const residual = upload<float, Device>("residual", c.residual);
    for (int i = 0; i < 2; ++i) path.run(exec, x.data(), y.data(), c.residual.empty() ? nullptr : residual.data());
    exec.fence();
    ASSERT_NO_FATAL_FAILURE(expect_direct(c, expected_of<float>(c), download<float>(y), path.about().kernel));
  }
}
#endif

template <class T>
class Conv : public ::testing::Test {};
#ifdef ARAIA_TYPES_MINIMAL
using Scalars = ::testing::Types<double>;
#else
using Scalars = ::testing::Types<double, float>;
#endif
TYPED_TEST_SUITE(Conv, Scalars);

TYPED_TEST(Conv, TwoHundredRandomShapesByEveryMethod) {
  Exec const exec;
  std::map<ConvMethod, int> times;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const done = expect_all_methods<TypeParam>(exec, random_case(seed));
    EXPECT_GE(done.size(), 2U);  // shifted columns, and im2col or in place
    for (auto const method : done) ++times[method];
    if (this->HasFatalFailure()) return;
  }
  EXPECT_EQ(times[ConvMethod::shifted_columns], 200);
  EXPECT_EQ(times[ConvMethod::im2col] + times[ConvMethod::in_place], 200);
  EXPECT_GE(times[ConvMethod::in_place], 5);
  EXPECT_GE(times[ConvMethod::depthwise], 10);
}

TYPED_TEST(Conv, ByHand) {
  // One channel, a 2 x 2 filter that is 1 on its diagonal; bias 10.
  Exec const exec;
  Case c;
  c.shape = {.channels = 1, .height = 3, .width = 3, .filters = 1, .kernel_height = 2, .kernel_width = 2};
  c.weights = weights_from_dense(c.shape, std::vector<double>{1, 0, 0, 1});
  EXPECT_EQ(c.weights.nnz(), 2);
  c.weights.bias = {10};
  c.x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  c.options.measure = false;
  for (auto const method : {ConvMethod::shifted_columns, ConvMethod::im2col}) {
    c.options.method = method;
    auto const y = run(exec, c, ConvLayer<Exec, TypeParam>(exec, c.shape, 1, c.weights, c.options));
    EXPECT_EQ(y, (std::vector<TypeParam>{10 + 1 + 5, 10 + 2 + 6, 10 + 4 + 8, 10 + 5 + 9})) << to_string(method);
  }
}

TYPED_TEST(Conv, MeasuringTakesTheFastestAndSaysWhyOthersAreOut) {
  Exec const exec;
  Case c = random_case(3);
  c.shape = {.channels = 16,
             .height = 20,
             .width = 20,
             .filters = 16,
             .kernel_height = 3,
             .kernel_width = 3,
             .pad_h = 1,
             .pad_w = 1};
  c.batch = 2;
  std::mt19937_64 engine(5);
  c.weights = random_weights(c.shape, 0.9);
  c.x = numbers(engine, c.batch * c.shape.input_size());
  c.residual.clear();
  c.options = {};
  c.options.budget = 0.01;
  ConvLayer<Exec, TypeParam> const layer(exec, c.shape, c.batch, c.weights, c.options);
  auto const& r = layer.report();
  EXPECT_TRUE(r.measured);
  EXPECT_EQ(r.candidates.size(), 5U);
  for (auto const& candidate : r.candidates) {
    EXPECT_EQ(candidate.seconds > 0, candidate.reason.empty());
    if (candidate.seconds > 0) {
      EXPECT_LE(r.winner().seconds, candidate.seconds);
    }
  }
  EXPECT_EQ(r.fastest(false)->method == r.winner().method, !multiplies_zeros(r.winner().method));
  expect_direct(c, expected_of<TypeParam>(c), run(exec, c, layer), "measured");
  auto const flip = find_flip<Exec, TypeParam>(exec, c.shape, 1, c.options, 1.0);
  if (flip.known) {
    EXPECT_EQ(flip.sparsity, 0);  // a second is more than any of them takes
  }
  EXPECT_FALSE((find_flip<Exec, TypeParam>(exec, c.shape, 1, c.options, 0)).known);
}

TYPED_TEST(Conv, RuleWithoutMeasuring) {
  Exec const exec;
  ConvOptions options;
  options.measure = false;
  ConvShape const shape{.channels = 4, .height = 6, .width = 6, .filters = 4, .kernel_height = 3, .kernel_width = 3};
  auto const method = [&](ConvShape const& s, double sparsity) {
    return ConvLayer<Exec, TypeParam>(exec, s, 1, random_weights(s, sparsity), options).report().winner().method;
  };
  EXPECT_EQ(method(shape, 0.9), ConvMethod::shifted_columns);
  ConvShape depthwise = shape;
  depthwise.groups = 4;
  EXPECT_EQ(method(depthwise, 0.9), ConvMethod::depthwise);
  options.allow_dense = false;
  EXPECT_EQ(method(depthwise, 0), ConvMethod::shifted_columns);
}

TYPED_TEST(Conv, NansStayInTheirPlace) {
  // Where a weight is not stored, an infinity of x does not reach y.
  Exec const exec;
  Case c;
  c.shape = {.channels = 2,
             .height = 4,
             .width = 5,
             .filters = 2,
             .kernel_height = 3,
             .kernel_width = 3,
             .pad_h = 1,
             .pad_w = 1};
  std::vector<double> dense(36, 0.0);
  dense[4] = 1;           // filter 0 sees channel 0
  dense[18 + 9 + 4] = 1;  // filter 1 sees channel 1
  c.weights = weights_from_dense(c.shape, dense);
  c.x.assign(40, 1.0);
  c.x[7] = std::numeric_limits<double>::infinity();
  c.options.measure = false;
  c.options.relu = true;
  for (auto const method : {ConvMethod::shifted_columns, ConvMethod::im2col}) {
    c.options.method = method;
    auto const y = run(exec, c, ConvLayer<Exec, TypeParam>(exec, c.shape, 1, c.weights, c.options));
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_EQ(y[i], static_cast<TypeParam>(i == 7 ? std::numeric_limits<double>::infinity() : 1.0));
  }
}

TYPED_TEST(Conv, TensorsOfRankFourAndWhatDoesNotFit) {
  Exec const exec;
  ConvShape const shape{.channels = 2,
                        .height = 3,
                        .width = 4,
                        .filters = 5,
                        .kernel_height = 3,
                        .kernel_width = 3,
                        .pad_h = 1,
                        .pad_w = 1};
  ConvOptions options;
  options.measure = false;
  ConvLayer<Exec, TypeParam> const layer(exec, shape, 2, random_weights(shape, 0.5), options);
  using Tensor = Kokkos::View<TypeParam****, Kokkos::LayoutRight, Device>;
  Tensor const x("x", 2, 2, 3, 4);
  Tensor const y("y", 2, 5, 3, 4);
  layer.execute(exec, x, y);
  layer.execute(exec, x, y, Tensor("r", 2, 5, 3, 4));
  EXPECT_EQ(kind_of([&] { layer.execute(exec, Tensor("x", 2, 3, 4, 2), y); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { layer.execute(exec, x, Tensor("y", 2, 5, 4, 3)); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { layer.execute(exec, x, y, Tensor("r", 1, 5, 3, 4)); }), ErrorKind::dimension_mismatch);
  Kokkos::View<TypeParam*, Device> const both("both", 200);
  auto const part = [&](int first, int count) { return Kokkos::subview(both, std::make_pair(first, first + count)); };
  EXPECT_EQ(kind_of([&] { layer.execute(exec, part(0, 48), part(40, 120)); }), ErrorKind::invalid_argument);
  layer.execute(exec, part(0, 48), part(48, 120));
}

#ifndef ARAIA_TYPES_MINIMAL
TYPED_TEST(Conv, PrunedLayersOfTheDataFolder) {
  Exec const exec;
  int layers = 0;
  if (!std::filesystem::exists(data_directory() / "dnn")) GTEST_SKIP() << "no data folder";
  for (auto const& entry : std::filesystem::directory_iterator(data_directory() / "dnn")) {
    auto const& file = entry.path();
    if (file.string().find(".smtx") == std::string::npos) continue;
    auto const pattern = read_matrix(file);
    Case c;
    c.shape = {.channels = pattern.cols, .height = 5, .width = 7, .filters = pattern.rows};
    if (pattern.cols % 9 == 0) {
      c.shape.channels = pattern.cols / 9;
      c.shape.kernel_height = c.shape.kernel_width = 3;
      c.shape.pad_h = c.shape.pad_w = 1;
    }
    c.weights = weights_of(c.shape, pattern, 7);
    EXPECT_EQ(c.weights.nnz(), pattern.stored());
    std::mt19937_64 engine(1);
    c.x = numbers(engine, c.shape.input_size());
    c.options.measure = false;
    c.options.relu = true;
    std::vector<TypeParam> const x(c.x.begin(), c.x.end());
    for (auto const method :
         {ConvMethod::shifted_columns, c.shape.multiplies_input() ? ConvMethod::in_place : ConvMethod::im2col}) {
      c.options.method = method;
      auto const y = run(exec, c, ConvLayer<Exec, TypeParam>(exec, c.shape, 1, c.weights, c.options));
      auto const check =
          check_convolution<TypeParam>(c.shape, 1, c.weights, c.options, x.data(), y.data(), nullptr, 2000);
      EXPECT_TRUE(check.ok()) << file << " " << to_string(method) << " " << check.worst_share;
    }
    ++layers;
  }
  EXPECT_GT(layers, 0);
}
#endif

/// Operands of a product by shifted columns inside larger buffers: lines and rows apart, canaries between.
template <class T>
class ShiftedCase {
 public:
  explicit ShiftedCase(std::uint64_t seed) : seed_(seed) {
    std::mt19937_64 engine(seed);
    b_.images = 1 + static_cast<std::int64_t>(engine() % 3);
    b_.out_height = 1 + static_cast<std::int32_t>(engine() % 9);
    b_.out_width = 1 + static_cast<std::int32_t>(engine() % 150);
    b_.plane_width = b_.out_width + static_cast<std::int32_t>(engine() % 4);
    b_.relu = engine() % 2;
    std::int64_t const rows = 1 + static_cast<std::int64_t>(engine() % 40);
    std::int64_t const extent = b_.columns() + 200;
    b_.image_stride = extent + static_cast<std::int64_t>(engine() % 5);
    b_.y_strides.line = b_.out_width + static_cast<std::int64_t>(engine() % 3);
    b_.y_strides.row = b_.out_height * b_.y_strides.line + static_cast<std::int64_t>(engine() % 3);
    b_.y_strides.image = rows * b_.y_strides.row + 1;
    b_.residual_strides = {rows * b_.out_height * b_.out_width, std::int64_t{b_.out_height} * b_.out_width,
                           b_.out_width};
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int32_t c = 0; c <= 200; ++c)
        if (engine() % 20 == 0 && k % 5 != 3) cols_.push_back(c);  // some rows are empty
      offsets_.push_back(static_cast<std::int32_t>(cols_.size()));
    }
    auto const random = [&](std::int64_t count) {
      auto const doubles = numbers(engine, count);
      return std::vector<T>(doubles.begin(), doubles.end());
    };
    values_ = random(static_cast<std::int64_t>(cols_.size()));
    bias_ = random(rows);
    planes_ = random(b_.images * b_.image_stride);
    residual_ = random(b_.images * b_.residual_strides.image);
    b_.planes = planes_.data();
    if (engine() % 2) b_.bias = bias_.data();
    if (engine() % 2) b_.residual = residual_.data();
    a_ = {.rows = rows, .row_offsets = offsets_.data(), .col_offsets = cols_.data(), .values = values_.data()};
    expected_ = expected_shifted_columns(a_, b_);
  }
  ShiftedCase(ShiftedCase const&) = delete;
  ShiftedCase& operator=(ShiftedCase const&) = delete;

  /// kernel(a, b) gives what is expected, and leaves the rest of y's array alone.
  template <class Kernel>
  void expect(Kernel const& kernel, std::string const& what) {
    constexpr T canary = T(-777);
    std::vector<T> y(static_cast<std::size_t>(b_.images * b_.y_strides.image), canary);
    b_.y = y.data();
    kernel(a_, b_);
    std::vector<bool> written(y.size(), false);
    std::size_t next = 0;
    double const roundings = static_cast<double>(cols_.size()) + 5;
    for (std::int64_t n = 0; n < b_.images; ++n)
      for (std::int64_t k = 0; k < a_.rows; ++k)
        for (std::int64_t i = 0; i < b_.out_height; ++i)
          for (std::int64_t j = 0; j < b_.out_width; ++j, ++next) {
            auto const at =
                static_cast<std::size_t>(n * b_.y_strides.image + k * b_.y_strides.row + i * b_.y_strides.line + j);
            written[at] = true;
            ASSERT_LE(std::abs(static_cast<double>(y[at] - expected_.values[next])),
                      roundings * (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53) * 1.01 *
                          static_cast<double>(expected_.magnitudes[next]))
                << what << ", seed " << seed_ << ": image " << n << ", row " << k << " at " << i << ", " << j;
          }
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_TRUE(written[i] || y[i] == canary) << what << ", seed " << seed_;
  }

 private:
  std::uint64_t seed_;
  std::vector<std::int32_t> offsets_{0};
  std::vector<std::int32_t> cols_;
  std::vector<T> values_, bias_, planes_, residual_;
  ShiftedWeights<T> a_;
  ShiftedOperands<T> b_;
  ExpectedOutputs expected_;
};

TYPED_TEST(Conv, HostKernelOnEveryInstructionSetAndTeams) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    ShiftedCase<TypeParam> of(seed);
    for (auto const isa : host::supported_isas())
      for (int const threads : {1, 3})
        of.expect([&](auto const& a, auto const& b) { host::csr_shifted_columns(a, b, threads, isa); },
                  std::string(host::to_string(isa)));
    using Host = Kokkos::DefaultHostExecutionSpace;
    for (int const lanes : {1, 2})
      of.expect(
          [&](auto const& a, auto const& b) {
            Host const host;
            detail::csr_shifted_columns_team(host, {.rows_per_team = 7, .team_size = 1, .vector_length = lanes}, a, b);
            host.fence();
          },
          "team");
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(Conv, BitsDoNotDependOnThreads) {
  std::vector<std::vector<TypeParam>> results;
  ShiftedCase<TypeParam> of(11);
  for (int const threads : {1, 2, 5}) {
    std::vector<TypeParam> kept;
    of.expect(
        [&](auto const& a, auto const& b) {
          host::csr_shifted_columns(a, b, threads, host::isa());
          kept.assign(b.y, b.y + b.images * b.y_strides.image);
        },
        "threads");
    results.push_back(kept);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(ConvShape, WhatCannotBeIsATypedError) {
  ConvShape const good{.channels = 4, .height = 5, .width = 5, .filters = 6, .kernel_height = 3, .kernel_width = 3};
  EXPECT_NO_THROW(require_valid(good, 3));
  EXPECT_EQ(to_string(good), "4,5,5,6,3,3,1,0,1,1");
  auto const expect = [&](ErrorKind kind, auto const& change, std::int64_t batch = 1) {
    ConvShape s = good;
    change(s);
    EXPECT_EQ(kind_of([&] { require_valid(s, batch); }), kind);
  };
  auto const invalid = ErrorKind::invalid_argument;
  expect(invalid, [](auto& s) { s.channels = 0; });
  expect(invalid, [](auto& s) { s.height = -1; });
  expect(invalid, [](auto& s) { s.filters = 0; });
  expect(invalid, [](auto& s) { s.stride_h = 0; });
  expect(invalid, [](auto& s) { s.stride_w = 0; });
  expect(invalid, [](auto& s) { s.dilation_w = 0; });
  expect(invalid, [](auto& s) { s.pad_h = -1; });
  expect(invalid, [](auto& s) { s.kernel_height = 6; });
  expect(invalid, [](auto& s) { s.dilation_w = 3; });
  expect(invalid, [](auto& s) { s.groups = 3; });
  expect(invalid, [](auto& s) { s.groups = 0; });
  expect(
      invalid, [](auto&) {}, 0);
  auto const limit = ErrorKind::resource_limit;
  expect(limit, [](auto& s) { s.height = s.width = 100000; });
  expect(limit, [](auto& s) { s.channels = std::int64_t{1} << 40; });
  expect(limit, [](auto& s) { s.pad_h = std::numeric_limits<std::int64_t>::max(); });
  expect(limit, [](auto& s) { s.pad_h = s.pad_w = 1 << 20; });
  expect(limit, [](auto& s) { s.filters = std::int64_t{1} << 30; });
  expect(
      limit, [](auto&) {}, std::int64_t{1} << 31);
}

TEST(ConvWeights, PruningKeepsTheLargest) {
  ConvShape const shape{.channels = 3, .height = 5, .width = 5, .filters = 4, .kernel_height = 1, .kernel_width = 1};
  std::vector<double> const dense{1, -5, 2, 3, 3, -3, 0.5, 0, 4, 3, 1, 2};
  auto w = weights_from_dense(shape, dense);
  EXPECT_EQ(w.nnz(), 11);
  prune_by_magnitude(w, 0.75);  // three of twelve: -5, 4, and the first 3
  EXPECT_EQ(w.values, (std::vector<double>{-5, 3, 4}));
  EXPECT_EQ(w.col_indices, (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(w.row_offsets, (std::vector<std::int32_t>{0, 1, 2, 3, 3}));
  EXPECT_DOUBLE_EQ(w.sparsity(), 0.75);
  prune_by_magnitude(w, 1);
  EXPECT_EQ(w.nnz(), 0);
  EXPECT_EQ(kind_of([&] { prune_by_magnitude(w, 1.5); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { prune_by_magnitude(w, std::nan("")); }), ErrorKind::invalid_argument);
  for (double const sparsity : {0.0, 0.3, 0.9}) {
    auto const random = random_weights(shape, sparsity, 3);
    EXPECT_EQ(random.nnz(), std::llround((1 - sparsity) * 12));
  }
}

TEST(ConvWeights, PruningRefusesNan) {
  ConvShape const shape{.channels = 3, .height = 5, .width = 5, .filters = 2};
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  auto good = weights_from_dense(shape, std::vector<double>{1, 2, 3, 4, 5, 6});
  auto bad = weights_from_dense(shape, std::vector<double>{1, 2, 3, 0, 5, nan});
  std::string message;
  EXPECT_EQ(kind_of([&] { prune_by_magnitude(bad, 0.5); }, &message), ErrorKind::invalid_argument);
  EXPECT_NE(message.find("row 1, column 2 of layer 0"), message.npos) << message;
  ConvWeights* const both[] = {&good, &bad};
  EXPECT_EQ(kind_of([&] { prune_by_magnitude(both, 0.5); }, &message), ErrorKind::invalid_argument);
  EXPECT_NE(message.find("row 1, column 2 of layer 1"), message.npos) << message;
  EXPECT_EQ(good.nnz(), 6);
  prune_by_magnitude(bad, 0);  // nothing to compare
  EXPECT_EQ(bad.nnz(), 5);
}

/// Long rows of ones by the given numbers, 1 x 1: what check_convolution says of y.
template <class T>
ConvCheck check_of(std::vector<T> const& x, T y, Precision precision, bool relu = false) {
  ConvShape const shape{.channels = static_cast<std::int64_t>(x.size()), .height = 1, .width = 1, .filters = 1};
  auto const weights = weights_from_dense(shape, std::vector<double>(x.size(), 1.0));
  return check_convolution<T>(shape, 1, weights, {.relu = relu, .precision = precision}, x.data(), &y);
}

TEST(ConvCheck, BoundsOfLongRowsAreOfUse) {
  for (std::size_t const n : {251U, 256U, 2043U, 100000U}) {
    std::vector<float> const x(n, 1.0F);
    auto const sum = static_cast<float>(n);
    for (auto const precision : all_precisions) {
      auto const exact = check_of(x, sum, precision);
      EXPECT_TRUE(exact.ok()) << n << " " << precision_name(precision);
      EXPECT_EQ(exact.worst_share, 0);
      auto const off = check_of(x, sum * 1.1F, precision);
      EXPECT_FALSE(off.ok()) << n << " " << precision_name(precision);
      EXPECT_GT(off.worst_share, 1);
    }
    // Both operands rounded up to bfloat16 in every product.
    EXPECT_TRUE(check_of(x, sum * (1 + 0x1p-8F) * (1 + 0x1p-8F), Precision::bf16).ok());
    EXPECT_TRUE(check_of(x, sum * (1 + 0x1p-11F) * (1 + 0x1p-11F), Precision::tf32).ok());
    if (n < 10000) {
      EXPECT_FALSE(check_of(x, sum * (1 + 0x1p-6F), Precision::bf16).ok());
    }
  }
}

TEST(ConvCheck, InfinitiesAndNans) {
  auto const inf = std::numeric_limits<float>::infinity();
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const largest = std::numeric_limits<float>::max();
  auto const ok = [&](std::vector<float> const& x, float y, bool relu = false) {
    auto const check = check_of(x, y, Precision::native, relu);
    EXPECT_EQ(check.ok(), check.worst_share <= 1);
    return check.ok();
  };
  EXPECT_TRUE(ok({1, inf}, inf));
  EXPECT_TRUE(ok({1, -inf}, -inf));
  EXPECT_TRUE(ok({inf, -inf}, nan));
  EXPECT_TRUE(ok({1, nan}, nan));
  EXPECT_TRUE(ok({1, -inf}, 0, true));
  EXPECT_TRUE(ok({largest, largest}, inf));
  EXPECT_TRUE(ok({largest, largest, -largest}, inf));  // it overflows on the way
  EXPECT_FALSE(ok({1, inf}, -inf));
  EXPECT_FALSE(ok({1, inf}, nan));
  EXPECT_FALSE(ok({1, inf}, 1));
  EXPECT_FALSE(ok({1, -inf}, 1, true));
  EXPECT_FALSE(ok({inf, -inf}, 0));
  EXPECT_FALSE(ok({1, nan}, 1));
  EXPECT_FALSE(ok({1, 2}, nan));
  EXPECT_FALSE(ok({1, 2}, inf));
  EXPECT_FALSE(ok({largest, largest}, -inf));
  EXPECT_FALSE(ok({largest, largest}, largest));
}

/// Two layers, the second of which adds the first, and a pool.
Net small_net() {
  Net net;
  net.channels = 2;
  net.height = net.width = 4;
  ConvShape const shape{.channels = 2,
                        .height = 4,
                        .width = 4,
                        .filters = 2,
                        .kernel_height = 3,
                        .kernel_width = 3,
                        .pad_h = 1,
                        .pad_w = 1};
  net.layers.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    net.layers[i].name = std::string(1, static_cast<char>('a' + i));
    net.layers[i].shape = shape;
    if (i > 0) net.layers[i].from = i - 1;
  }
  net.layers[1].add = 0;
  net.layers[2].op = NetOp::max_pool;
  net.layers[2].shape.groups = 2;
  return net;
}

TEST(ConvNet, NetsThatCannotRunAreRefused) {
  Exec const exec;
  auto const good = small_net();
  EXPECT_NO_THROW(require_valid(good));
  auto const weights = net_weights(good);
  ConvOptions const options{.measure = false};
  EXPECT_EQ((ConvNet<Exec, double>(exec, good, weights, 1, options)).output_size(), 32);
  auto const expect = [&](ErrorKind kind, char const* name, auto const& change) {
    auto net = good;
    change(net);
    std::string message;
    EXPECT_EQ(kind_of([&] { (ConvNet<Exec, double>(exec, net, weights, 1, options)); }, &message), kind);
    EXPECT_NE(message.find(std::string("layer ") + name + ": "), message.npos) << message;
  };
  auto const invalid = ErrorKind::invalid_argument;
  auto const mismatch = ErrorKind::dimension_mismatch;
  expect(invalid, "a", [](Net& n) { n.layers[0].from = 0; });
  expect(invalid, "a", [](Net& n) { n.layers[0].add = 2; });
  expect(invalid, "b", [](Net& n) { n.layers[1].from = 7; });
  expect(invalid, "b", [](Net& n) { n.layers[1].add = 1; });
  expect(invalid, "c", [](Net& n) { n.layers[2].add = 0; });
  expect(invalid, "c", [](Net& n) { n.layers[2].shape.pad_h = 2; });
  expect(invalid, "c", [](Net& n) { n.layers[2].shape.groups = 1; });
  expect(invalid, "b", [](Net& n) { n.layers[1].shape.stride_h = 0; });
  expect(mismatch, "a", [](Net& n) { n.height = 3; });
  expect(mismatch, "b", [](Net& n) { n.layers[1].shape.width = 5; });
  expect(mismatch, "b", [](Net& n) { n.layers[1].shape.stride_w = 2; });
  expect(mismatch, "b", [](Net& n) { n.layers[0].shape.filters = 4; });
}

TEST(ConvNet, WeightsThatDoNotFitAreNamedWithFileAndLayer) {
  auto const path = std::filesystem::temp_directory_path() / "araia_test_conv_weights.mtx";
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n";
  Net net;
  net.layers.resize(1);
  net.layers[0].shape = {.channels = 2, .height = 3, .width = 3, .filters = 2};
  net.channels = 2;
  net.height = net.width = 3;
  net.layers[0].weights = path;
  for (auto const& [name, begin] :
       {std::pair<std::string, std::string>{"a", ": layer a: the matrix is 1 x 1"}, {"", ": the matrix is 1 x 1"}}) {
    net.layers[0].name = name;
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)net_weights(net); }, &message), ErrorKind::dimension_mismatch);
    EXPECT_EQ(message.substr(0, path.string().size() + begin.size()), path.string() + begin);
  }
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n1 1 1\nx\n";
  std::string message;
  EXPECT_EQ(kind_of([&] { (void)net_weights(net); }, &message), ErrorKind::parse);
  EXPECT_EQ(message.substr(0, path.string().size() + 3), path.string() + ":3:");
  std::filesystem::remove(path);
}

TEST(ConvNet, TimeOfParsingIsNotQuadratic) {
  // Numbers enough that a quadratic parse takes minutes.
  std::string text = R"({"input": [1, 1, 1], "layers": [{"kernel": 1, "filters": 1, "bias": [0)";
  for (int i = 0; i < 300000; ++i) text += ",0";
  std::string message;
  EXPECT_EQ(kind_of([&] { (void)parse_net(text + "]}]}", "net.json"); }, &message), ErrorKind::parse);
  EXPECT_NE(message.find("300001 numbers, expected 1"), message.npos) << message;
  EXPECT_EQ(kind_of([&] { (void)parse_net(std::string((1 << 20) + 1, ' '), "net.json"); }), ErrorKind::resource_limit);
}

/// What may be allocated on the host, while it lives.
class HostLimit {
 public:
  explicit HostLimit(std::uint64_t bytes) { set_default_host_memory_limit(bytes); }
  ~HostLimit() { set_default_host_memory_limit(unset_memory_limit); }
  HostLimit(HostLimit const&) = delete;
  HostLimit& operator=(HostLimit const&) = delete;
};

TEST(ConvMemory, IsRefusedBeforeItIsTaken) {
  ConvShape const shape{.channels = 4, .height = 9, .width = 9, .filters = 4, .kernel_height = 3, .kernel_width = 3};
  auto const weights = random_weights(shape, 0.5);
  auto const limit = ErrorKind::resource_limit;
  std::uint64_t const places = 4 * 36;
  {
    HostLimit const host(places * 20 - 1);
    EXPECT_EQ(kind_of([&] { (void)random_weights(shape, 0.5); }), limit);
    EXPECT_EQ(random_weights(shape, 0).nnz(), 144);
  }
  {
    HostLimit const host(72 * 8 - 1);
    auto pruned = weights;
    EXPECT_EQ(kind_of([&] { prune_by_magnitude(pruned, 0.9); }), limit);
    EXPECT_EQ(pruned.nnz(), 72);
  }
  {
    HostLimit const host(places * 12 + 72 * 12);
    auto net = small_net();
    EXPECT_EQ(net_weights(net).size(), 3U);
    net.layers[0].shape = net.layers[1].shape = shape;
    net.layers[1].shape.height = net.layers[1].shape.width = 7;
    net.layers[1].add = {};
    net.layers.pop_back();
    net.channels = 4;
    net.height = net.width = 9;
    EXPECT_EQ(kind_of([&] { (void)net_weights(net); }), limit);
  }
  if (!detail::host_reaches<Exec>) return;
  ConvOptions options;
  options.measure = false;
  auto depthwise = shape;
  depthwise.groups = 4;
  for (auto const method :
       {ConvMethod::shifted_columns, ConvMethod::im2col, ConvMethod::dense, ConvMethod::depthwise}) {
    options.method = method;
    bool const one_each = method == ConvMethod::depthwise;
    auto const& s = one_each ? depthwise : shape;
    auto const w = one_each ? random_weights(s, 0) : weights;
    auto const make = [&] { return ConvLayer<Exec, double>(Exec(), s, 64, w, options); };
    std::uint64_t needed = 0;
    try {
      auto const candidate = make().report().winner();
      needed = candidate.workspace_bytes + candidate.weight_bytes / 2;
    } catch (Error const& e) {
      EXPECT_EQ(e.kind(), ErrorKind::unsupported);  // a build without a BLAS
      continue;
    }
    HostLimit const host(needed);
    std::string message;
    EXPECT_EQ(kind_of(make, &message), limit) << to_string(method);
    EXPECT_NE(message.find(std::string("araia::ConvLayer: ") + to_string(method)), message.npos) << message;
  }
}

TEST(ConvMemory, PlanesThatAreLargerThanTheUnrolledInputAreNotTakenByRule) {
  ConvShape const shape{.channels = 2,
                        .height = 101,
                        .width = 101,
                        .filters = 2,
                        .kernel_height = 3,
                        .kernel_width = 3,
                        .dilation_h = 50,
                        .dilation_w = 50};
  ConvOptions options;
  options.measure = false;
  EXPECT_EQ((ConvLayer<Exec, double>(Exec(), shape, 1, random_weights(shape, 0.9), options)).report().winner().method,
            ConvMethod::im2col);
  // A batch of such planes has more elements than are counted.
  auto far = shape;
  far.height = far.width = 1;
  far.pad_h = far.pad_w = far.dilation_h = far.dilation_w = 10000;
  EXPECT_NO_THROW(require_valid(far));
  EXPECT_EQ(kind_of([&] { require_valid(far, 1 << 20); }), ErrorKind::resource_limit);
}

TEST(ConvShiftedColumns, MoreChunksThanALeagueHasAreRefused) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  ShiftedOperands<double> b;
  b.images = 1;
  b.plane_width = b.out_width = 1 << 15;
  b.out_height = 1 << 15;
  ShiftedWeights<double> const a{.rows = 1 << 20, .row_offsets = nullptr, .col_offsets = nullptr, .values = nullptr};
  EXPECT_EQ(kind_of([&] { detail::csr_shifted_columns_team(Host(), {.rows_per_team = 7}, a, b); }),
            ErrorKind::resource_limit);
}

TEST(ConvWeights, OneThresholdOverTheNet) {
  ConvShape const shape{.channels = 2, .height = 5, .width = 5, .filters = 2};
  auto small = weights_from_dense(shape, std::vector<double>{0.1, 0.2, 0.3, 0.4});
  auto large = weights_from_dense(shape, std::vector<double>{1, 2, 3, 0.35});
  ConvWeights* const both[] = {&small, &large};
  prune_by_magnitude(both, 0.5);
  EXPECT_EQ(small.values, (std::vector<double>{0.4}));
  EXPECT_EQ(large.values, (std::vector<double>{1, 2, 3}));
}

TEST(ConvWeights, FoldedBatchNorm) {
  ConvShape const shape{.channels = 1, .height = 5, .width = 5, .filters = 2};
  auto w = weights_from_dense(shape, std::vector<double>{3, 5});
  BatchNorm const norm{.gamma = {2, 1}, .beta = {10, 20}, .mean = {1, 2}, .variance = {4, 0.25}, .epsilon = 0};
  fold_batch_norm(w, norm);  // factors 1 and 2
  EXPECT_EQ(w.values, (std::vector<double>{3, 10}));
  EXPECT_EQ(w.bias, (std::vector<double>{-1 + 10, -4 + 20}));
  fold_batch_norm(w, norm);
  EXPECT_EQ(w.bias, (std::vector<double>{9 - 1 + 10, (16 - 2) * 2 + 20}));
  auto bad = norm;
  bad.variance[1] = -1;
  EXPECT_EQ(kind_of([&] { fold_batch_norm(w, bad); }), ErrorKind::invalid_argument);
  bad = norm;
  bad.mean.pop_back();
  EXPECT_EQ(kind_of([&] { fold_batch_norm(w, bad); }), ErrorKind::dimension_mismatch);
}

TEST(ConvWeights, OfAMatrix) {
  ConvShape const shape{.channels = 2, .height = 5, .width = 5, .filters = 3};
  HostCoo coo;
  coo.rows = 3;
  coo.cols = 2;
  coo.row_indices = std::vector<std::int32_t>{2, 0, 2, 2};
  coo.col_indices = std::vector<std::int32_t>{1, 1, 0, 1};
  coo.values = std::vector<double>{1, 2, 3, 4};
  auto const w = weights_of(shape, coo);
  EXPECT_EQ(w.row_offsets, (std::vector<std::int32_t>{0, 1, 1, 3}));
  EXPECT_EQ(w.col_indices, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(w.values, (std::vector<double>{2, 3, 5}));
  coo.values = std::monostate{};
  EXPECT_EQ(weights_of(shape, coo, 5).values, weights_of(shape, coo, 5).values);
  EXPECT_NE(weights_of(shape, coo, 5).values, weights_of(shape, coo, 6).values);
  coo.values = std::vector<std::complex<double>>(4);
  EXPECT_EQ(kind_of([&] { (void)weights_of(shape, coo); }), ErrorKind::unsupported);
  coo.values = std::monostate{};
  coo.cols = 4;
  EXPECT_EQ(kind_of([&] { (void)weights_of(shape, coo); }), ErrorKind::dimension_mismatch);
  coo.cols = 2;
  coo.col_indices = std::vector<std::int32_t>{1, 1, 0, 2};
  EXPECT_EQ(kind_of([&] { (void)weights_of(shape, coo); }), ErrorKind::invalid_structure);
}

TEST(ConvWeights, BrokenOnesAreRefused) {
  ConvShape const shape{.channels = 2, .height = 5, .width = 5, .filters = 3};
  auto const good = random_weights(shape, 0);
  EXPECT_NO_THROW(require_valid(shape, good));
  auto const expect = [&](ErrorKind kind, auto const& change) {
    auto w = good;
    change(w);
    EXPECT_EQ(kind_of([&] { require_valid(shape, w); }), kind);
    EXPECT_EQ(kind_of([&] { (ConvLayer<Exec, double>(Exec(), shape, 1, w)); }), kind);
  };
  expect(ErrorKind::dimension_mismatch, [](auto& w) { w.rows = 2; });
  expect(ErrorKind::dimension_mismatch, [](auto& w) { w.bias = {1}; });
  expect(ErrorKind::dimension_mismatch, [](auto& w) { w.row_offsets.pop_back(); });
  expect(ErrorKind::invalid_structure, [](auto& w) { w.row_offsets[1] = 7; });
  expect(ErrorKind::invalid_structure, [](auto& w) { w.col_indices[0] = 2; });
  expect(ErrorKind::invalid_structure, [](auto& w) { w.col_indices[1] = -1; });
  EXPECT_EQ(kind_of([&] { (ConvLayer<Exec, double>(Exec(), shape, 1, good, {.precision = Precision::tf32})); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (ConvLayer<Exec, double>(Exec(), shape, 1, good, {.method = ConvMethod::depthwise})); }),
            ErrorKind::unsupported);
}

}  // namespace
}  // namespace araia::test
