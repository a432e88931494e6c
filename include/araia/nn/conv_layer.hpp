// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A convolution with pruned weights, decided once, run often.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <araia/detail/formats/written_out.hpp>
#include <araia/detail/nn/conv_shape.hpp>
#include <araia/detail/nn/conv_weights.hpp>
#include <araia/error.hpp>
#include <araia/nn/conv_options.hpp>

namespace araia {

namespace detail {

/// A layer behind its types' back; pointers are to exec's memory.
template <class Exec, class T>
class ConvBody {
 public:
  virtual ~ConvBody() = default;
  virtual void run(Exec const& exec, T const* x, T* y, T const* residual) const = 0;
  [[nodiscard]] virtual ConvReport const& report() const = 0;
};

/// Written out in src/nn for the library's spaces, and double and float.
template <class Exec, class T>
std::unique_ptr<ConvBody<Exec, T>> make_conv_body(Exec const& exec, ConvShape const& shape, std::int64_t batch,
                                                  ConvWeights const& weights, ConvOptions const& options);

/// \param first  extent of the tensor's images
[[noreturn]] void throw_not_a_tensor(char const* name, std::string const& got, std::string const& expected);
[[noreturn]] void throw_tensors_overlap(char const* name);

}  // namespace detail

/// y = act(w * x + bias + residual) for a batch of images.
/// Thread safety: copies are one layer, whose workspace serves one call at a time; calls on one instance of a device's
/// space follow each other by themselves.
template <class Exec, class T = float>
class ConvLayer {
  static_assert(std::is_same_v<T, double> || (detail::has_all_types && std::is_same_v<T, float>),
                "araia::ConvLayer: layers are of float or double; with Araia_TYPES=minimal of double alone");
  static_assert(detail::is_written_out_space<Exec>,
                "araia::ConvLayer: this build holds no layers for exec; Araia_SPACES=all adds Serial beside OpenMP");

 public:
  using execution_space = Exec;
  using value_type = T;
  using body_type = detail::ConvBody<Exec, T>;

  /// Chooses a method, with options.measure by timing whole layers on operands of its own, and makes what it needs.
  /// \param weights  copied, rounded to T
  /// \throws araia::Error as require_valid(shape, batch) and require_valid(shape, weights); unsupported where
  ///         options.method cannot compute the shape, or options.precision is not native and T not float;
  ///         resource_limit for memory
  /// Cost      about options.budget seconds where it measures; waits for exec
  ConvLayer(Exec const& exec, ConvShape const& shape, std::int64_t batch, ConvWeights const& weights,
            ConvOptions const& options = {})
      : body_(detail::make_conv_body<Exec, T>(exec, shape, batch, weights, options)) {}

  /// \param exec  queue of the work; a device's may return before completion, host kernels run in the caller's threads
  /// \param x     contiguous View of exec's memory: of rank 4, (batch, channels, height, width) or in NHWC (batch,
  ///              height, width, channels), or of rank 1 and as many elements
  /// \param y     likewise of (batch, filters, out_height, out_width) or NHWC's order; apart from x
  /// \throws araia::Error dimension_mismatch, invalid_argument
  /// Cost      report().winner(); no allocation
  /// Rounding  |error| <= gamma(len + 5) (|w| |x| + |bias| + |residual|), len the entries of a filter, with the unit
  ///           roundoff of the method's precision
  template <class X, class Y>
  void execute(Exec const& exec, X const& x, Y const& y) const {
    static_assert(!std::is_const_v<typename Y::value_type>, "araia::ConvLayer::execute: y must not be const");
    body_->run(exec, input(x), output("y", x, y), nullptr);
  }

  /// \param residual  added before the activation; as y, apart from it
  template <class X, class Y, class R>
  void execute(Exec const& exec, X const& x, Y const& y, R const& residual) const {
    static_assert(!std::is_const_v<typename Y::value_type>, "araia::ConvLayer::execute: y must not be const");
    T const* const r = output("residual", y, residual);
    body_->run(exec, input(x), output("y", x, y), r);
  }

  [[nodiscard]] ConvReport const& report() const { return body_->report(); }

 private:
  template <class View>
  static void require_tensor(char const* name, View const& view, std::int64_t batch, std::int64_t channels,
                             std::int64_t height, std::int64_t width, TensorLayout layout) {
    static_assert(Kokkos::is_view_v<View> && (View::rank() == 1 || View::rank() == 4) &&
                      std::is_same_v<typename View::non_const_value_type, T> &&
                      Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                  "araia::ConvLayer::execute: tensors are Views of rank 1 or 4, of the layer's scalar, in memory that "
                  "exec reaches");
    bool const last = layout == TensorLayout::nhwc;
    std::int64_t const extents[] = {batch, last ? height : channels, last ? width : height, last ? channels : width};
    bool fits = view.span_is_contiguous();
    std::string got;
    std::string expected;
    if constexpr (View::rank() == 1) {
      std::int64_t const size = batch * channels * height * width;
      fits = fits && static_cast<std::int64_t>(view.extent(0)) == size;
      got = std::to_string(view.extent(0));
      expected = std::to_string(size);
    } else {
      std::int64_t stride = 1;
      for (std::size_t i = 4; i-- > 0;) {
        fits = fits && static_cast<std::int64_t>(view.extent(i)) == extents[i] &&
               (extents[i] == 1 || static_cast<std::int64_t>(view.stride(i)) == stride);
        stride *= extents[i];
      }
      for (std::size_t i = 0; i < 4; ++i) {
        got += (i ? " x " : "") + std::to_string(view.extent(i));
        expected += (i ? " x " : "") + std::to_string(extents[i]);
      }
    }
    if (!fits) detail::throw_not_a_tensor(name, got, expected);
  }
  template <class X>
  T const* input(X const& x) const {
    auto const& [shape, batch] = shape_of();
    require_tensor("x", x, batch, shape.channels, shape.height, shape.width, report().options.layout);
    return x.data();
  }
  template <class Other, class Y>
  auto* output(char const* name, Other const& other, Y const& y) const {
    auto const& [shape, batch] = shape_of();
    require_tensor(name, y, batch, shape.filters, shape.out_height(), shape.out_width(), report().options.layout);
    T const* const begin = y.data();
    T const* const others = other.data();
    if (begin < others + other.span() && others < begin + y.span()) detail::throw_tensors_overlap(name);
    return y.data();
  }
  struct ShapeAndBatch {
    ConvShape const& shape;
    std::int64_t batch;
  };
  [[nodiscard]] ShapeAndBatch shape_of() const { return {report().shape, report().batch}; }

  std::shared_ptr<body_type const> body_;
};

/// Times the layer's fastest sparse method on random weights of three sparsities, and puts a line of time by density
/// through them: where it meets `dense_seconds` the answer flips.
/// \param dense_seconds  of the fastest method that multiplies zeros; 0 where there is none: then it is not known
/// Cost      about options.budget seconds for each of three layers
template <class Exec, class T>
[[nodiscard]] ConvFlip find_flip(Exec const& exec, ConvShape const& shape, std::int64_t batch,
                                 ConvOptions const& options, double dense_seconds);

}  // namespace araia
