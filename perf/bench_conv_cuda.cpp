// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The convolutions of ResNet-50 with pruned weights on CUDA, float: by shifted columns beside cuBLAS SGEMM and cuSPARSE
// on the unrolled input, and cuDNN's implicit GEMM. All 53 layers one after the other, each with weights of its own,
// each reading what the layer before wrote; medians of 15 stacks. A layer's time is from event to event within the
// stack, the total from stacks without events in them. Every kind of layer is first held to a direct convolution in
// double.
//   bench_conv_cuda [--batch N]... [--sparsity S] [--only TEXT] [--sweep]
//
// sgemm       im2col and SGEMM an image (strided batches), NCHW to NCHW; 1 x 1 layers multiply the input in place
// sgemm_one   the images of a channel one after the other, one SGEMM of all of them
// cusparse    im2col and SpMM (CSR, the best of ALG2 and ALG3, preprocessed), images as in sgemm_one
// explicit    im2col and our kernel, NCHW to NCHW
// implicit    padded planes and our kernel, NCHW to NCHW; 1 x 1 layers read the input in place
// chained     our kernel alone, the layer before having written padded planes, images as in sgemm_one
// cudnn_gemm, cudnn_precomp  cuDNN's implicit GEMM with all weights, without indices and with indices that each call
//             makes in a workspace, by fused multiply-add alone, NCHW to NCHW
// cudnn_tf32  cudnn_precomp where tensor cores may round operands to TF32; held to that precision's bound
// Ours add a bias and apply ReLU, which the peers leave out. cuDNN is opened at run time, from where peers/cudnn.hpp
// says; without it, and where it refuses a layer or a result is off by more than its bound, a line says so and the
// others are timed. --sweep: every form of the kernel for each kind of layer.

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <araia/precision.hpp>
#include <common/device_array.hpp>
#include <peers/cudnn.hpp>

#include "backends/cuda/check.hpp"
#include "backends/cuda/conv/csr_shifted_columns/kernel.hpp"
#include "backends/cuda/conv/planes/kernel.hpp"

namespace {

using namespace araia;
using cuda::check;
using perf::DeviceArray;
namespace shifted = cuda::shifted_columns;

void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(ErrorKind::device, std::string(what) + ": " + cublasGetStatusString(status));
}
void check(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw Error(ErrorKind::device, std::string(what) + ": " + cusparseGetErrorString(status));
}

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// A square convolution.
struct Layer {
  int channels, size, filters, kernel, stride;

  [[nodiscard]] int pad() const { return kernel / 2; }
  [[nodiscard]] int out() const { return (size + 2 * pad() - kernel) / stride + 1; }
  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{out()} * out(); }
  [[nodiscard]] std::int64_t input() const { return std::int64_t{size} * size; }
  [[nodiscard]] int columns() const { return channels * kernel * kernel; }
  [[nodiscard]] bool in_place() const { return kernel == 1 && stride == 1; }
  [[nodiscard]] int phases() const { return std::min(stride, kernel); }       ///< an axis
  [[nodiscard]] int extent() const { return (kernel - 1) / stride + out(); }  ///< of a phase
  [[nodiscard]] std::int64_t plane() const { return std::int64_t{extent()} * extent(); }
  [[nodiscard]] std::string name() const {
    return std::to_string(kernel) + "x" + std::to_string(kernel) + (stride > 1 ? "/" + std::to_string(stride) : "") +
           " " + std::to_string(channels) + "->" + std::to_string(filters) + " @" + std::to_string(size);
  }
  friend auto operator<=>(Layer const&, Layer const&) = default;
};

/// The stride of a stage's first block is that of its 3 x 3 layer.
std::vector<Layer> resnet50() {
  std::vector<Layer> layers{{3, 224, 64, 7, 2}};
  int channels = 64;
  int size = 56;
  int const blocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    int const width = 64 << stage;
    for (int block = 0; block < blocks[stage]; ++block) {
      int const stride = block == 0 && stage > 0 ? 2 : 1;
      layers.push_back({channels, size, width, 1, 1});
      layers.push_back({width, size, width, 3, stride});
      if (block == 0) layers.push_back({channels, size, 4 * width, 1, stride});
      size /= stride;
      layers.push_back({width, size, 4 * width, 1, 1});
      channels = 4 * width;
    }
  }
  return layers;
}

/// Weights (K, C R S) in CSR: `density` of the places at random.
struct Weights {
  std::vector<std::int32_t> row_offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  std::vector<float> bias;
};

Weights random_weights(Layer const& layer, double density, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(
      0, std::sqrt(2.0f / (static_cast<float>(density) * static_cast<float>(layer.columns()))));
  std::geometric_distribution<int> skip(density);
  Weights w;
  for (int k = 0; k < layer.filters; ++k) {
    for (std::int64_t column = skip(random); column < layer.columns(); column += 1 + skip(random)) {
      w.columns.push_back(static_cast<std::int32_t>(column));
      w.values.push_back(normal(random));
    }
    w.row_offsets.push_back(static_cast<std::int32_t>(w.columns.size()));
    w.bias.push_back(0.1f * normal(random));
  }
  return w;
}

