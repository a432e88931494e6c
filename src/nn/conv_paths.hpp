// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The ways to compute a layer, each whole: tensor in, tensor out, with bias, residual and activation.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <araia/detail/dispatch/host_simd.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/nn/conv_weights.hpp>
#include <araia/error.hpp>
#include <araia/formats/csr.hpp>
#include <araia/nn/conv_options.hpp>
#include <araia/ops/spmm_epilogue.hpp>
#include <araia/plan/plan.hpp>

#include "src/nn/conv_blas.hpp"
#include "src/nn/conv_passes.hpp"
#include "src/nn/conv_shifted.hpp"

namespace araia::detail {

/// What every path is made from.
template <class Exec, class T>
struct ConvSource {
  Exec const& exec;
  ConvShape const& shape;
  std::int64_t batch;
  ConvWeights const& weights;
  ConvOptions const& options;
};

template <class Exec, class T>
class ConvPath {
 public:
  virtual ~ConvPath() = default;
  virtual void run(Exec const& exec, T const* x, T* y, T const* residual) const = 0;
  /// Method, kernel, precision and bytes.
  [[nodiscard]] virtual ConvCandidate about() const = 0;
};

template <class Exec, class T>
struct ConvBias {
  Kokkos::View<T*, typename Exec::device_type> view;

  explicit ConvBias(ConvSource<Exec, T> const& s) : view(conv_array<T>(s.exec, "araia::conv::bias", s.weights.bias)) {}
  [[nodiscard]] T const* data() const { return view.extent(0) == 0 ? nullptr : view.data(); }
};

inline std::uint64_t conv_bytes(std::int64_t elements, std::size_t size) {
  return static_cast<std::uint64_t>(elements) * size;
}

/// Before a method allocates. \param in_space  bytes in exec's memory  \param on_host  beside them on the host,
/// meanwhile \throws araia::Error resource_limit where they are beyond what is permitted by default
template <class Exec>
void require_conv_memory(char const* method, std::uint64_t in_space, std::uint64_t on_host) {
  std::string const what = std::string("araia::ConvLayer: ") + method;
  if (host_reaches<Exec>) {
    require_memory(what.c_str(), saturating_sum(in_space, on_host), default_host_memory_limit());
  } else {
    require_memory(what.c_str(), on_host, default_host_memory_limit());
    require_memory(what.c_str(), in_space, default_device_memory_limit());
  }
}

/// Weights (sparse, or dense in a plan) by the input as it lies or unrolled, in a plan of SpMM.
template <class Exec, class T>
class ConvPlanPath final : public ConvPath<Exec, T> {
 public:
  using Device = typename Exec::device_type;
  using ConstBatch = Kokkos::View<T const***, Kokkos::LayoutStride, Device, Kokkos::MemoryUnmanaged>;
  using Batch = Kokkos::View<T***, Kokkos::LayoutStride, Device, Kokkos::MemoryUnmanaged>;
  using PlanType = Plan<Exec, SpmmDesc, T>;

  ConvPlanPath(ConvSource<Exec, T> const& s, ConvMethod method)
      : shape_(s.shape),
        batch_(s.batch),
        method_(method),
        layout_(s.options.layout),
        relu_(s.options.relu),
        in_place_(s.shape.multiplies_input()),
        bias_(s),
        places_(s.shape.out_height() * s.shape.out_width()),
        gather_(GatherLines<T>::unrolled(s.shape, s.options.layout)),
        images_(images_at_a_time(s.options.unrolled_bytes)),
        plan_(make(s)) {
    if (in_place_) return;
    unrolled_ = new_array<T, Device>(s.exec, "araia::conv::unrolled", images_ * gather_.size());
    if (layout_ == TensorLayout::nhwc)
      product_ = new_array<T, Device>(s.exec, "araia::conv::product", images_ * shape_.output_size());
  }

  void run(Exec const& exec, T const* x, T* y, T const* residual) const override {
    if (in_place_) {
      bool const last = layout_ == TensorLayout::nhwc;
      Kokkos::LayoutStride const from = items(batch_, shape_.channels, last);
      Kokkos::LayoutStride const to = items(batch_, shape_.filters, last);
      product(exec, ConstBatch(x, from), Batch(y, to), residual, to);
      return;
    }
    for (std::int64_t first = 0; first < batch_; first += images_) {
      std::int64_t const images = std::min(images_, batch_ - first);
      auto gather = gather_;
      gather.x = x + first * shape_.input_size();
      gather.out = unrolled_.data();
      gather_lines("araia::conv::unroll", exec, gather, images);
      ConstBatch const b(unrolled_.data(), items(images, shape_.unrolled_rows(), false));
      auto const to = items(images, shape_.filters, false);
      T* const y_here = y + first * shape_.output_size();
      T const* const r_here = residual ? residual + first * shape_.output_size() : nullptr;
      if (layout_ == TensorLayout::nchw) {
        product(exec, b, Batch(y_here, to), r_here, to);
      } else {
        plan_.execute(exec, T(1), b, T(0), Batch(product_.data(), to));
        finish_tensor(
            exec, FinishTensor<T>{product_.data(), y_here, bias_.data(), r_here, shape_.filters, places_, true, relu_},
            images);
      }
    }
  }

