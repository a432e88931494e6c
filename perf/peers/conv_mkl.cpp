// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneMKL's SGEMM on the unrolled input, which OpenMP threads write row by row; 1 x 1 layers multiply the input in
// place. Bias and ReLU are a parallel pass over the output.
#include <mkl_cblas.h>

#include <algorithm>
#include <memory>

#include "conv_peers.hpp"

namespace araia::perf {
namespace {

struct State {
  ConvProblem problem;
  std::vector<float> unrolled;

  explicit State(ConvProblem const& from) : problem(from) {
    if (!problem.shape.multiplies_input())
      unrolled.resize(static_cast<std::size_t>(problem.shape.unrolled_rows() * places()));
  }
  [[nodiscard]] std::int64_t places() const { return problem.shape.out_height() * problem.shape.out_width(); }

  void unroll(float const* x) {
    ConvShape const& s = problem.shape;
    std::int64_t const rows = s.unrolled_rows();
    std::int64_t const out_height = s.out_height();
    std::int64_t const out_width = s.out_width();
    float* const out = unrolled.data();
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t const t = row % s.kernel_width;
      std::int64_t const r = row / s.kernel_width % s.kernel_height;
      float const* const plane = x + row / (s.kernel_width * s.kernel_height) * s.height * s.width;
      float* to = out + row * out_height * out_width;
      std::int64_t const first = t * s.dilation_w - s.pad_w;
      for (std::int64_t oy = 0; oy < out_height; ++oy, to += out_width) {
        std::int64_t const line = oy * s.stride_h + r * s.dilation_h - s.pad_h;
        if (line < 0 || line >= s.height) {
          std::fill_n(to, out_width, 0.0F);
          continue;
        }
        std::int64_t const begin = std::min(out_width, first >= 0 ? 0 : (-first + s.stride_w - 1) / s.stride_w);
        std::int64_t const end =
            std::clamp(first >= s.width ? 0 : (s.width - 1 - first) / s.stride_w + 1, begin, out_width);
        std::fill_n(to, begin, 0.0F);
        float const* const from = plane + line * s.width + first;
        if (s.stride_w == 1) {
          std::copy(from + begin, from + end, to + begin);
        } else {
          for (std::int64_t j = begin; j < end; ++j) to[j] = from[j * s.stride_w];
        }
        std::fill_n(to + end, out_width - end, 0.0F);
      }
    }
  }

  void run() {
    ConvShape const& s = problem.shape;
    auto const m = static_cast<MKL_INT>(s.filters);
    auto const n = static_cast<MKL_INT>(places());
    auto const k = static_cast<MKL_INT>(s.columns());
    for (std::int64_t image = 0; image < problem.batch; ++image) {
      float const* b = problem.x + image * s.input_size();
      float* const y = problem.y + image * s.output_size();
      if (!unrolled.empty()) {
        unroll(b);
        b = unrolled.data();
      }
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, problem.weights.data(), k, b, n, 0, y, n);
#pragma omp parallel for schedule(static)
      for (std::int64_t row = 0; row < s.filters; ++row) {
        float const bias = problem.bias[static_cast<std::size_t>(row)];
        for (std::int64_t j = row * n; j < (row + 1) * n; ++j) y[j] = std::max(y[j] + bias, 0.0F);
      }
    }
  }
};

}  // namespace

ConvContender conv_of_mkl(ConvProblem const& problem) {
  auto const state = std::make_shared<State>(problem);
  return {"mkl_sgemm", [state] { state->run(); }};
}

}  // namespace araia::perf
