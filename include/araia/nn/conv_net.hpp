// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A network of convolutions and pools on an execution space, from its input to its logits.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/nn/conv_layer.hpp>
#include <araia/nn/net.hpp>

namespace araia {

/// What a net's layer runs. Layers of one shape and number of entries are timed once.
struct NetLayerReport {
  std::string name;
  NetOp op = NetOp::convolution;
  ConvReport convolution{};    ///< of a convolution
  std::size_t timed_with = 0;  ///< the first layer alike, whose timings these are
};

namespace detail {

template <class Exec, class T>
class NetBody {
 public:
  virtual ~NetBody() = default;
  virtual void run(Exec const& exec, T const* x, T* y) const = 0;
  [[nodiscard]] virtual std::vector<NetLayerReport> const& layers() const = 0;
  [[nodiscard]] virtual ConvLayer<Exec, T> const* layer(std::size_t i) const = 0;
  [[nodiscard]] virtual std::uint64_t tensor_bytes() const = 0;
  [[nodiscard]] virtual std::int64_t input_size() const = 0;
  [[nodiscard]] virtual std::int64_t output_size() const = 0;
};

template <class Exec, class T>
std::unique_ptr<NetBody<Exec, T>> make_net_body(Exec const& exec, Net const& net, std::span<ConvWeights const> weights,
                                                std::int64_t batch, ConvOptions const& options,
                                                std::function<void(std::string const&, double)> const& progress);

}  // namespace detail

/// Thread safety: as ConvLayer. Tensors between layers are the net's, and share memory where they do not live at once.
template <class Exec, class T = float>
class ConvNet {
 public:
  /// \param weights   of each layer, as net_weights(net) makes them
  /// \param options   of every layer; relu and residual are the net's own
  /// \param progress  told of each layer ("conv1", share of the work done)
  /// \throws araia::Error as require_valid(net) and ConvLayer, naming the layer; resource_limit
  ConvNet(Exec const& exec, Net const& net, std::span<ConvWeights const> weights, std::int64_t batch,
          ConvOptions const& options = {}, std::function<void(std::string const&, double)> const& progress = {})
      : body_(detail::make_net_body<Exec, T>(exec, net, weights, batch, options, progress)) {}

  /// \param x, y  contiguous Views of any rank: (batch, net.channels, net.height, net.width), and the last layer's
  ///              output; or in NHWC
  /// \throws araia::Error dimension_mismatch for another number of elements, invalid_argument where they overlap
  template <class X, class Y>
  void execute(Exec const& exec, X const& x, Y const& y) const {
    static_assert(std::is_same_v<typename X::non_const_value_type, T> && std::is_same_v<typename Y::value_type, T>,
                  "araia::ConvNet::execute: tensors have the net's scalar, and y is not const");
    require_size("x", x, body_->input_size());
    require_size("y", y, body_->output_size());
    T const* const begin = y.data();
    T const* const others = x.data();
    if (begin < others + x.span() && others < begin + y.span()) detail::throw_tensors_overlap("y");
    body_->run(exec, x.data(), y.data());
  }

  [[nodiscard]] std::vector<NetLayerReport> const& layers() const { return body_->layers(); }
  /// Null for pools.
  [[nodiscard]] ConvLayer<Exec, T> const* layer(std::size_t i) const { return body_->layer(i); }
  /// Of what lies between layers.
  [[nodiscard]] std::uint64_t tensor_bytes() const { return body_->tensor_bytes(); }
  [[nodiscard]] std::int64_t output_size() const { return body_->output_size(); }

 private:
  template <class View>
  static void require_size(char const* name, View const& view, std::int64_t expected) {
    static_assert(Kokkos::is_view_v<View> && Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                  "araia::ConvNet::execute: tensors are Views in memory that exec reaches");
    if (!view.span_is_contiguous() || static_cast<std::int64_t>(view.size()) != expected)
      detail::throw_not_a_tensor(name, std::to_string(view.size()), std::to_string(expected));
  }
  std::shared_ptr<detail::NetBody<Exec, T> const> body_;
};

}  // namespace araia
