// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/nn/conv_net.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>

#include "src/nn/conv_passes.hpp"
#include "src/reason.hpp"

namespace araia::detail {
namespace {

/// The largest, or the mean, of what a window sees of the input.
template <class T>
struct PoolPlaces {
  T const* x;
  T* y;
  ConvShape s;
  std::int64_t out_height;
  std::int64_t out_width;
  TensorStrides from;
  TensorStrides to;
  bool largest;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const image = i / to.image;
    std::int64_t const rest = i - image * to.image;
    std::int64_t const channel = rest / to.channel % s.channels;
    std::int64_t const top = rest / to.line % out_height * s.stride_h - s.pad_h;
    std::int64_t const left = rest / to.element % out_width * s.stride_w - s.pad_w;
    T const* const plane = x + image * from.image + channel * from.channel;
    T result{};
    std::int64_t seen = 0;
    for (std::int64_t line = top < 0 ? 0 : top; line < top + s.kernel_height && line < s.height; ++line)
      for (std::int64_t at = left < 0 ? 0 : left; at < left + s.kernel_width && at < s.width; ++at, ++seen) {
        T const value = plane[line * from.line + at * from.element];
        if (!largest) {
          result += value;
        } else if (seen == 0 || value > result || value != value) {
          result = value;
        }
      }
    y[i] = largest ? result : result / static_cast<T>(seen);
  }
};

template <class Exec, class T>
class NetLayers final : public NetBody<Exec, T> {
 public:
  using Device = typename Exec::device_type;
  using Tensor = Kokkos::View<T*, Device>;

  NetLayers(Exec const& exec, Net const& net, std::span<ConvWeights const> weights, std::int64_t batch,
            ConvOptions const& options, std::function<void(std::string const&, double)> const& progress)
      : net_(net), batch_(batch), layout_(options.layout) {
    if (weights.size() != net.layers.size())
      throw Error(ErrorKind::dimension_mismatch, "araia::ConvNet: weights are of " + std::to_string(weights.size()) +
                                                     " layers, expected " + std::to_string(net.layers.size()));
    if (net.layers.empty()) throw Error(ErrorKind::invalid_argument, "araia::ConvNet: the net has no layers");
    require_valid(net);
    std::map<std::tuple<std::string, std::int64_t, bool>, std::size_t> alike;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
      NetLayer const& layer = net.layers[i];
      if (progress) progress(layer.name, static_cast<double>(i) / static_cast<double>(net.layers.size()));
      NetLayerReport report;
      report.name = layer.name;
      report.op = layer.op;
      report.timed_with = i;
      std::optional<ConvLayer<Exec, T>> made;
      if (layer.op == NetOp::convolution) {
        auto mine = options;
        mine.relu = layer.relu;
        auto const key = std::tuple(to_string(layer.shape), weights[i].nnz(), layer.relu);
        auto const first = alike.find(key);
        if (first != alike.end()) mine.method = layers_[first->second].convolution.winner().method;
        try {
          made.emplace(exec, layer.shape, batch, weights[i], mine);
        } catch (Error const& e) {
          throw Error(e.kind(), (layer.name.empty() ? "" : "layer " + layer.name + ": ") + without_function(e.what()));
        }
        report.convolution = made->report();
        if (first != alike.end()) {
          report.timed_with = first->second;
          report.convolution.candidates = layers_[first->second].convolution.candidates;
          report.convolution.measured = layers_[first->second].convolution.measured;
        } else {
          alike[key] = i;
        }
      } else {
        require_valid(layer.shape, batch);
      }
      made_.push_back(std::move(made));
      layers_.push_back(std::move(report));
    }
    place_tensors(exec);
  }