  [[nodiscard]] ConvCandidate about() const override {
    ConvCandidate c;
    c.method = method_;
    c.kernel = label(plan_.choice());
    c.precision = plan_.description().precision;
    c.weight_bytes = plan_.bytes();
    c.workspace_bytes = (unrolled_.extent(0) + product_.extent(0)) * sizeof(T);
    return c;
  }

 private:
  [[nodiscard]] std::int64_t images_at_a_time(std::uint64_t bytes) const {
    if (in_place_) return 0;
    std::uint64_t const fit = bytes / std::max<std::uint64_t>(conv_bytes(gather_.size(), sizeof(T)), 1);
    return static_cast<std::int64_t>(std::clamp<std::uint64_t>(fit, 1, static_cast<std::uint64_t>(batch_)));
  }

  /// (images, channels, places), the channels of a place or the places of a channel next to one another.
  [[nodiscard]] Kokkos::LayoutStride items(std::int64_t images, std::int64_t channels, bool channels_last) const {
    auto const n = [](std::int64_t v) { return static_cast<std::size_t>(v); };
    return Kokkos::LayoutStride(n(images), n(channels * places_), n(channels), n(channels_last ? 1 : places_),
                                n(places_), n(channels_last ? channels : 1));
  }

  void product(Exec const& exec, ConstBatch const& b, Batch const& c, T const* residual,
               Kokkos::LayoutStride const& layout) const {
    using E = epilogue_t<Batch>;
    E e;
    if (bias_.data())
      e.row_bias = decltype(e.row_bias)(bias_.data(), Kokkos::LayoutStride(bias_.view.extent(0), std::size_t{1}));
    if (residual) e.residual = decltype(e.residual)(residual, layout);
    e.relu = relu_;
    plan_.execute(exec, T(1), b, T(0), c, e);
  }

  [[nodiscard]] PlanType make(ConvSource<Exec, T> const& s) const {
    bool const dense = method_ == ConvMethod::dense;
    std::int64_t const unrolled = s.shape.unrolled_rows();
    if (dense) require_fits<std::int32_t>("araia::conv::dense: number of weights", s.shape.filters * unrolled);
    std::int64_t const entries = dense ? s.shape.filters * unrolled : s.weights.nnz();
    require_conv_memory<Exec>(
        to_string(method_),
        conv_bytes(images_ * gather_.size(), sizeof(T)) +
            (layout_ == TensorLayout::nhwc ? conv_bytes(images_ * shape_.output_size(), sizeof(T)) : 0) +
            conv_bytes(entries, sizeof(std::int32_t) + sizeof(T)),
        conv_bytes(entries, sizeof(std::int32_t) + sizeof(double) + sizeof(T)));
    std::vector<std::int32_t> offsets = s.weights.row_offsets;
    std::vector<std::int32_t> cols;
    std::vector<double> values;
    if (dense) {
      values.assign(static_cast<std::size_t>(s.shape.filters * unrolled), 0.0);
      cols.resize(values.size());
    } else {
      values = s.weights.values;
      cols.resize(values.size());
    }
    for (std::int64_t k = 0; k < s.shape.filters; ++k) {
      std::int64_t const first = k / (s.shape.filters / s.shape.groups) * s.shape.columns();
      auto const row = static_cast<std::size_t>(k);
      if (dense)
        for (std::int64_t c = 0; c < unrolled; ++c)
          cols[static_cast<std::size_t>(k * unrolled + c)] = static_cast<std::int32_t>(c);
      for (auto j = static_cast<std::size_t>(s.weights.row_offsets[row]);
           j < static_cast<std::size_t>(s.weights.row_offsets[row + 1]); ++j) {
        std::int64_t const column = first + s.weights.col_indices[j];
        if (dense) {
          values[static_cast<std::size_t>(k * unrolled + column)] = s.weights.values[j];
        } else {
          cols[j] = static_cast<std::int32_t>(column);
        }
      }
      if (dense) offsets[row + 1] = static_cast<std::int32_t>((k + 1) * unrolled);
    }
    Csr<T, std::int32_t, std::int32_t, Device> a;
    a.rows = s.shape.filters;
    a.cols = unrolled;
    a.nnz = static_cast<std::int64_t>(values.size());
    a.row_offsets = conv_array<std::int32_t>(s.exec, "araia::conv::row_offsets", offsets);
    a.col_indices = conv_array<std::int32_t>(s.exec, "araia::conv::col_indices", cols);
    a.values = conv_array<T>(s.exec, "araia::conv::values", values);
    SpmmDesc desc;
    desc.columns = places_;
    desc.precision = s.options.precision;
    if (in_place_ && layout_ == TensorLayout::nhwc) desc.layout_b = desc.layout_c = DenseLayout::left;
    PlanOptions options;
    if (dense) {
      options.allow_dense = true;
      options.formats = {"dense"};
    }
    // A race of kernels pays on devices; on hosts the model's choice is as good.
    options.measure = s.options.measure && is_device_space<Exec>;
    options.budget = s.options.budget;
    return make_plan(s.exec, desc, a, options);
  }

