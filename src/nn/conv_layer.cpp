// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/conv_layer.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "backends/cuda/spmm/dense_cublas/built.hpp"
#include "src/nn/conv_paths.hpp"
#include "src/reason.hpp"

namespace araia {
namespace detail {

void throw_not_a_tensor(char const* name, std::string const& got, std::string const& expected) {
  throw Error(ErrorKind::dimension_mismatch,
              "araia::ConvLayer::execute: " + std::string(name) + " is " + got + ", expected contiguous " + expected);
}

void throw_tensors_overlap(char const* name) {
  throw Error(ErrorKind::invalid_argument,
              "araia::ConvLayer::execute: " + std::string(name) + " overlaps another tensor, expected them apart");
}

namespace {

/// Where nothing is timed, dense weights are taken below this sparsity.
constexpr double rule_of_dense = 0.66;
constexpr int least_samples = 3;
constexpr int most_samples = 50;

bool has_dense(bool device) {
#ifdef KOKKOS_ENABLE_CUDA
  if (device) return cuda::has_cublas();
#endif
  return !device && has_blas();
}

/// Why a method cannot compute a shape; empty where it can.
std::string refuse(ConvMethod method, ConvShape const& shape, bool device) {
  switch (method) {
    case ConvMethod::in_place:
      return shape.multiplies_input() ? "" : "the layer is not 1 x 1 with stride 1 and without a border";
    case ConvMethod::im2col: return shape.multiplies_input() ? "the input need not be unrolled: in_place" : "";
    case ConvMethod::depthwise: return shape.depthwise() ? "" : "groups do not have one channel each";
    case ConvMethod::dense:
      if (!has_dense(device)) return "this build has no dense product for the space";
      if (device && shape.groups > 1) return "the dense product has no groups";
      return "";
    case ConvMethod::shifted_columns:
    case ConvMethod::automatic: return "";
  }
  return "";
}

template <class Exec, class T>
std::unique_ptr<ConvPath<Exec, T>> make_path(ConvSource<Exec, T> const& s, ConvMethod method) {
  switch (method) {
    case ConvMethod::shifted_columns: return std::make_unique<ConvShiftedPath<Exec, T>>(s);
    case ConvMethod::depthwise: return std::make_unique<ConvDepthwisePath<Exec, T>>(s);
    case ConvMethod::dense:
      if constexpr (!is_device_space<Exec>) return std::make_unique<ConvBlasPath<Exec, T>>(s);
      [[fallthrough]];
    case ConvMethod::im2col:
    case ConvMethod::in_place:
    case ConvMethod::automatic: break;
  }
  return std::make_unique<ConvPlanPath<Exec, T>>(s, method);
}

/// The least of some samples of a whole layer.
template <class Exec, class T>
double time_path(Exec const& exec, ConvPath<Exec, T> const& path, T const* x, T* y, double budget) {
  using Clock = std::chrono::steady_clock;
  auto const seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  path.run(exec, x, y, nullptr);
  exec.fence("araia::conv: warm");
  double best = std::numeric_limits<double>::infinity();
  auto const start = Clock::now();
  for (int sample = 0; sample < most_samples && (sample < least_samples || seconds_since(start) < budget); ++sample) {
    auto const begin = Clock::now();
    path.run(exec, x, y, nullptr);
    exec.fence("araia::conv: the layer is done");
    best = std::min(best, seconds_since(begin));
  }
  return best;
}

template <class Exec, class T>
class Layer final : public ConvBody<Exec, T> {
 public:
  Layer(Exec const& exec, ConvShape const& shape, std::int64_t batch, ConvWeights const& weights,
        ConvOptions const& options) {
    report_.shape = shape;
    report_.batch = batch;
    report_.nnz = weights.nnz();
    report_.sparsity = weights.sparsity();
    report_.options = options;
    ConvSource<Exec, T> const source{exec, shape, batch, weights, options};
    if (options.method != ConvMethod::automatic) {
      if (auto const reason = refuse(options.method, shape, is_device_space<Exec>); !reason.empty())
        throw Error(ErrorKind::unsupported, "araia::ConvLayer: method is " + std::string(to_string(options.method)) +
                                                " for " + araia::to_string(shape) + ": " + reason);
      path_ = make_path(source, options.method);
      report_.candidates = {path_->about()};
    } else if (options.measure) {
      race(source);
    } else {
      path_ = make_path(source, by_rule(source));
      report_.candidates = {path_->about()};
    }
  }

  void run(Exec const& exec, T const* x, T* y, T const* residual) const override {
    static std::string const label = "araia::conv";
    Kokkos::Profiling::ScopedRegion const region(label);
    path_->run(exec, x, y, residual);
  }
  [[nodiscard]] ConvReport const& report() const override { return report_; }

 private:
  static ConvMethod by_rule(ConvSource<Exec, T> const& s) {
    if (s.options.allow_dense && s.shape.depthwise()) return ConvMethod::depthwise;
    if (s.options.allow_dense && s.weights.sparsity() < rule_of_dense &&
        refuse(ConvMethod::dense, s.shape, is_device_space<Exec>).empty())
      return ConvMethod::dense;
    if (s.options.precision != Precision::native)
      return s.shape.multiplies_input() ? ConvMethod::in_place : ConvMethod::im2col;
    // Planes hold what lies between taps far apart too.
    std::int64_t const unrolled = s.shape.unrolled_rows() * s.shape.out_height() * s.shape.out_width();
    return ShiftedPlanes(s.shape).size() > unrolled ? ConvMethod::im2col : ConvMethod::shifted_columns;
  }