/// Where the unrolled matrix's columns begin, and what is walked.
struct Geometry {
  std::int64_t channel_stride = 0;
  std::int64_t plane_stride = 0;
  ShiftedOperands<float> operands;  ///< without pointers
  cuda::LaidOut laid;               ///< of a pass before, without pointers
  bool passes = false;
};

enum class Form { explicit_columns, implicit_columns, chained };

std::int64_t up_to_four(std::int64_t n) { return (n + 3) / 4 * 4; }

Geometry geometry_of(Layer const& l, int batch, Form form) {
  Geometry g;
  auto& o = g.operands;
  o.images = batch;
  o.out_height = o.out_width = l.out();
  o.y_strides = form == Form::chained ? ShiftedStrides{l.pixels(), batch * l.pixels(), l.out()}
                                      : ShiftedStrides{l.filters * l.pixels(), l.pixels(), l.out()};
  o.relu = true;
  if (l.in_place() && form != Form::chained) {
    o.plane_width = l.size;
    o.image_stride = l.channels * l.input();
    g.channel_stride = l.input();
    return g;
  }
  bool const unrolled = form == Form::explicit_columns;
  int const planes = unrolled ? l.kernel : l.phases();
  int const places = unrolled ? l.out() : l.extent();
  o.plane_width = places;
  o.image_stride = std::int64_t{places} * places;
  g.plane_stride = up_to_four(batch * o.image_stride);
  g.channel_stride = planes * planes * g.plane_stride;
  g.passes = form != Form::chained;
  cuda::LaidAxis const axis{l.size, places, planes, 1, unrolled ? l.kernel : l.stride, l.stride, l.pad()};
  g.laid.images = batch;
  g.laid.channels = l.channels;
  g.laid.h = g.laid.w = axis;
  g.laid.x_image_stride = l.channels * l.input();
  g.laid.x_channel_stride = l.input();
  g.laid.image_stride = o.image_stride;
  g.laid.channel_stride = g.channel_stride;
  g.laid.plane_stride = g.plane_stride;
  return g;
}

/// The same weights by offsets, ascending within a row.
struct Offsets {
  std::vector<std::int32_t> of;
  std::vector<float> values;

  Offsets(Layer const& l, Weights const& w, Geometry const& g, Form form) {
    std::vector<std::pair<std::int32_t, float>> row;
    for (std::size_t k = 0; k + 1 < w.row_offsets.size(); ++k) {
      row.clear();
      for (auto j = at(w.row_offsets[k]); j < at(w.row_offsets[k + 1]); ++j) {
        int const s = w.columns[j] % l.kernel;
        int const r = w.columns[j] / l.kernel % l.kernel;
        std::int64_t offset = w.columns[j] / (l.kernel * l.kernel) * g.channel_stride;
        if (form == Form::explicit_columns)
          offset += (r * l.kernel + s) * g.plane_stride;
        else
          offset += (r % l.stride * l.phases() + s % l.stride) * g.plane_stride +
                    std::int64_t{r / l.stride} * g.operands.plane_width + s / l.stride;
        row.emplace_back(static_cast<std::int32_t>(offset), w.values[j]);
      }
      std::ranges::sort(row);
      for (auto const& [offset, value] : row) of.push_back(offset), values.push_back(value);
    }
  }
  [[nodiscard]] ShiftedWeights<float> weights(Weights const& w) const {
    return {static_cast<std::int64_t>(w.row_offsets.size()) - 1, w.row_offsets.data(), of.data(), values.data()};
  }
};

/// Memory that all layers share: activations go around, so that a layer reads what the one before wrote.
struct Arena {
  std::vector<DeviceArray<float>> activations;
  DeviceArray<float> unrolled;
  cudaStream_t stream = nullptr;
  cublasHandle_t cublas = nullptr;
  cusparseHandle_t cusparse = nullptr;
  std::shared_ptr<perf::Cudnn const> cudnn;  ///< null where there is none
};

class Method {
 public:
  virtual ~Method() = default;
  virtual void run(Arena const& arena, float const* x, float* y) const = 0;
  [[nodiscard]] virtual bool channels_first() const { return false; }  ///< (channel, image, line, element) at both ends
};

/// What a kind of layer has on the host, for all its occurrences.
struct Kind {
  Layer layer;
  Weights weights;
};