  ConvShape shape_;
  std::int64_t batch_;
  ConvMethod method_;
  TensorLayout layout_;
  bool relu_;
  bool in_place_;
  ConvBias<Exec, T> bias_;
  std::int64_t places_;
  GatherLines<T> gather_;
  std::int64_t images_;  // that are unrolled at a time; 0 in place
  PlanType plan_;
  Kokkos::View<T*, Device> unrolled_{};
  Kokkos::View<T*, Device> product_{};
};

/// Sparse weights whose columns are offsets into padded planes, or into the input as it lies.
template <class Exec, class T>
class ConvShiftedPath final : public ConvPath<Exec, T> {
 public:
  using Device = typename Exec::device_type;
  using Kernel = ShiftedKernel<Exec, T>;

  explicit ConvShiftedPath(ConvSource<Exec, T> const& s)
      : shape_(s.shape),
        batch_(s.batch),
        layout_(s.options.layout),
        relu_(s.options.relu),
        in_place_(s.shape.multiplies_input() && s.options.layout == TensorLayout::nchw),
        bias_(s),
        planes_of_(s.shape, images_together(s)),
        gather_(GatherLines<T>::planes(s.shape, s.options.layout)),
        kernel_(s.exec, rows(s), operands()) {
    if (!in_place_) planes_ = new_array<T, Device>(s.exec, "araia::conv::planes", plane_elements());
    if (layout_ == TensorLayout::nhwc)
      product_ = new_array<T, Device>(s.exec, "araia::conv::product", product_elements());
  }

  void run(Exec const& exec, T const* x, T* y, T const* residual) const override {
    if (!in_place_) lay_out(exec, x);
    bool const last = layout_ == TensorLayout::nhwc;
    ShiftedOperands<T> b = operands();
    b.planes = in_place_ ? x : planes_.data();
    b.y = last ? product_.data() : y;
    if (!last) {
      b.bias = bias_.data();
      b.residual = residual;
      b.residual_strides = b.y_strides;
    }
    kernel_.multiply(exec, b);
    if (last)
      finish_tensor(exec,
                    FinishTensor<T>{product_.data(), y, bias_.data(), residual, shape_.filters,
                                    shape_.out_height() * shape_.out_width(), true, relu_},
                    batch_);
  }

  [[nodiscard]] ConvCandidate about() const override {
    ConvCandidate c;
    c.method = ConvMethod::shifted_columns;
    c.kernel = kernel_.name();
    c.weight_bytes = kernel_.bytes() + bias_.view.extent(0) * sizeof(T);
    c.workspace_bytes = (planes_.extent(0) + product_.extent(0)) * sizeof(T);
    return c;
  }

 private:
  /// As the kernel likes it, where offsets of 32 bits reach all of it and the input is laid out by channels.
  [[nodiscard]] std::int64_t images_together(ConvSource<Exec, T> const& s) const {
    if (!Kernel::images_together || in_place_ || layout_ != TensorLayout::nchw) return 1;
    return ShiftedPlanes(s.shape, batch_).size() <= std::numeric_limits<std::int32_t>::max() ? batch_ : 1;
  }