  void race(ConvSource<Exec, T> const& s) {
    using Device = typename Exec::device_type;
    require_conv_memory<Exec>("tensors for timing",
                              conv_bytes(s.batch * (s.shape.input_size() + s.shape.output_size()), sizeof(T)), 0);
    auto const x = new_array<T, Device>(s.exec, "araia::conv::timed_x", s.batch * s.shape.input_size());
    auto const y = new_array<T, Device>(s.exec, "araia::conv::timed_y", s.batch * s.shape.output_size());
    fill_array(s.exec, x, T(1));
    std::vector<ConvMethod> methods{ConvMethod::shifted_columns, ConvMethod::in_place, ConvMethod::im2col};
    if (s.options.allow_dense) methods.insert(methods.end(), {ConvMethod::depthwise, ConvMethod::dense});
    std::vector<ConvCandidate> out;
    double best = std::numeric_limits<double>::infinity();
    for (auto const method : methods) {
      ConvCandidate candidate;
      candidate.method = method;
      candidate.reason = refuse(method, s.shape, is_device_space<Exec>);
      std::unique_ptr<ConvPath<Exec, T>> path;
      if (candidate.reason.empty()) try {
          path = make_path(s, method);
          candidate = path->about();
          candidate.seconds =
              time_path(s.exec, *path, x.data(), y.data(), s.options.budget / static_cast<double>(methods.size()));
        } catch (Error const& e) {
          if (e.kind() != ErrorKind::resource_limit && e.kind() != ErrorKind::unsupported) throw;
          candidate.reason = without_function(e.what());
          path.reset();
        }
      if (!path) {
        out.push_back(candidate);
        continue;
      }
      if (candidate.seconds < best) {
        best = candidate.seconds;
        path_ = std::move(path);
      }
      report_.candidates.push_back(candidate);
    }
    if (!path_)
      throw Error(ErrorKind::resource_limit, "araia::ConvLayer: no method could be made, the first as " +
                                                 (out.empty() ? std::string("none was tried") : out.front().reason));
    std::stable_sort(report_.candidates.begin(), report_.candidates.end(),
                     [](auto const& a, auto const& b) { return a.seconds < b.seconds; });
    report_.candidates.insert(report_.candidates.end(), out.begin(), out.end());
    report_.measured = true;
  }

  ConvReport report_;
  std::unique_ptr<ConvPath<Exec, T>> path_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvBody<Exec, T>> make_conv_body(Exec const& exec, ConvShape const& shape, std::int64_t batch,
                                                  ConvWeights const& weights, ConvOptions const& options) {
  require_valid(shape, batch);
  require_valid(shape, weights);
  if (!(options.budget >= 0))
    throw Error(ErrorKind::invalid_argument,
                "araia::ConvLayer: budget is " + std::to_string(options.budget) + ", expected a number of seconds");
  if (options.precision != Precision::native && !std::is_same_v<T, float>)
    throw Error(ErrorKind::unsupported, "araia::ConvLayer: precision is " +
                                            std::string(precision_name(options.precision)) +
                                            " for double, expected native");
  return std::make_unique<Layer<Exec, T>>(exec, shape, batch, weights, options);
}

}  // namespace detail

template <class Exec, class T>
ConvFlip find_flip(Exec const& exec, ConvShape const& shape, std::int64_t batch, ConvOptions const& options,
                   double dense_seconds) {
  ConvFlip flip;
  if (!(dense_seconds > 0)) {
    flip.reason = "no dense method was timed";
    return flip;
  }
  ConvOptions sparse = options;
  sparse.method = ConvMethod::automatic;
  sparse.measure = true;
  sparse.allow_dense = false;
  // time = intercept + slope (1 - sparsity), by least squares.
  double sum_d = 0;
  double sum_t = 0;
  double sum_dd = 0;
  double sum_dt = 0;
  for (double const sparsity : {0.5, 0.75, 0.95}) {
    ConvLayer<Exec, T> const layer(exec, shape, batch, random_weights(shape, sparsity), sparse);
    double const seconds = layer.report().winner().seconds;
    double const density = 1 - sparsity;
    flip.at.push_back(sparsity);
    flip.seconds.push_back(seconds);
    sum_d += density;
    sum_t += seconds;
    sum_dd += density * density;
    sum_dt += density * seconds;
  }
  double const n = static_cast<double>(flip.at.size());
  double const slope = (n * sum_dt - sum_d * sum_t) / (n * sum_dd - sum_d * sum_d);
  double const intercept = (sum_t - slope * sum_d) / n;
  if (!(slope > 0)) {
    flip.reason = "the sparse time does not fall with the sparsity";
    return flip;
  }
  flip.known = true;
  flip.sparsity = std::clamp(1 - (dense_seconds - intercept) / slope, 0.0, 1.0);
  return flip;
}

[[gnu::used]] static void write_out_conv_layer() {
  detail::for_types<detail::Spaces, detail::Reals>([&]<class Exec, class T>() {
    detail::write_out(detail::make_conv_body<Exec, T>);
    detail::write_out(find_flip<Exec, T>);
  });
}

}  // namespace araia