class Shifted : public Method {
 public:
  Shifted(Kind const& kind, int batch, Form form, shifted::Device const& device, shifted::Shape const* shape = nullptr)
      : geometry_(geometry_of(kind.layer, batch, form)), form_(form), bias_(kind.weights.bias) {
    Offsets const offsets(kind.layer, kind.weights, geometry_, form);
    auto const weights = offsets.weights(kind.weights);
    packing_ = shifted::pack(
        weights, shape
                     ? *shape
                     : shifted::choose_shape(shifted::measure(weights), shifted::walked_columns(geometry_.operands, 64),
                                             device.multiprocessors, device.shared_bytes, device.clusters));
    words_ = DeviceArray<std::uint32_t>(packing_.words);
    packing_.words.clear();
  }
  void run(Arena const& arena, float const* x, float* y) const override {
    auto o = geometry_.operands;
    o.planes = x;
    if (geometry_.passes) {
      auto laid = geometry_.laid;
      laid.x = x;
      laid.to = arena.unrolled.data();
      cuda::lay_out(laid, arena.stream);
      o.planes = arena.unrolled.data();
    }
    o.y = y;
    o.bias = bias_.data();
    shifted::convolve(packing_, words_.data(), o, arena.stream);
  }
  [[nodiscard]] bool channels_first() const override { return form_ == Form::chained; }
  [[nodiscard]] Geometry const& geometry() const { return geometry_; }
  [[nodiscard]] shifted::Packing const& packing() const { return packing_; }

 private:
  Geometry geometry_;
  Form form_;
  shifted::Packing packing_;
  DeviceArray<std::uint32_t> words_;
  DeviceArray<float> bias_;
};

/// im2col for the peers. \param together  the images of a row one after the other
cuda::LaidOut unrolled(Layer const& l, int batch, bool together, bool x_together) {
  cuda::LaidOut laid;
  laid.images = batch;
  laid.channels = l.channels;
  laid.h = laid.w = {l.size, l.out(), l.kernel, 1, l.kernel, l.stride, l.pad()};
  laid.x_image_stride = x_together ? l.input() : l.channels * l.input();
  laid.x_channel_stride = x_together ? batch * l.input() : l.input();
  laid.plane_stride = together ? batch * l.pixels() : l.pixels();
  laid.channel_stride = l.kernel * l.kernel * laid.plane_stride;
  laid.image_stride = together ? l.pixels() : l.columns() * l.pixels();
  return laid;
}

/// (K, C R S), zeros included.
std::vector<float> dense_weights(Kind const& kind) {
  Layer const& l = kind.layer;
  std::vector<float> dense(at(std::int64_t{l.filters} * l.columns()));
  for (int k = 0; k < l.filters; ++k)
    for (auto j = at(kind.weights.row_offsets[at(k)]); j < at(kind.weights.row_offsets[at(k) + 1]); ++j)
      dense[at(std::int64_t{k} * l.columns() + kind.weights.columns[j])] = kind.weights.values[j];
  return dense;
}

class Sgemm : public Method {
 public:
  Sgemm(Kind const& kind, int batch, bool together)
      : layer_(kind.layer), batch_(batch), together_(together), dense_(dense_weights(kind)) {}
  void run(Arena const& arena, float const* x, float* y) const override {
    float const* columns = x;
    if (!layer_.in_place()) {
      auto laid = unrolled(layer_, batch_, together_, together_);
      laid.x = x;
      laid.to = arena.unrolled.data();
      cuda::lay_out(laid, arena.stream);
      columns = arena.unrolled.data();
    }
    float const one = 1;
    float const zero = 0;
    auto const n = static_cast<int>(layer_.pixels());
    int const k = layer_.columns();
    int const m = layer_.filters;
    if (together_)
      check(cublasSgemm(arena.cublas, CUBLAS_OP_N, CUBLAS_OP_N, n * batch_, m, k, &one, columns, n * batch_,
                        dense_.data(), k, &zero, y, n * batch_),
            "cublasSgemm");
    else
      check(
          cublasSgemmStridedBatched(arena.cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, columns, n,
                                    std::int64_t{k} * n, dense_.data(), k, 0, &zero, y, n, std::int64_t{m} * n, batch_),
          "cublasSgemmStridedBatched");
  }
  [[nodiscard]] bool channels_first() const override { return together_; }

 private:
  Layer layer_;
  int batch_;
  bool together_;
  DeviceArray<float> dense_;
};