  /// Pointers apart.
  [[nodiscard]] ShiftedOperands<T> operands() const {
    ShiftedOperands<T> b;
    b.images = batch_;
    b.image_stride = planes_of_.image_stride();
    b.plane_width = static_cast<std::int32_t>(planes_of_.w.extent);
    b.out_height = static_cast<std::int32_t>(shape_.out_height());
    b.out_width = static_cast<std::int32_t>(shape_.out_width());
    b.y_strides = {shape_.output_size(), shape_.out_height() * shape_.out_width(), shape_.out_width()};
    b.relu = relu_ && layout_ == TensorLayout::nchw;
    return b;
  }

  /// Elements of the planes of a batch, and of its output where that is transposed.
  [[nodiscard]] std::int64_t plane_elements() const {
    return in_place_ ? 0 : batch_ / planes_of_.together * planes_of_.size();
  }
  [[nodiscard]] std::int64_t product_elements() const {
    return layout_ == TensorLayout::nhwc ? batch_ * shape_.output_size() : 0;
  }

  [[nodiscard]] ShiftedRows<T> rows(ConvSource<Exec, T> const& s) const {
    auto const weights = conv_bytes(s.weights.nnz(), sizeof(std::int32_t) + sizeof(T));
    require_conv_memory<Exec>(
        "shifted_columns",
        conv_bytes(plane_elements(), sizeof(T)) + conv_bytes(product_elements(), sizeof(T)) + weights, 2 * weights);
    ShiftedRows<T> to{s.weights.row_offsets, std::vector<std::int32_t>(s.weights.col_indices.size()),
                      std::vector<T>(s.weights.col_indices.size())};
    std::vector<std::pair<std::int32_t, double>> row;
    for (std::int64_t k = 0; k < shape_.filters; ++k) {
      std::int64_t const first = k / (shape_.filters / shape_.groups) * shape_.group_channels();
      auto const begin = static_cast<std::size_t>(s.weights.row_offsets[static_cast<std::size_t>(k)]);
      auto const end = static_cast<std::size_t>(s.weights.row_offsets[static_cast<std::size_t>(k) + 1]);
      row.clear();
      for (std::size_t j = begin; j < end; ++j) {
        std::int64_t const column = s.weights.col_indices[j];
        std::int64_t const tap = column % (shape_.kernel_height * shape_.kernel_width);
        row.emplace_back(
            static_cast<std::int32_t>(planes_of_.offset(first + column / (shape_.kernel_height * shape_.kernel_width),
                                                        tap / shape_.kernel_width, tap % shape_.kernel_width)),
            s.weights.values[j]);
      }
      std::sort(row.begin(), row.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
      for (std::size_t j = begin; j < end; ++j) {
        to.col_offsets[j] = row[j - begin].first;
        to.values[j] = static_cast<T>(row[j - begin].second);
      }
    }
    return to;
  }

  void lay_out(Exec const& exec, T const* x) const {
    if constexpr (Kernel::images_together) {
      if (layout_ == TensorLayout::nchw) {
        lay_out_planes(exec, shape_, planes_of_, batch_, x, planes_.data());
        return;
      }
    }
    auto gather = gather_;
    gather.x = x;
    gather.out = planes_.data();
    gather_lines("araia::conv::planes", exec, gather, batch_);
  }

  ConvShape shape_;
  std::int64_t batch_;
  TensorLayout layout_;
  bool relu_;
  bool in_place_;
  ConvBias<Exec, T> bias_;
  ShiftedPlanes planes_of_;
  GatherLines<T> gather_;
  Kernel kernel_;
  Kokkos::View<T*, Device> planes_{};
  Kokkos::View<T*, Device> product_{};
};

/// All weights, zeros included, group by group in the order of the filters.
inline std::vector<double> dense_values(ConvShape const& shape, ConvWeights const& weights) {
  std::vector<double> values(static_cast<std::size_t>(shape.weights()), 0.0);
  for (std::size_t row = 0; row < static_cast<std::size_t>(weights.rows); ++row)
    for (auto j = static_cast<std::size_t>(weights.row_offsets[row]);
         j < static_cast<std::size_t>(weights.row_offsets[row + 1]); ++j)
      values[row * static_cast<std::size_t>(weights.cols) + static_cast<std::size_t>(weights.col_indices[j])] =
          weights.values[j];
  return values;
}

/// The same in exec's memory. \param workspace  elements of T that the method takes besides
template <class Exec, class T>
Kokkos::View<T*, typename Exec::device_type> dense_array(ConvSource<Exec, T> const& s, char const* method,
                                                         std::int64_t workspace) {
  require_conv_memory<Exec>(method, conv_bytes(s.shape.weights() + workspace, sizeof(T)),
                            conv_bytes(s.shape.weights(), sizeof(double) + sizeof(T)));
  return conv_array<T>(s.exec, "araia::conv::values", dense_values(s.shape, s.weights));
}

/// Dense weights on hosts: BLAS on the unrolled input, or the input as it lies.
template <class Exec, class T>
class ConvBlasPath final : public ConvPath<Exec, T> {
 public:
  using Device = typename Exec::device_type;

