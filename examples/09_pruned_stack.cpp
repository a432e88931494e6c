// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small pruned network from weights to logits: layers are pruned by magnitude, batch normalisation is folded into
// them, each is computed by the method that is fastest here, and the result is held to the unpruned definition.
#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include <araia/nn/conv_check.hpp>
#include <araia/nn/conv_layer.hpp>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Scalar = std::conditional_t<araia::detail::has_all_types, float, double>;
using Tensor = Kokkos::View<Scalar****, Kokkos::LayoutRight, Exec>;

std::vector<Scalar> host_copy(Tensor const& tensor) {
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tensor);
  return {mirror.data(), mirror.data() + mirror.size()};
}

/// Outputs of a layer against the direct convolution.
bool holds(araia::ConvLayer<Exec, Scalar> const& layer, araia::ConvWeights const& weights, Tensor const& x,
           Tensor const& y, Tensor const* residual) {
  auto const& r = layer.report();
  auto const added = residual ? host_copy(*residual) : std::vector<Scalar>();
  auto const check = araia::check_convolution(r.shape, r.batch, weights, r.options, host_copy(x).data(),
                                              host_copy(y).data(), residual ? added.data() : nullptr);
  std::printf("%-36s %.2f sparse: %s, error %.2f of its bound\n", to_string(r.shape).c_str(), r.sparsity,
              to_string(r.winner().method), check.worst_share);
  return check.ok();
}

int run() {
  Exec const exec;
  constexpr int batch = 4;
  araia::ConvOptions options;
  options.relu = true;
  options.budget = 0.05;  // seconds a layer

  // A 3 x 3 layer with stride 2, its batch normalisation folded in after pruning.
  araia::ConvShape const shape1{.channels = 3,
                                .height = 32,
                                .width = 32,
                                .filters = 32,
                                .kernel_height = 3,
                                .kernel_width = 3,
                                .stride_h = 2,
                                .stride_w = 2,
                                .pad_h = 1,
                                .pad_w = 1};
  araia::ConvWeights weights1 = araia::random_weights(shape1, 0.5);
  std::vector<double> const ones(32, 1.0);
  std::vector<double> const means(32, 0.1);
  fold_batch_norm(weights1, {.gamma = ones, .beta = means, .mean = means, .variance = ones});
  araia::ConvLayer<Exec, Scalar> const layer1(exec, shape1, batch, weights1, options);

  // A 3 x 3 layer whose input is added to its output before the ReLU.
  araia::ConvShape const shape2{.channels = 32,
                                .height = 16,
                                .width = 16,
                                .filters = 32,
                                .kernel_height = 3,
                                .kernel_width = 3,
                                .pad_h = 1,
                                .pad_w = 1};
  araia::ConvWeights const weights2 = araia::random_weights(shape2, 0.9, 2);
  araia::ConvLayer<Exec, Scalar> const layer2(exec, shape2, batch, weights2, options);

  // Ten classes: a filter of the whole image each.
  araia::ConvShape const shape3{
      .channels = 32, .height = 16, .width = 16, .filters = 10, .kernel_height = 16, .kernel_width = 16};
  araia::ConvWeights weights3 = araia::random_weights(shape3, 0.95, 3);
  weights3.bias.assign(10, 0.01);
  options.relu = false;
  araia::ConvLayer<Exec, Scalar> const layer3(exec, shape3, batch, weights3, options);

  Tensor const x("x", batch, 3, 32, 32);
  Kokkos::parallel_for(
      "image", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<4>>(exec, {0, 0, 0, 0}, {batch, 3, 32, 32}),
      KOKKOS_LAMBDA(int n, int c, int i, int j) {
        x(n, c, i, j) = Kokkos::sin(Scalar(0.1) * static_cast<Scalar>(n + 3 * c + i * j));
      });
  Tensor const y1("y1", batch, 32, 16, 16);
  Tensor const y2("y2", batch, 32, 16, 16);
  Tensor const logits("logits", batch, 10, 1, 1);
  layer1.execute(exec, x, y1);
  layer2.execute(exec, y1, y2, y1);  // y2 = act(w * y1 + y1)
  layer3.execute(exec, y2, logits);
  exec.fence();

  bool const ok = holds(layer1, weights1, x, y1, nullptr) && holds(layer2, weights2, y1, y2, &y1) &&
                  holds(layer3, weights3, y2, logits, nullptr);
  auto const values = host_copy(logits);
  std::printf("logits of the first image:");
  for (std::size_t i = 0; i < 10; ++i) std::printf(" %.3f", static_cast<double>(values[i]));
  std::printf("\n");
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  return run();
}