  void run(Exec const& exec, T const* x, T* y) const override {
    Kokkos::Profiling::ScopedRegion const region("araia::conv_net");
    auto const output = [&](std::optional<std::size_t> layer) {
      return layer ? static_cast<T const*>(tensors_[place_[*layer]].data()) : x;
    };
    for (std::size_t i = 0; i < net_.layers.size(); ++i) {
      NetLayer const& layer = net_.layers[i];
      T* const to = i + 1 == net_.layers.size() ? y : tensors_[place_[i]].data();
      if (made_[i]) {
        auto const in = unmanaged(output(layer.from), batch_ * layer.shape.input_size());
        auto const out = Kokkos::View<T*, Device, Kokkos::MemoryUnmanaged>(
            to, static_cast<std::size_t>(batch_ * layer.shape.output_size()));
        if (layer.add) {
          made_[i]->execute(exec, in, out, unmanaged(output(layer.add), batch_ * layer.shape.output_size()));
        } else {
          made_[i]->execute(exec, in, out);
        }
        continue;
      }
      ConvShape const& s = layer.shape;
      PoolPlaces<T> const pool{output(layer.from),
                               to,
                               s,
                               s.out_height(),
                               s.out_width(),
                               TensorStrides(layout_, s.channels, s.height, s.width),
                               TensorStrides(layout_, s.channels, s.out_height(), s.out_width()),
                               layer.op == NetOp::max_pool};
      for_each_index("araia::conv_net::pool", IndexRange<Exec>(exec, 0, batch_ * s.output_size()), pool);
    }
  }

  [[nodiscard]] std::vector<NetLayerReport> const& layers() const override { return layers_; }
  [[nodiscard]] ConvLayer<Exec, T> const* layer(std::size_t i) const override {
    return made_[i] ? &*made_[i] : nullptr;
  }
  [[nodiscard]] std::uint64_t tensor_bytes() const override {
    std::uint64_t bytes = 0;
    for (auto const& tensor : tensors_) bytes += tensor.extent(0) * sizeof(T);
    return bytes;
  }
  [[nodiscard]] std::int64_t input_size() const override { return batch_ * net_.channels * net_.height * net_.width; }
  [[nodiscard]] std::int64_t output_size() const override { return batch_ * net_.layers.back().shape.output_size(); }

 private:
  static auto unmanaged(T const* data, std::int64_t size) {
    return Kokkos::View<T const*, Device, Kokkos::MemoryUnmanaged>(data, static_cast<std::size_t>(size));
  }

  /// A tensor's memory is given on after the last layer that reads it.
  void place_tensors(Exec const& exec) {
    std::size_t const count = net_.layers.size();
    std::vector<std::size_t> last_use(count);
    for (std::size_t i = 0; i < count; ++i) {
      last_use[i] = i;
      for (auto const& read : {net_.layers[i].from, net_.layers[i].add})
        if (read) last_use[*read] = i;
    }
    std::vector<std::int64_t> sizes;
    std::vector<std::size_t> free;
    place_.resize(count);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      std::int64_t const size = batch_ * net_.layers[i].shape.output_size();
      if (free.empty()) {
        free.push_back(sizes.size());
        sizes.push_back(0);
      }
      auto const largest =
          std::max_element(free.begin(), free.end(), [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
      place_[i] = *largest;
      free.erase(largest);
      sizes[place_[i]] = std::max(sizes[place_[i]], size);
      for (std::size_t j = 0; j <= i; ++j)
        if (last_use[j] == i) free.push_back(place_[j]);
    }
    std::uint64_t bytes = 0;
    for (auto const size : sizes) bytes = saturating_sum(bytes, static_cast<std::uint64_t>(size) * sizeof(T));
    require_memory("araia::ConvNet: tensors between layers", bytes, memory_limit_or_default<Exec>(0));
    for (auto const size : sizes) tensors_.push_back(new_array<T, Device>(exec, "araia::conv_net::tensor", size));
  }

  Net net_;
  std::int64_t batch_;
  TensorLayout layout_;
  std::vector<NetLayerReport> layers_;
  std::vector<std::optional<ConvLayer<Exec, T>>> made_;
  std::vector<std::size_t> place_;
  std::vector<Tensor> tensors_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<NetBody<Exec, T>> make_net_body(Exec const& exec, Net const& net, std::span<ConvWeights const> weights,
                                                std::int64_t batch, ConvOptions const& options,
                                                std::function<void(std::string const&, double)> const& progress) {
  return std::make_unique<NetLayers<Exec, T>>(exec, net, weights, batch, options, progress);
}

[[gnu::used]] static void write_out_conv_net() {
  for_types<Spaces, Reals>([&]<class Exec, class T>() { write_out(make_net_body<Exec, T>); });
}

}  // namespace araia::detail