class Cusparse : public Method {
 public:
  Cusparse(Kind const& kind, int batch, cusparseSpMMAlg_t algorithm)
      : layer_(kind.layer),
        batch_(batch),
        algorithm_(algorithm),
        offsets_(kind.weights.row_offsets),
        columns_(kind.weights.columns),
        values_(kind.weights.values) {
    check(cusparseCreateCsr(&a_, layer_.filters, layer_.columns(), static_cast<std::int64_t>(columns_.size()),
                            offsets_.data(), columns_.data(), values_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "cusparseCreateCsr");
    std::int64_t const n = layer_.pixels() * batch_;
    check(cusparseCreateDnMat(&b_, layer_.columns(), n, n, values_.data(), CUDA_R_32F, CUSPARSE_ORDER_ROW), "B");
    check(cusparseCreateDnMat(&c_, layer_.filters, n, n, values_.data(), CUDA_R_32F, CUSPARSE_ORDER_ROW), "C");
  }
  ~Cusparse() override {
    cusparseDestroySpMat(a_);
    cusparseDestroyDnMat(b_);
    cusparseDestroyDnMat(c_);
  }
  Cusparse(Cusparse const&) = delete;
  Cusparse& operator=(Cusparse const&) = delete;
  void run(Arena const& arena, float const* x, float* y) const override {
    float const* columns = x;
    if (!layer_.in_place()) {
      auto laid = unrolled(layer_, batch_, true, true);
      laid.x = x;
      laid.to = arena.unrolled.data();
      cuda::lay_out(laid, arena.stream);
      columns = arena.unrolled.data();
    }
    float const one = 1;
    float const zero = 0;
    check(cusparseDnMatSetValues(b_, const_cast<float*>(columns)), "B");
    check(cusparseDnMatSetValues(c_, y), "C");
    auto const none = CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (!prepared_) {
      std::size_t bytes = 0;
      check(
          cusparseSpMM_bufferSize(arena.cusparse, none, none, &one, a_, b_, &zero, c_, CUDA_R_32F, algorithm_, &bytes),
          "cusparseSpMM_bufferSize");
      buffer_ = DeviceArray<char>(bytes);
      check(cusparseSpMM_preprocess(arena.cusparse, none, none, &one, a_, b_, &zero, c_, CUDA_R_32F, algorithm_,
                                    buffer_.data()),
            "cusparseSpMM_preprocess");
      prepared_ = true;
    }
    check(cusparseSpMM(arena.cusparse, none, none, &one, a_, b_, &zero, c_, CUDA_R_32F, algorithm_, buffer_.data()),
          "cusparseSpMM");
  }
  [[nodiscard]] bool channels_first() const override { return true; }

 private:
  Layer layer_;
  int batch_;
  cusparseSpMMAlg_t algorithm_;
  DeviceArray<std::int32_t> offsets_, columns_;
  DeviceArray<float> values_;
  cusparseSpMatDescr_t a_{};
  cusparseDnMatDescr_t b_{}, c_{};
  mutable DeviceArray<char> buffer_;
  mutable bool prepared_ = false;
};

class ImplicitGemm : public Method {
 public:
  /// \param workspace  of all layers, which run one after the other: grows to the largest need, and none may be running
  ImplicitGemm(Kind const& kind, int batch, std::shared_ptr<perf::Cudnn const> cudnn, perf::CudnnAlgorithm algorithm,
               perf::CudnnMath math, std::shared_ptr<DeviceArray<char>> workspace)
      : dense_(dense_weights(kind)),
        convolution_(std::move(cudnn), shape_of(kind.layer, batch), algorithm, math),
        workspace_(std::move(workspace)) {
    if (workspace_->size() < convolution_.workspace_bytes())
      *workspace_ = DeviceArray<char>(convolution_.workspace_bytes());
  }
  void run(Arena const&, float const* x, float* y) const override {
    convolution_.run(x, dense_.data(), y, workspace_->data());
  }

 private:
  static perf::CudnnShape shape_of(Layer const& l, int batch) {
    return {batch, l.channels, l.size, l.filters, l.kernel, l.stride, l.pad(), l.out()};
  }
  DeviceArray<float> dense_;
  perf::CudnnConvolution convolution_;
  std::shared_ptr<DeviceArray<char>> workspace_;
};

/// Holds a method's results, written over NaN, at places drawn by seed to a direct convolution in double; the largest
/// error in units of its bound. \param roundoff  of the precision that the method computes in
double worst_share(Kind const& kind, int batch, Method const& method, bool epilogue, double roundoff,
                   Arena const& arena, unsigned seed) {
  Layer const& l = kind.layer;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> x(at(batch * l.channels * l.input()));
  for (float& v : x) v = normal(random);
  auto const& in = arena.activations[0];
  auto const& out = arena.activations[1];
  std::size_t const results = at(batch * l.filters * l.pixels());
  out.fill_bytes(0xff, results);
  bool const first = method.channels_first();
  auto const* const own = dynamic_cast<Shifted const*>(&method);
  auto const input = [&](int image, int c, int line, int element) {
    return x[at((std::int64_t{image} * l.channels + c) * l.input() + line * l.size + element)];
  };
  if (first && own) {
    // Padded planes, as the layer before would have written them.
    in.upload(x);
    auto laid = own->geometry().laid;
    laid.x = in.data();
    laid.to = arena.activations[2].data();
    cuda::lay_out(laid, arena.stream);
    method.run(arena, arena.activations[2].data(), out.data());
  } else if (first) {
    std::vector<float> turned(x.size());
    for (int image = 0; image < batch; ++image)
      for (int c = 0; c < l.channels; ++c)
        std::copy_n(x.begin() + (std::int64_t{image} * l.channels + c) * l.input(), l.input(),
                    turned.begin() + (std::int64_t{c} * batch + image) * l.input());
    in.upload(turned);
    method.run(arena, in.data(), out.data());
  } else {
    in.upload(x);
    method.run(arena, in.data(), out.data());
  }
  check(cudaStreamSynchronize(arena.stream), "cudaStreamSynchronize");
  auto const y = out.download(results);
  double worst = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    auto const draw = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
    int const image = draw(batch), k = draw(l.filters), oy = draw(l.out()), ox = draw(l.out());
    double sum = 0, magnitude = 0;
    auto const begin = at(kind.weights.row_offsets[at(k)]), end = at(kind.weights.row_offsets[at(k) + 1]);
    for (auto j = begin; j < end; ++j) {
      int const s = kind.weights.columns[j] % l.kernel, r = kind.weights.columns[j] / l.kernel % l.kernel;
      int const line = oy * l.stride + r - l.pad(), element = ox * l.stride + s - l.pad();
      if (line < 0 || line >= l.size || element < 0 || element >= l.size) continue;
      double const term =
          static_cast<double>(kind.weights.values[j]) *
          static_cast<double>(input(image, kind.weights.columns[j] / (l.kernel * l.kernel), line, element));
      sum += term, magnitude += std::abs(term);
    }
    if (epilogue) {
      auto const bias = static_cast<double>(kind.weights.bias[at(k)]);
      magnitude += std::abs(bias);
      sum = std::max(sum + bias, 0.0);
    }
    std::int64_t const pixel = oy * l.out() + ox;
    auto const got = static_cast<double>(y[at(first ? (std::int64_t{k} * batch + image) * l.pixels() + pixel
                                                    : (std::int64_t{image} * l.filters + k) * l.pixels() + pixel)]);
    // SGEMM adds zeros too, and in blocks.
    double const bound = (static_cast<double>(end - begin) + 12) * roundoff * magnitude + 0x1p-140;
    double const share = std::abs(got - sum) / bound;
    worst = std::max(worst, std::isnan(share) ? std::numeric_limits<double>::infinity() : share);
  }
  return worst;
}