  explicit ConvBlasPath(ConvSource<Exec, T> const& s)
      : shape_(s.shape),
        batch_(s.batch),
        layout_(s.options.layout),
        relu_(s.options.relu),
        in_place_(s.shape.multiplies_input() && s.options.layout == TensorLayout::nchw),
        bias_(s),
        gather_(GatherLines<T>::unrolled(s.shape, s.options.layout)),
        values_(dense_array(s, "dense",
                            (in_place_ ? 0 : gather_.size()) +
                                (layout_ == TensorLayout::nhwc ? shape_.output_size() : std::int64_t{0}))) {
    if (!in_place_) unrolled_ = new_array<T, Device>(s.exec, "araia::conv::unrolled", gather_.size());
    if (layout_ == TensorLayout::nhwc)
      product_ = new_array<T, Device>(s.exec, "araia::conv::product", shape_.output_size());
  }

  void run(Exec const& exec, T const* x, T* y, T const* residual) const override {
    bool const last = layout_ == TensorLayout::nhwc;
    std::int64_t const places = shape_.out_height() * shape_.out_width();
    std::int64_t const filters = shape_.filters / shape_.groups;
    for (std::int64_t image = 0; image < batch_; ++image) {
      T const* b = x + image * shape_.input_size();
      if (!in_place_) {
        auto gather = gather_;
        gather.x = b;
        gather.out = unrolled_.data();
        gather_lines("araia::conv::unroll", exec, gather, 1);
        b = unrolled_.data();
      }
      exec.fence("araia::conv: the unrolled input is there");
      T* const y_here = y + image * shape_.output_size();
      T* const c = last ? product_.data() : y_here;
      for (std::int64_t g = 0; g < shape_.groups; ++g)
        blas_multiply(filters, places, shape_.columns(), values_.data() + g * filters * shape_.columns(),
                      b + g * shape_.columns() * places, c + g * filters * places);
      T const* const r_here = residual ? residual + image * shape_.output_size() : nullptr;
      if (last || bias_.data() || residual || relu_)
        finish_tensor(exec, FinishTensor<T>{c, y_here, bias_.data(), r_here, shape_.filters, places, last, relu_}, 1);
    }
  }

  [[nodiscard]] ConvCandidate about() const override {
    ConvCandidate c;
    c.method = ConvMethod::dense;
    c.kernel = "blas";
    c.weight_bytes = values_.extent(0) * sizeof(T);
    c.workspace_bytes = (unrolled_.extent(0) + product_.extent(0)) * sizeof(T);
    return c;
  }

 private:
  ConvShape shape_;
  std::int64_t batch_;
  TensorLayout layout_;
  bool relu_;
  bool in_place_;
  ConvBias<Exec, T> bias_;
  GatherLines<T> gather_;
  Kokkos::View<T*, Device> values_;
  Kokkos::View<T*, Device> unrolled_{};
  Kokkos::View<T*, Device> product_{};
};

template <class Exec, class T>
class ConvDepthwisePath final : public ConvPath<Exec, T> {
 public:
  explicit ConvDepthwisePath(ConvSource<Exec, T> const& s)
      : shape_(s.shape),
        batch_(s.batch),
        layout_(s.options.layout),
        relu_(s.options.relu),
        bias_(s),
        values_(dense_array(s, "depthwise", 0)) {}

  void run(Exec const& exec, T const* x, T* y, T const* residual) const override {
    auto const height = shape_.out_height();
    auto const width = shape_.out_width();
    depthwise_lines(exec,
                    DepthwiseLines<T>{x, y, values_.data(), bias_.data(), residual, shape_, height, width,
                                      TensorStrides(layout_, shape_.channels, shape_.height, shape_.width),
                                      TensorStrides(layout_, shape_.filters, height, width), relu_},
                    batch_);
  }

  [[nodiscard]] ConvCandidate about() const override {
    ConvCandidate c;
    c.method = ConvMethod::depthwise;
    c.kernel = "lines";
    c.weight_bytes = values_.extent(0) * sizeof(T);
    return c;
  }

 private:
  ConvShape shape_;
  std::int64_t batch_;
  TensorLayout layout_;
  bool relu_;
  ConvBias<Exec, T> bias_;
  Kokkos::View<T*, typename Exec::device_type> values_;
};

}  // namespace araia::detail