float milliseconds(cudaEvent_t from, cudaEvent_t to) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, from, to), "cudaEventElapsedTime");
  return ms;
}

struct Event {
  cudaEvent_t of{};
  Event() { check(cudaEventCreate(&of), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(of); }
  Event(Event const&) = delete;
  Event& operator=(Event const&) = delete;
};

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

struct Times {
  std::vector<double> layers;  ///< us
  double total = 0;
  double graph = 0;  ///< the stack replayed from a graph
};

/// Of the stack's layer i, which reads what the one before wrote.
void launch(std::vector<Method const*> const& stack, std::size_t i, Arena const& arena) {
  stack[i]->run(arena, arena.activations[i % 3].data(), arena.activations[(i + 1) % 3].data());
}

/// The stack as a graph. Where a method throws, or may not be captured, the stream is as before.
cudaGraph_t capture(std::vector<Method const*> const& stack, Arena const& arena) {
  cudaGraph_t graph{};
  check(cudaStreamBeginCapture(arena.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  try {
    for (std::size_t i = 0; i < stack.size(); ++i) launch(stack, i, arena);
  } catch (...) {
    cudaStreamEndCapture(arena.stream, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
    throw;
  }
  check(cudaStreamEndCapture(arena.stream, &graph), "cudaStreamEndCapture");
  return graph;
}

Times time_stack(std::vector<Method const*> const& stack, Arena const& arena) {
  constexpr int runs = 15;
  std::vector<Event> const events(stack.size() + 1);
  std::vector<std::vector<double>> layers(stack.size());
  std::vector<double> totals, graphs;
  for (int run = -2; run < runs; ++run) {
    check(cudaEventRecord(events[0].of, arena.stream), "cudaEventRecord");
    for (std::size_t i = 0; i < stack.size(); ++i) {
      launch(stack, i, arena);
      check(cudaEventRecord(events[i + 1].of, arena.stream), "cudaEventRecord");
    }
    check(cudaStreamSynchronize(arena.stream), "cudaStreamSynchronize");
    if (run >= 0)
      for (std::size_t i = 0; i < stack.size(); ++i)
        layers[i].push_back(1e3 * static_cast<double>(milliseconds(events[i].of, events[i + 1].of)));
  }
  for (int run = -2; run < runs; ++run) {
    check(cudaEventRecord(events[0].of, arena.stream), "cudaEventRecord");
    for (std::size_t i = 0; i < stack.size(); ++i) launch(stack, i, arena);
    check(cudaEventRecord(events[1].of, arena.stream), "cudaEventRecord");
    check(cudaStreamSynchronize(arena.stream), "cudaStreamSynchronize");
    if (run >= 0) totals.push_back(1e3 * static_cast<double>(milliseconds(events[0].of, events[1].of)));
  }
  cudaGraph_t const graph = capture(stack, arena);
  cudaGraphExec_t replay{};
  check(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
  for (int run = -2; run < runs; ++run) {
    check(cudaEventRecord(events[0].of, arena.stream), "cudaEventRecord");
    check(cudaGraphLaunch(replay, arena.stream), "cudaGraphLaunch");
    check(cudaEventRecord(events[1].of, arena.stream), "cudaEventRecord");
    check(cudaStreamSynchronize(arena.stream), "cudaStreamSynchronize");
    if (run >= 0) graphs.push_back(1e3 * static_cast<double>(milliseconds(events[0].of, events[1].of)));
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  Times times;
  for (auto const& of_layer : layers) times.layers.push_back(median(of_layer));
  times.total = median(totals);
  times.graph = median(graphs);
  return times;
}

/// Every form of the kernel for a kind of layer: microseconds a call of 20 in a stream.
void sweep(Kind const& kind, int batch, Arena const& arena, shifted::Device const& device) {
  cudaEvent_t from{}, to{};
  check(cudaEventCreate(&from), "cudaEventCreate");
  check(cudaEventCreate(&to), "cudaEventCreate");
  Geometry const g = geometry_of(kind.layer, batch, Form::chained);
  Offsets const offsets(kind.layer, kind.weights, g, Form::chained);
  auto const work = shifted::measure(offsets.weights(kind.weights));
  std::int64_t const columns = shifted::walked_columns(g.operands, 64);
  auto const chosen =
      shifted::choose_shape(work, columns, device.multiprocessors, device.shared_bytes, device.clusters);
  struct Result {
    double us, expected;
    shifted::Shape shape;
  };
  std::vector<Result> results;
  double of_chosen = 0;
  for (int const lane_columns : {1, 2, 4, 8})
    for (int const warp_rows : {1, 2, 4, 8})
      for (int const splits : {1, 2, 4, 8})
        for (int const stages : {1, 2, 4}) {
          shifted::Shape const shape{lane_columns, warp_rows, splits, stages == 1 ? 110000 : 73000, stages};
          double const expected = shifted::expected_cycles(work, columns, device.multiprocessors, shape) / 1755;
          if (expected > 4 * shifted::expected_cycles(work, columns, device.multiprocessors, chosen) / 1755) continue;
          Shifted const method(kind, batch, Form::chained, device, &shape);
          std::vector<double> times;
          for (int run = 0; run < 5; ++run) {
            check(cudaEventRecord(from, arena.stream), "cudaEventRecord");
            for (int i = 0; i < 12; ++i) method.run(arena, arena.activations[0].data(), arena.activations[1].data());
            check(cudaEventRecord(to, arena.stream), "cudaEventRecord");
            check(cudaStreamSynchronize(arena.stream), "cudaStreamSynchronize");
            times.push_back(1e3 * static_cast<double>(milliseconds(from, to)) / 12);
          }
          results.push_back({median(times), expected, shape});
          if (lane_columns == chosen.lane_columns && warp_rows == chosen.warp_rows && splits == chosen.splits &&
              stages == 2)
            of_chosen = median(times);
        }
  std::ranges::sort(results, {}, &Result::us);
  std::printf("%-22s batch %2d  chosen %s %.2f |", kind.layer.name().c_str(), batch, chosen.name().c_str(), of_chosen);
  for (std::size_t i = 0; i < std::min<std::size_t>(4, results.size()); ++i)
    std::printf(" %s,stages:%d %.2f (%.2f)", results[i].shape.name().c_str(), results[i].shape.least_stages,
                results[i].us, results[i].expected);
  std::printf("\n");
  for (auto const& r : results)
    std::printf("#,%s,%d,%lld,%lld,%lld,%d,%d,%d,%d,%.3f,%.3f\n", kind.layer.name().c_str(), batch,
                static_cast<long long>(work.rows), static_cast<long long>(work.nnz), static_cast<long long>(columns),
                r.shape.lane_columns, r.shape.warp_rows, r.shape.splits, r.shape.least_stages, r.us, r.expected);
  std::fflush(stdout);
  cudaEventDestroy(from);
  cudaEventDestroy(to);
}

struct Flags {
  std::vector<int> batches;
  double sparsity = 0.9;
  std::string only;
  bool sweep = false;
};

Flags read_flags(int argc, char** argv) {
  Flags flags;
  auto const value = [&](int& i) {
    if (i + 1 >= argc)
      throw Error(ErrorKind::invalid_argument, std::string("bench_conv_cuda: ") + argv[i] + " has no value");
    return argv[++i];
  };
  for (int i = 1; i < argc; ++i) {
    std::string const flag = argv[i];
    if (flag == "--batch")
      flags.batches.push_back(std::atoi(value(i)));
    else if (flag == "--sparsity")
      flags.sparsity = std::atof(value(i));
    else if (flag == "--only")
      flags.only = value(i);
    else if (flag == "--sweep")
      flags.sweep = true;
    else
      throw Error(ErrorKind::invalid_argument, "bench_conv_cuda: no such flag: " + flag);
  }
  if (flags.batches.empty()) flags.batches = {1, 32};
  return flags;
}

/// A way to run every layer.
struct Named {
  char const* name;
  bool epilogue;
  std::function<std::unique_ptr<Method>(Kind const&)> make;
  Precision precision = Precision::native;
  bool optional = false;  ///< what it cannot run, or not within its bound, is said, and the others go on
};

std::vector<Named> methods_of(int batch, Arena const& arena, shifted::Device const& device) {
  std::vector<Named> methods{
      {"sgemm", false, [=](Kind const& k) { return std::make_unique<Sgemm>(k, batch, false); }},
      {"sgemm_one", false, [=](Kind const& k) { return std::make_unique<Sgemm>(k, batch, true); }},
      {"cusparse2", false, [=](Kind const& k) { return std::make_unique<Cusparse>(k, batch, CUSPARSE_SPMM_CSR_ALG2); }},
      {"cusparse3", false,
       [=](Kind const& k) { return std::make_unique<Cusparse>(k, batch, CUSPARSE_SPMM_CSR_ALG3); }}};
  auto const workspace = std::make_shared<DeviceArray<char>>();
  auto const of_cudnn = [&](char const* name, perf::CudnnAlgorithm algorithm, perf::CudnnMath math) {
    auto const precision = math == perf::CudnnMath::tf32 ? Precision::tf32 : Precision::native;
    methods.push_back({name, false,
                       [=, cudnn = arena.cudnn](Kind const& k) {
                         return std::make_unique<ImplicitGemm>(k, batch, cudnn, algorithm, math, workspace);
                       },
                       precision, true});
  };
  if (arena.cudnn) {
    of_cudnn("cudnn_gemm", perf::CudnnAlgorithm::implicit_gemm, perf::CudnnMath::fma);
    of_cudnn("cudnn_precomp", perf::CudnnAlgorithm::implicit_precomp_gemm, perf::CudnnMath::fma);
    of_cudnn("cudnn_tf32", perf::CudnnAlgorithm::implicit_precomp_gemm, perf::CudnnMath::tf32);
  }
  auto const ours = [&](char const* name, Form form) {
    methods.push_back({name, true, [=](Kind const& k) { return std::make_unique<Shifted>(k, batch, form, device); }});
  };
  ours("explicit", Form::explicit_columns);
  ours("implicit", Form::implicit_columns);
  ours("chained", Form::chained);
  return methods;
}

using Shapes = std::map<Layer, std::string>;

/// Every kind of layer checked, then all of them timed. \param shapes  takes those of our kernel
/// \throws araia::Error device where an optional method misses its bound, or as it refuses
Times check_and_time(Named const& named, int batch, std::vector<Layer> const& stack, std::map<Layer, Kind> const& kinds,
                     Arena const& arena, Shapes& shapes) {
  double worst = 0;
  std::vector<std::unique_ptr<Method>> made;
  std::vector<Method const*> of_stack;
  std::map<Layer, bool> seen;
  for (Layer const& layer : stack) {
    Kind const& kind = kinds.at(layer);
    made.push_back(named.make(kind));
    of_stack.push_back(made.back().get());
    if (!seen[layer]) {
      double const share =
          worst_share(kind, batch, *made.back(), named.epilogue, unit_roundoff(named.precision, 4), arena, 3);
      if (share > 1) {
        std::printf("# %s, %s: error of %.2f bounds\n", named.name, layer.name().c_str(), share);
        if (named.optional) throw Error(ErrorKind::device, layer.name() + " is off by more than its bound");
      }
      worst = std::max(worst, share);
      if (auto const* own = dynamic_cast<Shifted const*>(made.back().get()))
        shapes[layer] = own->packing().shape.name();
    }
    seen[layer] = true;
  }
  Times const times = time_stack(of_stack, arena);
  std::printf("# %s batch %d: worst error %.3f of its bound (%s), total %.1f us, from a graph %.1f us\n", named.name,
              batch, worst, precision_name(named.precision), times.total, times.graph);
  std::fflush(stdout);
  return times;
}

void print_ratios(char const* what, std::map<std::string, Times> const& all, double Times::*field) {
  auto const of = [&](char const* name) { return all.at(name).*field; };
  double const dense = std::min(of("sgemm"), of("sgemm_one"));
  std::printf(
      "%s: implicit %.2f times the better SGEMM (%.2f times NCHW), chained %.2f; implicit %.2f times explicit\n", what,
      dense / of("implicit"), of("sgemm") / of("implicit"), dense / of("chained"), of("explicit") / of("implicit"));
  for (char const* peer : {"cudnn_gemm", "cudnn_precomp", "cudnn_tf32"})
    if (all.contains(peer)) std::printf("%s: implicit %.2f times %s\n", what, of(peer) / of("implicit"), peer);
}

void compare(Flags const& flags, int batch, std::vector<Layer> const& stack, std::map<Layer, Kind> const& kinds,
             Arena const& arena, shifted::Device const& device) {
  std::vector<Named> methods = methods_of(batch, arena, device);
  std::map<std::string, Times> all;
  Shapes shapes;
  for (auto const& named : methods) {
    try {
      all[named.name] = check_and_time(named, batch, stack, kinds, arena, shapes);
    } catch (Error const& error) {
      if (!named.optional) throw;
      std::printf("# %s batch %d: left out: %s\n", named.name, batch, error.what());
    }
  }
  std::erase_if(methods, [&](Named const& named) { return !all.contains(named.name); });
  std::printf("\nbatch %d, sparsity %.2f, us a layer (median of its occurrences in the stack)\n%-24s", batch,
              flags.sparsity, "layer");
  for (auto const& named : methods) std::printf(" %13s", named.name);
  std::printf("  useful TF, form (chained)\n");
  std::map<Layer, bool> seen;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    Layer const& layer = stack[i];
    if (seen[layer]) continue;
    seen[layer] = true;
    auto const count = std::ranges::count(stack, layer);
    std::printf("%-19s x %2d ", layer.name().c_str(), static_cast<int>(count));
    double chained = 0;
    for (auto const& named : methods) {
      std::vector<double> of;
      for (std::size_t j = 0; j < stack.size(); ++j)
        if (stack[j] == layer) of.push_back(all[named.name].layers[j]);
      chained = median(of);
      std::printf(" %13.1f", chained);
    }
    double const flop =
        2.0 * static_cast<double>(kinds.at(layer).weights.values.size()) * static_cast<double>(layer.pixels()) * batch;
    std::printf("  %5.2f %s\n", flop / chained * 1e-6, shapes[layer].c_str());
  }
  for (char const* what : {"sum of layers", "stack", "stack, graph"}) {
    std::printf("%-24s", what);
    for (auto const& named : methods) {
      Times const& times = all[named.name];
      double sum = 0;
      for (double const t : times.layers) sum += t;
      std::printf(" %13.1f", what[0] == 's' && what[1] == 'u' ? sum : what[5] == ',' ? times.graph : times.total);
    }
    std::printf("\n");
  }
  print_ratios("stack", all, &Times::total);
  print_ratios("stack from a graph", all, &Times::graph);
  std::fflush(stdout);
}

/// Null, and a line that says why, where there is no cuDNN to time.
std::shared_ptr<perf::Cudnn const> open_cudnn() {
  try {
    auto cudnn = perf::Cudnn::open();
    std::printf("# cuDNN %s from %s\n", cudnn->version().c_str(), cudnn->library().c_str());
    std::fflush(stdout);
    return cudnn;
  } catch (Error const& error) {
    std::printf("# cuDNN left out: %s\n", error.what());
    std::fflush(stdout);
    return nullptr;
  }
}

int run(int argc, char** argv) {
  Flags const flags = read_flags(argc, argv);
  std::vector<Layer> stack = resnet50();
  std::erase_if(stack, [&](Layer const& l) { return l.name().find(flags.only) == std::string::npos; });
  if (stack.empty()) throw Error(ErrorKind::invalid_argument, "bench_conv_cuda: no layer is named " + flags.only);
  std::map<Layer, Kind> kinds;
  for (Layer const& layer : stack)
    if (!kinds.contains(layer))
      kinds[layer] = {layer, random_weights(layer, 1 - flags.sparsity, static_cast<unsigned>(kinds.size()) + 1)};
  auto cudnn = flags.sweep ? nullptr : open_cudnn();
  auto const device = shifted::current_device();
  Arena arena;
  arena.cudnn = std::move(cudnn);
  check(cudaStreamCreateWithFlags(&arena.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  if (arena.cudnn) arena.cudnn->set_stream(arena.stream);
  check(cublasCreate(&arena.cublas), "cublasCreate");
  check(cublasSetStream(arena.cublas, arena.stream), "cublasSetStream");
  DeviceArray<char> const workspace(std::size_t{32} << 20);
  check(cublasSetWorkspace(arena.cublas, workspace.data(), workspace.size()), "cublasSetWorkspace");
  check(cusparseCreate(&arena.cusparse), "cusparseCreate");
  check(cusparseSetStream(arena.cusparse, arena.stream), "cusparseSetStream");
  for (int const batch : flags.batches) {
    std::int64_t activations = 0;
    std::int64_t unrolled_words = 0;
    for (Layer const& l : stack) {
      std::int64_t const planes = l.channels * up_to_four(batch * l.plane()) * l.phases() * l.phases();
      activations = std::max({activations, batch * l.channels * l.input(), batch * l.filters * l.pixels(), planes});
      unrolled_words = std::max({unrolled_words, l.columns() * up_to_four(batch * l.pixels()), planes});
    }
    std::vector<float> values(at(activations));
    std::mt19937 random(1);
    for (float& v : values) v = static_cast<float>(random() % 2001) * 1e-3f - 1.0f;
    arena.activations.clear();
    for (int i = 0; i < 3; ++i) arena.activations.emplace_back(values);
    arena.unrolled = DeviceArray<float>(at(unrolled_words));
    if (flags.sweep)
      for (auto const& [layer, kind] : kinds) sweep(kind, batch, arena, device);
    else
      compare(flags, batch, stack, kinds, arena, device);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
